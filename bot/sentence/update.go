package sentence

import (
	"fmt"

	"mvdan.cc/sh/v3/syntax"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// MergeOnIssue is the refusal of a command that merges, by its verb, on an issue.
func MergeOnIssue(verb string) *port.UserError {
	return refusal("`/tenon %s` merges the base branch into the branch of a pull request, and this is an issue. "+
		"Give the command on the pull request.", verb)
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

// ChangesWorkflows is why a commit is not made that GitHub refused, as a clause.
const ChangesWorkflows = "it changes workflows, and GitHub lets no app commit that without the permission to write " +
	"workflows; make the change with git"

// BaseDeleted and BaseReset are why a merge of a base branch is not committed that was prepared, as clauses.
func BaseDeleted(base string) string {
	return "the base branch " + markdown.Clip(base, markdown.MaxCell) + " was deleted in the meantime"
}

// BaseReset is explained at BaseDeleted.
func BaseReset(base string) string {
	return "the branch " + markdown.Clip(base, markdown.MaxCell) + " no longer has the commit that was to be merged; " +
		"give the command again"
}

// UndoneMerge warns of merging a pull request into a branch, of which a run took back a merge.
func UndoneMerge(base, run string) string {
	return fmt.Sprintf("⚠️ **Merging this pull request now would remove from %s what the update had brought:** git "+
		"takes it for merged already. `/tenon undo %s` restores it.", cell(base), run)
}

// ShellWord quotes a text for a shell, if it needs that.
func ShellWord(text string) string {
	word, err := syntax.Quote(text, syntax.LangBash)
	if err != nil { // of a NUL byte, which no name has
		return text
	}
	return word
}

// gitMerge is the command that merges a branch into the one that is checked out, as Markdown. upstream is the page of
// its repository if that is not origin, because the branch to merge into is in a fork; else empty.
func gitMerge(base, upstream string) string {
	base = markdown.Clip(base, markdown.MaxCell)
	if upstream != "" {
		return markdown.Code("git pull --no-rebase " + ShellWord(upstream) + " " + ShellWord(base))
	}
	return markdown.Code("git merge " + ShellWord("origin/"+base))
}

// SettleAtTerminal says how the conflicts of a merge of a branch are settled by hand. upstream is the page of its
// repository if the branch to merge into is in a fork; else empty.
func SettleAtTerminal(base, upstream string) string {
	return "Nothing was committed. To settle this at a terminal, " + AtTerminal(base, upstream)
}

// AtTerminal is how, as the end of a sentence.
func AtTerminal(base, upstream string) string {
	return fmt.Sprintf("check out the branch, give %s, and then `tenon resolve`.", gitMerge(base, upstream))
}

// TakesNoMerge is the refusal to merge into a branch that takes no commits, of a fork or the default branch; why is a
// clause.
func TakesNoMerge(why, base, upstream string) *port.UserError {
	if why == ForkDeleted || why == ForkExposes || why == DefaultBranch {
		return refusal("Nothing was merged: %s.", why)
	}
	return refusal("Nothing was merged: %s. %s", why, MergeIntoFork(base, upstream))
}

// MergeIntoFork says how a branch of the repository at the page upstream is merged into one of a fork by hand.
func MergeIntoFork(base, upstream string) string {
	return fmt.Sprintf("Whoever may write to the fork can merge %s: with the button *Update branch* of this pull "+
		"request, or at a terminal. There, check out the branch, and give %s, `tenon resolve` if something conflicts, and "+
		"`git push`.", cell(base), gitMerge(base, upstream))
}

// Why a fork did not take a merge, as clauses.
const (
	ForkLacksWorkflows = "the base branch has workflows that the fork does not have, and GitHub lets no app push them " +
		"there"
	ForkTooFarBehind = "the fork lacks more of the base branch than tenon pushes at once"
	ForkExposes      = "people can read the fork who cannot read this repository, and they would see the commits of its " +
		"base branch"
	ForkReplaced = "the fork that this pull request comes from was renamed in the meantime; give the command again"
)
