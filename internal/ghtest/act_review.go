package ghtest

import "fmt"

// Place is a place in a pull request's diff.
type Place struct {
	Path string
	// Line is a line of the file on Side: "RIGHT" (or empty) or "LEFT". StartLine is 0 for a single line.
	Line, StartLine int
	Side            string
}

// comment returns a new review comment at a place, without its commit.
func (at Place) comment(body string) newReviewComment {
	in := newReviewComment{Body: &body, Path: &at.Path, Line: &at.Line, Side: at.Side}
	if at.StartLine != 0 {
		in.StartLine, in.StartSide = &at.StartLine, at.Side
	}
	return in
}

// ReviewComment comments on a line of a pull request's diff as a user. It returns the comment's id.
func (s *Server) ReviewComment(as, repo string, number int, at Place, body string) (int64, error) {
	return s.addReviewCommentBy(as, repo, number, func(is *issue, by *user) (*reviewComment, error) {
		in := at.comment(body)
		in.CommitID = &is.pull.headSHA
		return s.placeReviewComment(is, by, in)
	})
}

// ReplyTo replies to the first review comment of a thread as a user. It returns the reply's id.
func (s *Server) ReplyTo(as, repo string, number int, first int64, body string) (int64, error) {
	return s.addReviewCommentBy(as, repo, number, func(is *issue, by *user) (*reviewComment, error) {
		rc := s.state.reviewComments[first]
		if rc == nil || rc.issue != is || rc.replyTo != 0 {
			return nil, fmt.Errorf("no thread %d in #%d", first, number)
		}
		return rc.replyWith(body), checkReviewComment(is, by, body)
	})
}

// DeleteReviewComment deletes a review comment as its author, or as a user with write permission.
func (s *Server) DeleteReviewComment(as string, id int64) error {
	err := s.dropReviewCommentBy(as, id)
	if err == nil {
		s.waitFor("pull_request_review_comment", id)
	}
	return err
}

func (s *Server) dropReviewCommentBy(as string, id int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	rc := s.state.reviewComments[id]
	if rc == nil {
		return fmt.Errorf("no review comment %d", id)
	}
	u, r, err := s.actor(as, rc.issue.repo.fullName(), RoleRead)
	if err != nil {
		return err
	}
	if rc.user != u && !r.roleOf(u).atLeast(RoleWrite) {
		return fmt.Errorf("%s may not delete the comment of %s", as, rc.user.login)
	}
	s.dropReviewComment(rc, u)
	return nil
}

func (s *Server) addReviewCommentBy(as, repo string, number int, place func(*issue, *user) (*reviewComment, error)) (
	int64, error) {
	id, err := s.placeReviewCommentBy(as, repo, number, place)
	if err == nil {
		s.waitFor("pull_request_review_comment", id)
	}
	return id, err
}

func (s *Server) placeReviewCommentBy(as, repo string, number int, place func(*issue, *user) (*reviewComment, error)) (
	int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u, is, err := s.reviewer(as, repo, number)
	if err != nil {
		return 0, err
	}
	rc, err := place(is, u)
	if err != nil {
		return 0, err
	}
	return s.addReviewComment(rc, u).id, nil
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
func (s *Server) Review(as, repo string, number int, in NewReview) (int64, error) {
	id, err := s.reviewBy(as, repo, number, in)
	if err == nil {
		s.waitFor("pull_request_review", id)
	}
	return id, err
}

func (s *Server) reviewBy(as, repo string, number int, in NewReview) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u, is, err := s.reviewer(as, repo, number)
	if err != nil {
		return 0, err
	}
	draft := newReview{Event: orElse(in.Event, "COMMENT"), Body: in.Body}
	for _, n := range in.Notes {
		draft.Comments = append(draft.Comments, n.comment(n.Body))
	}
	rv, err := s.draftReview(is, u, draft)
	if err != nil {
		return 0, err
	}
	s.submit(s.addReview(rv), reviewStates[draft.Event])
	return rv.id, nil
}

// reviewer returns the user who reviews, and the pull request.
func (s *Server) reviewer(as, repo string, number int) (*user, *issue, error) {
	u, _, err := s.actor(as, repo, RoleRead)
	if err != nil {
		return nil, nil, err
	}
	is, err := s.state.issue(repo, number)
	if err == nil && is.pull == nil {
		err = fmt.Errorf("%s#%d is no pull request", repo, number)
	}
	return u, is, err
}
