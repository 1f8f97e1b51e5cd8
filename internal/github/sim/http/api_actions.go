package simhttp

import (
	"net/http"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

func (c named) workflowRun() (*model.WorkflowRun, error) {
	id, err := c.number("run_id")
	if err != nil {
		return nil, err
	}
	if run := c.State.CI.Runs[id]; run != nil && run.Suite.Repo == c.repo {
		return run, nil
	}
	return nil, notFound()
}

func getWorkflowRun(c *call) (*answer, error) {
	run, err := c.workflowRun()
	if err != nil {
		return nil, err
	}
	return ok(c.workflowRunJSON(run))
}

// listWorkflowRuns lists the runs of a repository or of a workflow, newest first, as the query says.
func listWorkflowRuns(c *call) (*answer, error) {
	var of *model.Workflow
	if c.vars["workflow_id"] != "" {
		var err error
		if of, err = c.workflow(); err != nil {
			return nil, err
		}
	}
	q := c.query
	is := func(name, value string) bool { return q.Get(name) == "" || q.Get(name) == value }
	all := sim.SortedByID(c.State.CI.Runs, func(run *model.WorkflowRun) bool {
		return run.Suite.Repo == c.repo && (of == nil || run.Workflow == of) && is("event", run.Event) &&
			is("branch", run.Suite.Branch) && is("head_sha", run.Suite.SHA) && is("actor", run.Actor.Login) &&
			is("check_suite_id", itoa(run.Suite.ID)) && (is("status", run.Status) || is("status", run.Conclusion))
	})
	slices.Reverse(all)
	return counted(c, "workflow_runs", all, c.workflowRunJSON)
}

// cancelWorkflowRun: "409: the run has completed".
func cancelWorkflowRun(c *call) (*answer, error) {
	run, err := c.workflowRun()
	if err != nil {
		return nil, err
	}
	if run.Status == "completed" {
		return nil, model.Refuse(http.StatusConflict, "Cannot cancel a workflow run that is completed.")
	}
	c.EndRun(run, "cancelled")
	return &answer{status: http.StatusAccepted, body: model.Object{}}, nil
}

// listJobs lists the jobs of a run: "filter: latest: Returns jobs from the most recent execution of the workflow run."
// A job that was not repeated is listed with its earlier attempt.
func listJobs(c *call) (*answer, error) {
	run, err := c.workflowRun()
	if err != nil {
		return nil, err
	}
	all := run.LatestJobs()
	if c.query.Get("filter") == "all" {
		all = run.Jobs
	}
	return counted(c, "jobs", all, c.jobJSON)
}

func (c named) job() (*model.Job, error) {
	id, err := c.number("job_id")
	if err != nil {
		return nil, err
	}
	if j := c.State.CI.Jobs[id]; j != nil && j.Run.Suite.Repo == c.repo {
		return j, nil
	}
	return nil, notFound()
}

func getJob(c *call) (*answer, error) {
	j, err := c.job()
	if err != nil {
		return nil, err
	}
	return ok(c.jobJSON(j))
}

// getJobLog redirects to the log: "Gets a redirect URL to download a plain text file of logs for a workflow job. This
// link expires after 1 minute. Look for Location: in the response header". A job that runs has none yet.
func getJobLog(c *call) (*answer, error) {
	j, err := c.job()
	switch {
	case err != nil:
		return nil, err
	case j.Log.Expired:
		return nil, model.Refuse(http.StatusGone, "Server Error")
	case j.Log.Open == nil:
		return nil, notFound()
	}
	h := http.Header{}
	h.Set("Location", c.logLocation(j))
	return &answer{status: http.StatusFound, header: h}, nil
}
