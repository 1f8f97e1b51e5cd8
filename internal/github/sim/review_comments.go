package sim

import (
	"fmt"
	"net/http"
	"slices"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

func (s Pages) ReviewCommentURL(rc *model.ReviewComment) string {
	return fmt.Sprintf("%s/pulls/comments/%d", s.APIRepoURL(rc.Issue.Repo), rc.ID)
}

func CheckReviewComment(is *model.Issue, by *model.User, body string) error {
	switch {
	case is.LockedFor(by):
		return model.Refuse(http.StatusForbidden, "Unable to create comment because issue is locked.")
	case is.Pull.PendingOf(by) != nil:
		return model.Invalid(model.NoteResource, "pull_request_review", "custom", onePending)
	case model.IsBlank(body):
		return model.Invalid(model.NoteResource, "body", "missing_field", "")
	case utf8.RuneCountInString(body) > model.MaxText:
		return model.Invalid(model.NoteResource, "body", "custom", "body is too long (maximum is 65536 characters)")
	}
	return nil
}

// addReviewComment adds a comment with an id and an author, in a new review, as GitHub does.
func (s reviews) AddReviewComment(rc *model.ReviewComment, by *model.User) *model.ReviewComment {
	s.Submit(s.AddReview(&model.Review{Issue: rc.Issue, User: by, Commit: rc.Commit, Pending: []*model.ReviewComment{rc}}),
		model.ReviewStates["COMMENT"])
	return rc
}

func (s reviews) DropReviewComment(rc *model.ReviewComment, by *model.User) {
	delete(s.State.ReviewComments, rc.ID)
	p := rc.Issue.Pull
	p.Comments = slices.DeleteFunc(p.Comments, func(o *model.ReviewComment) bool { return o == rc })
	s.Events.EmitReviewComment("deleted", rc, by, nil)
}
