package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// boxShare is the part of the room that boxes may take before there is any for their diffs, in percent.
const boxShare = 60

// Preview is a preview with the outcomes of its blocks until now.
type Preview struct {
	Summary
	// Run is the run of the preview.
	Run string
	// ReadOnly is why tenon cannot push to the branch; empty if it can.
	ReadOnly string
	// Outcomes are what happened to blocks that were to be committed, by the numbers of the blocks.
	Outcomes map[int]history.BlockOutcome
	// Ticked are the blocks whose boxes are ticked.
	Ticked []int
	// First tells what the preview showed when it was made: only that gets a box. nil when it is made.
	First *record.Shown
	// WarnOnly reports that a file that does not parse after its edits is committed without being named.
	WarnOnly bool
}

// Body returns the answer: a box with its diff for each block that fits, as far as there is room, and the others as in
// a Summary.
func (p Preview) Body() string {
	left := p.left()
	body, boxed := p.body(left)
	if ticks := intersect(left, boxed); len(ticks) < len(left) { // the hint is about those with a box
		body, _ = p.body(ticks)
	}
	return body
}

// body is Body with a hint about the blocks left. It returns the blocks with a box.
func (p Preview) body(left []int) (text string, boxed []int) {
	others := p.others()
	above := []string{p.opening(), p.remarks(), p.missing(), p.beyondBounds(), p.hint(left)}
	below := []string{p.closing(), p.details(), p.marker()}
	room := p.room() - size(above...) - size(below...)
	failures, room := others.failures(room)
	boxes, boxed, _ := p.boxes(room)
	return markdown.JoinSections(append(append(above, boxes, failures), below...)), boxed
}

func intersect(a, b []int) []int {
	return slices.DeleteFunc(slices.Clone(a), func(n int) bool { return !slices.Contains(b, n) })
}

// Seen tells where people see the edits whole in an answer and in the text of its check run.
func (p Preview) Seen(body, check string) record.Shown {
	shown := record.Shown{Boxes: markdown.Boxes(body)}
	for i, row := range p.Results {
		switch n := i + 1; {
		case !p.fits(n) || slices.Contains(shown.Boxes, n):
		case row.In(body):
			shown.Answer = append(shown.Answer, n)
		case row.In(check):
			shown.Check = append(shown.Check, n)
		}
	}
	return shown
}

// Check returns the check run of a preview, which is neutral: nothing has succeeded or failed yet.
func (p Preview) Check() port.Check {
	c := p.Summary.Check()
	c.Conclusion, c.Title = "neutral", "Preview: "+p.fitting()
	if len(p.brokenFiles()) > 0 {
		c.Title = "⚠️ " + c.Title + "; not all files parse"
	}
	c.Summary = markdown.Clip(markdown.JoinSections([]string{
		p.opening(), p.broken(), p.beyondBounds(), p.closing(), p.problemList(), costLine(p.Costs),
	}), CheckRoom)
	return c
}

// marker is how the preview is known when one of its boxes is ticked.
func (p Preview) marker() string { return fmt.Sprintf("<!-- tenon:preview=%s -->", p.Run) }

// fits reports whether block n fitted when the preview was made.
func (p Preview) fits(n int) bool { return p.Results[n-1].Status.Applied() }

// others is a Summary of the blocks that do not fit, with their numbers.
func (p Preview) others() Summary {
	r := p.Summary
	r.Results = nil
	for i, row := range p.Results {
		if row.Number = i + 1; !p.fits(row.Number) {
			r.Results = append(r.Results, row)
		}
	}
	return r
}

// opening is that of an answer, in which nothing is committed yet.
func (p Preview) opening() string {
	if len(p.Results) == 0 {
		return p.Summary.opening()
	}
	first, rest := p.said()
	if rest != "" {
		rest = markdown.Fold("More of what the model said", rest)
	}
	head := "👀 **Preview** · " + p.fitting()
	if subject := subjectText(p.Subject); subject != "" {
		head = "👀 **Preview: " + subject + "** · " + p.fitting()
	}
	if n := p.committed(); n > 0 {
		head += fmt.Sprintf(" · %d committed", n)
	}
	return markdown.JoinSections([]string{head, p.caution(), first, rest})
}

func (p Preview) fitting() string {
	n, all := record.Count(p.Results).Applied, len(p.Results)
	if n == all {
		return english.Plural(n, "edit fits", "edits fit")
	}
	return fmt.Sprintf("%d of %d %s %s", n, all, english.PluralWord(all, "edit", ""), english.PluralWord(n, "fits", "fit"))
}

func (p Preview) committed() (n int) {
	for _, o := range p.Outcomes {
		if o.SHA != "" {
			n++
		}
	}
	return n
}

// hint says in one line what can be done: how blocks with boxes are committed, and how a commit is reverted.
func (p Preview) hint(left []int) string {
	var parts []string
	if len(left) > 0 {
		parts = append(parts, p.applyHint(left))
	}
	if p.committed() > 0 && p.offers(command.Undo) {
		parts = append(parts, "`/tenon undo` reverts the latest commit.")
	}
	return strings.Join(parts, " ")
}

// left returns the numbers of the blocks that fit and are not committed.
func (p Preview) left() []int {
	var out []int
	for n := 1; n <= len(p.Results); n++ {
		if p.fits(n) && !p.Outcomes[n].Done() {
			out = append(out, n)
		}
	}
	return out
}

// onlyNamed returns those of the blocks that are only committed if they are named: their files do not parse after
// them.
func (p Preview) onlyNamed(left []int) (out []int) {
	for _, n := range left {
		if !p.WarnOnly && (len(p.row(n).Problems) > 0 || p.Outcomes[n].Breaks) {
			out = append(out, n)
		}
	}
	return out
}

func (p Preview) applyHint(left []int) string {
	if !p.offers("apply") {
		return "The settings of this repository do not allow `/tenon apply`, so none of it can be committed from here."
	}
	text := "Tick the edits to commit, or comment " + p.applyExamples(left)
	if len(p.left()) == 1 {
		text = "Tick the edit to commit it, or comment " + p.applyExamples(left)
	}
	if p.ReadOnly != "" {
		text += ". The change will come as a patch, and as suggestions on the diff: tenon cannot push here, because " +
			markdown.Plain(p.ReadOnly, "")
	}
	return text + "."
}

// applyExamples are commands that commit blocks.
func (p Preview) applyExamples(left []int) string {
	text, n := "`/tenon apply` for all of them", len(left)
	switch {
	case n < len(p.left()):
		text = "`/tenon apply` for all that have a box"
	case n == 1:
		text = "`/tenon apply`"
	}
	named := p.onlyNamed(left)
	numbers := strings.ReplaceAll(editList(named), " ", "")
	switch {
	case len(named) > 0 && len(named) == n:
		return fmt.Sprintf("`/tenon apply %s`: no file parses after the edits that are left, so each has to be named",
			numbers)
	case len(named) > 0:
		return fmt.Sprintf("`/tenon apply` for all except %s, which %s a file; `/tenon apply %s` commits %s anyway",
			namedEdits(named), english.PluralWord(len(named), "breaks", "break"), numbers,
			english.PluralWord(len(named), "that one", "those"))
	case n == 2:
		text += fmt.Sprintf(", `/tenon apply %d` for one", left[0])
	case n > 2:
		text += fmt.Sprintf(", `/tenon apply %d,%d` for some", left[0], left[n-1])
	}
	return text
}

// boxText says in one line what a block is for, what it changes, and whether it was committed.
func (p Preview) boxText(n int, r record.Result) string {
	name := markdown.Clip(r.Path, markdown.MaxCell)
	if r.Line > 0 {
		name += fmt.Sprintf(":%d", r.Line)
	}
	text := joinDots(purposeText(r), markdown.Code(name), strings.Join(linesChanged(r.Added, r.Removed), " "))
	if len(r.Problems) > 0 {
		words := map[bool]string{true: "not parse", false: "have a problem"}[r.Problems[0].Syntax]
		text += " · ⚠️ the file would " + words + ": " + firstProblem(r)
	}
	if m := marks(r); m != "" {
		text += " · " + m
	}
	if r.Detail != "" {
		text += " · " + markdown.Plain(markdown.Clip(r.Detail, markdown.MaxCell), r.Path)
	}
	switch o := p.Outcomes[n]; {
	case o.SHA != "":
		text += " · ✅ committed in " + CommitLink(p.Links, o.SHA)
	case o.Present:
		text += " · ✅ is already in the file"
	case o.Why != "":
		text += " · ❌ not committed: " + markdown.Plain(markdown.Clip(o.Why, markdown.MaxCell), r.Path)
	}
	return text
}
