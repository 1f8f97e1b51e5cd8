package engine

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// openPasses is how many fast passes over a file it takes to open it.
const openPasses = 3

// open returns the file at a path, reading it the first time.
func (a *applier) open(target resolvedPath) (*file, error) {
	if f := a.files[target.path]; f != nil {
		return f, nil
	}
	f := &file{path: target.path, text: &text{}}
	if target.exists {
		data, err := a.tree.ReadFile(target.path)
		a.work.spendBytes(openPasses * len(data))
		if err != nil && !errors.Is(err, ErrTooLarge) {
			return nil, fmt.Errorf("reading %s: %w", target.path, err)
		}
		isUTF8 := utf8.Valid(data)
		if why := whyBinary(data, isUTF8); err != nil || len(data) > a.opts.Limits.FileBytes {
			f.refusal = a.fileTooLarge()
		} else if why != "" {
			f.refusal = &refusal{BinaryFile, "Cannot edit binary file: " + why}
		} else {
			f.text, f.original, f.shown = rawText(data, isUTF8), data, a.shownVersion(target.path, data)
			f.text.path = target.path
		}
	}
	f.text.work = a.work
	a.files[target.path] = f
	return f, nil
}

// tooMuchWork is the refusal of a block for which nothing is left of the budget.
var tooMuchWork = refusal{TooLarge, "Too much to search for in one reply: there was no time left for this block"}

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
	case f.shown != nil:
		a.editShown(f, b, target, res)
	default:
		a.modify(f, b, target, res)
	}
	return nil
}

// createFile writes a new file, or fills an empty one. Empty lines at its end are dropped, so that it ends with one
// line ending; a last line of blanks is content.
func (a *applier) createFile(f *file, b Block, target resolvedPath, res *Result) {
	repl := b.Replace
	if allBlank(repl) {
		repl = nil
	}
	for len(repl) > 0 && repl[len(repl)-1] == "" {
		repl = repl[:len(repl)-1]
	}
	f.text.work.spendBytes(f.text.size())
	lines := f.text.countLines()
	switch {
	case lines > 0 && lines == len(repl) && f.text.isSame(repl):
		res.skip(AlreadyApplied)
	case lines > 0:
		res.fail(refusal{FileExists, target.path + " exists and is not empty; to change it, name the lines to find"})
	case len(repl) == 0 && (target.exists || b.Format != FormatSection):
		res.skip(NoChange)
	case hasPlaceholder(nil, repl):
		res.fail(placeholderRefusal)
	default:
		if a.makeEdits(f, []edit{{0, 0, repl}}, res); res.Status == Applied {
			a.paths.create(target.path)
		}
	}
}

// isSame reports whether lines are those of the file, but for trailing whitespace.
func (t *text) isSame(repl []string) bool {
	t.split()
	return slices.EqualFunc(t.lines, repl, func(l line, s string) bool {
		return trimTrailing(l.text) == trimTrailing(s)
	})
}

// modify finds the place where a block matches, and edits it.
func (a *applier) modify(f *file, b Block, target resolvedPath, res *Result) {
	if found, ok := a.exactMatch(f.text, b); ok {
		res.Level = LevelExact
		if a.makeEdits(f, found.edits, res); res.Status == Applied {
			start := found.firstLine()
			f.puts = append(f.puts, put{start, start + len(b.Replace), b.Find, true, false})
		}
		return
	}
	f.text.split()
	loc := locate(f.text, b, a.opts.DisabledLevels)
	res.Level = loc.level
	if loc.match.ambiguity == "" && len(loc.match.edits) > 0 {
		loc.match.ambiguity = foreignIndent(loc.match)
	}
	line, replaced := loc.replaced(a.opts.DisabledLevels)
	switch {
	case a.work.isUsedUp():
		res.fail(tooMuchWork)
	case target.guessed && loc.reason == "" && loc.level != LevelExact:
		res.fail(refusal{FileNotFound, a.paths.notFound(b.Path)})
		res.Path = b.Path
	case replaced:
		res.skip(AlreadyApplied)
		f.resultLines = append(f.resultLines, resultLine{len(a.results), line})
	case loc.reason != "":
		res.explain(f.text, loc)
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
	case len(loc.match.edits) == 0, alreadyAt(loc.match, loc.strictness()):
		res.skip(AlreadyApplied)
		f.resultLines = append(f.resultLines, resultLine{len(a.results), loc.match.firstLine()})
	case f.text.asciiOnly && !allASCII(loc.match.edits):
		res.fail(onlyASCII)
	case !a.isIdempotent(f, b, loc):
		res.fail(notIdempotent)
		res.Line = loc.match.firstLine() + 1
	case a.work.isUsedUp():
		res.fail(tooMuchWork)
	default:
		a.makeEdits(f, loc.match.edits, res)
		if m := loc.match.matcher; res.Status == Applied {
			start := loc.match.firstLine()
			f.puts = append(f.puts, put{start, start + len(m.repl), m.find, loc.isOnce(b), false})
		}
	}
	if res.Status == Failed && loc.reason == "" && res.Reason != FileNotFound {
		res.showPlace(f.text, loc)
	}
}

// maxLevel returns the most lenient level that may match in a file. A file that an earlier block created is known to
// the model.
func (a *applier) maxLevel(path string) Level {
	if a.opts.Shown == nil || a.paths.created[path] {
		return LevelStructure
	}
	switch a.opts.Shown(path) {
	case ShownChanged:
		return LevelTrailingSpace
	case ShownUnknown:
		return LevelBlankLines
	default:
		return LevelStructure
	}
}

// onlyASCII is the refusal of other characters in a file of an unknown encoding.
var onlyASCII = refusal{BinaryFile, "Cannot edit binary file: it is not UTF-8, so only ASCII text can be added to it"}

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
	if a.opts.Examine != nil {
		verdict := a.opts.Examine(len(a.results), f.path, res.Edit)
		if verdict.Reason != "" {
			res.fail(refusal{verdict.Reason, verdict.Detail})
			res.Line = res.Edit.Line
			return
		}
		res.Marks = verdict.Marks
	}
	f.text.makeEdits(edits)
	for _, e := range slices.Backward(edits) {
		for i := range f.resultLines {
			f.resultLines[i].line = e.shiftLine(f.resultLines[i].line)
		}
		for i := range f.puts {
			f.puts[i].shift(e)
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

// editContext is the number of lines around a change that an Edit shows.
const editContext = 3

// describeEdits returns the Edit for edits, in order, that have not been made yet.
func (t *text) describeEdits(edits []edit) *Edit {
	from, to := edits[0].from, edits[len(edits)-1].to
	start, lines := t.linesAround(from, to, editContext)
	added := edits[0].repl
	if len(edits) > 1 {
		added = nil
		next := from
		for _, e := range edits {
			added = append(append(added, lines[next-start:e.from-start]...), e.repl...)
			next = e.to
		}
	}
	line := from + 1
	from, to = from-start, to-start
	return &Edit{
		Line: line, Removed: lines[from:to:to], Added: added,
		ContextBefore: lines[:from:from], ContextAfter: lines[to:],
	}
}
