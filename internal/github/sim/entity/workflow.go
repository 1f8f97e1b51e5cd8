package entity

import (
	"io"
	"slices"
	"time"
)

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
	// Created is when it was first requested, Started when its attempt was.
	Created, Started, Updated time.Time
	Jobs                      []*Job // of all attempts, oldest first
}

// LatestJobs returns the newest job of each name, in the order of the workflow.
func (run *WorkflowRun) LatestJobs() []*Job {
	list := []*Job{}
	for _, j := range run.Jobs {
		same := func(other *Job) bool { return other.Check.Name == j.Check.Name }
		if i := slices.IndexFunc(list, same); i >= 0 {
			list[i] = j
			continue
		}
		list = append(list, j)
	}
	return list
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

// Step is a step of a job that has ended.
type Step struct {
	Name, Conclusion   string
	Started, Completed time.Time
}

// JobLog is the log of a job that has ended.
type JobLog struct {
	Open    func() io.Reader // nil: there is none
	Expired bool
	// Cut is after how many bytes a download breaks off; 0 for one that is complete.
	Cut int64
}
