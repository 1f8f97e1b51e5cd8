package sim

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// reviews makes reviews of pull requests with their comments, and resolves the threads.
type reviews struct{ *entity.Core }

// NewReview is a review to submit.
type NewReview struct {
	// Event is "APPROVE", "REQUEST_CHANGES" or "COMMENT" (or empty).
	Event, Body string
	Notes       []Note
}

// Note is a comment of a review on a line.
type Note struct {
	Place
	Body string
}

// Review reviews a pull request as a user. It returns the review's id after the response to the delivery.
func (s reviews) Review(as, repo string, number int, in NewReview) (int64, error) {
	id, err := s.reviewBy(as, repo, number, in)
	if err == nil {
		s.Events.WaitFor("pull_request_review", id)
	}
	return id, err
}

func (s reviews) reviewBy(as, repo string, number int, in NewReview) (int64, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	u, is, err := s.reviewer(as, repo, number)
	if err != nil {
		return 0, err
	}
	draft := ReviewInput{Event: entity.OrElse(in.Event, "COMMENT"), Body: in.Body}
	for _, n := range in.Notes {
		draft.Comments = append(draft.Comments, n.comment(n.Body))
	}
	rv, err := s.DraftReview(is, u, draft)
	if err != nil {
		return 0, err
	}
	s.Submit(s.AddReview(rv), entity.ReviewStates[draft.Event])
	return rv.ID, nil
}

// reviewer returns the user who reviews, and the pull request.
func (s reviews) reviewer(as, repo string, number int) (*entity.User, *entity.Issue, error) {
	u, _, err := s.Actor(as, repo, entity.RoleRead)
	if err != nil {
		return nil, nil, err
	}
	is, err := s.State.Issue(repo, number)
	if err == nil && is.Pull == nil {
		err = fmt.Errorf("%s#%d is no pull request", repo, number)
	}
	return u, is, err
}

// ReviewInput is a review to create. Without an event it is pending.
type ReviewInput struct {
	CommitID string                    `json:"commit_id"`
	Body     string                    `json:"body"`
	Event    string                    `json:"event"`
	Comments []entity.NewReviewComment `json:"comments"`
}

// DraftReview returns a pending review, or an error if one of its comments has no valid place.
func (s reviews) DraftReview(is *entity.Issue, author *entity.User, in ReviewInput) (*entity.Review, error) {
	if in.CommitID == "" { // "Defaults to the most recent commit in the pull request when you do not specify a value."
		in.CommitID = is.Pull.HeadSHA
	}
	switch {
	case is.LockedFor(author):
		return nil, entity.Refuse(http.StatusForbidden, "Unable to create review because issue is locked.")
	case !reviewLines(s).inPull(is, in.CommitID):
		return nil, entity.ReviewRefused("commit_id is not part of the pull request")
	case is.Pull.PendingOf(author) != nil:
		return nil, entity.ReviewRefused(onePending)
	}
	rv := &entity.Review{Issue: is, User: author, Body: in.Body, State: entity.ReviewPending, Commit: in.CommitID}
	for _, note := range in.Comments {
		note.CommitID = &in.CommitID
		rc, err := reviewLines(s).PlaceReviewComment(is, author, note)
		if err != nil {
			return nil, asSentence(err)
		}
		rv.Pending = append(rv.Pending, rc)
	}
	return rv, rv.Check(in.Event, in.Body)
}

// asSentence returns the error of a comment in the form of a review's.
func asSentence(err error) error {
	var e *entity.APIError
	if !errors.As(err, &e) || len(e.Errors) == 0 {
		return err
	}
	entry, _ := e.Errors[0].(entity.Object)
	if text, has := entry["message"].(string); has {
		return entity.ReviewRefused(text)
	}
	return entity.ReviewRefused(fmt.Sprintf("%v is %v", entry["field"], entry["code"]))
}

// AddReview adds a pending review, with ids for it and its comments.
func (s reviews) AddReview(rv *entity.Review) *entity.Review {
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

// Submit submits a review with a state. It emits an event for each comment and one for the review, also for a
// review of one comment.
func (s reviews) Submit(rv *entity.Review, state string) {
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

// Review is a review as everybody can read it.
type Review struct {
	ID         int64
	User, Body string
	// State is GitHub's: "COMMENTED", "APPROVED" or "CHANGES_REQUESTED". Commit is the reviewed commit.
	State, Commit string
	Submitted     time.Time
}

// Reviews returns the submitted reviews of a pull request, oldest first. A single review comment makes a review too.
func (s reviews) Reviews(repo string, number int) ([]Review, error) {
	var list []Review
	err := s.WithIssue(repo, number, func(is *entity.Issue) error {
		if is.Pull == nil {
			return fmt.Errorf("%s#%d is no pull request", repo, number)
		}
		for _, rv := range is.Pull.Reviews {
			if rv.State != entity.ReviewPending {
				list = append(list, Review{rv.ID, rv.User.Login, rv.Body, rv.State, rv.Commit, rv.Submitted})
			}
		}
		return nil
	})
	return list, err
}
