package sim

import (
	"path"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// NewRun adds a run of a workflow on a commit, which waits for its jobs.
func (s actions) NewRun(w *entity.Workflow, sha, event string, actor *entity.User) *entity.WorkflowRun {
	now := s.Now()
	number := 1
	for _, other := range s.State.CI.Runs {
		if other.Workflow == w {
			number++
		}
	}
	suite := suites(s).addSuite(&entity.CheckSuite{Repo: w.Repo, SHA: sha, Branch: suites(s).BranchAt(w.Repo, sha),
		By:  actor,
		App: suites(s).IntegrationOf(entity.ActionsApp)})
	run := &entity.WorkflowRun{ID: s.State.ID("workflow run"), Workflow: w, Suite: suite, Number: number, Attempt: 1,
		Event: event, Actor: actor, Status: "queued", Created: now, Started: now, Updated: now}
	suite.Run = run
	s.State.CI.Runs[run.ID] = run
	return run
}

// newJob starts a job of the run's attempt.
func (s actions) newJob(run *entity.WorkflowRun, name string) {
	now := s.Now()
	check := &entity.CheckRun{Repo: run.Suite.Repo, HeadSHA: run.Suite.SHA, Name: name, Status: "in_progress",
		Started: now}
	Checks(s).AddCheck(check, run.Suite)
	j := &entity.Job{Check: check, Run: run, Attempt: run.Attempt, Created: now}
	run.Jobs = append(run.Jobs, j)
	s.State.CI.Jobs[check.ID] = j
	s.Events.EmitJob("in_progress", j)
}

// EndRun ends a run. Jobs that have not ended get the conclusion; that of the run is the worst of all.
func (s actions) EndRun(run *entity.WorkflowRun, conclusion string) {
	for _, j := range run.LatestJobs() {
		if j.Check.Status != "completed" {
			s.endJob(j, JobEnd{Conclusion: conclusion})
		}
		conclusion = worse(conclusion, j.Check.Conclusion)
	}
	run.Status, run.Conclusion, run.Updated = "completed", conclusion, s.Now()
	run.Suite.Updated = run.Updated
	s.Events.EmitWorkflowRun("completed", run)
	s.Events.EmitSuite("completed", run.Suite, run.Suite.By)
}

// WorkflowRun is a run of a workflow.
type WorkflowRun struct {
	ID int64
	// File is the name of the workflow's file in .github/workflows; Event is what started it.
	File, Event        string
	Branch, SHA        string
	Status, Conclusion string
	Attempt            int
	// Jobs are the ids of its jobs by name, of the newest attempts.
	Jobs map[string]int64
}

// WorkflowRuns returns the runs of all workflows of a repository, oldest first.
func (s actions) WorkflowRuns(repo string) ([]WorkflowRun, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return nil, err
	}
	var list []WorkflowRun
	for _, run := range SortedByID(s.State.CI.Runs, func(run *entity.WorkflowRun) bool { return run.Suite.Repo == r }) {
		list = append(list, Observed(run))
	}
	return list, nil
}

// Observed returns a run as everybody can read it.
func Observed(run *entity.WorkflowRun) WorkflowRun {
	w := WorkflowRun{ID: run.ID, File: path.Base(run.Workflow.Path), Event: run.Event, Branch: run.Suite.Branch,
		SHA: run.Suite.SHA, Status: run.Status, Conclusion: run.Conclusion, Attempt: run.Attempt,
		Jobs: map[string]int64{}}
	for _, j := range run.LatestJobs() {
		w.Jobs[j.Check.Name] = j.Check.ID
	}
	return w
}
