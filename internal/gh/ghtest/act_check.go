package ghtest

import (
	"fmt"
	"slices"
)

// PressButton has somebody press a button of a check run.
func (s *Server) PressButton(as string, run int64, identifier string) error {
	s.mu.Lock()
	c := s.state.checks[run]
	if c == nil {
		s.mu.Unlock()
		return fmt.Errorf("no check run %d", run)
	}
	u, _, err := s.actor(as, c.repo.fullName(), RoleWrite)
	has := slices.ContainsFunc(c.actions, func(a checkAction) bool { return *a.Identifier == identifier })
	if err == nil && !has {
		err = fmt.Errorf("check run %d has no button %q", run, identifier)
	}
	if err == nil {
		s.emitCheck("requested_action", c, u, object{"requested_action": object{"identifier": identifier}})
	}
	s.mu.Unlock()
	if err == nil {
		s.acted("check_run", run)
	}
	return err
}
