package engine

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/match"
	"github.com/tenon-bot/tenon/engine/patch"
	"github.com/tenon-bot/tenon/engine/text"
)

var placeholder = refusal{Placeholder,
	"The block leaves out code (such as \"... existing code ...\"); it must have the real lines"}

// modify finds the place where a block matches, and edits it.
func (a *applier) modify(f *file, b Block, target resolvedPath, res *Result) {
	in := match.File{Text: f.text, Path: f.path, Hint: f.hint(b), Off: a.opts.without}
	l := a.locate(in, &b)
	res.Level = l.Level
	if l.Reason == "" && len(l.Match.Edits) > 0 {
		l.Match = match.Style(in, l.Match)
	}
	if l.Reason == "" && len(l.Match.Edits) == 0 && f.text.IsEnded() == (b.Ending == block.Unended) {
		l.Match.Edits = a.endingEdit(f, b, l)
	}
	line, replaced := l.Replaced()
	made, isMade := a.isMade(in, b, l)
	switch p := l.Match.Pattern; {
	case a.work.UsedUp():
		res.fail(tooMuchWork)
	case target.guessed && l.Reason == "" && l.Level != LevelExact:
		res.fail(refusal{FileNotFound, a.paths.notFound(b.Path)})
		res.Path = b.Path
	case replaced:
		res.skip(AlreadyApplied)
		f.resultLines = append(f.resultLines, resultLine{len(a.results), line})
	case isMade:
		res.skip(AlreadyApplied)
		f.resultLines = append(f.resultLines, resultLine{len(a.results), made})
	case l.Reason != "":
		res.explain(f.text, l)
	case l.Level > a.maxLevel(target.path):
		res.fail(a.stale(target.path))
	case l.Match.Ambiguity != "":
		res.fail(refusal{Ambiguous, "Edit location is ambiguous: " + l.Match.Ambiguity})
		res.Line = l.Match.First() + 1
	case match.HasPlaceholder(l.Pattern.Find, l.Pattern.Replace) && l.Level != LevelEllipsis:
		res.fail(placeholder)
	case len(l.Match.Edits) == 0, l.IsMade():
		res.skip(AlreadyApplied)
		f.resultLines = append(f.resultLines, resultLine{len(a.results), l.Match.First()})
	case !fitsEncoding(f.text, l.Match.Edits):
		res.fail(onlyASCII)
	case !a.isIdempotent(f, b, l):
		res.fail(notIdempotent)
		res.Line = l.Match.First() + 1
	case a.work.UsedUp():
		res.fail(tooMuchWork)
	default:
		atEnd := l.Match.Last() == len(f.text.Lines())-1
		if a.makeEdits(f, l.Match.Edits, res); res.Status == Applied {
			if b.Ending == block.Unended && atEnd {
				f.text.Unend()
			}
			start := l.Match.First()
			f.puts = append(f.puts, put{start, start + len(p.Replace), p.Find, isOnce(b, l), false})
		}
	}
	if res.Status == Failed && l.Reason == "" && res.Reason != FileNotFound {
		res.showPlace(f.text, l)
	}
}

// locate finds the place of a block. A hunk that fits nowhere as it is, or only if differences other than blanks are
// ignored, may have lost the spaces before lines of context: then it sets the halves of b to those with them.
func (a *applier) locate(in match.File, b *Block) match.Location {
	l := match.Locate(in, *b, a.opts.DisabledLevels)
	if l.Reason == Ambiguous && b.Hunk != nil {
		in.Hint.After, in.Hint.Before = a.between(in, *b)
		l = match.Locate(in, *b, a.opts.DisabledLevels)
	}
	if b.Hunk == nil || l.Reason == "" && l.Level <= LevelBlankLines || l.Reason == Ambiguous {
		return l
	}
	lines := make(map[string]bool, len(in.Lines()))
	a.work.Spend(len(in.Lines()))
	for _, s := range in.Lines() {
		lines[text.TrimTrailing(s)] = true
	}
	find, replace := patch.Halves(b.Hunk, func(s string) bool { return lines[text.TrimTrailing(s)] })
	if slices.Equal(find, b.Find) {
		return l
	}
	other := *b
	block.SetHalves(&other, find, replace)
	again := match.Locate(in, other, a.opts.DisabledLevels)
	if _, made := again.Replaced(); made || again.Reason != NotFound {
		*b = other
		return again
	}
	return l
}

// endingEdit returns the edit of a block that changes only whether the last line has a line ending; nil if the block
// does not have that line.
func (a *applier) endingEdit(f *file, b Block, l match.Location) []text.Edit {
	last := len(f.text.Lines()) - 1
	if b.Ending == block.EndingKept || l.Match.Last() != last {
		return nil
	}
	return []text.Edit{{From: last, To: last + 1, Lines: []string{f.text.Lines()[last]}}}
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

// stale is the refusal of a block that matches a file at a level that may not match there.
func (a *applier) stale(path string) refusal {
	if a.opts.Shown(path) == ShownUnknown {
		return refusal{Stale, detailStaleUnknown}
	}
	return refusal{Stale, details[Stale]}
}

// create writes a new file, or fills an empty one. Empty lines at its end are dropped, so that it ends with one line
// ending; a last line of blanks is content.
func (a *applier) create(f *file, b Block, target resolvedPath, res *Result) {
	lines := b.Replace
	if text.AllBlank(lines) {
		lines = nil
	}
	for !keepsBlanks(b) && len(lines) > 0 && lines[len(lines)-1] == "" { // others mean them
		lines = lines[:len(lines)-1]
	}
	a.work.SpendBytes(f.text.Size())
	have := f.text.Lines()
	switch {
	case len(have) > 0 && slices.EqualFunc(have, lines, func(a, b string) bool {
		return text.TrimTrailing(a) == text.TrimTrailing(b)
	}):
		res.skip(AlreadyApplied)
	case len(have) > 0:
		res.fail(refusal{FileExists, target.path + " exists and is not empty; to change it, name the lines to find"})
	case len(lines) == 0 && (target.exists || b.Format != FormatSection && b.Format != FormatUnified):
		res.skip(NoChange)
	case match.HasPlaceholder(nil, lines):
		res.fail(placeholder)
	default:
		if a.makeEdits(f, []text.Edit{{Lines: lines}}, res); res.Status == Applied {
			if f.removed = false; b.Ending == block.Unended {
				f.text.Unend()
			}
			a.paths.create(target.path)
		}
	}
}

// keepsBlanks reports whether the format of a new file shows which blank lines it ends with.
func keepsBlanks(b Block) bool {
	return b.Whole || b.Format == FormatUnified || b.Format == FormatPatch
}

// wouldPoint is the refusal of edits that make a file one that stands for content which is elsewhere.
var wouldPoint = refusal{BinaryFile,
	"Cannot edit binary file: it would become a pointer of Git LFS, to content that is not here"}

// wouldPoint reports whether edits make a file a pointer of Git LFS. Few files have a line that can begin one.
func (f *file) wouldPoint(edits []text.Edit) bool {
	begins := func(s string) bool { return strings.HasPrefix(strings.TrimSpace(s), "version http") }
	inEdit := func(e text.Edit) bool { return slices.ContainsFunc(e.Lines, begins) }
	return (slices.ContainsFunc(f.text.Lines(), begins) || slices.ContainsFunc(edits, inEdit)) &&
		text.IsLFSPointer(f.text.After(edits).Bytes())
}

// makeEdits makes edits, unless the file would become too large, or a pointer of Git LFS.
func (a *applier) makeEdits(f *file, edits []text.Edit, res *Result) {
	size := f.text.Size()
	for _, e := range edits {
		for _, s := range e.Lines {
			size += len(s) + 1
		}
	}
	if size > a.opts.Limits.FileBytes {
		res.fail(*a.fileTooLarge())
		return
	}
	if f.wouldPoint(edits) {
		res.fail(wouldPoint)
		return
	}
	res.Edit = describe(f.text, edits)
	if !a.mayMake(f.path, res.Edit, res) {
		res.Line = res.Edit.Line
		return
	}
	f.splice(edits)
	f.resultLines = append(f.resultLines, resultLine{len(a.results), edits[0].From})
	res.Status, res.Reason = Applied, ""
}

// mayMake reports whether Options.Examine lets an edit be made, and sets the result if it does not.
func (a *applier) mayMake(path string, e *Edit, res *Result) bool {
	if a.opts.Examine == nil {
		return true
	}
	verdict := a.opts.Examine(len(a.results), path, e)
	if verdict.Reason != "" {
		res.fail(refusal{verdict.Reason, verdict.Detail})
		return false
	}
	res.Marks = verdict.Marks
	return true
}

// describe returns the Edit for edits, in order, that have not been made yet.
func describe(t *text.Text, edits []text.Edit) *Edit {
	from, to := edits[0].From, edits[len(edits)-1].To
	start, lines := t.Around(from, to, block.EditContext)
	added := edits[0].Lines
	if len(edits) > 1 {
		added = nil
		next := from
		for _, e := range edits {
			added = append(append(added, lines[next-start:e.From-start]...), e.Lines...)
			next = e.To
		}
	}
	line := from + 1
	from, to = from-start, to-start
	return &Edit{
		Line: line, Removed: lines[from:to:to], Added: added,
		ContextBefore: lines[:from:from], ContextAfter: lines[to:],
	}
}

// onlyASCII is the refusal of other characters in a file of an unknown encoding.
var onlyASCII = refusal{BinaryFile, "Cannot edit binary file: it is not UTF-8, so only ASCII text can be added to it"}

// fitsEncoding reports whether a file may have the new lines of edits.
func fitsEncoding(t *text.Text, edits []text.Edit) bool {
	return !t.ASCIIOnly || !slices.ContainsFunc(edits, func(e text.Edit) bool {
		return slices.ContainsFunc(e.Lines, func(s string) bool { return !text.IsASCII(s) })
	})
}
