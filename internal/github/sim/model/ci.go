package model

import (
	"io"
	"time"
)

// Integration is an App that makes check runs, as its payloads and answers show it.
type Integration struct {
	ID         int64
	Slug, Name string
	Owner      *User
	Created    time.Time
}

// CheckSuite is the check runs of one App on a commit; of GitHub Actions, those of one workflow run.
type CheckSuite struct {
	ID               int64
	Repo             *Repository
	SHA, Branch      string
	By               *User        // who pushed the commit
	App              *Integration // nil: the App itself
	Run              *WorkflowRun // nil unless of GitHub Actions
	Created, Updated time.Time
}

// Workflow is a workflow of GitHub Actions.
type Workflow struct {
	ID         int64
	Repo       *Repository
	Path, Name string
	Disabled   bool
	Created    time.Time
}

// WorkflowRun is a run of a workflow on a commit.
type WorkflowRun struct {
	ID                 int64
	Workflow           *Workflow
	Suite              *CheckSuite
	Number, Attempt    int
	Event              string
	Actor              *User
	Status, Conclusion string
	// created is when it was first requested, started when its attempt was.
	Created, Started, Updated time.Time
	Jobs                      []*Job
}

// Job is a job of one attempt of a workflow run. Its id is that of its check run, as on GitHub.
type Job struct {
	Check   *CheckRun
	Run     *WorkflowRun
	Attempt int
	Created time.Time
	Steps   []Step
	Log     JobLog
}

type Step struct {
	Name, Conclusion   string
	Started, Completed time.Time
}

// JobLog is the log of a job that has ended.
type JobLog struct {
	Open    func() io.Reader // nil: there is none
	Expired bool
	// cut is after how many bytes a download breaks off; 0 for one that is complete.
	Cut int64
}

// CommitStatus is a status of a commit. The newest of each context counts.
type CommitStatus struct {
	ID                           int64
	Repo                         *Repository
	SHA, State                   string
	Context, Description, Target string
	Creator                      *User
	Created                      time.Time
}

// ciState is the state of continuous integration.
type ciState struct {
	Apps      map[string]*Integration // by slug
	Suites    map[int64]*CheckSuite
	Workflows map[int64]*Workflow
	Runs      map[int64]*WorkflowRun
	Jobs      map[int64]*Job
	Statuses  []*CommitStatus // oldest first
}

func newCIState() ciState {
	return ciState{Apps: map[string]*Integration{}, Suites: map[int64]*CheckSuite{}, Workflows: map[int64]*Workflow{},
		Runs: map[int64]*WorkflowRun{}, Jobs: map[int64]*Job{}}
}

// ActionsApp is the slug of GitHub Actions.
const ActionsApp = "github-actions"

// IsOwn reports whether a check run was made through the API: by the App itself, or by a job as the App of all jobs.
func (run *CheckRun) IsOwn() bool {
	return run.Suite.App == nil || run.Suite.App.Slug == ActionsApp && run.Suite.Run == nil
}
