package ghtest

import "path"

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
func (s *Server) WorkflowRuns(repo string) ([]WorkflowRun, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err != nil {
		return nil, err
	}
	var list []WorkflowRun
	for _, run := range sortedByID(s.state.ci.runs, func(run *workflowRun) bool { return run.suite.repo == r }) {
		list = append(list, observed(run))
	}
	return list, nil
}

func observed(run *workflowRun) WorkflowRun {
	w := WorkflowRun{ID: run.id, File: path.Base(run.workflow.path), Event: run.event, Branch: run.suite.branch,
		SHA: run.suite.sha, Status: run.status, Conclusion: run.conclusion, Attempt: run.attempt,
		Jobs: map[string]int64{}}
	for _, j := range run.latestJobs() {
		w.Jobs[j.check.name] = j.check.id
	}
	return w
}
