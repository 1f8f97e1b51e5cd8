package sentence

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// Why edits were committed, or not, without the result of the workflow that was to test them.

// NoResult says that a workflow took too long.
func NoResult(workflow string) string {
	return untested(workflow, "it had no result within an hour")
}

// NothingTested says that a workflow neither passed nor failed. conclusion is GitHub's word for how it ended.
func NothingTested(workflow, conclusion string) string {
	return untested(workflow, "its run ended as "+cell(conclusion))
}

// NoWorkflow says that there is no such workflow.
func NoWorkflow(workflow string) string {
	return untested(workflow, "the default branch has no such file in `.github/workflows`")
}

// WorkflowDenied says that the app may not start workflows.
func WorkflowDenied(workflow string) string {
	return untested(workflow, "this app may not start workflows here, as it does not have the permission "+
		"`actions: write`. "+strings.TrimSuffix(HowToGrant, "."))
}

// WorkflowRefused says in GitHub's words why it did not start a workflow.
func WorkflowRefused(workflow, words string) string {
	return untested(workflow, "GitHub did not start it: "+
		markdown.Plain(markdown.OneLine(markdown.Clip(words, markdown.MaxCell)), ""))
}

// WorkflowNotStarted says that GitHub failed to start a workflow.
func WorkflowNotStarted(workflow string) string {
	return untested(workflow, "GitHub failed to start it")
}

// ResultUnread says that the result of a workflow could not be read.
func ResultUnread(workflow string) string {
	return untested(workflow, "its result could not be read")
}

// OnFork says that edits of a fork are not tested.
func OnFork(workflow string) string {
	return untested(workflow, "the branch is in a fork")
}

func untested(workflow, why string) string {
	return fmt.Sprintf("%s did not test the edits%s: %s.", cell(workflow), beforeCommitted, why)
}

const beforeCommitted = " before they were committed"

// FailedThenUntested says of edits that a workflow did not test them after it failed on earlier ones; why is the
// sentence that says so of edits that are committed.
func FailedThenUntested(why string) string {
	return strings.Replace(why, beforeCommitted, " that followed", 1)
}

// ScratchRefused says that GitHub does not take the scratch branch.
func ScratchRefused(workflow, branch string) string {
	return untested(workflow, "GitHub did not accept the branch "+cell(branch)+", on which it would run")
}

// Why edits that fit are not committed after a test, as clauses.
const (
	TestFailed    = "the workflow that tests edits failed"
	TestCancelled = "the workflow that tests edits was cancelled"
)

// CancelledInTest is the clause for edits of a command that somebody cancelled while they were tested.
func CancelledInTest(login string) string {
	return login + " cancelled the command while a workflow was testing them"
}
