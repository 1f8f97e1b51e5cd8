package sim

import (
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// placeReviewComment sets the place of a new review comment. For a line that is not in the diff, it returns a 422.
func (s reviews) PlaceReviewComment(is *model.Issue, by *model.User, in model.NewReviewComment) (*model.ReviewComment,
	error) {
	for _, field := range []struct {
		name  string
		value *string
	}{{"body", in.Body}, {"commit_id", in.CommitID}, {"path", in.Path}} {
		if field.value == nil {
			return nil, model.NotSupplied(field.name)
		}
	}
	if err := CheckReviewComment(is, by, *in.Body); err != nil {
		return nil, err
	}
	if !s.inPull(is, *in.CommitID) {
		return nil, model.Invalid(model.NoteResource, "pull_request_review_thread.end_commit_oid", "custom",
			"pull_request_review_thread.end_commit_oid is not part of the pull request")
	}
	files, err := diffFromBase(is, *in.CommitID)
	if err != nil {
		return nil, err
	}
	f := fileNamed(files, *in.Path)
	if f == nil {
		return nil, model.Invalid(model.NoteResource, "pull_request_review_thread.path", "invalid", "")
	}
	rc := &model.ReviewComment{Issue: is, Thread: &model.ReviewThread{ID: s.State.ID("review thread")}, Body: *in.Body,
		Path:   f.Path,
		Commit: *in.CommitID, Original: *in.CommitID,
		Side: strings.ToUpper(model.OrElse(in.Side, "RIGHT")), StartSide: in.StartSide}
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
func (s reviews) inPull(is *model.Issue, sha string) bool {
	return is.Repo.Git.IsAncestor(sha, is.Pull.HeadSHA)
}

func fileNamed(files []*git.FileDiff, name string) *git.FileDiff {
	for _, f := range files {
		if f.Path == name {
			return f
		}
	}
	return nil
}

// outdate moves the comments of a pull request to its new head. Comments on changed lines become outdated.
func (s reviews) outdate(is *model.Issue) {
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
