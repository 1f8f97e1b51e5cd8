package sim

import (
	"path"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

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
	for _, run := range SortedByID(s.State.CI.Runs, func(run *model.WorkflowRun) bool { return run.Suite.Repo == r }) {
		list = append(list, Observed(run))
	}
	return list, nil
}

func Observed(run *model.WorkflowRun) WorkflowRun {
	w := WorkflowRun{ID: run.ID, File: path.Base(run.Workflow.Path), Event: run.Event, Branch: run.Suite.Branch,
		SHA: run.Suite.SHA, Status: run.Status, Conclusion: run.Conclusion, Attempt: run.Attempt,
		Jobs: map[string]int64{}}
	for _, j := range run.LatestJobs() {
		w.Jobs[j.Check.Name] = j.Check.ID
	}
	return w
}
