package ghtest

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// workflowFolder is where GitHub looks for workflows.
const workflowFolder = ".github/workflows/"

// workflowFile is what GitHub reads of the file of a workflow.
type workflowFile struct {
	Name string    `yaml:"name"`
	On   yaml.Node `yaml:"on"`
}

// dispatch is the trigger workflow_dispatch of a workflow.
type dispatch struct {
	Inputs map[string]struct {
		Required bool `yaml:"required"`
		Default  any  `yaml:"default"`
	} `yaml:"inputs"`
}

// trigger returns the trigger workflow_dispatch, and whether there is one: "on" is a name, a list of names or a
// mapping.
func (f workflowFile) trigger() (d dispatch, has bool) {
	const name = "workflow_dispatch"
	switch f.On.Kind {
	case yaml.ScalarNode:
		return d, f.On.Value == name
	case yaml.SequenceNode:
		return d, slices.ContainsFunc(f.On.Content, func(n *yaml.Node) bool { return n.Value == name })
	case yaml.MappingNode:
		for i := 0; i+1 < len(f.On.Content); i += 2 {
			if f.On.Content[i].Value == name {
				return d, f.On.Content[i+1].Decode(&d) == nil
			}
		}
	}
	return d, false
}

// workflowFileAt reads the file of a workflow at a commit; has is false if there is none.
func (s *Server) workflowFileAt(r *repository, rev, file string) (f workflowFile, has bool) {
	data, err := r.git.File(r.git.Resolve(rev), file)
	if err != nil {
		return f, false
	}
	if err := yaml.Unmarshal(data, &f); err != nil { // GitHub shows a broken file by its path
		f = workflowFile{}
	}
	return f, true
}

// workflowOf returns the workflow of a file, which is known from then on.
func (s *Server) workflowOf(r *repository, file string) *workflow {
	file = workflowFolder + path.Base(file)
	for _, w := range s.state.ci.workflows {
		if w.repo == r && w.path == file {
			return w
		}
	}
	f, _ := s.workflowFileAt(r, "refs/heads/"+r.defaultBranch, file)
	w := &workflow{id: s.state.id("workflow"), repo: r, path: file, name: orElse(f.Name, file), created: s.now()}
	s.state.ci.workflows[w.id] = w
	return w
}

// workflow returns the workflow of the path: "The ID of the workflow. You can also pass the workflow file name as a
// string." It is one that has run before, or whose file is on the default branch.
func (c *call) workflow() (*workflow, error) {
	name := c.vars["workflow_id"]
	if id, err := strconv.ParseInt(name, 10, 64); err == nil {
		if w := c.state.ci.workflows[id]; w != nil && w.repo == c.repo {
			return w, nil
		}
		return nil, notFound()
	}
	for _, w := range c.state.ci.workflows {
		if w.repo == c.repo && w.path == workflowFolder+name {
			return w, nil
		}
	}
	if _, has := c.workflowFileAt(c.repo, "refs/heads/"+c.repo.defaultBranch, workflowFolder+name); has {
		return c.workflowOf(c.repo, name), nil
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
		return nil, notSupplied("ref")
	}
	branch := strings.TrimPrefix(*in.Ref, "refs/heads/")
	sha := c.repo.git.Branch(branch)
	if sha == "" {
		return nil, unprocessable("No ref found for: %s", *in.Ref)
	}
	if w.disabled {
		return nil, unprocessable("Cannot trigger a 'workflow_dispatch' on a disabled workflow")
	}
	f, _ := c.workflowFileAt(c.repo, sha, w.path)
	trigger, has := f.trigger()
	if !has {
		return nil, unprocessable("Workflow does not have 'workflow_dispatch' trigger")
	}
	if err := trigger.check(in.Inputs); err != nil {
		return nil, err
	}
	if r := c.repo; r.lag != nil && !in.Return {
		r.lag.dispatched = append(r.lag.dispatched, func() { c.dispatched(w, sha, branch) })
		return noContent()
	}
	run := c.dispatched(w, sha, branch)
	if !in.Return {
		return noContent()
	}
	return ok(object{"workflow_run_id": run.id, "run_url": fmt.Sprintf("%s/actions/runs/%d", c.repoURL(), run.id),
		"html_url": c.runPage(run)})
}

// dispatched adds the run of a workflow that the token's owner started.
func (c *call) dispatched(w *workflow, sha, branch string) *workflowRun {
	run := c.newRun(w, sha, "workflow_dispatch", c.sender())
	run.suite.branch = branch
	c.emitWorkflowRun("requested", run)
	if do := c.onDispatch; do != nil && c.ctx.Err() == nil {
		seen := observed(run)
		c.work.Go(func() { do(seen) })
	}
	return run
}

// OnDispatch sets a function that is called for each run of a workflow that the App starts, in a goroutine of its own:
// it may act as the run's jobs. nil removes it.
func (s *Server) OnDispatch(do func(WorkflowRun)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onDispatch = do
}

// check checks the inputs of a dispatch.
func (d dispatch) check(inputs map[string]any) error {
	var unknown []string
	for name := range inputs {
		if _, has := d.Inputs[name]; !has {
			unknown = append(unknown, strconv.Quote(name))
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		return unprocessable("Unexpected inputs provided: [%s]", strings.Join(unknown, ", "))
	}
	for name, input := range d.Inputs {
		if _, has := inputs[name]; input.Required && input.Default == nil && !has {
			return unprocessable("Required input '%s' not provided", name)
		}
	}
	return nil
}

// newRun adds a run of a workflow on a commit, which waits for its jobs.
func (s *Server) newRun(w *workflow, sha, event string, actor *user) *workflowRun {
	now := s.now()
	number := 1
	for _, other := range s.state.ci.runs {
		if other.workflow == w {
			number++
		}
	}
	suite := s.addSuite(&checkSuite{repo: w.repo, sha: sha, branch: s.branchAt(w.repo, sha), by: actor,
		app: s.integrationOf(actionsApp)})
	run := &workflowRun{id: s.state.id("workflow run"), workflow: w, suite: suite, number: number, attempt: 1,
		event: event, actor: actor, status: "queued", created: now, started: now, updated: now}
	suite.run = run
	s.state.ci.runs[run.id] = run
	return run
}

// SetWorkflow disables a workflow, named by its file in .github/workflows, or enables it.
func (s *Server) SetWorkflow(repo, file string, enabled bool) error {
	return s.withRepo(repo, func(r *repository) { s.workflowOf(r, file).disabled = !enabled })
}
