package report

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// Bounds on a check run, in characters.
const (
	// CheckRoom is what GitHub accepts in a check's summary, and in its text.
	CheckRoom      = 65535
	maxAnnotations = 200
	maxAnnotation  = 1000
)

// buttons are those that a check may have, in order, each with the verb of its command.
var buttons = []port.CheckButton{
	{Label: "Apply", Description: "Commit the edits of this preview", Verb: "apply"},
	{Label: "Retry", Description: "Ask again for the edits that failed", Verb: "retry"},
	{Label: "Undo", Description: "Take the commit back by another one", Verb: "undo"},
}

// Check returns the check run for the end of a run.
func (r Summary) Check() port.Check {
	head, _, _ := strings.Cut(r.headline(), "\n")
	summary := markdown.JoinSections([]string{
		head, r.broken(), r.statement(), r.commandList(), r.problemList(), r.footer(),
	})
	table, room := r.table(CheckRoom)
	return port.Check{
		Conclusion:  r.conclusion(),
		Title:       r.CheckTitle(),
		Summary:     markdown.Clip(summary, CheckRoom),
		Text:        markdown.JoinSections([]string{table, r.folds(room)}),
		Annotations: r.annotations(),
		Buttons:     r.buttons(),
	}
}

func (r Summary) conclusion() string {
	switch {
	case record.Count(r.Results).Failed > 0:
		return "failure"
	case r.committedBroken():
		return "neutral"
	case r.SHA != "":
		return "success"
	}
	return "neutral"
}

// CheckTitle returns the title of the check run for the end of a run.
func (r Summary) CheckTitle() string {
	if len(r.Results) == 0 {
		return "Nothing was changed"
	}
	if r.committedBroken() {
		return "⚠️ " + r.counts("edit") + "; not all files parse"
	}
	return r.counts("edit")
}

// annotations say at the lines of files what failed there.
func (r Summary) annotations() []port.Annotation {
	var out []port.Annotation
	for _, f := range r.brokenFiles() {
		if problem := f.problems[0]; !f.refused && r.SHA != "" && problem.Line > 0 && len(out) < maxAnnotations {
			out = append(out, port.Annotation{
				Path: f.path, StartLine: problem.Line, EndLine: problem.Line, Level: "warning",
				Title: "Committed all the same", Message: markdown.Clip(markdown.OneLine(problem.Text), maxAnnotation),
			})
		}
	}
	for i, row := range r.Results {
		if !row.Status.Failed() || row.Line == 0 || len(out) == maxAnnotations {
			continue
		}
		remedy := r.remedy(engine.Reason(row.Reason))
		if row.Reason == string(engine.SyntaxError) {
			remedy = r.syntaxRemedy(row)
		}
		message := markdown.OneLine(row.Detail) + ". " + remedy
		out = append(out, port.Annotation{
			Path: row.Path, StartLine: row.Line, EndLine: row.Line, Level: "warning",
			Title:   fmt.Sprintf("Edit %d was not applied", row.NumberAt(i)),
			Message: markdown.Clip(message, maxAnnotation),
		})
	}
	return out
}

// buttons are those of commands that may be given and would do something.
func (r Summary) buttons() []port.CheckButton {
	n := record.Count(r.Results)
	useful := map[string]bool{
		"apply": r.SHA == "" && r.Preview && n.Applied > 0,
		"retry": n.Failed > 0,
		"undo":  r.SHA != "",
	}
	var out []port.CheckButton
	for _, b := range buttons {
		if useful[b.Verb] && r.offers(b.Verb) {
			out = append(out, b)
		}
	}
	return out
}
