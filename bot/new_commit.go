package bot

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
)

// newCommit is a commit to make: what was staged, its message, its second parent, nil for none, and the newest commit
// that both parents have in their history.
type newCommit struct {
	checkout       repo.Checkout
	message        string
	merged, common repo.Checkout
}

// upload returns the parents, the tree and the changes of the commit. A merge has the tree of one parent and changes of
// it: those without workflows, which apps may not write, or else the fewer.
func (n newCommit) upload() (u port.Upload, err error) {
	u = port.Upload{Parent: n.checkout.SHA(), Tree: n.checkout.Tree()}
	if u.Changes, err = n.checkout.Changes(); err != nil || n.merged == nil {
		return u, err
	}
	u.Merge = n.merged.SHA()
	own, err := n.checkout.ChangesSince(n.merged)
	if err != nil {
		return u, err
	}
	better := len(own) < len(u.Changes)
	if workflows := hasWorkflow(own); workflows != hasWorkflow(u.Changes) {
		better = !workflows
	}
	if better {
		u.Tree, u.Changes = n.merged.Tree(), own
	}
	return u, nil
}

// workflowFiles is the folder of the files of workflows.
const workflowFiles = port.ForgeFolder + "/workflows/"

func hasWorkflow(changes []port.Change) bool {
	return slices.ContainsFunc(changes, func(c port.Change) bool { return strings.HasPrefix(c.Path, workflowFiles) })
}

// changesWorkflows reports whether the commit has other workflows than one of its parents.
func (n newCommit) changesWorkflows() bool {
	changes, err := n.checkout.Changes()
	if err == nil && n.merged != nil {
		var own []port.Change
		own, err = n.checkout.ChangesSince(n.merged)
		changes = slices.Concat(changes, own)
	}
	return err == nil && hasWorkflow(changes)
}
