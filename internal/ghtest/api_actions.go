package ghtest

import (
	"net/http"
	"slices"
)

func (c *call) workflowRun() (*workflowRun, error) {
	id, err := c.number("run_id")
	if err != nil {
		return nil, err
	}
	if run := c.state.ci.runs[id]; run != nil && run.suite.repo == c.repo {
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
	var of *workflow
	if c.vars["workflow_id"] != "" {
		var err error
		if of, err = c.workflow(); err != nil {
			return nil, err
		}
	}
	q := c.query
	is := func(name, value string) bool { return q.Get(name) == "" || q.Get(name) == value }
	all := sortedByID(c.state.ci.runs, func(run *workflowRun) bool {
		return run.suite.repo == c.repo && (of == nil || run.workflow == of) && is("event", run.event) &&
			is("branch", run.suite.branch) && is("head_sha", run.suite.sha) && is("actor", run.actor.login) &&
			is("check_suite_id", itoa(run.suite.id)) && (is("status", run.status) || is("status", run.conclusion))
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
	if run.status == "completed" {
		return nil, refuse(http.StatusConflict, "Cannot cancel a workflow run that is completed.")
	}
	c.endRun(run, "cancelled")
	return &answer{status: http.StatusAccepted, body: object{}}, nil
}

// listJobs lists the jobs of a run: "filter: latest: Returns jobs from the most recent execution of the workflow run."
// A job that was not repeated is listed with its earlier attempt.
func listJobs(c *call) (*answer, error) {
	run, err := c.workflowRun()
	if err != nil {
		return nil, err
	}
	all := run.latestJobs()
	if c.query.Get("filter") == "all" {
		all = run.jobs
	}
	return counted(c, "jobs", all, c.jobJSON)
}

// latestJobs returns the newest job of each name, in the order of the workflow.
func (run *workflowRun) latestJobs() []*job {
	list := []*job{}
	for _, j := range run.jobs {
		same := func(other *job) bool { return other.check.name == j.check.name }
		if i := slices.IndexFunc(list, same); i >= 0 {
			list[i] = j
			continue
		}
		list = append(list, j)
	}
	return list
}

func (c *call) job() (*job, error) {
	id, err := c.number("job_id")
	if err != nil {
		return nil, err
	}
	if j := c.state.ci.jobs[id]; j != nil && j.run.suite.repo == c.repo {
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
	case j.log.expired:
		return nil, refuse(http.StatusGone, "Server Error")
	case j.log.open == nil:
		return nil, notFound()
	}
	h := http.Header{}
	h.Set("Location", c.logLocation(j))
	return &answer{status: http.StatusFound, header: h}, nil
}
