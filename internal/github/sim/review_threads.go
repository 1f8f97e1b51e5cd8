package sim

import (
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// ResolveThread resolves the thread of a review comment, as the author of the pull request or a user with write
// permission.
func (s reviews) ResolveThread(as string, comment int64) error {
	return s.setResolved(as, comment, true)
}

// UnresolveThread opens a resolved thread again, as who may resolve it.
func (s reviews) UnresolveThread(as string, comment int64) error {
	return s.setResolved(as, comment, false)
}

func (s reviews) setResolved(as string, comment int64, yes bool) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	rc := s.State.ReviewComments[comment]
	if rc == nil {
		return fmt.Errorf("no review comment %d", comment)
	}
	u, r, err := s.Actor(as, rc.Issue.Repo.FullName(), entity.RoleRead)
	if err != nil {
		return err
	}
	if u != rc.Issue.User && !r.RoleOf(u).AtLeast(entity.RoleWrite) {
		return fmt.Errorf("%s may not resolve threads of %s", as, r.FullName())
	}
	action := "unresolved"
	rc.Thread.Resolved = nil
	if yes {
		rc.Thread.Resolved, action = u, "resolved"
	}
	s.Events.EmitReviewThread(action, rc, u)
	return nil
}
