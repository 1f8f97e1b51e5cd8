package engine

import (
	"bytes"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/engine/merge"
)

// The note of a block that was merged, and the details of a Conflict.
const (
	detailMerged       = "Merged with changes made to the file since it was shown"
	detailConflict     = "The file changed since it was shown, in the same lines or right next to them"
	detailUncertain    = "The file changed since it was shown, and has copies of these lines: their place is uncertain"
	detailTooDifferent = "The file changed too much since it was shown to be merged with the edit"
)

// shownVersion returns what the model saw of a file if that is another text than data, or nil.
func (a *applier) shownVersion(path string, data []byte) []byte {
	if a.opts.Base == nil {
		return nil
	}
	shown, ok := a.opts.Base(path)
	if !ok || bytes.Equal(shown, data) || len(shown) > a.opts.Limits.FileBytes ||
		whyBinary(shown, utf8.Valid(shown)) != "" {
		return nil
	}
	return shown
}

// editShown applies a block to what the model saw of a file, at any level, and merges the change with those that the
// file has got since. A block that does not match there was written for another version, and is applied to the file as
// it is, unless the options say that there is no other.
func (a *applier) editShown(f *file, b Block, target resolvedPath, res *Result) {
	asShown := *a
	asShown.opts.Shown, asShown.opts.Examine = nil, nil // what is examined is the change of the file as it is
	a.work.spendBytes(openPasses * len(f.shown))
	seen := &file{path: f.path, text: rawText(f.shown, utf8.Valid(f.shown)), original: f.shown}
	seen.text.work, seen.text.path = a.work, f.path
	tried := *res
	asShown.modify(seen, b, target, &tried)
	switch {
	case tried.Reason == "":
		*res = tried
		a.mergeEdit(f, seen.text.bytes(), res)
	case tried.Reason == Ambiguous, tried.Reason == Placeholder, tried.Reason == TooLarge, tried.Reason == BinaryFile,
		a.opts.OnlyAsShown && tried.Reason.isMismatch():
		*res = tried
		res.Line, res.MatchLines = 0, nil // they are those of the other version
	default:
		a.modify(f, b, target, res)
	}
}

// mergeEdit makes the change from what the model saw to what it wanted in the file as it is.
func (a *applier) mergeEdit(f *file, wanted []byte, res *Result) {
	present := f.text.bytes()
	f.text.split()
	res.Status, res.Reason, res.Edit = Failed, Conflict, nil
	merged := merge.Within(a.work.Work, f.shown, wanted, present)
	switch {
	case a.work.isUsedUp():
		res.fail(tooMuchWork)
	case merged.Refusal != "":
		res.Detail = detailTooDifferent
	case !merged.Clean():
		res.explainConflict(f.text, merged.Conflicts[0])
	case bytes.Equal(merged.Text, present):
		f.shown = wanted
		res.skip(AlreadyApplied)
	default:
		after := newText(a.work, merged.Text)
		after.path = f.path
		edits := editsBetween(f.text, after)
		if f.text.asciiOnly && !allASCII(edits) {
			res.fail(onlyASCII)
			return
		}
		if a.makeEdits(f, edits, res); res.Status == Applied {
			f.text, f.shown = after, wanted // the lines have the endings of their own versions
			res.Level, res.Detail = LevelMerged, detailMerged
		}
	}
}

// editsBetween returns the edits that turn the lines of one text into those of another; their endings may differ.
func editsBetween(before, after *text) []edit {
	var out []edit
	for _, h := range diffLines(before.work, before.wholeLines(), after.wholeLines()) {
		e := edit{from: h.f0, to: h.f1}
		for _, l := range after.lines[h.r0:h.r1] {
			e.repl = append(e.repl, l.text)
		}
		out = append(out, e)
	}
	return out
}

// wholeLines returns the lines with their endings.
func (t *text) wholeLines() []string {
	t.work.spend(3 * len(t.lines))
	out := make([]string, len(t.lines))
	for i, l := range t.lines {
		out[i] = l.text + l.end
	}
	return out
}

// conflictContext is how many lines around a conflict are quoted, maxConflictLines how many at most.
const (
	conflictContext  = 2
	maxConflictLines = 40
)

// explainConflict sets what was shown, what is wanted, and what the file has.
func (res *Result) explainConflict(file *text, c merge.Conflict) {
	res.Detail = detailConflict
	if c.Uncertain {
		res.Detail = detailUncertain
	}
	for _, r := range []*merge.Region{&c.Base, &c.Ours, &c.Theirs} {
		r.Lines = r.Lines[:min(len(r.Lines), maxConflictLines)]
	}
	res.Conflict = &c
	from := max(c.Theirs.Line-1-conflictContext, 0)
	to := min(c.Theirs.Line-1+len(c.Theirs.Lines)+conflictContext, len(file.lines))
	if from < to {
		res.Line = min(c.Theirs.Line, len(file.lines))
		res.ClosestMatch = &Excerpt{Line: from + 1}
		for _, l := range file.lines[from:to] {
			res.ClosestMatch.Lines = append(res.ClosestMatch.Lines, l.text)
		}
	}
}

// isMismatch reports whether a block failed because the file has not the lines that it expects.
func (r Reason) isMismatch() bool {
	return r == NotFound || r == AnchorNotFound || r == OldMismatch || r == TrailingMismatch
}
