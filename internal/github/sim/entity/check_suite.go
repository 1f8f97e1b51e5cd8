package entity

import "time"

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

// Integration is an App that makes check runs, as its payloads and answers show it.
type Integration struct {
	ID         int64
	Slug, Name string
	Owner      *User
	Created    time.Time
}

// ActionsApp is the slug of GitHub Actions.
const ActionsApp = "github-actions"

// CommitStatus is a status of a commit. The newest of each context counts.
type CommitStatus struct {
	ID                           int64
	Repo                         *Repository
	SHA, State                   string
	Context, Description, Target string
	Creator                      *User
	Created                      time.Time
}
