package sim

import (
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// AddCheck adds a check run to a suite.
func (s Checks) AddCheck(run *model.CheckRun, suite *model.CheckSuite) {
	run.ID, run.Suite, suite.Updated = s.State.ID("check run"), suite, s.Now()
	s.State.Checks[run.ID] = run
	s.Events.EmitCheck("created", run, s.checkSender(suite), nil)
}

// checkSender returns the sender of the events of a suite's check runs.
func (s Checks) checkSender(suite *model.CheckSuite) *model.User {
	if suite.App == nil {
		return s.App.Bot
	}
	return suite.By
}

// CheckCompleted delivers that a check run has completed, and its suite if it was the last one. A suite of GitHub
// Actions completes with its workflow run.
func (s Checks) CheckCompleted(run *model.CheckRun, by *model.User) {
	s.Events.EmitCheck("completed", run, by, nil)
	run.Suite.Updated = s.Now()
	if status, _ := s.SuiteState(run.Suite); status == "completed" && run.Suite.Run == nil {
		s.Events.EmitSuite("completed", run.Suite, run.Suite.By)
	}
}
