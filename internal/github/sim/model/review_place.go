package model

import (
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

func (rc *ReviewComment) PutOn(f *git.FileDiff, in NewReviewComment) error {
	outside := func(field, message string) error {
		name := "pull_request_review_thread." + field
		return Invalid(NoteResource, name, "custom", name+" "+message)
	}
	if in.Position != nil && in.Line == nil {
		// "The position value equals the number of lines down from the first "@@" hunk header": the header itself is 0.
		if *in.Position < 1 || *in.Position >= len(f.Lines) {
			return outside("position", "is invalid")
		}
		d := f.Lines[*in.Position]
		if rc.Side, rc.Line = "RIGHT", d.Right; d.Right == 0 {
			rc.Side, rc.Line = "LEFT", d.Left
		}
		rc.Hunk = f.HunkUpTo(*in.Position)
		return nil
	}
	if in.Line == nil {
		return NotSupplied("line")
	}
	if rc.Side != "LEFT" && rc.Side != "RIGHT" {
		return Invalid(NoteResource, "side", "invalid", "")
	}
	at := f.Find(rc.Side, *in.Line)
	if at < 0 {
		return outside("line", "must be part of the diff")
	}
	rc.Line, rc.Hunk = *in.Line, f.HunkUpTo(at)
	if in.StartLine == nil {
		return nil
	}
	rc.Start, rc.StartSide = *in.StartLine, OrElse(in.StartSide, rc.Side)
	from := f.Find(rc.StartSide, rc.Start)
	switch {
	case from < 0 || f.Lines[from].Hunk != f.Lines[at].Hunk:
		return outside("start_line", "must be part of the same hunk as the line.")
	case from >= at:
		return outside("start_line", "must precede the end line.")
	}
	return nil
}
