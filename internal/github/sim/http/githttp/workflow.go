package githttp

import (
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// NewWorkflow returns the first file of a workflow that commits change which no ref has yet, or "" if there is none.
func NewWorkflow(r *entity.Repository, sha string) (string, error) {
	refs, err := r.Git.Refs("")
	if err != nil {
		return "", err
	}
	filter := git.Filter{Path: strings.TrimSuffix(sim.WorkflowFolder, "/")}
	for _, ref := range refs {
		if tip := r.Git.Resolve(ref.Name); tip != "" {
			filter.Not = append(filter.Not, tip)
		}
	}
	list, err := r.Git.Log(sha, filter)
	if err != nil {
		return "", err
	}
	for _, commit := range list {
		if len(commit.Parents) > 1 { // a merge: its parents have the change
			continue
		}
		files, err := r.Git.Diff(strings.Join(commit.Parents, ""), commit.SHA)
		if err != nil {
			return "", err
		}
		for _, f := range files {
			if strings.HasPrefix(f.Path, sim.WorkflowFolder) || strings.HasPrefix(f.Previous, sim.WorkflowFolder) {
				return f.Path, nil
			}
		}
	}
	return "", nil
}
