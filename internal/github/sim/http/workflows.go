package simhttp

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// workflow returns the workflow of the path: "The ID of the workflow. You can also pass the workflow file name as a
// string." It is one that has run before, or whose file is on the default branch.
func (c named) workflow() (*model.Workflow, error) {
	name := c.vars["workflow_id"]
	if id, err := strconv.ParseInt(name, 10, 64); err == nil {
		if w := c.State.CI.Workflows[id]; w != nil && w.Repo == c.repo {
			return w, nil
		}
		return nil, notFound()
	}
	for _, w := range c.State.CI.Workflows {
		if w.Repo == c.repo && w.Path == sim.WorkflowFolder+name {
			return w, nil
		}
	}
	if _, has := c.WorkflowFileAt(c.repo, "refs/heads/"+c.repo.DefaultBranch, sim.WorkflowFolder+name); has {
		return c.WorkflowOf(c.repo, name), nil
	}
	return nil, notFound()
}

func getWorkflow(c *call) (*answer, error) {
	w, err := c.workflow()
	if err != nil {
		return nil, err
	}
	return ok(c.workflowJSON(w))
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
	w, err := c.workflow()
	if err != nil {
		return nil, err
	}
	if in.Ref == nil {
		return nil, model.NotSupplied("ref")
	}
	branch := strings.TrimPrefix(*in.Ref, "refs/heads/")
	sha := c.repo.Git.Branch(branch)
	if sha == "" {
		return nil, model.Unprocessable("No ref found for: %s", *in.Ref)
	}
	if w.Disabled {
		return nil, model.Unprocessable("Cannot trigger a 'workflow_dispatch' on a disabled workflow")
	}
	f, _ := c.WorkflowFileAt(c.repo, sha, w.Path)
	trigger, has := f.Trigger()
	if !has {
		return nil, model.Unprocessable("Workflow does not have 'workflow_dispatch' trigger")
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
	return ok(model.Object{"workflow_run_id": run.ID, "run_url": fmt.Sprintf("%s/actions/runs/%d", c.repoURL(), run.ID),
		"html_url": c.RunPage(run)})
}

// dispatched adds the run of a workflow that the token's owner started.
func (c *call) dispatched(w *model.Workflow, sha, branch string) *model.WorkflowRun {
	run := c.NewRun(w, sha, "workflow_dispatch", c.sender())
	run.Suite.Branch = branch
	c.EmitWorkflowRun("requested", run)
	if do := c.onDispatch; do != nil && c.Ctx.Err() == nil {
		seen := sim.Observed(run)
		c.work.Go(func() { do(seen) })
	}
	return run
}

// OnDispatch sets a function that is called for each run of a workflow that the App starts, in a goroutine of its own:
// it may act as the run's jobs. nil removes it.
func (s *Server) OnDispatch(do func(sim.WorkflowRun)) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.onDispatch = do
}
