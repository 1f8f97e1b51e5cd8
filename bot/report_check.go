package bot

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/engine"
)

// Bounds on what is told in a check run.
const (
	// checkRoom is what GitHub takes in a check's summary, and in its text.
	checkRoom      = 65535
	maxAnnotations = 200
	maxAnnotation  = 1000
)

// buttons are those that a check may have, in order, each with the verb behind it.
var buttons = []CheckButton{
	{"Apply", "Commit the edits of this preview", "apply"},
	{"Retry", "Ask again for the edits that failed", "retry"},
	{"Undo", "Take the commit back by another one", "undo"},
}

// check is the end of a run as its check run tells it.
func (r summary) check() Check {
	head, _, _ := strings.Cut(r.headline(), "\n")
	below := joinSections([]string{r.words(), r.suggestionList(), r.problemList(), r.footer()})
	table, room := r.table(checkRoom)
	return Check{
		Conclusion:  r.conclusion(),
		Title:       r.checkTitle(),
		Summary:     clip(joinSections([]string{head, below}), checkRoom),
		Text:        joinSections([]string{table, r.folds(room)}),
		Annotations: r.annotations(), Buttons: r.buttons(),
	}
}

func (r summary) conclusion() string {
	switch {
	case count(r.Results).failed > 0:
		return "failure"
	case r.SHA != "":
		return "success"
	}
	return "neutral"
}

func (r summary) checkTitle() string {
	if len(r.Results) == 0 {
		return "Nothing was changed"
	}
	n := count(r.Results)
	return fmt.Sprintf("Applied %d, failed %d, skipped %d of %d %s", n.applied, n.failed, n.skipped, len(r.Results), plural(len(r.Results), "edit"))
}

// annotations say at the lines of files what failed there.
func (r summary) annotations() []Annotation {
	var out []Annotation
	for i, row := range r.Results {
		if row.Status != engine.Failed.String() || row.Line == 0 || len(out) == maxAnnotations {
			continue
		}
		out = append(out, Annotation{
			Path: row.Path, StartLine: row.Line, EndLine: row.Line, Level: "warning",
			Title:   fmt.Sprintf("Edit %d was not applied", row.numberAt(i)),
			Message: clip(oneLine(row.Detail)+". "+r.remedy(engine.Reason(row.Reason)), maxAnnotation),
		})
	}
	return out
}

// buttons are those that do something now, and whose commands may be given.
func (r summary) buttons() []CheckButton {
	n := count(r.Results)
	makesSense := map[string]bool{"undo": r.SHA != "", "retry": n.failed > 0, "apply": r.SHA == "" && r.Preview && n.applied > 0}
	var out []CheckButton
	for _, b := range buttons {
		if makesSense[b.Verb] && r.offers(b.Verb) {
			out = append(out, b)
		}
	}
	return out
}
