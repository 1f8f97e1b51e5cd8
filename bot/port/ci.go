package port

import (
	"context"
	"io"
	"strings"
)

// CI is continuous integration: the check runs and statuses of commits, and the workflows of GitHub Actions. All of it
// is untrusted text. Safe for concurrent use.
type CI interface {
	// CommitChecks returns the check runs and statuses of a commit, without the check runs of the app itself: at most 100.
	// Of those of one app, or of one workflow run, a check run replaces the ones with its name that ended before it
	// started. What the installation does not allow to be read is
	// named in Missing, and is no error. ErrNotFound if GitHub does not know the commit, as it may not for seconds after
	// the push.
	CommitChecks(ctx context.Context, repo RepoRef, sha string) (CommitChecks, error)
	// FailedJobs returns the jobs of the newest attempt of a workflow run that failed, at most 30. ErrDenied if the
	// installation does not allow actions to be read.
	FailedJobs(ctx context.Context, repo RepoRef, workflowRun int64) ([]Job, error)
	// JobLog opens the log of a job, as GitHub has it: the caller reads as much as it wants and closes it. ErrDenied if
	// the installation does not allow actions to be read, ErrNotFound if the log has expired or is not there yet.
	JobLog(ctx context.Context, repo RepoRef, job int64) (io.ReadCloser, error)
	// CheckAnnotations returns the annotations of a check run, at most 50.
	CheckAnnotations(ctx context.Context, repo RepoRef, check int64) ([]Annotation, error)
}

// Verification is what it takes to have a workflow run on edits before they reach a branch. Safe for concurrent use.
type Verification interface {
	// StartWorkflow starts a workflow, named by its file in .github/workflows, on a branch. ErrDenied if the installation
	// does not allow actions to be written, ErrNotFound if there is no such workflow on the default branch. A
	// *RejectedError has GitHub's reason, such as that the workflow has no trigger workflow_dispatch.
	StartWorkflow(ctx context.Context, repo RepoRef, workflow, branch string) error
	// WorkflowRun returns the newest run of a workflow, named by its file, that was started by workflow_dispatch on a
	// commit; ok is false if there is none yet.
	WorkflowRun(ctx context.Context, repo RepoRef, workflow, sha string) (run WorkflowRun, ok bool, err error)
	// MoveBranch moves a branch forward from one commit to a descendant of it that GitHub has; with an empty from, it
	// makes the branch, which must not exist. ErrMoved if the branch is no longer at from, or exists already; a branch
	// that is at to is no error. A *RejectedError has GitHub's reason; ErrDenied means that the token may not.
	MoveBranch(ctx context.Context, repo RepoRef, branch, from, to string) error
	// DeleteBranch deletes a branch. One that does not exist is no error.
	DeleteBranch(ctx context.Context, repo RepoRef, branch string) error
}

// CommitChecks are the check runs and statuses of a commit.
type CommitChecks struct {
	Checks []CommitCheck
	// Missing are the permissions without which some could not be read, such as "statuses: read".
	Missing []string
	// More reports whether there are more than Checks has.
	More bool
}

// CommitCheck is a check run or a status of a commit.
type CommitCheck struct {
	// Name is that of the check run, or the context of the status.
	Name string
	// Outcome is what it came to.
	Outcome CheckOutcome
	// Conclusion is GitHub's word for that, such as "timed_out"; empty while it is pending.
	Conclusion string
	// Page is where people read about it, by http or https, on any host; empty if there is none.
	Page string
	// Said is the title and summary of a check run, or the description of a status, at most 4,000 bytes.
	Said string

	// Check is the id of the check run, 0 for a status. Notes is how many annotations it has.
	Check int64
	Notes int
	// App is the name in URLs of the app that made the check run, "github-actions" for jobs of GitHub Actions, and empty
	// for a status.
	App string
	// WorkflowRun and Job are the ids of a job of GitHub Actions; else 0.
	WorkflowRun, Job int64
}

// CheckOutcome is what a check came to.
type CheckOutcome string

// OutcomeOf returns what a conclusion of a check run, or a state of a status, means: CheckPending for an empty one, and
// CheckFailed for one that GitHub may add.
func OutcomeOf(conclusion string) CheckOutcome {
	switch strings.ToLower(conclusion) {
	case "", "pending", "expected":
		return CheckPending
	case "success", "neutral", "skipped":
		return CheckPassed
	case "cancelled", "stale":
		return CheckCancelled
	}
	return CheckFailed
}

// The outcomes of checks. Passed includes what was skipped or is neutral; Failed includes what timed out, could not
// start, or waits for somebody's action.
const (
	CheckPending   CheckOutcome = "pending"
	CheckPassed    CheckOutcome = "passed"
	CheckFailed    CheckOutcome = "failed"
	CheckCancelled CheckOutcome = "cancelled"
)

// Job is a job of a workflow run.
type Job struct {
	ID         int64
	Name       string
	Conclusion string
	Page       string
	Steps      []JobStep
}

// JobStep is a step of a job, in the order in which they ran.
type JobStep struct {
	Number     int
	Name       string
	Conclusion string
	// Started and Completed are when it ran, in whole seconds by GitHub's clock, as RFC 3339; empty if it did not.
	Started, Completed string
}

// WorkflowRun is a run of a workflow.
type WorkflowRun struct {
	ID   int64
	Page string
	// Outcome is what it came to, and Conclusion is GitHub's word for that: a run of which no job ran is "skipped", which
	// is no failure. It is empty while the run is pending.
	Outcome    CheckOutcome
	Conclusion string
}

// Watches make events wait for what CI says of commits. Safe for concurrent use.
type Watches interface {
	// Follow accepts an event of the kind Following, whose Delivery is made of the run that committed, so that it is
	// accepted once. It becomes ready when CI reports about its commit, even if that was up to an hour ago, or else an
	// hour after it was accepted. Once it is done with, it becomes ready again when CI reports about its commit.
	Follow(ctx context.Context, ev Event) error
	// Await makes the event that is being handled ready, once it sleeps, as soon as CI reports about a commit after this
	// call, even if it does before the event sleeps. The caller looks after the call: what CI reported before wakes
	// nobody. Calling it again changes nothing, and it ends with the event. ErrLeaseLost if another worker has the event.
	Await(ctx context.Context, ev Event, sha string) error
	// Stopped reports whether somebody cancelled the commands of the thread of a Following event since it was accepted.
	Stopped(ctx context.Context, ev Event) (bool, error)
	// Autofix accepts an event of the kind Autofix in the queue of its thread, once for each Delivery.
	Autofix(ctx context.Context, ev Event) error
}
