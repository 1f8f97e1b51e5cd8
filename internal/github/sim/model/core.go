package model

import (
	"context"
	"log/slog"
	"time"
)

// Core is what is known of GitHub, without how it is asked and told.
type Core struct {
	Clock    func() time.Time
	Memory   bool // the repositories are in memory
	Log      *slog.Logger
	Dir      string
	Programs GitPrograms
	Ctx      context.Context // ends with Close; git processes and deliveries run under it
	Events   events

	Mu         guard  // guards everything below and all that is reachable from it
	Base       string // "http://127.0.0.1:PORT", or Options.URL
	State      state
	App        *App  // the one that was registered last
	Registered int64 // how many Apps were registered by a manifest
}

// Now returns the time in GitHub's precision, whole seconds of UTC.
func (c *Core) Now() time.Time { return c.Clock().UTC().Truncate(time.Second) }

// events are told of what happened, with the lock held.
type events interface {
	EmitComment(action string, co *Comment, by *User, changes Object)
	EmitReviewComment(action string, rc *ReviewComment, by *User, changes Object)
	EmitIssue(action string, is *Issue, by *User, extra Object)
	EmitPull(action string, is *Issue, by *User, extra Object)
	EmitThread(action string, is *Issue, by *User, extra Object)
	EmitLabel(action string, is *Issue, by *User, l *Label)
	EmitReview(action string, rv *Review, by *User, changes Object)
	EmitReviewThread(action string, rc *ReviewComment, by *User)
	EmitCheck(action string, run *CheckRun, by *User, extra Object)
	EmitSuite(action string, suite *CheckSuite, by *User)
	EmitWorkflowRun(action string, run *WorkflowRun)
	EmitJob(action string, j *Job)
	EmitStatus(st *CommitStatus)
	EmitInstallation(action string, in *Installation)
	EmitCoverage(in *Installation, before []*Repository)
	Emit(event, action string, r *Repository, subject int64, by *User, payload Object)
	// waitFor waits for the response to the delivery of an event. It is called without the lock.
	WaitFor(event string, subject int64)
	// delivered returns the number of deliveries so far, and waitSince waits for the responses to those after the first
	// n. The lock is held at the one and not at the other.
	Delivered() int
	WaitSince(n int)
}
