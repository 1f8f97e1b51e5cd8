package sim

import (
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// ReviewComment comments on a line of a pull request's diff as a user. It returns the comment's id.
func (s reviews) ReviewComment(as, repo string, number int, at Place, body string) (int64, error) {
	place := func(is *entity.Issue, author *entity.User) (*entity.ReviewComment, error) {
		in := at.comment(body)
		in.CommitID = &is.Pull.HeadSHA
		return reviewLines(s).PlaceReviewComment(is, author, in)
	}
	return s.addReviewCommentBy(as, repo, number, place)
}

// ReplyTo replies to the first review comment of a thread as a user. It returns the reply's id.
func (s reviews) ReplyTo(as, repo string, number int, first int64, body string) (int64, error) {
	place := func(is *entity.Issue, author *entity.User) (*entity.ReviewComment, error) {
		rc := s.State.ReviewComments[first]
		if rc == nil || rc.Issue != is || rc.ReplyTo != 0 {
			return nil, fmt.Errorf("no thread %d in #%d", first, number)
		}
		return rc.ReplyWith(body), CheckReviewComment(is, author, body)
	}
	return s.addReviewCommentBy(as, repo, number, place)
}

// placeComment returns a new comment of an author on a pull request's diff.
type placeComment func(is *entity.Issue, author *entity.User) (*entity.ReviewComment, error)

// addReviewCommentBy adds a comment as a user, and returns its id after the response to the delivery.
func (s reviews) addReviewCommentBy(as, repo string, number int, place placeComment) (int64, error) {
	id, err := s.placeReviewCommentBy(as, repo, number, place)
	if err == nil {
		s.Events.WaitFor("pull_request_review_comment", id)
	}
	return id, err
}

func (s reviews) placeReviewCommentBy(as, repo string, number int, place placeComment) (int64, error) {
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

// AddReviewComment adds a comment with an id and an author, in a new review, as GitHub does.
func (s reviews) AddReviewComment(rc *entity.ReviewComment, author *entity.User) *entity.ReviewComment {
	rv := &entity.Review{Issue: rc.Issue, User: author, Commit: rc.Commit, Pending: []*entity.ReviewComment{rc}}
	s.Submit(s.AddReview(rv), entity.ReviewStates["COMMENT"])
	return rc
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
	u, r, err := s.Actor(as, rc.Issue.Repo.FullName(), entity.RoleRead)
	if err != nil {
		return err
	}
	if rc.User != u && !r.RoleOf(u).AtLeast(entity.RoleWrite) {
		return fmt.Errorf("%s may not delete the comment of %s", as, rc.User.Login)
	}
	s.DropReviewComment(rc, u)
	return nil
}

// DropReviewComment deletes a review comment.
func (s reviews) DropReviewComment(rc *entity.ReviewComment, actor *entity.User) {
	delete(s.State.ReviewComments, rc.ID)
	p := rc.Issue.Pull
	p.Comments = slices.DeleteFunc(p.Comments, func(o *entity.ReviewComment) bool { return o == rc })
	s.Events.EmitReviewComment("deleted", rc, actor, nil)
}

// ReviewComments returns the comments on a pull request's diff, oldest first.
func (s reviews) ReviewComments(repo string, number int) ([]Comment, error) {
	var list []Comment
	err := s.WithIssue(repo, number, func(is *entity.Issue) error {
		if is.Pull == nil {
			return fmt.Errorf("%s#%d is no pull request", repo, number)
		}
		for _, c := range is.Pull.Comments {
			list = append(list, Comment{ID: c.ID, User: c.User.Login, Body: c.Body, Created: c.Created, Updated: c.Updated,
				InReplyTo: c.ReplyTo, Path: c.Path, Line: c.Line})
		}
		return nil
	})
	return list, err
}
