package sentence

import (
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// Undo, retry and run are about what earlier runs did. ids of runs come from a command's text only where they were
// found to be ids, so they need no escaping.

// NothingToUndo is the refusal of an undo where nothing was committed.
func NothingToUndo() *port.UserError {
	return refusal("tenon has committed nothing here, so there is nothing to undo.")
}

// NewestUnreadable is the refusal of an undo that names no run, where the newest run cannot be read.
func NewestUnreadable(run string) *port.UserError {
	return refusal("The record of run `%s`, which is newer than the commits that can be undone, cannot be read by this "+
		"version of tenon. Name the run to undo: `/tenon undo <run>`.", run)
}

// OfferGone is the refusal of a box whose edits are no longer stored.
func OfferGone() *port.UserError {
	return refusal("These edits are no longer stored, so no pull request was opened. Give the command again.")
}

// OfferTaken is the refusal of a box whose pull request, with this number, already exists.
func OfferTaken(pull int) *port.UserError {
	return refusal("The pull request with these edits already exists: #%d.", pull)
}

// OfferChanged is the refusal of a box whose edits would be others now than people were shown.
func OfferChanged() *port.UserError {
	return refusal("The edits would no longer be those that the answer shows, because the settings or the branch have " +
		"changed since. No pull request was opened. Give the command again.")
}

// NoRun is the refusal of a command that names a run which is not on the thread.
func NoRun(run string) *port.UserError {
	return refusal("There is no run `%s` on this thread. A run's id is at the end of its answer; give the command in "+
		"the thread of that answer.", run)
}

// RunIsOver is the refusal to cancel a run that has ended.
func RunIsOver(run string) *port.UserError {
	return refusal("Run `%s` is neither running nor waiting any more, so there was nothing to cancel.", run)
}

// RunCommittedNothing is the refusal to undo a run that has no commit.
func RunCommittedNothing(run string) *port.UserError {
	return refusal("Run `%s` committed nothing, so there is nothing to undo.", run)
}

// OtherBranch is the refusal to undo the commit at link, on a branch that is not the one to work on.
func OtherBranch(run, branch, link string) *port.UserError {
	return refusal("The commit of run `%s` is on the branch %s, which is not the one that commands work on here now. "+
		"Nothing was done; revert %s with git.", run, markdown.Code(branch), link)
}

// UndoneAlready is the refusal to undo a run's commit, at link, which another run undid. next is the newest run whose
// commit, at nextLink, can be undone; it may be empty.
func UndoneAlready(link, run, undoneBy, nextLink, next string) *port.UserError {
	e := refusal("The commit %s of run `%s` was already undone by run `%s`. `/tenon undo %s` restores it.", link, run,
		undoneBy, undoneBy)
	if next != "" {
		e.Text += refusal(" The latest one that is not undone is %s: `/tenon undo %s`.", nextLink, next).Text
	}
	return e
}

// CommitGone is the refusal to undo a commit that the repository does not have.
func CommitGone(sha, run string) *port.UserError {
	return refusal("The commit `%.7s` of run `%s` is no longer in the repository, so there is nothing to undo.", sha,
		run)
}

// TooManyReverted is the refusal to undo a commit of so many files.
func TooManyReverted(files, most int) *port.UserError {
	return refusal("The commit changed %d files, and tenon reverts at most %d at once. Revert it with git.", files, most)
}

// RetryUseless is the refusal to try again what no model can do.
func RetryUseless(run string) *port.UserError {
	return refusal("What failed in run `%s` would fail again whatever the model says; its answer says why. The model was "+
		"not asked.", run)
}

// NothingLeftOfRun is the refusal to try a run again of which nothing failed, or nothing is left.
func NothingLeftOfRun(run string) *port.UserError {
	return refusal("Nothing of run `%s` is left to retry.", run)
}

// NothingToRetry is the refusal of a retry where nothing failed, or nothing is left.
func NothingToRetry() *port.UserError {
	return refusal("Nothing is left to retry here, so the model was not asked. `/tenon fix <what>` asks for something " +
		"new.")
}

// RetryOnMerged is the refusal of a retry on a merged pull request, which of all commands only a backport changes
// something for.
func RetryOnMerged() *port.UserError {
	return refusal("This pull request is merged, so nothing was done. A backport is not retried: when nothing is in its " +
		"way any more, give `/tenon backport BRANCH` again. Ask for anything else on an open pull request.")
}

// RecordGone is the refusal to try a run again whose record is no longer stored.
func RecordGone() *port.UserError {
	return refusal("The record of that run no longer exists, so the model was not asked. Give the original command again.")
}

// SuggestionsGone is the refusal to run suggestions where those of the newest run that may have any are not stored.
func SuggestionsGone(run string) *port.UserError {
	return refusal("What run `%s` suggested is no longer stored, so nothing was done. Ask again: `/tenon fix "+
		"<what>`.", run)
}

// NoHistory is the refusal of a command about earlier runs in a job of GitHub Actions that has nothing to seal their
// records with.
func NoHistory() *port.UserError {
	return refusal("tenon keeps no record of earlier commands here, so nothing was done: it has no key to seal them " +
		"with. The step of the workflow that runs tenon needs the input `history-key`, from a secret of at least 20 " +
		"characters. Commands that were given before cannot be looked up even then.")
}

// RecordUnreadable is the refusal of a command that needs a record which this program cannot read.
func RecordUnreadable(run string) *port.UserError {
	return refusal("The record of run `%s` cannot be read by this version of tenon, so nothing was done. Whoever runs "+
		"this app finds the cause in its log.", run)
}

// NoSuggestions is the refusal to run suggestions where there are none.
func NoSuggestions() *port.UserError {
	return refusal("No answer here suggests commands, so there is nothing to run.")
}

// SuggestionsUnseen is the refusal to run suggestions of an answer that was not there when the command was given.
func SuggestionsUnseen(answer string) *port.UserError {
	return refusal("When you gave the command, [the newest answer that suggests commands](%s) did not exist yet, so you "+
		"cannot have meant its suggestions. Nothing was done. Read it, and give the command again.", answer)
}

// NoSuggestion is the refusal to run a suggestion of a number that an answer does not have.
func NoSuggestion(n int, run string, has int) *port.UserError {
	return refusal("There is no suggestion %d, so nothing was done: the newest answer with suggestions, of run `%s`, "+
		"shows %d.", n, run, has)
}

// SuggestionNotRun is the refusal to run a suggestion that is none of the commands that tenon carries out.
func SuggestionNotRun(n int, command string) *port.UserError {
	return refusal("tenon does not run suggestion %d, %s, so nothing was done. It moves and removes files of the "+
		"repository, as `git mv` and `git rm` do, on plain paths and in at most %d characters; run any other command "+
		"yourself.", n, cell(command), markdown.MaxCell)
}
