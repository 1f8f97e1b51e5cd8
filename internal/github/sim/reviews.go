package sim

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// ReviewInput is a review to create. Without an event it is pending.
type ReviewInput struct {
	CommitID string                   `json:"commit_id"`
	Body     string                   `json:"body"`
	Event    string                   `json:"event"`
	Comments []model.NewReviewComment `json:"comments"`
}

// draftReview returns a pending review, or an error if one of its comments has no valid place.
func (s reviews) DraftReview(is *model.Issue, by *model.User, in ReviewInput) (*model.Review, error) {
	if in.CommitID == "" { // "Defaults to the most recent commit in the pull request when you do not specify a value."
		in.CommitID = is.Pull.HeadSHA
	}
	switch {
	case is.LockedFor(by):
		return nil, model.Refuse(http.StatusForbidden, "Unable to create review because issue is locked.")
	case !s.inPull(is, in.CommitID):
		return nil, model.ReviewRefused("commit_id is not part of the pull request")
	case is.Pull.PendingOf(by) != nil:
		return nil, model.ReviewRefused(onePending)
	}
	rv := &model.Review{Issue: is, User: by, Body: in.Body, State: model.ReviewPending, Commit: in.CommitID}
	for _, note := range in.Comments {
		note.CommitID = &in.CommitID
		rc, err := s.PlaceReviewComment(is, by, note)
		if err != nil {
			return nil, asSentence(err)
		}
		rv.Pending = append(rv.Pending, rc)
	}
	return rv, rv.Check(in.Event, in.Body)
}

const onePending = "User can only have one pending review per pull request"

// asSentence returns the error of a comment in the form of a review's.
func asSentence(err error) error {
	var e *model.APIError
	if !errors.As(err, &e) || len(e.Errors) == 0 {
		return err
	}
	entry, _ := e.Errors[0].(model.Object)
	if text, has := entry["message"].(string); has {
		return model.ReviewRefused(text)
	}
	return model.ReviewRefused(fmt.Sprintf("%v is %v", entry["field"], entry["code"]))
}

// addReview adds a pending review, with ids for it and its comments.
func (s reviews) AddReview(rv *model.Review) *model.Review {
	rv.ID, rv.Order = s.State.ID("review"), s.State.ID("order")
	s.State.Reviews[rv.ID] = rv
	rv.Issue.Pull.Reviews = append(rv.Issue.Pull.Reviews, rv)
	for _, rc := range rv.Pending {
		now := s.Now()
		rc.ID, rc.Review, rc.User, rc.ViaApp, rc.Created, rc.Updated = s.State.ID("review comment"), rv.ID, rv.User,
			rv.User == s.App.Bot, now, now
	}
	return rv
}

// submit submits a review. It emits an event for each comment and one for the review, also for a review of one comment.
func (s reviews) Submit(rv *model.Review, state string) {
	now, p := s.Now(), rv.Issue.Pull
	rv.State, rv.Submitted, rv.Issue.Updated = state, now, now
	notes := rv.Pending
	rv.Pending = nil
	for _, rc := range notes {
		rc.Created, rc.Updated, rc.Order = now, now, s.State.ID("order")
		p.Comments = append(p.Comments, rc)
		s.State.ReviewComments[rc.ID] = rc
	}
	s.Events.EmitReview("submitted", rv, rv.User, nil)
	for _, rc := range notes {
		s.Events.EmitReviewComment("created", rc, rv.User, nil)
	}
}
