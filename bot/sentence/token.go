package sentence

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// What the bot may do depends on what it has: an App, the token of a job of GitHub Actions, or another token. So does
// what people can do about it.

// HowToGrant says how an app gets a permission that it has not.
const HowToGrant = "Whoever runs the app can add permissions to it, which the owner of the repository then " +
	"has to accept."

// howToGrant says the same of tokens.
var howToGrant = map[port.TokenKind]string{
	port.AppToken:   HowToGrant,
	port.JobToken:   "Add what is missing to `permissions:` of the workflow.",
	port.GivenToken: "Whoever made the token can add permissions to it.",
}

// ForToken returns an answer in which HowToGrant is what it is for a kind of token.
func ForToken(body string, kind port.TokenKind) string {
	if kind == port.AppToken {
		return body
	}
	grant := strings.TrimSuffix(howToGrant[kind], ".")
	return strings.ReplaceAll(body, strings.TrimSuffix(HowToGrant, "."), grant)
}

// ForkByJob is why a job commits nothing to the fork of a pull request, as a clause.
const ForkByJob = "the token of a job may not write to forks"

// NoWorkflowsStart says what a commit of a job does not do.
const NoWorkflowsStart = "GitHub starts no workflow for a commit that a job makes with its token, so CI does not " +
	"check this one until somebody pushes to the branch."

// MayNotWrite is the clause for a repository to which GitHub does not let the bot write. err is the refusal.
func MayNotWrite(kind port.TokenKind, err error) string {
	var denied *port.TokenError
	errors.As(err, &denied)
	switch {
	case kind == port.AppToken:
		return AppMayNotWrite
	case denied != nil && denied.Limit == port.WorkflowFiles:
		return "the token of a job may not change the files of workflows"
	case kind == port.JobToken:
		return "the token of the job may not write to the repository; add contents: write to permissions: of the workflow"
	}
	return "the token may not write to the repository; whoever made it can add the permission to write contents"
}

// ForkDenied is the clause for a fork to which GitHub does not let the bot write.
func ForkDenied(kind port.TokenKind) string {
	switch kind {
	case port.AppToken:
		return ForkWithoutApp
	case port.JobToken:
		return ForkByJob
	}
	return forkWithoutToken
}

const forkWithoutToken = "the token may not write to the fork"

// tokenDenied returns why a command cannot be finished with a token, and what to do, as deadLetterCause does.
func tokenDenied(e *port.TokenError) (why, then string) {
	why = "The token that tenon has does not allow this"
	then = "Whoever made the token can give it what is missing. Then give the command again. If nothing is missing"
	if e.Kind == port.JobToken {
		why = "The token of this job does not allow this"
		then = "Give the command again when the workflow allows it. If it does"
	}
	switch {
	case len(e.Lacks) > 0 && e.Kind == port.JobToken:
		then = "Add " + codes(e.Lacks) + " to `permissions:` of the workflow, and give the command again. If that fails too"
	case len(e.Lacks) > 0:
		why += fmt.Sprintf(", because it lacks %s", codes(e.Lacks))
	case e.Limit == port.WorkflowFiles:
		why += ", because it may not change the files of workflows"
	case e.Limit == port.NewPulls:
		why += ", because jobs may not open pull requests here"
		then = "*Settings › Actions › General › Workflow permissions* has a box that allows it. Then give the command " +
			"again. If that fails too"
	}
	return why, then
}

// codes names permissions, each as code.
func codes(list []string) string {
	out := make([]string, len(list))
	for i, p := range list {
		out[i] = markdown.Code(p)
	}
	return english.WordSeries(out, "and")
}
