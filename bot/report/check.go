package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
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
	{Label: "Undo", Description: "Revert the commit by another one", Verb: "undo"},
	{Label: "Fix", Description: "Fix what CI reports as failed", Verb: "fix"},
}

// Check returns the check run for the end of a run. Unlike the answer it has a table, and the engine's words.
func (r Summary) Check() port.Check {
	summary := markdown.JoinSections([]string{
		r.opening(), r.notes(), r.closing(), r.problemList(), costLine(r.Costs),
	})
	r.whole = true
	table, room := r.table(CheckRoom)
	details := r.editDetails(min(maxDetails, room/2))
	return port.Check{
		Conclusion:  r.conclusion(),
		Title:       r.CheckTitle(),
		Summary:     markdown.Clip(summary, CheckRoom),
		Text:        markdown.JoinSections([]string{table, details, r.diffs(room - size(details))}),
		Annotations: r.annotations(),
		Buttons:     r.buttons(),
	}
}

// conclusion is "failure" only if nothing could be done although something was asked.
func (r Summary) conclusion() string {
	n := r.tally()
	switch {
	case r.SHA != "" && n.made == n.wanted && !r.committedBroken() && !r.Reply.Cut:
		return "success"
	case r.SHA != "", (r.Unpushed != "" || r.Held) && !r.Patch.Empty(), r.Reply.NoChange,
		len(r.Results) > 0 && n.wanted == 0, r.upToDate():
		return "neutral"
	}
	return "failure"
}

// maxTitle bounds the title of a check run, in characters.
const maxTitle = 250

// CheckTitle returns the title of the check run for the end of a run.
func (r Summary) CheckTitle() string {
	title := r.verdict().plain()
	if r.committedBroken() {
		title += " · not all files parse"
	}
	return markdown.Clip(title, maxTitle)
}

// annotations say at the lines of files what failed there.
func (r Summary) annotations() []port.Annotation {
	var out []port.Annotation
	for _, f := range r.brokenFiles() {
		if problem := f.problems[0]; !f.refused && r.SHA != "" && problem.Line > 0 && len(out) < maxAnnotations {
			out = append(out, port.Annotation{
				Path: f.path, StartLine: problem.Line, EndLine: problem.Line, Level: "warning",
				Title: "Committed anyway", Message: markdown.Clip(markdown.OneLine(problem.Text), maxAnnotation),
			})
		}
	}
	for i, row := range r.Results {
		if !row.Status.Failed() || row.Line == 0 || len(out) == maxAnnotations {
			continue
		}
		message := strings.TrimSuffix(markdown.OneLine(row.Detail), ".") + "."
		if helps := r.remedy(row); helps != "" {
			message += " " + upperFirst(helps) + "."
		}
		out = append(out, port.Annotation{
			Path: row.Path, StartLine: row.Line, EndLine: row.Line, Level: "warning",
			Title:   fmt.Sprintf("%s %d was not applied", upperFirst(r.does().noun), row.NumberAt(i)),
			Message: markdown.Clip(message, maxAnnotation),
		})
	}
	return out
}

// buttons are those of commands that may be given and would do something.
func (r Summary) buttons() []port.CheckButton {
	n := record.Count(r.Results)
	return buttonsFor(map[string]bool{
		"apply": r.SHA == "" && r.Preview && n.Applied > 0,
		"retry": r.canRetry() && r.Source == "" && r.does() == editing,
		"undo":  r.SHA != "",
	}, r.offers)
}

// ButtonsOfCommit returns the buttons of the check run on a commit that a command made with these results: as they were
// when it was made, and with one that fixes what CI reports if CI failed. offers reports whether a command may be
// given.
func ButtonsOfCommit(c command.Command, results []record.Result, failed bool,
	offers func(verb string) bool) []port.CheckButton {
	return buttonsFor(map[string]bool{
		"retry": c.Text == command.TextTask && slices.ContainsFunc(results, retryHelps),
		"undo":  true,
		"fix":   failed,
	}, offers)
}

// buttonsFor returns the buttons of the verbs that are useful, if their commands may be given.
func buttonsFor(useful map[string]bool, offers func(verb string) bool) (out []port.CheckButton) {
	for _, b := range buttons {
		if useful[b.Verb] && offers(b.Verb) {
			out = append(out, b)
		}
	}
	return out
}
