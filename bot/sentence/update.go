package sentence

import (
	"fmt"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// UpdateOnIssue is the refusal of an update on an issue.
func UpdateOnIssue() *port.UserError {
	return refusal("`/tenon update` merges the base branch into the branch of a pull request, and this is an issue. " +
		"Give the command on the pull request.")
}

// UpdateOfFork is the refusal of an update of a branch that is in a fork.
func UpdateOfFork(base string) *port.UserError {
	return refusal("The branch of this pull request is in a fork, and `/tenon update` merges only into branches of this "+
		"repository, so nothing was done. Whoever may write to the fork can merge %s: with the button *Update branch* of "+
		"this pull request, or with `git merge`.", cell(base))
}

// NoBaseNow is the refusal of an update from a base branch that does not exist.
func NoBaseNow(base string) *port.UserError {
	return refusal("The base branch %s does not exist, so nothing was merged. Choose another base for this pull request, "+
		"and give the command again.", cell(base))
}

// Unrelated is the refusal to merge branches that have no commit in common.
func Unrelated(base, branch string) *port.UserError {
	return refusal("%s and %s have no commit in common, so nothing was merged.", cell(base), cell(branch))
}

// SeveralBases is the refusal to merge branches that were merged into each other, so that they have no newest common
// commit.
func SeveralBases(base, branch string) *port.UserError {
	return refusal("%s and %s were merged into each other, so that there are several commits from which they could be "+
		"compared, and nothing was done. Merge them with git, or with the button *Update branch*.", cell(base), cell(branch))
}

// MergeTooLarge is the refusal of a merge that is beyond a bound.
func MergeTooLarge() *port.UserError {
	return refusal("Too much changed since the branches parted for tenon to merge them, so nothing was done. Merge them " +
		"with git.")
}

// MergesWorkflows is why a merge is not committed that GitHub refused, as a clause.
const MergesWorkflows = "both branches changed workflows, and GitHub lets no app commit that without the permission " +
	"to write workflows; merge them with git"

// UpdateUndone says how the changes of an update come back that a run undid: git takes them for merged.
func UpdateUndone(run string) string {
	return fmt.Sprintf("The last update was undone by run `%s`, and `/tenon undo %s` restores it.", run, run)
}

// SettleAtTerminal says how the conflicts of a merge of a branch are settled by hand.
func SettleAtTerminal(base string) string {
	return fmt.Sprintf("Nothing was committed. To settle this at a terminal, check out the branch, give "+
		"%s, and then `tenon resolve`.", markdown.Code("git merge origin/"+markdown.Clip(base, markdown.MaxCell)))
}
