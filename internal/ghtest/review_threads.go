package ghtest

import (
	"fmt"
	"slices"
)

// reviewThread is the state of a review thread.
type reviewThread struct {
	id       int64
	resolved *user // who resolved it, nil while it is open
}

// ResolveThread resolves the thread of a review comment, as the author of the pull request or a user with write
// permission.
func (s *Server) ResolveThread(as string, comment int64) error {
	return s.setResolved(as, comment, true)
}

// UnresolveThread reverts that.
func (s *Server) UnresolveThread(as string, comment int64) error {
	return s.setResolved(as, comment, false)
}

func (s *Server) setResolved(as string, comment int64, yes bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	rc := s.state.reviewComments[comment]
	if rc == nil {
		return fmt.Errorf("no review comment %d", comment)
	}
	u, r, err := s.actor(as, rc.issue.repo.fullName(), RoleRead)
	if err != nil {
		return err
	}
	if u != rc.issue.user && !r.roleOf(u).atLeast(RoleWrite) {
		return fmt.Errorf("%s may not resolve threads of %s", as, r.fullName())
	}
	action := "unresolved"
	rc.thread.resolved = nil
	if yes {
		rc.thread.resolved, action = u, "resolved"
	}
	s.emitReviewThread(action, rc, u)
	return nil
}

func (s *Server) emitReviewThread(action string, rc *reviewComment, by *user) {
	if !s.delivers("pull_request_review_thread", action, rc.issue.repo) {
		return
	}
	comments := []object{}
	for _, c := range rc.issue.pull.comments {
		if c.thread == rc.thread {
			comments = append(comments, s.reviewCommentJSON(c))
		}
	}
	p := object{"pull_request": s.pullJSON(rc.issue, true), "thread": object{"node_id": nodeID("PRRT", rc.thread.id),
		"comments": comments}}
	s.emit("pull_request_review_thread", action, rc.issue.repo, rc.thread.id, by, p)
}

// threads returns the submitted review comments by thread, oldest first.
func (p *pull) threads() [][]*reviewComment {
	var list [][]*reviewComment
	for _, rc := range p.comments {
		i := slices.IndexFunc(list, func(t []*reviewComment) bool { return t[0].thread == rc.thread })
		if i < 0 {
			i = len(list)
			list = append(list, nil)
		}
		list[i] = append(list[i], rc)
	}
	return list
}
