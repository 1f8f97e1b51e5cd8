package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// boxShare is the part of the room that boxes may take before there is any for what they show, in percent.
const boxShare = 60

// previewed is a preview as it is shown: with what became of its blocks, and which boxes are ticked.
type Preview struct {
	history.Preview
	Summary
	Fates  map[int]history.BlockOutcome
	Ticked []int
}

// body has a box with its diff for each block that fits, as far as there is room, then the others as in the report of a fix.
func (p Preview) Body() string {
	others := p.others()
	above := []string{p.headline(), p.words(), p.hint()}
	below := []string{p.suggestionList(), p.problemList(), contextFold(p.Context), p.footer(), p.mark()}
	room := bodyRoom
	for _, text := range append(above, below...) {
		room -= utf8.RuneCountInString(text) + len("\n\n")
	}
	table, room := others.table(room)
	boxes, room := p.boxes(room)
	return markdown.JoinSections(append(append(above, boxes, table, others.folds(room)), below...))
}

// mark is how the preview is known when one of its boxes is ticked.
func (p Preview) mark() string { return fmt.Sprintf("<!-- tenon:preview=%s -->", p.Run) }

// others are the blocks that do not fit, with their numbers.
func (p Preview) others() Summary {
	r := p.Summary
	r.Results = nil
	for i, row := range p.Results {
		if row.Number = i + 1; !p.Fits(row.Number) {
			r.Results = append(r.Results, row)
		}
	}
	return r
}

func (p Preview) headline() string {
	all := p.Results
	if len(all) == 0 {
		return p.nothing()
	}
	n := record.Count(all)
	text := fmt.Sprintf("**Preview**: %d of %d %s %s", n.Applied, len(all), markdown.Plural(len(all), "edit"), fit(n.Applied))
	if len(p.Changed) > 0 {
		text += fmt.Sprintf(", in %d %s", len(p.Changed), markdown.Plural(len(p.Changed), "file"))
	}
	if n := p.committed(); n > 0 {
		return text + fmt.Sprintf(" · %d committed", n)
	}
	return text + " · nothing is committed yet"
}

func fit(n int) string {
	if n == 1 {
		return "fits"
	}
	return "fit"
}

func (p Preview) committed() (n int) {
	for _, f := range p.Fates {
		if f.SHA != "" {
			n++
		}
	}
	return n
}

// left are the numbers of the blocks that fit and are not committed.
func (p Preview) left() []int {
	var out []int
	for n := 1; n <= len(p.Results); n++ {
		if p.Fits(n) && !p.Fates[n].Done() {
			out = append(out, n)
		}
	}
	return out
}

// hint says how blocks are committed, and how what was committed is taken back.
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

func (p Preview) applyHint(left []int) string {
	if !p.offers("apply") {
		return "The settings of this repository do not allow `/tenon apply`, so none of it can be committed from here."
	}
	text := "Tick what you want committed, or write `/tenon apply` for all of it"
	switch n := len(left); {
	case n == 2:
		text += fmt.Sprintf(", `/tenon apply %d` for one", left[0])
	case n > 2:
		text += fmt.Sprintf(", `/tenon apply %d,%d` for some", left[0], left[n-1])
	}
	if why := p.Target.ReadOnly; why != "" {
		return text + ". It will come as a patch, and as suggestions on the diff: tenon cannot push here, because " + markdown.Plain(why, "") + "."
	}
	return text + "."
}

// boxes has a line for each block that fits, as many as there is room for, and below it what it changes; it returns the room
// that is left.
func (p Preview) boxes(room int) (string, int) {
	var lines []string
	var without []int
	share := room * boxShare / 100
	for i, row := range p.Results {
		n := i + 1
		if !p.Fits(n) {
			continue
		}
		line := markdown.Box(n, slices.Contains(p.Ticked, n), p.boxWords(n, row))
		if share -= utf8.RuneCountInString(line) + len("\n\n"); share < 0 {
			without = append(without, n)
		} else {
			lines = append(lines, line)
		}
	}
	room -= utf8.RuneCountInString(strings.Join(lines, "\n\n")) + foldRoom
	lines, bare, room := p.withDiffs(lines, room)
	text := strings.Join(lines, "\n\n")
	if len(bare) > 0 {
		text += fmt.Sprintf("\n\n⚠️ The %s of %s %s cannot be shown here. Commit only what you know.", markdown.Plural(len(bare), "diff"), markdown.Plural(len(bare), "edit"), markdown.Clip(command.NumberList(bare), foldRoom/4))
	}
	if len(without) > 0 {
		text += fmt.Sprintf("\n\n… and %d more, for which there is no room here: `/tenon apply %s`", len(without), strings.ReplaceAll(command.NumberList(without), " ", ""))
	}
	return text, room
}

// boxWords says in one line what a block changes, and what became of it.
func (p Preview) boxWords(n int, r record.Result) string {
	name := markdown.Clip(r.Path, markdown.MaxCell)
	if r.Line > 0 {
		name += fmt.Sprintf(":%d", r.Line)
	}
	text := fmt.Sprintf("%s · +%d −%d", markdown.Code(name), r.Added, r.Removed)
	if r.Detail != "" {
		text += " · " + markdown.Plain(markdown.Clip(r.Detail, markdown.MaxCell), r.Path)
	}
	switch f := p.Fates[n]; {
	case f.SHA != "":
		text += fmt.Sprintf(" · ✅ committed in [`%.7s`](%s/commit/%s)", f.SHA, p.RepoURL, f.SHA)
	case f.Present:
		text += " · ✅ stands in the file already"
	case f.Why != "":
		text += " · ❌ not committed: " + markdown.Plain(markdown.Clip(f.Why, markdown.MaxCell), r.Path)
	}
	return text
}

// withDiffs puts below the boxes what they show, as far as there is room; it returns the numbers of those for which there is
// none, and the room that is left. Of what is committed the commit tells.
func (p Preview) withDiffs(lines []string, room int) (shown []string, bare []int, left int) {
	at := 0
	for i, row := range p.Results {
		if !p.Fits(i + 1) {
			continue
		}
		if at == len(lines) {
			break
		}
		f := "  " + markdown.Indented(markdown.Fold("Diff", markdown.Fenced("diff", row.Diff)), 2) // the text of a list's item
		n := utf8.RuneCountInString(f) + len("\n\n")
		switch {
		case p.Fates[i+1].Done() || row.Added+row.Removed == 0:
		case row.Diff == "" || n > room || f != markdown.Shallow(f):
			bare = append(bare, i+1)
		default:
			lines[at] += "\n\n" + f
			room -= n
		}
		at++
	}
	return lines, bare, room
}

// check is the preview as its check run tells it: it is no judgement.
func (p Preview) Check() port.Check {
	c := p.Summary.Check()
	n := record.Count(p.Results)
	c.Conclusion, c.Title = "neutral", fmt.Sprintf("Preview: %d of %d %s %s", n.Applied, len(p.Results), markdown.Plural(len(p.Results), "edit"), fit(n.Applied))
	c.Summary = markdown.Clip(markdown.JoinSections([]string{p.headline(), p.words(), p.suggestionList(), p.problemList(), p.footer()}), CheckRoom)
	return c
}
