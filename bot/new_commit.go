package bot

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
)

// newCommit is a commit to make: what was staged, its message, and its second parent, nil for none.
type newCommit struct {
	checkout repo.Checkout
	message  string
	merged   repo.Checkout
}

// upload returns the parents, the tree and the changes of the commit. Those of a merge are what the branch itself
// changed, of the tree that is merged into it. If workflows are among them, which apps may not write, they are what is
// merged, unless that has workflows too.
func (n newCommit) upload() (u port.Upload, err error) {
	u = port.Upload{Parent: n.checkout.SHA(), Tree: n.checkout.Tree()}
	if u.Changes, err = n.checkout.Changes(); err != nil || n.merged == nil {
		return u, err
	}
	u.Merge = n.merged.SHA()
	own, err := n.checkout.ChangesSince(n.merged)
	if err == nil && (len(u.Changes) == 0 || !hasWorkflow(own) || hasWorkflow(u.Changes)) {
		u.Tree, u.Changes = n.merged.Tree(), own
	}
	return u, err
}

// workflowFiles is the folder of the files of workflows.
const workflowFiles = port.ForgeFolder + "/workflows/"

func hasWorkflow(changes []port.Change) bool {
	return slices.ContainsFunc(changes, func(c port.Change) bool { return strings.HasPrefix(c.Path, workflowFiles) })
}

// refusedWorkflow reports whether GitHub refuses the commit because it has workflows to write.
func (n newCommit) refusedWorkflow() bool {
	if n.merged == nil {
		return false
	}
	u, err := n.upload()
	return err == nil && hasWorkflow(u.Changes)
}
