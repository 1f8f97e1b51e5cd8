package engine

import (
	"bytes"
	"slices"

	"github.com/tenon-bot/tenon/engine/merge"
	"github.com/tenon-bot/tenon/engine/text"
)

// The note of a block that was merged, and the details of a Conflict.
const (
	detailMerged       = "Merged with changes made to the file since it was shown"
	detailConflict     = "The file changed since it was shown, in the same lines or right next to them"
	detailUncertain    = "The file changed since it was shown, and has copies of these lines: their place is uncertain"
	detailTooDifferent = "The file changed too much since it was shown to be merged with the edit"
)

// editShown applies a block to what the model saw of a file, at any level, and merges the change with those that the
// file has got since. A block that does not match there was written for another version, and is applied to the file as
// it is, unless the options say that there is no other.
func (a *applier) editShown(f *file, b Block, target resolvedPath, res *Result) {
	asShown := *a
	asShown.opts.Shown, asShown.opts.Examine = nil, nil // what is examined is the change of the file as it is
	seen := &file{path: f.path, text: text.New(a.work, f.shown), original: f.shown, isShown: true}
	tried := *res
	asShown.edit(seen, b, target, &tried)
	switch {
	case tried.Reason == "":
		*res = tried
		a.mergeEdit(f, seen.text.Bytes(), res)
	case tried.Reason == Ambiguous, tried.Reason == Placeholder, tried.Reason == TooLarge, tried.Reason == BinaryFile,
		a.opts.OnlyAsShown && isMismatch(tried.Reason):
		*res = tried
		res.Line, res.MatchLines = 0, nil // they are those of the other version
	default:
		a.edit(f, b, target, res)
	}
}

// mergeEdit makes the change from what the model saw to what it wanted in the file as it is.
func (a *applier) mergeEdit(f *file, wanted []byte, res *Result) {
	present := f.text.Bytes()
	res.Status, res.Reason, res.Edit = Failed, Conflict, nil
	merged := merge.Within(a.work, f.shown, wanted, present)
	switch {
	case a.work.UsedUp():
		res.fail(tooMuchWork)
	case merged.Refusal != "":
		res.Detail = detailTooDifferent
	case !merged.Clean():
		res.explainConflict(f.text.Lines(), merged.Conflicts[0])
	case bytes.Equal(merged.Text, present):
		f.shown = wanted
		res.skip(AlreadyApplied)
	default:
		after := text.New(a.work, merged.Text)
		edits := editsBetween(f.text, after)
		if !fitsEncoding(f.text, edits) {
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
func editsBetween(before, after *text.Text) []text.Edit {
	var out []text.Edit
	for _, h := range text.Diff(before.Work, before.WholeLines(), after.WholeLines()) {
		out = append(out, text.Edit{From: h.From, To: h.To, Lines: after.Lines()[h.NewFrom:h.NewTo]})
	}
	return out
}

// conflictContext is how many lines around a conflict are quoted, maxConflictLines how many at most.
const (
	conflictContext  = 2
	maxConflictLines = 40
)

// explainConflict sets what was shown, what is wanted, and what the file has.
func (res *Result) explainConflict(file []string, c merge.Conflict) {
	res.Detail = detailConflict
	if c.Uncertain {
		res.Detail = detailUncertain
	}
	for _, r := range []*merge.Region{&c.Base, &c.Ours, &c.Theirs} {
		r.Lines = r.Lines[:min(len(r.Lines), maxConflictLines)]
	}
	res.Conflict = &c
	from := max(c.Theirs.Line-1-conflictContext, 0)
	to := min(c.Theirs.Line-1+len(c.Theirs.Lines)+conflictContext, len(file))
	if from < to {
		res.Line = min(c.Theirs.Line, len(file))
		res.ClosestMatch = &Excerpt{Line: from + 1, Lines: slices.Clone(file[from:to])}
	}
}

// isMismatch reports whether a block failed because the file has not the lines that it expects.
func isMismatch(r Reason) bool {
	return r == NotFound || r == AnchorNotFound || r == OldMismatch || r == TrailingMismatch
}
