package engine

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/match"
	"github.com/tenon-bot/tenon/engine/text"
)

// replaceWhole makes a file what a block says that it is as a whole. Only the lines that differ are edited, so that the
// others keep their bytes, and what the file has got since the model saw it is kept.
func (a *applier) replaceWhole(f *file, b Block, target resolvedPath, res *Result) {
	base := f.text
	if f.shown != nil {
		base = text.New(a.work, f.shown)
	}
	have := base.Lines()
	if b.Labelled {
		b = withoutLabel(b, have)
	}
	lines := b.Replace
	a.work.SpendBytes(base.Size())
	switch {
	case text.AllBlank(have):
		a.create(f, b, target, res)
		return
	case !b.Complete && 2*countNonBlank(lines) < countNonBlank(have):
		res.fail(refusal{Partial, fmt.Sprintf("The block has %d lines, and the file has %d: it seems to be a part of the "+
			"file, and does not say what it replaces", len(lines), len(have))})
		return
	}
	var edits []text.Edit
	for _, h := range text.Diff(a.work, have, lines) {
		edits = append(edits, text.Edit{From: h.From, To: h.To, Lines: lines[h.NewFrom:h.NewTo]})
	}
	switch {
	case len(edits) == 0:
		res.skip(AlreadyApplied)
	case match.Elides(have, edits, text.IsMarkup(f.path)):
		res.fail(placeholder)
	case !b.Complete && isCutOff(have, edits):
		res.fail(refusal{Partial, fmt.Sprintf("The block ends where the file has %d more lines: it seems to be cut off",
			edits[len(edits)-1].To-edits[len(edits)-1].From)})
	case !fitsEncoding(f.text, edits):
		res.fail(onlyASCII)
	case f.shown != nil:
		a.mergeEdit(f, base.After(edits).Bytes(), res)
	default:
		a.makeEdits(f, edits, res)
	}
}

// minCutOff is how many lines a file has at least that its new content, if it ends before them, was cut off before.
const minCutOff = 4

// isCutOff reports whether edits remove the last lines of a file, and put nothing in their place.
func isCutOff(have []string, edits []text.Edit) bool {
	last := edits[len(edits)-1]
	return last.To == len(have) && text.AllBlank(last.Lines) && countNonBlank(have[last.From:]) >= minCutOff
}

func countNonBlank(lines []string) int {
	n := 0
	for _, s := range lines {
		if !text.IsBlank(s) {
			n++
		}
	}
	return n
}

// withoutLabel returns a block for a whole file without the line that names its path, and the blank line below it,
// unless the file has them.
func withoutLabel(b Block, have []string) Block {
	i := text.FirstNonBlank(b.Replace)
	if k := text.FirstNonBlank(have); k < len(have) && strings.TrimSpace(have[k]) == strings.TrimSpace(b.Replace[i]) {
		return b
	}
	lines := b.Replace[i+1:]
	if len(lines) > 0 && text.IsBlank(lines[0]) && (len(have) == 0 || !text.IsBlank(have[0])) {
		lines = lines[1:]
	}
	block.SetHalves(&b, nil, lines)
	return b
}
