package sim

import (
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// reviewLines finds the lines of diffs that review comments are on, and follows them when the head moves.
type reviewLines struct{ *entity.Core }

// Place is a place in a pull request's diff.
type Place struct {
	Path string
	// Line is a line of the file on Side: "RIGHT" (or empty) or "LEFT". StartLine is 0 for a single line.
	Line, StartLine int
	Side            string
}

// comment returns a new review comment at a place, without its commit.
func (at Place) comment(body string) entity.NewReviewComment {
	in := entity.NewReviewComment{Body: &body, Path: &at.Path, Line: &at.Line, Side: at.Side}
	if at.StartLine != 0 {
		in.StartLine, in.StartSide = &at.StartLine, at.Side
	}
	return in
}

// onePending is GitHub's refusal of a second pending review.
const onePending = "User can only have one pending review per pull request"

// CheckReviewComment returns GitHub's refusal of a new review comment, or nil.
func CheckReviewComment(is *entity.Issue, author *entity.User, body string) error {
	switch {
	case is.LockedFor(author):
		return entity.Refuse(http.StatusForbidden, "Unable to create comment because issue is locked.")
	case is.Pull.PendingOf(author) != nil:
		return entity.Invalid(entity.ReviewCommentResource, "pull_request_review", "custom", onePending)
	case entity.IsBlank(body):
		return entity.Invalid(entity.ReviewCommentResource, "body", "missing_field", "")
	case utf8.RuneCountInString(body) > entity.MaxText:
		return entity.Invalid(entity.ReviewCommentResource, "body", "custom",
			"body is too long (maximum is 65536 characters)")
	}
	return nil
}

// PlaceReviewComment returns a new review comment at its place in the diff, or a 422 if the diff has no such line.
func (s reviewLines) PlaceReviewComment(is *entity.Issue, author *entity.User,
	in entity.NewReviewComment) (*entity.ReviewComment, error) {
	for _, field := range []struct {
		name  string
		value *string
	}{{"body", in.Body}, {"commit_id", in.CommitID}, {"path", in.Path}} {
		if field.value == nil {
			return nil, entity.NotSupplied(field.name)
		}
	}
	if err := CheckReviewComment(is, author, *in.Body); err != nil {
		return nil, err
	}
	if !s.inPull(is, *in.CommitID) {
		return nil, entity.Invalid(entity.ReviewCommentResource, "pull_request_review_thread.end_commit_oid", "custom",
			"pull_request_review_thread.end_commit_oid is not part of the pull request")
	}
	files, err := diffFromBase(is, *in.CommitID)
	if err != nil {
		return nil, err
	}
	f := fileNamed(files, *in.Path)
	if f == nil {
		return nil, entity.Invalid(entity.ReviewCommentResource, "pull_request_review_thread.path", "invalid", "")
	}
	rc := &entity.ReviewComment{Issue: is, Thread: &entity.ReviewThread{ID: s.State.ID("review thread")}, Body: *in.Body,
		Path:   f.Path,
		Commit: *in.CommitID, Original: *in.CommitID,
		Side: strings.ToUpper(entity.OrElse(in.Side, "RIGHT")), StartSide: in.StartSide}
	if in.SubjectType == "file" {
		rc.WholeFile, rc.Hunk = true, f.Patch
		return rc, nil
	}
	if err := rc.PutOn(f, in); err != nil {
		return nil, err
	}
	rc.OriginalLine, rc.OriginalStart = rc.Line, rc.Start
	return rc, nil
}

// inPull reports whether a commit, by its full SHA, is the pull request's head or an ancestor of it.
func (s reviewLines) inPull(is *entity.Issue, sha string) bool {
	return is.Repo.Git.IsAncestor(sha, is.Pull.HeadSHA)
}

// fileNamed returns the diff of the file with a path, or nil.
func fileNamed(files []*git.FileDiff, name string) *git.FileDiff {
	for _, f := range files {
		if f.Path == name {
			return f
		}
	}
	return nil
}

// outdate moves the comments of a pull request to its new head. Comments on changed lines become outdated.
func (s reviewLines) outdate(is *entity.Issue) {
	for _, rc := range is.Pull.Comments {
		if rc.Line == 0 || rc.Side == "LEFT" {
			continue
		}
		moved := func(line int) int {
			to, err := is.Repo.Git.MovedLine(rc.Commit, is.Pull.HeadSHA, rc.Path, line)
			if err != nil {
				s.Log.Error("following a review comment", "error", err)
				return line
			}
			return to
		}
		if rc.Line = moved(rc.Line); rc.Start != 0 {
			rc.Start = moved(rc.Start)
		}
		rc.Commit = is.Pull.HeadSHA
		if rc.Line == 0 || rc.OriginalStart != 0 && rc.Start == 0 {
			rc.Line, rc.Start = 0, 0
		}
	}
}
