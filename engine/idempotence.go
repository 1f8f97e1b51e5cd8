package engine

import (
	"bytes"
	"slices"
	"strings"
)

// The refusals of a block, and of the blocks of one file, that would change the file once more if they were applied a
// second time: nothing would tell the second application from the first.
var (
	notIdempotent = refusal{Ambiguous,
		"Edit location is ambiguous: after the edit, the same block would match again and change the file once more"}
	notIdempotentTogether = refusal{Ambiguous,
		"Edit location is ambiguous: applied again, the blocks of this file would change it once more"}
)

// isIdempotent reports whether a block that matches at loc would change nothing if it were applied again after its
// edits. It tries that on a copy of the file, unless it is certain: an exact match whose replacement tells that it was
// made, and whose find is gone, or is there more than once, or is a part of the replacement.
func (a *applier) isIdempotent(f *file, b Block, loc location) bool {
	if a.mode != applyOnce || loc.isOnce(b) && loc.match.findAfter() {
		return true
	}
	a.work.spend(2 * len(f.text.lines))
	a.work.spendBytes(f.text.size())
	after := text{bom: f.text.bom, lines: slices.Clone(f.text.lines)}
	after.spliceAll(loc.match.edits)
	data := after.bytes()
	again, ok := a.reapply(reapplying, f.path, data, []Block{b})
	return ok && bytes.Equal(data, again)
}

// isOnce reports whether the replacement of a block tells that it was made, and reads back from the file as written.
func (loc location) isOnce(b Block) bool {
	m := loc.match.matcher
	return loc.level == LevelExact && len(b.Splits) == 0 && m.replTells() && !m.replInFind() &&
		!strings.HasPrefix(m.repl[0], bom) &&
		!slices.ContainsFunc(m.repl, func(s string) bool { return strings.HasSuffix(s, "\r") })
}

// findAfter reports whether the lines of find are, after the edits of an exact match, gone, there more than once, or
// there as a part of the replacement. They can only be where the replacement is.
func (m match) findAfter() bool {
	find, repl, file := m.matcher.find, m.matcher.repl, m.matcher.file
	first, end := m.firstLine(), m.lastLine()+1
	from, lines := file.linesAround(first, end, len(find)-1)
	around := slices.Concat(lines[:first-from], repl, lines[end-from:])
	starts := file.occurrences(around, find)
	return len(starts) != 1 || starts[0] >= first-from && starts[0]+len(find) <= first-from+len(repl)
}

// applyMode says why blocks are applied.
type applyMode int

const (
	// applyOnce applies blocks that must be idempotent.
	applyOnce applyMode = iota
	// reapplying tries whether they are: it does not ask that again.
	reapplying
	// redoing applies blocks that were undone, whose result is known: it does not ask whether they are applied.
	redoing
)

// reapply returns what blocks make of a file with the given content; ok is false if they cannot be applied.
func (a *applier) reapply(mode applyMode, path string, data []byte, blocks []Block) (after []byte, ok bool) {
	tree := MemTree{path: data}
	sub := newApplier(tree, Options{DisabledLevels: a.opts.DisabledLevels, Limits: a.opts.Limits})
	sub.mode, sub.longWay, sub.work, sub.paths.work = mode, a.longWay, a.work, a.work
	for i, b := range blocks {
		b.Path, b.Candidates = path, nil
		if sub.applyBlock(i, b) != nil {
			return nil, false
		}
	}
	if _, err := sub.finish(); err != nil {
		return nil, false
	}
	return tree[path], true
}

// put is a place where a block put its replacement, in the lines of the present file.
type put struct {
	start, end int
	find       []string
	// once is set if the replacement tells that it was made, and find is gone or a part of it.
	once bool
	// touched is set if a later edit changed the replacement.
	touched bool
}

// shift moves a put by a later edit.
func (p *put) shift(e edit) {
	grown := len(e.repl) - (e.to - e.from)
	switch {
	case e.to <= p.start:
		p.start, p.end = p.start+grown, p.end+grown
	case e.from < p.end:
		p.end += grown
		p.touched = true
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
		case b.Create || len(b.Splits) > 0:
			return false
		case !allBlank(b.Replace):
			blocks = append(blocks, b)
		case a.results[i].Status == Applied:
			return false
		}
	}
	if len(blocks) < 2 || f.original == nil {
		return false
	}
	before := newText(a.work, f.original)
	for _, b := range slices.Backward(blocks) {
		m := matcher{file: before, find: b.Replace, repl: b.Find}
		loc := m.locate(LevelHomoglyph, a.opts.DisabledLevels)
		if loc.reason != "" || loc.match.ambiguity != "" || len(loc.match.edits) == 0 {
			return false
		}
		before.makeEdits(loc.match.edits)
	}
	after, ok := a.reapply(redoing, f.path, before.bytes(), blocks)
	return ok && bytes.Equal(after, f.original)
}

// settle decides about the blocks of a changed file together: they may be applied already, or not be idempotent.
func (a *applier) settle(f *file) {
	indices := a.blocksOf[f.path]
	if !f.dirty || len(indices) < 2 || a.mode == redoing || f.isStable(len(indices)) {
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
	case a.mode != applyOnce:
	case !a.staysSame(f, data):
		failApplied(notIdempotentTogether)
	case a.work.isUsedUp(): // then the trial shows nothing
		failApplied(tooMuchWork)
	}
}

// undo drops the edits of a file, and sets the results of its blocks.
func (a *applier) undo(f *file, set func(*Result)) {
	f.dirty, f.resultLines = false, nil
	for _, i := range a.blocksOf[f.path] {
		res := &a.results[i]
		set(res)
		res.Edit = nil
	}
}

// staysSame reports whether the blocks of a file change nothing in its new content.
func (a *applier) staysSame(f *file, data []byte) bool {
	var blocks []Block
	for _, i := range a.blocksOf[f.path] {
		blocks = append(blocks, a.results[i].Block)
	}
	after, ok := a.reapply(reapplying, f.path, data, blocks)
	return ok && bytes.Equal(after, data)
}

// blockKey is what makes two blocks of a reply the same.
type blockKey struct{ path, find, repl string }

// isRepeated reports whether the reply has had a block before for the same file, with the same halves but for
// trailing whitespace. Such a block counts once.
func (a *applier) isRepeated(i int, path string, b Block) bool {
	key := blockKey{path, joinKeys(b.Find), joinKeys(b.Replace)}
	if _, ok := a.seen[key]; ok {
		return true
	}
	a.seen[key] = i
	return false
}

func joinKeys(lines []string) string { return strings.Join(keysOf(keyTrimRight, lines), "\n") }
