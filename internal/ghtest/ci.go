package ghtest

import (
	"io"
	"time"
)

// integration is an App that makes check runs, as its payloads and answers show it.
type integration struct {
	id         int64
	slug, name string
	owner      *user
	created    time.Time
}

// checkSuite is the check runs of one App on a commit; of GitHub Actions, those of one workflow run.
type checkSuite struct {
	id               int64
	repo             *repository
	sha, branch      string
	by               *user        // who pushed the commit
	app              *integration // nil: the App itself
	run              *workflowRun // nil unless of GitHub Actions
	created, updated time.Time
}

// workflow is a workflow of GitHub Actions.
type workflow struct {
	id         int64
	repo       *repository
	path, name string
	disabled   bool
	created    time.Time
}

// workflowRun is a run of a workflow on a commit.
type workflowRun struct {
	id                 int64
	workflow           *workflow
	suite              *checkSuite
	number, attempt    int
	event              string
	actor              *user
	status, conclusion string
	// created is when it was first requested, started when its attempt was.
	created, started, updated time.Time
	jobs                      []*job
}

// job is a job of one attempt of a workflow run. Its id is that of its check run, as on GitHub.
type job struct {
	check   *checkRun
	run     *workflowRun
	attempt int
	created time.Time
	steps   []step
	log     jobLog
}

type step struct {
	name, conclusion   string
	started, completed time.Time
}

// jobLog is the log of a job that has ended.
type jobLog struct {
	open    func() io.Reader // nil: there is none
	expired bool
	// cut is after how many bytes a download breaks off; 0 for one that is complete.
	cut int64
}

// commitStatus is a status of a commit. The newest of each context counts.
type commitStatus struct {
	id                           int64
	repo                         *repository
	sha, state                   string
	context, description, target string
	creator                      *user
	created                      time.Time
}

// ciState is the state of continuous integration.
type ciState struct {
	apps      map[string]*integration // by slug
	suites    map[int64]*checkSuite
	workflows map[int64]*workflow
	runs      map[int64]*workflowRun
	jobs      map[int64]*job
	statuses  []*commitStatus // oldest first
}

func newCIState() ciState {
	return ciState{apps: map[string]*integration{}, suites: map[int64]*checkSuite{}, workflows: map[int64]*workflow{},
		runs: map[int64]*workflowRun{}, jobs: map[int64]*job{}}
}

// actionsApp is the slug of GitHub Actions.
const actionsApp = "github-actions"

// integrationOf returns another App, which owner's account has as if installed.
func (s *Server) integrationOf(slug string) *integration {
	ci := &s.state.ci
	if in := ci.apps[slug]; in != nil {
		return in
	}
	in := &integration{id: 15368 + int64(len(ci.apps)), slug: slug, name: slug, created: s.app.created, owner: s.app.owner}
	if slug == actionsApp {
		in.name = "GitHub Actions"
	}
	ci.apps[slug] = in
	return in
}

// isOwn reports whether a check run was made through the API: by the App itself, or by a job as the App of all jobs.
func (run *checkRun) isOwn() bool {
	return run.suite.app == nil || run.suite.app.slug == actionsApp && run.suite.run == nil
}

// runsOf returns the check runs of a suite, oldest first.
func (s *Server) runsOf(suite *checkSuite) []*checkRun {
	return sortedByID(s.state.checks, func(run *checkRun) bool { return run.suite == suite })
}

// latestOf returns the newest check run of each name of a suite, oldest first.
func (s *Server) latestOf(suite *checkSuite) []*checkRun {
	var list []*checkRun
	newest := map[string]int{}
	for _, run := range s.runsOf(suite) {
		if i, has := newest[run.name]; has {
			list[i] = run
			continue
		}
		newest[run.name] = len(list)
		list = append(list, run)
	}
	return list
}

// suiteState returns the status and the conclusion of a suite.
func (s *Server) suiteState(suite *checkSuite) (status, conclusion string) {
	if suite.run != nil {
		return suite.run.status, suite.run.conclusion
	}
	runs := s.latestOf(suite)
	if len(runs) == 0 {
		return "queued", ""
	}
	for _, run := range runs {
		if run.status != "completed" {
			return "in_progress", ""
		}
		conclusion = worse(conclusion, run.conclusion)
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
