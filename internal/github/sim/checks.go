package sim

import (
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Checks adds, changes and shows check runs, and shows their suites and the statuses of commits.
type Checks struct{ *entity.Core }

// AddCheck adds a check run to a suite.
func (s Checks) AddCheck(run *entity.CheckRun, suite *entity.CheckSuite) {
	run.ID, run.Suite, suite.Updated = s.State.ID("check run"), suite, s.Now()
	s.State.Checks[run.ID] = run
	s.Events.EmitCheck("created", run, s.checkSender(suite), nil)
}

// checkSender returns the sender of the events of a suite's check runs.
func (s Checks) checkSender(suite *entity.CheckSuite) *entity.User {
	if suite.App == nil {
		return s.App.Bot
	}
	return suite.By
}

// CheckCompleted delivers that a check run has completed, and its suite if it was the last one. A suite of GitHub
// Actions completes with its workflow run.
func (s Checks) CheckCompleted(run *entity.CheckRun, actor *entity.User) {
	s.Events.EmitCheck("completed", run, actor, nil)
	run.Suite.Updated = s.Now()
	if status, _ := s.SuiteState(run.Suite); status == "completed" && run.Suite.Run == nil {
		s.Events.EmitSuite("completed", run.Suite, run.Suite.By)
	}
}

// RunsOf returns the check runs of a suite, oldest first.
func (s Checks) RunsOf(suite *entity.CheckSuite) []*entity.CheckRun {
	return SortedByID(s.State.Checks, func(run *entity.CheckRun) bool { return run.Suite == suite })
}

// LatestOf returns the newest check run of each name of a suite, oldest first.
func (s Checks) LatestOf(suite *entity.CheckSuite) []*entity.CheckRun {
	var list []*entity.CheckRun
	newest := map[string]int{}
	for _, run := range s.RunsOf(suite) {
		if i, has := newest[run.Name]; has {
			list[i] = run
			continue
		}
		newest[run.Name] = len(list)
		list = append(list, run)
	}
	return list
}

// SuiteState returns the status and the conclusion of a suite.
func (s Checks) SuiteState(suite *entity.CheckSuite) (status, conclusion string) {
	if suite.Run != nil {
		return suite.Run.Status, suite.Run.Conclusion
	}
	runs := s.LatestOf(suite)
	if len(runs) == 0 {
		return "queued", ""
	}
	for _, run := range runs {
		if run.Status != "completed" {
			return "in_progress", ""
		}
		conclusion = worse(conclusion, run.Conclusion)
	}
	return "completed", conclusion
}

// severity orders conclusions, the one that decides first.
var severity = []string{"action_required", "timed_out", "failure", "startup_failure", "cancelled", "success", "neutral",
	"skipped"}

// worse returns the conclusion of two that decides about both.
func worse(a, b string) string {
	for _, c := range severity {
		if a == c || b == c {
			return c
		}
	}
	return a
}

// PressButton presses a button of a check run as a user.
func (s Checks) PressButton(as string, run int64, identifier string) error {
	return s.requestAndWait(as, run, "requested_action", func(c *entity.CheckRun) (entity.Object, error) {
		if !slices.ContainsFunc(c.Actions, func(a entity.CheckAction) bool { return *a.Identifier == identifier }) {
			return nil, fmt.Errorf("check run %d has no button %q", run, identifier)
		}
		return entity.Object{"requested_action": entity.Object{"identifier": identifier}}, nil
	})
}

// Rerequest requests a check run again as a user: "Re-run".
func (s Checks) Rerequest(as string, run int64) error {
	return s.requestAndWait(as, run, "rerequested", func(*entity.CheckRun) (entity.Object, error) { return nil, nil })
}

// requestAndWait requests an action of a check run, and waits for the response to the delivery.
func (s Checks) requestAndWait(as string, run int64, action string, extra func(*entity.CheckRun) (entity.Object,
	error)) error {
	err := s.requestAction(as, run, action, extra)
	if err == nil {
		s.Events.WaitFor("check_run", run)
	}
	return err
}

// requestAction delivers an action of a check run, requested by a user with write permission.
func (s Checks) requestAction(as string, run int64, action string, extra func(*entity.CheckRun) (entity.Object,
	error)) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	c := s.State.Checks[run]
	if c == nil {
		return fmt.Errorf("no check run %d", run)
	}
	u, _, err := s.Actor(as, c.Repo.FullName(), entity.RoleWrite)
	if err != nil {
		return err
	}
	more, err := extra(c)
	if err == nil {
		s.Events.EmitCheck(action, c, u, more)
	}
	return err
}
