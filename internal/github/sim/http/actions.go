package simhttp

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

func getWorkflow(c *call) (*answer, error) {
	w, err := findWorkflow(c)
	if err != nil {
		return nil, err
	}
	return ok(c.form.Workflow(w))
}

// dispatchWorkflow starts a run of a workflow on a branch or tag. The file at the ref decides about trigger and inputs.
func dispatchWorkflow(c *call) (*answer, error) {
	var in struct {
		Ref    *string        `json:"ref"`
		Inputs map[string]any `json:"inputs"`
		Return bool           `json:"return_run_details"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	w, err := findWorkflow(c)
	if err != nil {
		return nil, err
	}
	if in.Ref == nil {
		return nil, entity.NotSupplied("ref")
	}
	branch := strings.TrimPrefix(*in.Ref, "refs/heads/")
	sha := c.repo.Git.Branch(branch)
	if sha == "" {
		return nil, entity.Unprocessable("No ref found for: %s", *in.Ref)
	}
	if w.Disabled {
		return nil, entity.Unprocessable("Cannot trigger a 'workflow_dispatch' on a disabled workflow")
	}
	f, _ := c.WorkflowFileAt(c.repo, sha, w.Path)
	trigger, has := f.Trigger()
	if !has {
		return nil, entity.Unprocessable("Workflow does not have 'workflow_dispatch' trigger")
	}
	if err := trigger.Check(in.Inputs); err != nil {
		return nil, err
	}
	if r := c.repo; r.Lag != nil && !in.Return {
		r.Lag.Dispatched = append(r.Lag.Dispatched, func() { c.dispatched(w, sha, branch) })
		return noContent()
	}
	run := c.dispatched(w, sha, branch)
	if !in.Return {
		return noContent()
	}
	return ok(entity.Object{"workflow_run_id": run.ID, "run_url": fmt.Sprintf("%s/actions/runs/%d", c.repoURL(), run.ID),
		"html_url": c.RunPage(run)})
}

// dispatched adds the run of a workflow that the token's owner started.
func (c *call) dispatched(w *entity.Workflow, sha, branch string) *entity.WorkflowRun {
	run := c.NewRun(w, sha, "workflow_dispatch", c.sender())
	run.Suite.Branch = branch
	c.Events.EmitWorkflowRun("requested", run)
	if do := c.onDispatch; do != nil && c.Ctx.Err() == nil {
		seen := sim.Observed(run)
		c.work.Go(func() { do(seen) })
	}
	return run
}

// listWorkflowRuns lists the runs of a repository or of a workflow, newest first, as the query says.
func listWorkflowRuns(c *call) (*answer, error) {
	var of *entity.Workflow
	if c.vars["workflow_id"] != "" {
		var err error
		if of, err = findWorkflow(c); err != nil {
			return nil, err
		}
	}
	q := c.query
	is := func(name, value string) bool { return q.Get(name) == "" || q.Get(name) == value }
	all := sim.SortedByID(c.State.CI.Runs, func(run *entity.WorkflowRun) bool {
		return run.Suite.Repo == c.repo && (of == nil || run.Workflow == of) && is("event", run.Event) &&
			is("branch", run.Suite.Branch) && is("head_sha", run.Suite.SHA) && is("actor", run.Actor.Login) &&
			is("check_suite_id", itoa(run.Suite.ID)) && (is("status", run.Status) || is("status", run.Conclusion))
	})
	slices.Reverse(all)
	return counted(c, "workflow_runs", all, c.form.WorkflowRun)
}

func getWorkflowRun(c *call) (*answer, error) {
	run, err := findWorkflowRun(c)
	if err != nil {
		return nil, err
	}
	return ok(c.form.WorkflowRun(run))
}

// cancelWorkflowRun: "409: the run has completed".
func cancelWorkflowRun(c *call) (*answer, error) {
	run, err := findWorkflowRun(c)
	if err != nil {
		return nil, err
	}
	if run.Status == "completed" {
		return nil, entity.Refuse(http.StatusConflict, "Cannot cancel a workflow run that is completed.")
	}
	c.EndRun(run, "cancelled")
	return &answer{status: http.StatusAccepted, body: entity.Object{}}, nil
}

// listJobs lists the jobs of a run: "filter: latest: Returns jobs from the most recent execution of the workflow run."
// A job that was not repeated is listed with its earlier attempt.
func listJobs(c *call) (*answer, error) {
	run, err := findWorkflowRun(c)
	if err != nil {
		return nil, err
	}
	all := run.LatestJobs()
	if c.query.Get("filter") == "all" {
		all = run.Jobs
	}
	return counted(c, "jobs", all, c.form.Job)
}

func getJob(c *call) (*answer, error) {
	j, err := findJob(c)
	if err != nil {
		return nil, err
	}
	return ok(c.form.Job(j))
}

// getJobLog redirects to the log: "Gets a redirect URL to download a plain text file of logs for a workflow job. This
// link expires after 1 minute. Look for Location: in the response header". A job that runs has none yet.
func getJobLog(c *call) (*answer, error) {
	j, err := findJob(c)
	switch {
	case err != nil:
		return nil, err
	case j.Log.Expired:
		return nil, entity.Refuse(http.StatusGone, "Server Error")
	case j.Log.Open == nil:
		return nil, notFound()
	}
	h := http.Header{}
	h.Set("Location", c.logs.location(j))
	return &answer{status: http.StatusFound, header: h}, nil
}
