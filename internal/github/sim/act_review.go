package sim

import (
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// Place is a place in a pull request's diff.
type Place struct {
	Path string
	// Line is a line of the file on Side: "RIGHT" (or empty) or "LEFT". StartLine is 0 for a single line.
	Line, StartLine int
	Side            string
}

// comment returns a new review comment at a place, without its commit.
func (at Place) comment(body string) model.NewReviewComment {
	in := model.NewReviewComment{Body: &body, Path: &at.Path, Line: &at.Line, Side: at.Side}
	if at.StartLine != 0 {
		in.StartLine, in.StartSide = &at.StartLine, at.Side
	}
	return in
}

// ReviewComment comments on a line of a pull request's diff as a user. It returns the comment's id.
func (s reviews) ReviewComment(as, repo string, number int, at Place, body string) (int64, error) {
	return s.addReviewCommentBy(as, repo, number, func(is *model.Issue, by *model.User) (*model.ReviewComment, error) {
		in := at.comment(body)
		in.CommitID = &is.Pull.HeadSHA
		return s.PlaceReviewComment(is, by, in)
	})
}

// ReplyTo replies to the first review comment of a thread as a user. It returns the reply's id.
func (s reviews) ReplyTo(as, repo string, number int, first int64, body string) (int64, error) {
	return s.addReviewCommentBy(as, repo, number, func(is *model.Issue, by *model.User) (*model.ReviewComment, error) {
		rc := s.State.ReviewComments[first]
		if rc == nil || rc.Issue != is || rc.ReplyTo != 0 {
			return nil, fmt.Errorf("no thread %d in #%d", first, number)
		}
		return rc.ReplyWith(body), CheckReviewComment(is, by, body)
	})
}

// DeleteReviewComment deletes a review comment as its author, or as a user with write permission.
func (s reviews) DeleteReviewComment(as string, id int64) error {
	err := s.dropReviewCommentBy(as, id)
	if err == nil {
		s.Events.WaitFor("pull_request_review_comment", id)
	}
	return err
}

func (s reviews) dropReviewCommentBy(as string, id int64) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	rc := s.State.ReviewComments[id]
	if rc == nil {
		return fmt.Errorf("no review comment %d", id)
	}
	u, r, err := Threads(s).actor(as, rc.Issue.Repo.FullName(), model.RoleRead)
	if err != nil {
		return err
	}
	if rc.User != u && !r.RoleOf(u).AtLeast(model.RoleWrite) {
		return fmt.Errorf("%s may not delete the comment of %s", as, rc.User.Login)
	}
	s.DropReviewComment(rc, u)
	return nil
}

func (s reviews) addReviewCommentBy(as, repo string, number int, place func(*model.Issue,
	*model.User) (*model.ReviewComment, error)) (
	int64, error) {
	id, err := s.placeReviewCommentBy(as, repo, number, place)
	if err == nil {
		s.Events.WaitFor("pull_request_review_comment", id)
	}
	return id, err
}

func (s reviews) placeReviewCommentBy(as, repo string, number int, place func(*model.Issue,
	*model.User) (*model.ReviewComment, error)) (
	int64, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	u, is, err := s.reviewer(as, repo, number)
	if err != nil {
		return 0, err
	}
	rc, err := place(is, u)
	if err != nil {
		return 0, err
	}
	return s.AddReviewComment(rc, u).ID, nil
}

// Note is a comment of a review on a line.
type Note struct {
	Place
	Body string
}

// NewReview is a review to submit.
type NewReview struct {
	// Event is "APPROVE", "REQUEST_CHANGES" or "COMMENT" (or empty).
	Event, Body string
	Notes       []Note
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
	draft := ReviewInput{Event: model.OrElse(in.Event, "COMMENT"), Body: in.Body}
	for _, n := range in.Notes {
		draft.Comments = append(draft.Comments, n.comment(n.Body))
	}
	rv, err := s.DraftReview(is, u, draft)
	if err != nil {
		return 0, err
	}
	s.Submit(s.AddReview(rv), model.ReviewStates[draft.Event])
	return rv.ID, nil
}

// reviewer returns the user who reviews, and the pull request.
func (s reviews) reviewer(as, repo string, number int) (*model.User, *model.Issue, error) {
	u, _, err := Threads(s).actor(as, repo, model.RoleRead)
	if err != nil {
		return nil, nil, err
	}
	is, err := s.State.Issue(repo, number)
	if err == nil && is.Pull == nil {
		err = fmt.Errorf("%s#%d is no pull request", repo, number)
	}
	return u, is, err
}
