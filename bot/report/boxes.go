package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

// What was seen is what is committed: only a block whose whole diff is beside it has a box. Of one that is too long
// for that, the whole diff is further below or in the check run, and it has to be named; so has one of which a reader
// would not see everything.

// Bounds on the diffs that are not folded, in lines: of one diff, and of all.
const (
	maxOpenDiff  = 15
	maxOpenLines = 45
)

// wholeShare is the part of the room that is left behind the boxes for diffs without a box, in percent.
const wholeShare = 60

// boxes has an item for each block that fits, as many as there is room for: with a box and the diff below it, if that
// is shown whole. It returns the blocks with a box, and the room that is left.
func (p Preview) boxes(room int) (text string, boxes []int, left int) {
	share := room * boxShare / 100
	var listed, unboxed, without []int
	for n := 1; n <= len(p.Results); n++ {
		if !p.fits(n) {
			continue
		}
		line := max(size(p.unboxed(n)), size(p.box(n)))
		if share -= line; share < 0 {
			without = append(without, n)
			continue
		}
		listed = append(listed, n)
		room -= line
	}
	room -= foldRoom
	items, open := make([]string, len(listed)), maxOpenLines
	for i, n := range listed {
		lines := diffLines(p.row(n))
		diff, boxed := p.besideBox(n, room, lines <= min(open, maxOpenDiff))
		if !boxed {
			items[i] = p.unboxed(n)
			unboxed = append(unboxed, n)
			continue
		}
		items[i] = markdown.JoinSections([]string{p.box(n), diff})
		boxes = append(boxes, n)
		room -= size(diff)
		if lines <= maxOpenDiff {
			open -= lines
		}
	}
	text = strings.Join(items, "\n\n")
	if n := len(without); n > 0 {
		text += fmt.Sprintf("\n\n… and %d more, for which there is no room here: %s", n,
			markdown.Clip(command.FormatNumbers(without), foldRoom/4))
	}
	whole, room := p.wholeDiffs(unboxed, room)
	return markdown.JoinSections([]string{text, whole}), boxes, room
}

func (p Preview) box(n int) string {
	return markdown.Box(n, slices.Contains(p.Ticked, n), p.boxText(n, p.row(n)))
}

// besideBox returns the diff below the box of a block, which open says is not folded; nothing if its commit shows it.
// ok is false if the block has no box: its diff is not whole, there is no room for it, or people were not shown it.
func (p Preview) besideBox(n, room int, open bool) (diff string, ok bool) {
	row := p.row(n)
	switch {
	case p.Outcomes[n].Done():
		return "", true
	case row.Unshown != "" || !p.mayBeBoxed(n):
		return "", false
	case row.Added+row.Removed == 0:
		return "", true
	}
	diff = markdown.Fenced("diff", row.Diff)
	if !open {
		diff = markdown.Fold("Diff", diff)
	}
	diff = "  " + markdown.Indented(diff, 2) // in the item of a list
	return diff, row.Diff != "" && size(diff) <= room && diff == markdown.Shallow(diff)
}

// diffLines returns the number of lines of a diff, without its header.
func diffLines(r record.Result) int {
	return strings.Count(r.Diff, "\n") - strings.Count("\n"+r.Diff, "\n@@ ")
}

// mayBeBoxed reports whether people saw, when the preview was made or when its block was refused since, what the box
// commits.
func (p Preview) mayBeBoxed(n int) bool {
	if o := p.Outcomes[n]; o.Changed != nil {
		return o.Seen
	}
	return p.First == nil || slices.Contains(p.First.Boxes, n)
}

// row is the result of block n: as the preview showed it, or as a later command showed it.
func (p Preview) row(n int) record.Result {
	if changed := p.Outcomes[n].Changed; changed != nil {
		return *changed
	}
	return p.Results[n-1]
}

// unboxed is the item of a block without a box, which says why it has none.
func (p Preview) unboxed(n int) string {
	row := p.row(n)
	why := row.Unshown
	if why == "" {
		why = "there is no room for it"
	}
	return fmt.Sprintf("- ⚠️ **%d** %s · no box, because its diff is not shown whole here: %s", n, p.boxText(n, row), why)
}

// wholeDiffs shows the diffs of blocks without a box as far as there is room, and says where the others are and how
// they are committed. It returns the room that is left.
func (p Preview) wholeDiffs(unboxed []int, room int) (string, int) {
	var folds []string
	var named, elsewhere []int
	left := room*wholeShare/100 - foldRoom
	for _, n := range unboxed {
		row := p.row(n)
		diff := row.WholeDiff()
		fold := markdown.Fold(foldTitle(n, row, "the whole diff"), markdown.Fenced("diff", diff))
		switch {
		case diff != "" && size(fold) <= left && fold == markdown.Shallow(fold):
			folds, left = append(folds, fold), left-size(fold)
			named = append(named, n)
		default:
			elsewhere = append(elsewhere, n)
		}
	}
	text := markdown.JoinSections([]string{p.namedWords(named), p.elsewhereWords(elsewhere), markdown.JoinSections(folds)})
	return text, room - size(text)
}

func (p Preview) namedWords(numbers []int) string {
	if len(numbers) == 0 || !p.offers(command.Apply) {
		return ""
	}
	return fmt.Sprintf("Read the whole diff of %s below: `/tenon apply %s` commits what it shows.",
		namedEdits(numbers), strings.ReplaceAll(editList(numbers), " ", ""))
}

// elsewhereWords says where the diffs are for which there is no room.
func (p Preview) elsewhereWords(numbers []int) string {
	var inCheck, nowhere []int
	for _, n := range numbers {
		if p.CheckURL != "" && p.row(n).WholeDiff() != "" && (p.First == nil || slices.Contains(p.First.Check, n)) {
			inCheck = append(inCheck, n)
		} else {
			nowhere = append(nowhere, n)
		}
	}
	var parts []string
	if len(inCheck) > 0 {
		parts = append(parts, fmt.Sprintf("The whole diff of %s is in [the check](%s): if it is there, `/tenon apply %s` "+
			"commits it.", namedEdits(inCheck), p.CheckURL, strings.ReplaceAll(editList(inCheck), " ", "")))
	}
	if len(nowhere) > 0 {
		parts = append(parts, fmt.Sprintf("The whole diff of %s is not shown anywhere, so it cannot be committed "+
			"from here. Ask for a preview of less at a time.", namedEdits(nowhere)))
	}
	return strings.Join(parts, " ")
}
