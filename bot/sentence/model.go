package sentence

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// NoModelAllowed is the refusal of a call where the settings allow none of the server's models.
func NoModelAllowed() *port.UserError {
	return refusal("No model may be used in this repository. `/tenon config` shows which setting excludes them all.").
		Because(port.ReasonModel)
}

// NoSuchModel is the refusal of a model that is not there; there are others.
func NoSuchModel(name string, others []string) *port.UserError {
	var list []string
	for _, other := range others {
		list = append(list, markdown.Code(other))
	}
	return refusal("There is no model %s for this repository. Available: %s.", markdown.Code(markdown.Clip(name, 64)),
		strings.Join(list, ", ")).
		Because(port.ReasonModel)
}

// ModelNotAllowedNow is the refusal of a model that the settings no longer allow.
func ModelNotAllowedNow(name string) *port.UserError {
	return refusal("The model %s may no longer be used here. `/tenon config` shows which ones may.", markdown.Code(name)).
		Because(port.ReasonModel)
}

// OverBudget is the refusal of a call that would exceed a budget.
func OverBudget(e *port.OverBudget) *port.UserError {
	return refusal("The budget for %s is used up (%d), so the model was not asked. It resets on %s. Whoever runs this "+
		"app can raise it.", e.Of, e.Limit, e.Resets.UTC().Format("2 January 2006 at 15:04 UTC")).
		Because(port.ReasonBudget)
}

// NearBudget is the remark that more than so many per cent of a budget are used.
func NearBudget(percent int, budget string) string {
	return fmt.Sprintf("over %d%% of %s used", percent, budget)
}

// OverCommand is the refusal of a call with which a command would take so many tokens.
func OverCommand(needs, most int64) *port.UserError {
	return refusal("This would take about %s tokens, and one command may take %s here, so the model was not asked. Ask "+
		"for less at a time; `/tenon config` shows where the limit is set.", humanize.Comma(needs), humanize.Comma(most)).
		Because(port.ReasonBudget)
}

// TooManyEdits is the refusal of a reply that has more edits than one command may make.
func TooManyEdits(n, most int) *port.UserError { return tooMany("has", n, "edits", most) }

// TooManyFiles is the refusal of a reply that changes more files than one command may change.
func TooManyFiles(n, most int) *port.UserError { return tooMany("changes", n, "files", most) }

func tooMany(does string, n int, things string, most int) *port.UserError {
	return refusal("The reply %s %d %s, and the limit for one command is %d here, so nothing was applied. Ask for less "+
		"at a time; `/tenon config` shows where the limit is set.", does, n, things, most)
}

// ModelTooSlow ends a run whose model took so many minutes.
func ModelTooSlow(minutes int) *port.UserError {
	return refusal("The model did not answer within %d minutes. Ask for less at a time, or try again later.", minutes).
		Because(port.ReasonModel)
}

// TaskTooLong is the refusal of a task that leaves no room for code in the context of a model. Sizes are in tokens.
func TaskTooLong(model string, context, task int64) *port.UserError {
	return refusal("This is more than the model %s can read at once: its context is %s tokens, and the task "+
		"with the rules for the reply takes about %s, which leaves too little for code and the reply. Say it in fewer "+
		"words, or name another model with `--model`. If the model's server takes more, whoever runs this app can raise "+
		"its `context_tokens`.", markdown.Code(model), humanize.Comma(context), humanize.Comma(task))
}

// NextTooLong is the refusal of a further question that leaves no room for a reply. Sizes are in tokens.
func NextTooLong(model string, question, context int64) *port.UserError {
	return refusal("With what was said so far, the next question is more than the model %s can read at once: about %s "+
		"tokens, and its context of %s has to take the reply too. Ask for less at a time.", markdown.Code(model),
		humanize.Comma(question), humanize.Comma(context))
}

// DelimiterImitated is the refusal of a question whose data has the key of its delimiters.
func DelimiterImitated() *port.UserError {
	return refusal("Some text that the model needs imitates the delimiters of the prompt, so the model was " +
		"not asked, and nothing was committed.")
}

// NothingToAddress is the refusal of a task that is about review threads where there are none.
func NothingToAddress() *port.UserError {
	return refusal("This pull request has no unresolved review threads, so there is nothing to address.")
}

// AddressOnIssue is the refusal of a command for review threads on an issue.
func AddressOnIssue() *port.UserError {
	return refusal("`/tenon address` is for the review threads of a pull request, and this is an issue. Use `/tenon " +
		"fix` here.")
}
