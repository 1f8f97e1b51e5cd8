package sentence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// NoPull is the refusal of a command on a pull request that no longer exists.
func NoPull(number int) *port.UserError {
	return refusal("Pull request %d no longer exists, so nothing was done.", number)
}

// NoIssue is the refusal of a command on an issue that no longer exists.
func NoIssue(number int) *port.UserError {
	return refusal("Issue %d no longer exists, so nothing was done.", number)
}

// TooManyBranches is the refusal of another branch for an issue that has had so many.
func TooManyBranches(issue, most int) *port.UserError {
	return refusal("tenon has already opened %d pull requests for this issue, and all of them are closed. Delete some of "+
		"the branches `tenon/issue-%d-…`, and give the command again.", most, issue)
}

// OtherBase is the refusal of a base branch that is not that of the issue's open pull request.
func OtherBase(pull int, base, named string) *port.UserError {
	return refusal("The pull request for this issue, #%d, is based on %s. Close it to start over from %s.", pull,
		markdown.Code(base), markdown.Code(named))
}

// NoBase is the refusal of a base branch that does not exist.
func NoBase(base string) *port.UserError {
	return refusal("There is no branch %s to start from. Name another one with `--base`.", markdown.Code(base))
}

// BranchDeletedMeanwhile ends a run whose branch no longer exists.
func BranchDeletedMeanwhile(branch string) *port.UserError {
	return refusal("The branch %s was deleted in the meantime, so nothing was committed.", markdown.Code(branch))
}

// MovedSince ends a run whose branch somebody moved who may not write to the repository. compare is the URL of what
// they pushed.
func MovedSince(branch, from, to, stranger, compare string) *port.UserError {
	return refusal("The branch %s has moved since the command was given, from `%.7s` to `%.7s`, by a push to the fork of "+
		"%s, who may not write to this repository. The model was not asked, and nothing was committed. Look at [what was "+
		"pushed](%s), and give the command again if it should work on that.", markdown.Code(branch), from, to,
		markdown.PlainLogin(stranger), compare)
}

// MovedByStranger is the clause for a branch that somebody moved, while the edits were applied, who may not write to
// the repository.
func MovedByStranger(from, to, stranger string) string {
	return fmt.Sprintf("the branch moved from %.7s to %.7s by a push to the fork of %s, who may not write to this "+
		"repository; look at what was pushed, and give the command again if it should work on that", from, to, stranger)
}

// MovedTooOften is the clause for a branch that moved whenever the edits were applied.
func MovedTooOften(times int) string {
	return fmt.Sprintf("the branch moved %d times while the edits were applied; give the command again when nobody "+
		"is pushing to it", times)
}

// Why edits are not committed that fit, as clauses.
const (
	ChangedTooOften = "the settings and the branch kept changing while the edits were applied; give the command " +
		"again when they no longer change"
	DeletedMeanwhile = "the branch was deleted in the meantime"
	ReplyBroke       = "the connection to the model broke before its reply was complete"
	CommitRefused    = "GitHub did not take the commit; whoever runs this app finds the cause in its log"
	BranchRefused    = "a rule or protection of the branch keeps this app from writing to it"
	DefaultBranch    = "this is the default branch, and nobody would review what is committed there"
	AppMayNotWrite   = "GitHub does not let this app write to the repository; a maintainer can grant it the permission " +
		"to write contents, in the settings of the installation"
)

// Why nothing can be committed to the fork of a pull request, as clauses.
const (
	ForkDeleted         = "the fork that this pull request comes from was deleted"
	ForkOfOrganisation  = "the fork belongs to an organisation, and GitHub lets nobody else write to such forks"
	ForkNotMaintainable = "the author has not ticked \"Allow edits by maintainers\" on this pull request"
	ForkWithoutApp      = "GitHub does not let this app write to the fork; its owner can install the app there"
)

// ForkRefusedPush is the clause that says that GitHub refused the push to a fork, in these words.
func ForkRefusedPush(words string) string { return forkRefusedPush + markdown.Clip(words, 1000) }

const forkRefusedPush = "GitHub refused the push to the fork: "

// IsOfFork reports whether a clause says that a commit could not be pushed to a fork that is there.
func IsOfFork(why string) bool {
	return strings.HasPrefix(why, forkRefusedPush) ||
		slices.Contains([]string{ForkWithoutApp, forkWithoutToken, ForkLacksWorkflows, ForkTooFarBehind}, why)
}
