package ghtest

import (
	"fmt"
	"slices"
)

// PressButton has somebody press a button of a check run.
func (s *Server) PressButton(as string, run int64, identifier string) error {
	return s.askedOf(as, run, "requested_action", func(c *checkRun) (object, error) {
		if !slices.ContainsFunc(c.actions, func(a checkAction) bool { return *a.Identifier == identifier }) {
			return nil, fmt.Errorf("check run %d has no button %q", run, identifier)
		}
		return object{"requested_action": object{"identifier": identifier}}, nil
	})
}

// Rerequest has somebody ask for a check run once more: "Re-run".
func (s *Server) Rerequest(as string, run int64) error {
	return s.askedOf(as, run, "rerequested", func(*checkRun) (object, error) { return nil, nil })
}

// askedOf returns when what somebody asks of a check run was answered.
func (s *Server) askedOf(as string, run int64, action string, extra func(*checkRun) (object, error)) error {
	err := s.ask(as, run, action, extra)
	if err == nil {
		s.acted("check_run", run)
	}
	return err
}

// ask delivers what somebody with write permission asks of a check run.
func (s *Server) ask(as string, run int64, action string, extra func(*checkRun) (object, error)) error {
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
