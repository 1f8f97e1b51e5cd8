package report

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// Bounds on what is told in a check run.
const (
	// checkRoom is what GitHub takes in a check's summary, and in its text.
	CheckRoom      = 65535
	maxAnnotations = 200
	maxAnnotation  = 1000
)

// buttons are those that a check may have, in order, each with the verb behind it.
var buttons = []port.CheckButton{
	{Label: "Apply", Description: "Commit the edits of this preview", Verb: "apply"},
	{Label: "Retry", Description: "Ask again for the edits that failed", Verb: "retry"},
	{Label: "Undo", Description: "Take the commit back by another one", Verb: "undo"},
}

// check is the end of a run as its check run tells it.
func (r Summary) Check() port.Check {
	head, _, _ := strings.Cut(r.headline(), "\n")
	below := markdown.JoinSections([]string{r.words(), r.suggestionList(), r.problemList(), r.footer()})
	table, room := r.table(CheckRoom)
	return port.Check{
		Conclusion:  r.conclusion(),
		Title:       r.CheckTitle(),
		Summary:     markdown.Clip(markdown.JoinSections([]string{head, below}), CheckRoom),
		Text:        markdown.JoinSections([]string{table, r.folds(room)}),
		Annotations: r.annotations(), Buttons: r.buttons(),
	}
}

func (r Summary) conclusion() string {
	switch {
	case record.Count(r.Results).Failed > 0:
		return "failure"
	case r.SHA != "":
		return "success"
	}
	return "neutral"
}

func (r Summary) CheckTitle() string {
	if len(r.Results) == 0 {
		return "Nothing was changed"
	}
	n := record.Count(r.Results)
	return fmt.Sprintf("Applied %d, failed %d, skipped %d of %d %s", n.Applied, n.Failed, n.Skipped, len(r.Results), markdown.Plural(len(r.Results), "edit"))
}

// annotations say at the lines of files what failed there.
func (r Summary) annotations() []port.Annotation {
	var out []port.Annotation
	for i, row := range r.Results {
		if row.Status != engine.Failed.String() || row.Line == 0 || len(out) == maxAnnotations {
			continue
		}
		out = append(out, port.Annotation{
			Path: row.Path, StartLine: row.Line, EndLine: row.Line, Level: "warning",
			Title:   fmt.Sprintf("Edit %d was not applied", row.NumberAt(i)),
			Message: markdown.Clip(markdown.OneLine(row.Detail)+". "+r.remedy(engine.Reason(row.Reason)), maxAnnotation),
		})
	}
	return out
}

// buttons are those that do something now, and whose commands may be given.
func (r Summary) buttons() []port.CheckButton {
	n := record.Count(r.Results)
	makesSense := map[string]bool{"undo": r.SHA != "", "retry": n.Failed > 0, "apply": r.SHA == "" && r.Preview && n.Applied > 0}
	var out []port.CheckButton
	for _, b := range buttons {
		if makesSense[b.Verb] && r.offers(b.Verb) {
			out = append(out, b)
		}
	}
	return out
}
