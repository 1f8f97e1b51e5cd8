package sentence

import (
	"fmt"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// BackportOnIssue is the refusal of a backport on an issue.
func BackportOnIssue() *port.UserError {
	return refusal("`/tenon backport` replays the commits of a merged pull request, and this is an issue. Give the " +
		"command on the pull request.")
}

// BackportUnmerged is the refusal of a backport of a pull request that is open, or was closed without being merged.
// byLabel reports whether labels may ask for one.
func BackportUnmerged(open, byLabel bool) *port.UserError {
	switch {
	case open && byLabel:
		return refusal("This pull request is not merged yet, so there is nothing to backport. Give the command again when " +
			"it is, or set the label `backport BRANCH` now: then its merge starts the backport.")
	case open:
		return refusal("This pull request is not merged yet, so there is nothing to backport. Give the command again when " +
			"it is.")
	}
	return refusal("This pull request was closed without being merged, so there is nothing to backport.")
}

// BackportUnclear is the refusal of a backport of a pull request that was merged in no way that is known.
func BackportUnclear(sha string) *port.UserError {
	return refusal("It is not clear which commits the merge of this pull request, `%.7s`, has brought to its base: it is "+
		"no merge, squash or rebase of the commits that GitHub lists. Nothing was done; use `git cherry-pick -x`.", sha)
}

// NoPicksShown is the refusal of choices for a branch when no answer shows conflicts of a backport to it.
func NoPicksShown(branch string) *port.UserError {
	return refusal("No answer here shows conflicts of a backport to this branch, so there is nothing to choose. "+
		"`/tenon backport %s` shows them.", markdown.Clip(branch, markdown.MaxCell))
}

// Why there is no backport to a branch, as sentences.
const (
	BackportToBase = "The pull request was merged into this branch, which has its commits."
	BackportNoTo   = "There is no such branch."
	BackportGone   = "A commit of the pull request is not in the repository any more."
	BackportName   = "The name is too long for the name of a branch that contains it."
)

// BackportRefused says why the commits were not made; why is a clause.
func BackportRefused(why string) string {
	return "Nothing was made, because " + markdown.Plain(why, "") + "."
}

// BackportLeft says that there is a branch for a backport without a pull request, which can be opened at link.
func BackportLeft(head, link string) string {
	return fmt.Sprintf("There is a branch %s already, without a pull request. [Open it](%s), or delete the branch and "+
		"give the command again.", cell(head), link)
}

// BackportTooMany says that there were so many backports to a branch.
func BackportTooMany(most int, head string) string {
	return fmt.Sprintf("There are %d branches for it already, none of which has an open pull request. Delete some of "+
		"them: %s …", most, cell(head))
}

// BackportLeftOut says how many branches of labels there was no room for; the commands that ask for them follow.
func BackportLeftOut(left, most int) string {
	return fmt.Sprintf("❌ **%s left out**, because the labels of one merge ask for %d at most. To have them, give:",
		english.Plural(left, "branch", "branches"), most)
}

// Why the commits of a backport are on no branch, as clauses.
const (
	BackportTaken   = "somebody else made this branch in the meantime"
	SettingsChanged = "the settings of the repository changed in the meantime; give the command again"
)

// SettlePicksHere says how the conflicts of a backport to a branch are settled by a command; name is an open one.
func SettlePicksHere(branch, name string, several bool) string {
	what := "it"
	if several {
		what = "all that are open, each by its number"
	}
	return fmt.Sprintf("Nothing was made for this branch. To settle %s, comment %s; what is settled already is kept. "+
		"Ours is this branch, theirs the pull request.", what, cell("/tenon backport "+branch+" "+name+" theirs"))
}

// ChangePicksHere says how conflicts of a backport to a branch become something else.
func ChangePicksHere(branch string) string {
	return fmt.Sprintf("Nothing was made for this branch. To choose something else, comment %s, by the number of each.",
		cell("/tenon backport "+branch+" C1 theirs"))
}

// SettlePicks says how a backport with conflicts is made by hand, before the commands of a shell.
const SettlePicks = "Nothing was made for this branch. To settle it at a terminal:"

// SettledPicks says what follows these commands.
func SettledPicks(base string) string {
	return fmt.Sprintf("Then give `git cherry-pick --continue`, push the branch, and open a pull request into %s.",
		cell(base))
}
