package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

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
	// WarnOnly reports that a file that does not parse after its edits is committed without being named.
	WarnOnly bool
}

// Body returns the answer: a box with its diff for each block that fits, as far as there is room, and the others as in
// a Summary.
func (p Preview) Body() string {
	others := p.others()
	above := []string{p.headline(), p.statement(), p.hint()}
	below := []string{p.commandList(), p.problemList(), contextFold(p.Context, p.Reply.Given), p.footer(), p.marker()}
	room := bodyRoom - size(above...) - size(below...)
	table, room := others.table(room)
	boxes, room := p.boxes(room)
	return markdown.JoinSections(append(append(above, boxes, table, others.folds(room)), below...))
}

// Check returns the check run of a preview, which is neutral: nothing has succeeded or failed yet.
func (p Preview) Check() port.Check {
	c := p.Summary.Check()
	c.Conclusion, c.Title = "neutral", "Preview: "+p.fitting()
	if len(p.brokenFiles()) > 0 {
		c.Title = "⚠️ " + c.Title + "; not all files parse"
	}
	c.Summary = markdown.Clip(markdown.JoinSections([]string{
		p.headline(), p.broken(), p.statement(), p.commandList(), p.problemList(), p.footer(),
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

func (p Preview) headline() string {
	if len(p.Results) == 0 {
		return p.noEdits()
	}
	text := "**Preview**: " + p.fitting() + inFiles(", in", len(p.Changed))
	if n := p.committed(); n > 0 {
		return text + fmt.Sprintf(" · %d committed", n)
	}
	return text + " · nothing is committed yet"
}

func (p Preview) fitting() string {
	n, all := record.Count(p.Results).Applied, len(p.Results)
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

// hint says how blocks are committed, and how a commit is undone.
func (p Preview) hint() string {
	var parts []string
	if left := p.left(); len(left) > 0 {
		parts = append(parts, p.applyHint(left))
	}
	if p.committed() > 0 && p.offers("undo") {
		parts = append(parts, "`/tenon undo` takes the newest commit back.")
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

// onlyNamed returns those of the blocks that are only committed if they are named: their files do not parse after them.
func (p Preview) onlyNamed(left []int) (out []int) {
	for _, n := range left {
		if !p.WarnOnly && (len(p.Results[n-1].Problems) > 0 || p.Outcomes[n].Breaks) {
			out = append(out, n)
		}
	}
	return out
}

func (p Preview) applyHint(left []int) string {
	if !p.offers("apply") {
		return "The settings of this repository do not allow `/tenon apply`, so none of it can be committed from here."
	}
	text := "Tick what you want committed, or write " + p.applyExamples(left)
	if p.ReadOnly != "" {
		text += ". It will come as a patch, and as suggestions on the diff: tenon cannot push here, because " +
			markdown.Plain(p.ReadOnly, "")
	}
	return text + "."
}

// applyExamples are commands that commit blocks.
func (p Preview) applyExamples(left []int) string {
	text, n := "`/tenon apply` for all of it", len(left)
	named := p.onlyNamed(left)
	numbers := strings.ReplaceAll(editList(named), " ", "")
	switch {
	case len(named) > 0 && len(named) == n:
		return fmt.Sprintf("`/tenon apply %s`: no file parses after the edits that are left, so each has to be named",
			numbers)
	case len(named) > 0:
		return fmt.Sprintf("`/tenon apply` for all but %s, after which a file does not parse, `/tenon apply %s` for %s",
			brokenFile{edits: named}.after(), numbers, english.PluralWord(len(named), "that one", "those"))
	case n == 2:
		text += fmt.Sprintf(", `/tenon apply %d` for one", left[0])
	case n > 2:
		text += fmt.Sprintf(", `/tenon apply %d,%d` for some", left[0], left[n-1])
	}
	return text
}

// boxes has a line for each block that fits, as many as there is room for, and below each its diff. It returns the room
// that is left.
func (p Preview) boxes(room int) (string, int) {
	var lines []string
	var without []int
	share := room * boxShare / 100
	for i, row := range p.Results {
		n := i + 1
		if !p.fits(n) {
			continue
		}
		line := markdown.Box(n, slices.Contains(p.Ticked, n), p.boxText(n, row))
		if share -= size(line); share < 0 {
			without = append(without, n)
		} else {
			lines = append(lines, line)
		}
	}
	room -= utf8.RuneCountInString(strings.Join(lines, "\n\n")) + foldRoom
	lines, bare, room := p.withDiffs(lines, room)
	text := strings.Join(lines, "\n\n")
	if n := len(bare); n > 0 {
		text += fmt.Sprintf("\n\n⚠️ The %s of %s %s cannot be shown here. Commit only what you know.",
			english.PluralWord(n, "diff", ""), english.PluralWord(n, "edit", ""),
			markdown.Clip(command.FormatNumbers(bare), foldRoom/4))
	}
	if n := len(without); n > 0 {
		text += fmt.Sprintf("\n\n… and %d more, for which there is no room here: `/tenon apply %s`",
			n, strings.ReplaceAll(command.FormatNumbers(without), " ", ""))
	}
	return text, room
}

// boxText says in one line what a block changes, and whether it was committed.
func (p Preview) boxText(n int, r record.Result) string {
	name := markdown.Clip(r.Path, markdown.MaxCell)
	if r.Line > 0 {
		name += fmt.Sprintf(":%d", r.Line)
	}
	text := fmt.Sprintf("%s · +%d −%d", markdown.Code(name), r.Added, r.Removed)
	if w := warning(r); w != "" {
		text += " · " + w
	}
	if r.Detail != "" {
		text += " · " + markdown.Plain(markdown.Clip(r.Detail, markdown.MaxCell), r.Path)
	}
	switch o := p.Outcomes[n]; {
	case o.SHA != "":
		text += " · ✅ committed in " + CommitLink(p.RepoURL, o.SHA)
	case o.Present:
		text += " · ✅ is in the file already"
	case o.Why != "":
		text += " · ❌ not committed: " + markdown.Plain(markdown.Clip(o.Why, markdown.MaxCell), r.Path)
	}
	return text
}

// withDiffs adds to the lines of boxes their diffs, as far as there is room; the commit shows those of a block that was
// committed. It returns the numbers of the blocks whose diffs are missing, and the room that is left.
func (p Preview) withDiffs(lines []string, room int) (shown []string, bare []int, left int) {
	at := 0
	for i, row := range p.Results {
		if !p.fits(i + 1) {
			continue
		}
		if at == len(lines) {
			break
		}
		fold := "  " + markdown.Indented(markdown.Fold("Diff", markdown.Fenced("diff", row.Diff)), 2) // in the item of a list
		switch {
		case p.Outcomes[i+1].Done() || row.Added+row.Removed == 0:
		case row.Diff == "" || size(fold) > room || fold != markdown.Shallow(fold):
			bare = append(bare, i+1)
		default:
			lines[at] += "\n\n" + fold
			room -= size(fold)
		}
		at++
	}
	return lines, bare, room
}
