package sim

import (
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// ResolveThread resolves the thread of a review comment, as the author of the pull request or a user with write
// permission.
func (s reviews) ResolveThread(as string, comment int64) error {
	return s.setResolved(as, comment, true)
}

// UnresolveThread reverts that.
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
	u, r, err := Threads(s).actor(as, rc.Issue.Repo.FullName(), model.RoleRead)
	if err != nil {
		return err
	}
	if u != rc.Issue.User && !r.RoleOf(u).AtLeast(model.RoleWrite) {
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
