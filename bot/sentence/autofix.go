package sentence

import (
	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// Why there is no further round of autofix, as clauses: "Autofix ended: …".
const (
	AutofixOff       = "the settings have turned it off"
	AutofixCancelled = "somebody cancelled it"
	AutofixMoved     = "somebody has pushed to the branch since"
	AutofixSame      = "CI failed as it did before the round"
	AutofixSameAgain = "CI failed as it did before an earlier round"
	AutofixNoFailure = "CI no longer reports a failure"
	AutofixRunsAgain = "CI is running again"
	AutofixRefused   = "the command was refused when its turn came"
)

// AutofixRoundsDone says that there were as many rounds as the settings allow.
func AutofixRoundsDone(n int) string { return "the settings allow " + english.Plural(n, "round", "") }

// AutofixOverBudget says that a budget is used up, such as "commands today in this repository".
func AutofixOverBudget(budget string) string { return "the budget of " + budget + " is used up" }

// AutofixStopped ends a round whose branch somebody has pushed to.
func AutofixStopped(branch string) *port.UserError {
	return refusal("Somebody has pushed to %s since this round of autofix began, so it ended and nothing was committed.",
		markdown.Code(branch))
}
