package ghtest

import (
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// placeReviewComment sets the place of a new review comment. For a line that is not in the diff, it returns a 422.
func (s *Server) placeReviewComment(is *issue, by *user, in newReviewComment) (*reviewComment, error) {
	for _, field := range []struct {
		name  string
		value *string
	}{{"body", in.Body}, {"commit_id", in.CommitID}, {"path", in.Path}} {
		if field.value == nil {
			return nil, notSupplied(field.name)
		}
	}
	if err := checkReviewComment(is, by, *in.Body); err != nil {
		return nil, err
	}
	if !s.inPull(is, *in.CommitID) {
		return nil, invalid(noteResource, "pull_request_review_thread.end_commit_oid", "custom",
			"pull_request_review_thread.end_commit_oid is not part of the pull request")
	}
	files, err := diffFromBase(is, *in.CommitID)
	if err != nil {
		return nil, err
	}
	f := fileNamed(files, *in.Path)
	if f == nil {
		return nil, invalid(noteResource, "pull_request_review_thread.path", "invalid", "")
	}
	rc := &reviewComment{issue: is, thread: &reviewThread{id: s.state.id("review thread")}, body: *in.Body, path: f.Path,
		commit: *in.CommitID, original: *in.CommitID,
		side: strings.ToUpper(orElse(in.Side, "RIGHT")), startSide: in.StartSide}
	if in.SubjectType == "file" {
		rc.wholeFile, rc.hunk = true, f.Patch
		return rc, nil
	}
	if err := rc.putOn(f, in); err != nil {
		return nil, err
	}
	rc.originalLine, rc.originalStart = rc.line, rc.start
	return rc, nil
}

// inPull reports whether a commit, by its full SHA, is the pull request's head or an ancestor of it.
func (s *Server) inPull(is *issue, sha string) bool {
	return is.repo.git.IsAncestor(sha, is.pull.headSHA)
}

func fileNamed(files []*git.FileDiff, name string) *git.FileDiff {
	for _, f := range files {
		if f.Path == name {
			return f
		}
	}
	return nil
}

func (rc *reviewComment) putOn(f *git.FileDiff, in newReviewComment) error {
	outside := func(field, message string) error {
		name := "pull_request_review_thread." + field
		return invalid(noteResource, name, "custom", name+" "+message)
	}
	if in.Position != nil && in.Line == nil {
		// "The position value equals the number of lines down from the first "@@" hunk header": the header itself is 0.
		if *in.Position < 1 || *in.Position >= len(f.Lines) {
			return outside("position", "is invalid")
		}
		d := f.Lines[*in.Position]
		if rc.side, rc.line = "RIGHT", d.Right; d.Right == 0 {
			rc.side, rc.line = "LEFT", d.Left
		}
		rc.hunk = f.HunkUpTo(*in.Position)
		return nil
	}
	if in.Line == nil {
		return notSupplied("line")
	}
	if rc.side != "LEFT" && rc.side != "RIGHT" {
		return invalid(noteResource, "side", "invalid", "")
	}
	at := f.Find(rc.side, *in.Line)
	if at < 0 {
		return outside("line", "must be part of the diff")
	}
	rc.line, rc.hunk = *in.Line, f.HunkUpTo(at)
	if in.StartLine == nil {
		return nil
	}
	rc.start, rc.startSide = *in.StartLine, orElse(in.StartSide, rc.side)
	from := f.Find(rc.startSide, rc.start)
	switch {
	case from < 0 || f.Lines[from].Hunk != f.Lines[at].Hunk:
		return outside("start_line", "must be part of the same hunk as the line.")
	case from >= at:
		return outside("start_line", "must precede the end line.")
	}
	return nil
}

// outdate moves the comments of a pull request to its new head. Comments on changed lines become outdated.
func (s *Server) outdate(is *issue) {
	for _, rc := range is.pull.comments {
		if rc.line == 0 || rc.side == "LEFT" {
			continue
		}
		moved := func(line int) int {
			to, err := is.repo.git.MovedLine(rc.commit, is.pull.headSHA, rc.path, line)
			if err != nil {
				s.log.Error("following a review comment", "error", err)
				return line
			}
			return to
		}
		if rc.line = moved(rc.line); rc.start != 0 {
			rc.start = moved(rc.start)
		}
		rc.commit = is.pull.headSHA
		if rc.line == 0 || rc.originalStart != 0 && rc.start == 0 {
			rc.line, rc.start = 0, 0
		}
	}
}
