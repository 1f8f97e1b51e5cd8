package sim

import (
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// PressButton presses a button of a check run as a user.
func (s Checks) PressButton(as string, run int64, identifier string) error {
	return s.requestAndWait(as, run, "requested_action", func(c *model.CheckRun) (model.Object, error) {
		if !slices.ContainsFunc(c.Actions, func(a model.CheckAction) bool { return *a.Identifier == identifier }) {
			return nil, fmt.Errorf("check run %d has no button %q", run, identifier)
		}
		return model.Object{"requested_action": model.Object{"identifier": identifier}}, nil
	})
}

// Rerequest requests a check run again as a user: "Re-run".
func (s Checks) Rerequest(as string, run int64) error {
	return s.requestAndWait(as, run, "rerequested", func(*model.CheckRun) (model.Object, error) { return nil, nil })
}

// requestAndWait requests an action of a check run, and waits for the response to the delivery.
func (s Checks) requestAndWait(as string, run int64, action string, extra func(*model.CheckRun) (model.Object,
	error)) error {
	err := s.requestAction(as, run, action, extra)
	if err == nil {
		s.Events.WaitFor("check_run", run)
	}
	return err
}

// requestAction delivers an action of a check run, requested by a user with write permission.
func (s Checks) requestAction(as string, run int64, action string, extra func(*model.CheckRun) (model.Object,
	error)) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	c := s.State.Checks[run]
	if c == nil {
		return fmt.Errorf("no check run %d", run)
	}
	u, _, err := Threads(s).actor(as, c.Repo.FullName(), model.RoleWrite)
	if err != nil {
		return err
	}
	more, err := extra(c)
	if err == nil {
		s.Events.EmitCheck(action, c, u, more)
	}
	return err
}
