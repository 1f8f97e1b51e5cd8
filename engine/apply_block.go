package engine

import (
	"errors"
	"fmt"
	"slices"
)

// open returns the file at a path, reading it the first time.
func (a *applier) open(target resolvedPath) (*file, error) {
	if f := a.files[target.path]; f != nil {
		return f, nil
	}
	f := &file{path: target.path, text: &text{}}
	if target.exists {
		data, err := a.tree.ReadFile(target.path)
		if err != nil && !errors.Is(err, ErrTooLarge) {
			return nil, fmt.Errorf("reading %s: %w", target.path, err)
		}
		if why := whyBinary(data); err != nil || len(data) > a.opts.Limits.FileBytes {
			f.refusal = a.fileTooLarge()
		} else if why != "" {
			f.refusal = &refusal{BinaryFile, "Cannot edit binary file: " + why}
		} else {
			f.text, f.original = newText(data), data
		}
	}
	a.files[target.path] = f
	return f, nil
}

func (a *applier) fileTooLarge() *refusal {
	detail := fmt.Sprintf("The file is too large: at most %d bytes are edited", a.opts.Limits.FileBytes)
	return &refusal{TooLarge, detail}
}

// editFile applies a block to the file that it names.
func (a *applier) editFile(b Block, target resolvedPath, res *Result) error {
	f, err := a.open(target)
	if err != nil {
		return err
	}
	switch {
	case f.refusal != nil:
		res.fail(*f.refusal)
	case b.Create:
		a.createFile(f, b, target, res)
	case slices.Equal(b.Find, b.Replace) && len(b.Splits) < 2:
		res.skip(NoChange)
	default:
		a.modify(f, b, target, res)
	}
	return nil
}

// createFile writes a new file, or fills an empty one.
func (a *applier) createFile(f *file, b Block, target resolvedPath, res *Result) {
	repl := b.Replace
	for len(repl) > 0 && isBlank(repl[len(repl)-1]) {
		repl = repl[:len(repl)-1]
	}
	switch {
	case len(f.text.lines) > 0 && sameLines(f.text, repl):
		res.skip(AlreadyApplied)
	case len(f.text.lines) > 0:
		res.fail(refusal{FileExists, target.path + " exists and is not empty; to change it, name the lines to find"})
	case len(repl) == 0 && (target.exists || b.Format != FormatSection):
		res.skip(NoChange)
	case hasPlaceholder(nil, repl):
		res.fail(placeholderRefusal)
	default:
		a.makeEdits(f, []edit{{0, 0, repl}}, res)
		a.paths.created[target.path] = true
	}
}

func sameLines(t *text, repl []string) bool {
	return slices.EqualFunc(t.lines, repl, func(l line, s string) bool {
		return trimTrailing(l.text) == trimTrailing(s)
	})
}

// modify finds the place where a block matches, and edits it.
func (a *applier) modify(f *file, b Block, target resolvedPath, res *Result) {
	loc := locate(f.text, b, a.opts.DisabledLevels)
	res.Level = loc.level
	if loc.match.ambiguity == "" && len(loc.match.edits) > 0 {
		loc.match.ambiguity = foreignIndent(loc.match)
	}
	switch {
	case loc.reason == NotFound && loc.matcher.alreadyReplaced():
		res.skip(AlreadyApplied)
		start := f.text.occurrences(f.text.lineKeys(keyTrimRight), keysOf(keyTrimRight, loc.matcher.repl))[0]
		f.resultLines = append(f.resultLines, resultLine{len(a.results), start})
	case loc.reason != "":
		res.explain(f.text, loc)
	case target.guessed && loc.level != LevelExact:
		res.fail(refusal{FileNotFound, a.paths.notFound(b.Path)})
		res.Path = b.Path
	case loc.level > a.maxLevel(target.path):
		detail := details[Stale]
		if a.opts.Shown(target.path) == ShownUnknown {
			detail = detailStaleUnknown
		}
		res.fail(refusal{Stale, detail})
	case loc.match.ambiguity != "":
		res.fail(refusal{Ambiguous, "Edit location is ambiguous: " + loc.match.ambiguity})
		res.Line = loc.match.firstLine() + 1
	case hasPlaceholder(loc.matcher.find, loc.matcher.repl) && loc.level != LevelEllipsis:
		res.fail(placeholderRefusal)
	case len(loc.match.edits) == 0, alreadyAt(loc.match, loc.level):
		res.skip(AlreadyApplied)
		f.resultLines = append(f.resultLines, resultLine{len(a.results), loc.match.firstLine()})
	case f.text.asciiOnly && !allASCII(loc.match.edits):
		res.fail(refusal{BinaryFile, "Cannot edit binary file: it is not UTF-8, so that only ASCII can be put into it"})
	default:
		a.makeEdits(f, loc.match.edits, res)
	}
	if res.Status == Failed && loc.reason == "" && res.Reason != FileNotFound {
		res.showPlace(f.text, loc)
	}
}

// maxLevel returns the most lenient level that may match in a file. A file that an earlier block created is known to
// the model.
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

func allASCII(edits []edit) bool {
	for _, e := range edits {
		if slices.ContainsFunc(e.repl, func(s string) bool { return !isASCII(s) }) {
			return false
		}
	}
	return true
}

// makeEdits makes edits, unless the file would become too large.
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

// shiftLine returns where a line is after the edit.
func (e edit) shiftLine(line int) int {
	switch {
	case line >= e.to:
		return line + len(e.repl) - (e.to - e.from)
	case line > e.from:
		return min(line, e.from+len(e.repl))
	}
	return line
}

// alreadyAt reports whether the new lines of a block are in the file already where it would put them: an insertion
// next to the lines that it found or, at the levels that ignore more than trailing whitespace, the whole replacement.
func alreadyAt(found match, level Level) bool {
	adds, removes := false, false
	for _, e := range found.edits {
		adds = adds || !allBlank(e.repl)
		removes = removes || e.to > e.from
	}
	if !adds || removes && level <= LevelTrailingSpace {
		return false
	}
	m := found.matcher
	file := m.file.lineKeys(keyTrimRight)
	from := max(found.firstLine()-len(m.repl), 0)
	to := min(found.lastLine()+1+len(m.repl), len(file))
	for _, start := range m.file.occurrences(file[from:to], keysOf(keyTrimRight, m.repl)) {
		start += from
		end := start + len(m.repl)
		covers := start <= found.firstLine() && end > found.lastLine()
		overlaps := start <= found.lastLine() && end > found.firstLine()
		if covers || removes && overlaps {
			return true
		}
	}
	return false
}

// alreadyReplaced reports whether the file has the replacement exactly once, long enough not to be a coincidence, and
// lacks one of the lines that the block removes, if it removes any.
func (m matcher) alreadyReplaced() bool {
	file := m.file.lineKeys(keyTrimRight)
	if !substantial(m.repl) || len(m.file.occurrences(file, keysOf(keyTrimRight, m.repl))) != 1 {
		return false
	}
	present := make(map[string]bool, len(file))
	for _, s := range file {
		present[s] = true
	}
	removes := false
	for _, h := range diffLines(m.find, m.repl) {
		for _, s := range m.find[h.f0:h.f1] {
			if !isBlank(s) && !present[trimTrailing(s)] {
				return true
			}
			removes = removes || !isBlank(s)
		}
	}
	return !removes
}

// editContext is the number of lines around a change that an Edit shows.
const editContext = 3

// describeEdits returns the Edit for edits, in order, that have not been made yet.
func (t *text) describeEdits(edits []edit) *Edit {
	from, to := edits[0].from, edits[len(edits)-1].to
	start, end := max(from-editContext, 0), min(to+editContext, len(t.lines))
	lines := make([]string, end-start)
	for i := range lines {
		lines[i] = t.lines[start+i].text
	}
	added := edits[0].repl
	if len(edits) > 1 {
		added = matcher{file: t}.edited(edits, from, to)
	}
	from, to = from-start, to-start
	return &Edit{
		Line: start + from + 1, Removed: lines[from:to:to], Added: added,
		ContextBefore: lines[:from:from], ContextAfter: lines[to:],
	}
}
