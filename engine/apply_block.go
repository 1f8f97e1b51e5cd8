package engine

import (
	"errors"
	"fmt"
	"slices"
)

// open returns the file in work, reading it the first time.
func (a *applier) open(found resolvedPath) (*file, error) {
	if f := a.files[found.path]; f != nil {
		return f, nil
	}
	f := &file{path: found.path, text: &text{}}
	if found.exists {
		data, err := a.tree.ReadFile(found.path)
		if err != nil && !errors.Is(err, ErrTooLarge) {
			return nil, fmt.Errorf("reading %s: %w", found.path, err)
		}
		if why := whyBinary(data); err != nil || len(data) > a.opts.Limits.FileBytes {
			f.refusal = a.fileTooLarge()
		} else if why != "" {
			f.refusal = &refusal{BinaryFile, "Cannot edit binary file: " + why}
		} else {
			f.text, f.original = newText(data), data
		}
	}
	a.files[found.path] = f
	return f, nil
}

func (a *applier) fileTooLarge() *refusal {
	return &refusal{TooLarge, fmt.Sprintf("The file is too large: at most %d bytes are edited", a.opts.Limits.FileBytes)}
}

// edit applies one block to the file that it means.
func (a *applier) editFile(b Block, found resolvedPath, res *Result) error {
	f, err := a.open(found)
	if err != nil {
		return err
	}
	switch {
	case f.refusal != nil:
		res.fail(*f.refusal)
	case b.Create:
		a.createFile(f, b, found, res)
	case slices.Equal(b.Find, b.Replace) && len(b.Splits) < 2:
		res.skip(NoChange)
	default:
		a.modify(f, b, found, res)
	}
	return nil
}

// create puts a whole new file, or fills one that has nothing in it.
func (a *applier) createFile(f *file, b Block, found resolvedPath, res *Result) {
	repl := b.Replace
	for len(repl) > 0 && isBlank(repl[len(repl)-1]) {
		repl = repl[:len(repl)-1]
	}
	switch {
	case len(f.text.lines) > 0 && sameLines(f.text, repl):
		res.skip(AlreadyApplied)
	case len(f.text.lines) > 0:
		res.fail(refusal{FileExists, found.path + " exists and is not empty; to change it, name the lines to find"})
	case len(repl) == 0 && (found.exists || b.Format != FormatSection):
		res.skip(NoChange)
	case hasPlaceholder(nil, repl):
		res.fail(*placeholderRefusal)
	default:
		a.makeEdits(f, []edit{{0, 0, repl}}, res)
		a.paths.created[found.path] = true
	}
}

func sameLines(t *text, repl []string) bool {
	return slices.EqualFunc(t.lines, repl, func(l line, s string) bool { return trimTrailing(l.text) == trimTrailing(s) })
}

// fit finds the block's place and applies it there.
func (a *applier) modify(f *file, b Block, found resolvedPath, res *Result) {
	s := locate(f.text, b, a.opts.DisabledLevels)
	res.Level = s.level
	if s.match.ambiguity == "" && len(s.match.edits) > 0 {
		s.match.ambiguity = foreignIndent(s.match)
	}
	switch {
	case s.reason == NotFound && s.matcher.alreadyReplaced():
		res.skip(AlreadyApplied)
		start := occurrences(f.text.lineKeys(keyTrimRight), keysOf(keyTrimRight, s.matcher.put))[0]
		f.resultLines = append(f.resultLines, resultLine{len(a.results), start})
	case s.reason != "":
		a.explain(f, b, s, res)
	case found.guessed && s.level != LevelExact:
		res.fail(refusal{FileNotFound, a.paths.notFound(b.Path)})
		res.Path = b.Path
	case s.level > a.maxLevel(found.path):
		res.fail(refusal{Stale, a.staleDetail(found.path)})
	case s.match.ambiguity != "":
		res.fail(refusal{Ambiguous, "Edit location is ambiguous: " + s.match.ambiguity})
		res.Line = s.match.firstLine() + 1
	case hasPlaceholder(s.matcher.find, s.matcher.put) && s.level != LevelEllipsis:
		res.fail(*placeholderRefusal)
	case len(s.match.edits) == 0, alreadyAt(s.match, s.level):
		res.skip(AlreadyApplied)
		f.resultLines = append(f.resultLines, resultLine{len(a.results), s.match.firstLine()})
	case f.text.asciiOnly && !allASCII(s.match.edits):
		res.fail(refusal{BinaryFile, "Cannot edit binary file: it is not UTF-8, so that only ASCII can be put into it"})
	default:
		a.makeEdits(f, s.match.edits, res)
	}
}

// allowed is the loosest level that may match a path. A file that this reply made is known to it.
func (a *applier) maxLevel(path string) Level {
	if a.opts.Shown == nil || a.paths.created[path] {
		return LevelFuzzyContext
	}
	switch a.opts.Shown(path) {
	case ShownChanged:
		return LevelTrailingSpace
	case ShownUnknown:
		return LevelBlankLines
	default:
		return LevelFuzzyContext
	}
}

func (a *applier) staleDetail(path string) string {
	if a.opts.Shown(path) == ShownUnknown {
		return sentenceStaleUnknown
	}
	return sentences[Stale]
}

func allASCII(edits []edit) bool {
	for _, e := range edits {
		if slices.ContainsFunc(e.repl, func(s string) bool { return !isASCII(s) }) {
			return false
		}
	}
	return true
}

// do makes the edits, unless the file grows too large by them, and moves what stands below them.
func (a *applier) makeEdits(f *file, edits []edit, res *Result) {
	size := f.text.size()
	for _, e := range edits {
		for _, s := range e.repl {
			size += len(s) + 1
		}
	}
	if size > a.opts.Limits.FileBytes {
		res.fail(*a.fileTooLarge())
		return
	}
	res.Edit = f.text.describeEdits(edits)
	for _, e := range slices.Backward(edits) {
		f.text.splice(e.from, e.to, e.repl)
		for i := range f.resultLines {
			f.resultLines[i].line = e.shiftLine(f.resultLines[i].line)
		}
	}
	f.dirty = true
	f.resultLines = append(f.resultLines, resultLine{len(a.results), edits[0].from})
	res.Status, res.Reason = Applied, ""
}

// move returns where a line is after the edit.
func (e edit) shiftLine(line int) int {
	switch {
	case line >= e.to:
		return line + len(e.repl) - (e.to - e.from)
	case line > e.from:
		return min(line, e.from+len(e.repl))
	}
	return line
}

// standsAt reports that a block's new lines are in the file already where it would put them: an insertion around the lines
// that it found, or, at the levels that forgive more than blanks, all of put.
func alreadyAt(p match, level Level) bool {
	adds, removes := false, false
	for _, e := range p.edits {
		adds = adds || !allBlank(e.repl)
		removes = removes || e.to > e.from
	}
	if !adds || removes && level <= LevelTrailingSpace {
		return false
	}
	m := p.matcher
	file := m.file.lineKeys(keyTrimRight)
	from := max(p.firstLine()-len(m.put), 0)
	to := min(p.lastLine()+1+len(m.put), len(file))
	for _, start := range occurrences(file[from:to], keysOf(keyTrimRight, m.put)) {
		if first := from + start; first <= p.firstLine() && first+len(m.put) > p.lastLine() || removes && first <= p.lastLine() && first+len(m.put) > p.firstLine() {
			return true
		}
	}
	return false
}

// putStands reports that the file has put, exactly once, that it is not so little that it could stand there by chance, and that
// find is gone: of the lines that it removes, one is nowhere in the file.
func (m matcher) alreadyReplaced() bool {
	repl := matcher{file: m.file, find: m.put}
	file := m.file.lineKeys(keyTrimRight)
	return repl.substantial() && m.findIsGone(file) && len(occurrences(file, keysOf(keyTrimRight, m.put))) == 1
}

func (m matcher) findIsGone(file []string) bool {
	present := make(map[string]bool, len(file))
	for _, s := range file {
		present[s] = true
	}
	removed := false
	for _, h := range diffLines(m.find, m.put) {
		for _, s := range m.find[h.f0:h.f1] {
			if !isBlank(s) && !present[trimTrailing(s)] {
				return true
			}
			removed = removed || !isBlank(s)
		}
	}
	return !removed
}

// editContext is how many lines around a change its Edit shows.
const editContext = 3

// change tells what edits, in order and not made yet, will do.
func (t *text) describeEdits(edits []edit) *Edit {
	from, to := edits[0].from, edits[len(edits)-1].to
	above, below := max(from-editContext, 0), min(to+editContext, len(t.lines))
	lines := make([]string, below-above)
	for i := range lines {
		lines[i] = t.lines[above+i].text
	}
	in := edits[0].repl
	if len(edits) > 1 {
		in = matcher{file: t}.edited(edits, from, to)
	}
	from, to = from-above, to-above
	return &Edit{Line: above + from + 1, Removed: lines[from:to:to], Added: in, ContextBefore: lines[:from:from], ContextAfter: lines[to:]}
}
