package ghtest

import (
	"fmt"
	"slices"
)

// PressButton presses a button of a check run as a user.
func (s *Server) PressButton(as string, run int64, identifier string) error {
	return s.requestAndWait(as, run, "requested_action", func(c *checkRun) (object, error) {
		if !slices.ContainsFunc(c.actions, func(a checkAction) bool { return *a.Identifier == identifier }) {
			return nil, fmt.Errorf("check run %d has no button %q", run, identifier)
		}
		return object{"requested_action": object{"identifier": identifier}}, nil
	})
}

// Rerequest requests a check run again as a user: "Re-run".
func (s *Server) Rerequest(as string, run int64) error {
	return s.requestAndWait(as, run, "rerequested", func(*checkRun) (object, error) { return nil, nil })
}

// requestAndWait requests an action of a check run, and waits for the response to the delivery.
func (s *Server) requestAndWait(as string, run int64, action string, extra func(*checkRun) (object, error)) error {
	err := s.requestAction(as, run, action, extra)
	if err == nil {
		s.waitFor("check_run", run)
	}
	return err
}

// requestAction delivers an action of a check run, requested by a user with write permission.
func (s *Server) requestAction(as string, run int64, action string, extra func(*checkRun) (object, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.state.checks[run]
	if c == nil {
		return fmt.Errorf("no check run %d", run)
	}
	u, _, err := s.actor(as, c.repo.fullName(), RoleWrite)
	if err != nil {
		return err
	}
	more, err := extra(c)
	if err == nil {
		s.emitCheck(action, c, u, more)
	}
	return err
}
