package engine

import (
	"bytes"
	"slices"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/match"
	"github.com/tenon-bot/tenon/engine/text"
)

// The refusals of a block, and of the blocks of one file, that would change the file once more if they were applied a
// second time: nothing would tell the second application from the first.
var (
	notIdempotent = refusal{Ambiguous,
		"Edit location is ambiguous: after the edit, the same block would match again and change the file once more"}
	notIdempotentTogether = refusal{Ambiguous,
		"Edit location is ambiguous: applied again, the blocks of this file would change it once more"}
)

// isIdempotent reports whether a block that matches at l would change nothing if it were applied again after its edits.
// If it is known what the model saw, that tells a second application from the first. It tries that on a copy of the
// file, unless it is certain: an exact match whose replacement tells that it was made, and whose lines to find are
// gone, or there more than once, or are a part of the replacement.
func (a *applier) isIdempotent(f *file, b Block, l match.Location) bool {
	if a.mode != applyOnce || f.isShown || isOnce(b, l) && l.IsGone() {
		return true
	}
	a.work.Spend(2 * len(f.text.Lines()))
	a.work.SpendBytes(f.text.Size())
	after := f.text.After(l.Match.Edits)
	if b.Ending == block.Unended && l.Match.Last() == len(f.text.Lines())-1 {
		after.Unend()
	}
	data := after.Bytes()
	again, ok := a.again(a, reapplying, f.path, data, []Block{b})
	return ok && bytes.Equal(data, again)
}

// isOnce reports whether the replacement of a block tells that it was made, and reads back from the file as written.
func isOnce(b Block, l match.Location) bool { return len(b.Splits) == 0 && l.IsOnce() }

// settle decides about the blocks of a changed file together: they may be applied already, or not be idempotent.
func (a *applier) settle(f *file) {
	indices := a.blocksOf[f.path]
	if !f.dirty || f.removed || len(indices) < 2 || a.mode == redoing || f.isStable(len(indices)) {
		return
	}
	data, changed := f.finalBytes(false)
	failApplied := func(why refusal) {
		a.undo(f, func(res *Result) {
			if res.Status == Applied {
				res.fail(why)
			}
		})
	}
	switch {
	case !changed:
	case a.isDone(f):
		a.undo(f, func(res *Result) { res.skip(AlreadyApplied) })
	case a.mode != applyOnce || f.isShown:
	case !a.staysSame(f, data):
		failApplied(notIdempotentTogether)
	case a.work.UsedUp(): // then the trial shows nothing
		failApplied(tooMuchWork)
	}
}

// undo drops the edits of a file, and sets the results of its blocks.
func (a *applier) undo(f *file, set func(*Result)) {
	f.dirty, f.resultLines, f.movedTo = false, nil, ""
	for _, i := range a.blocksOf[f.path] {
		res := &a.results[i]
		set(res)
		res.Edit = nil
	}
}

// isDone reports whether the content of a file in the tree is what the blocks of this call make of it: if they are
// undone, last to first, and applied again, the result is the same. One block may change what another has put, so that
// this shows for all of them together only. Blocks that put nothing cannot be undone and are not asked.
func (a *applier) isDone(f *file) bool {
	var blocks []Block
	for _, i := range a.blocksOf[f.path] {
		b := a.results[i].Block
		switch {
		case b.Create || b.Whole || b.Within || len(b.Splits) > 0:
			return false
		case !text.AllBlank(b.Replace):
			blocks = append(blocks, b)
		case a.results[i].Status == Applied:
			return false
		}
	}
	if len(blocks) < 2 || f.original == nil {
		return false
	}
	before := match.File{Text: text.New(a.work, f.original), Path: f.path}
	for _, b := range slices.Backward(blocks) {
		undone := match.NewPattern(a.work, b.Replace, b.Find)
		l := match.LocateUpTo(LevelHomoglyph, before, undone, a.opts.DisabledLevels)
		if l.Reason != "" || l.Match.Ambiguity != "" || len(l.Match.Edits) == 0 {
			return false
		}
		before.Splice(l.Match.Edits)
	}
	after, ok := a.again(a, redoing, f.path, before.Bytes(), blocks)
	return ok && bytes.Equal(after, f.original)
}

// staysSame reports whether the blocks of a file change nothing in its new content.
func (a *applier) staysSame(f *file, data []byte) bool {
	var blocks []Block
	for _, i := range a.blocksOf[f.path] {
		if b := a.results[i].Block; b.MoveTo == "" {
			blocks = append(blocks, b)
		}
	}
	after, ok := a.again(a, reapplying, f.path, data, blocks)
	return ok && bytes.Equal(after, data)
}

// put is a place where a block put its replacement, in the lines of the present file.
type put struct {
	start, end int
	find       []string
	// once is set if the replacement tells that it was made, and the lines to find are gone or a part of it.
	once bool
	// touched is set if a later edit changed the replacement.
	touched bool
}

// shift moves a put by a later edit.
func (p *put) shift(e text.Edit) {
	grown := len(e.Lines) - (e.To - e.From)
	switch {
	case e.To <= p.start:
		p.start, p.end = p.start+grown, p.end+grown
	case e.From < p.end:
		p.end += grown
		p.touched = true
	}
}

// isStable reports whether it is certain that none of the blocks of a file, given their number, would change it once
// more: each has put its replacement, no other block has touched that, and the lines that it finds are nowhere else.
func (f *file) isStable(blocks int) bool {
	if len(f.puts) < blocks {
		return false
	}
	for _, p := range f.puts {
		found := text.Search(f.text.Work, f.text.Lines(), p.find)
		isElsewhere := func(at int) bool { return at < p.start || at+len(p.find) > p.end }
		if !p.once || p.touched || slices.ContainsFunc(found, isElsewhere) {
			return false
		}
	}
	return !f.text.Work.UsedUp()
}
