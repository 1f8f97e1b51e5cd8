package sim

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// actions is GitHub Actions: workflows with their runs and jobs.
type actions struct{ *entity.Core }

// WorkflowFolder is where GitHub looks for workflows.
const WorkflowFolder = ".github/workflows/"

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

// Trigger returns the trigger workflow_dispatch, and whether there is one: "on" is a name, a list of names or a
// mapping.
func (f workflowFile) Trigger() (d dispatch, has bool) {
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

// Check returns GitHub's refusal of the inputs of a dispatch, or nil.
func (d dispatch) Check(inputs map[string]any) error {
	var unknown []string
	for name := range inputs {
		if _, has := d.Inputs[name]; !has {
			unknown = append(unknown, strconv.Quote(name))
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		return entity.Unprocessable("Unexpected inputs provided: [%s]", strings.Join(unknown, ", "))
	}
	for name, input := range d.Inputs {
		if _, has := inputs[name]; input.Required && input.Default == nil && !has {
			return entity.Unprocessable("Required input '%s' not provided", name)
		}
	}
	return nil
}

// WorkflowFileAt reads the file of a workflow at a commit; has is false if there is none.
func (s actions) WorkflowFileAt(r *entity.Repository, rev, file string) (f workflowFile, has bool) {
	data, err := r.Git.File(r.Git.Resolve(rev), file)
	if err != nil {
		return f, false
	}
	if err := yaml.Unmarshal(data, &f); err != nil { // GitHub shows a broken file by its path
		f = workflowFile{}
	}
	return f, true
}

// WorkflowOf returns the workflow of a file, which is known from then on.
func (s actions) WorkflowOf(r *entity.Repository, file string) *entity.Workflow {
	file = WorkflowFolder + path.Base(file)
	for _, w := range s.State.CI.Workflows {
		if w.Repo == r && w.Path == file {
			return w
		}
	}
	f, _ := s.WorkflowFileAt(r, "refs/heads/"+r.DefaultBranch, file)
	w := &entity.Workflow{ID: s.State.ID("workflow"), Repo: r, Path: file, Name: entity.OrElse(f.Name, file),
		Created: s.Now()}
	s.State.CI.Workflows[w.ID] = w
	return w
}

// SetWorkflow disables a workflow, named by its file in .github/workflows, or enables it.
func (s actions) SetWorkflow(repo, file string, enabled bool) error {
	return s.WithRepo(repo, func(r *entity.Repository) { s.WorkflowOf(r, file).Disabled = !enabled })
}
