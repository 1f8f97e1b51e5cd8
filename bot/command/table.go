package command

import (
	"github.com/tenon-bot/tenon/bot/port"
)

// The verbs.
const (
	Fix     = "fix"
	Ask     = "ask"
	Address = "address"
	Preview = "preview"
	Apply   = "apply"
	Retry   = "retry"
	Undo    = "undo"
	Run     = "run"
	Cancel  = "cancel"
	Status  = "status"
	Config  = "config"
	Help    = "help"
)

// queuedCommands read or change the code, one at a time for each thread.
func queuedCommands() []Command {
	return []Command{
		{
			Verb: Fix, Takes: SomeText, Text: TextTask,
			Options: []string{optionModel, optionFormat, optionFiles, optionBase},
			Usage:   "/tenon fix [--model NAME] [--format NAME] [--files A,B] [--base BRANCH] [what]",
			Description: "ask the model for the change, apply its edits, and commit them: to the pull request's branch, " +
				"or to a new one with a draft pull request for an issue; without a text on an issue, the issue is the task",
			Example: "/tenon fix the nil check in `server/start.go`",
			Needs:   port.PermissionWrite, Commits: true, Retryable: true, MeansIssue: true,
		},
		{
			Verb: Ask, Takes: SomeText, Text: TextTask,
			Options:     []string{optionModel, optionFiles},
			Usage:       "/tenon ask [--model NAME] [--files A,B] <question>",
			Description: "answer a question about the code, and change nothing; on closed and merged ones too",
			Example:     "/tenon ask why does `server/start.go` wait?",
			Needs:       port.PermissionWrite, ReadOnly: true,
		},
		{
			Verb: Address, Takes: NoArgument, Text: TextTask,
			Options: []string{optionModel, optionFormat, optionFiles},
			Usage:   "/tenon address [--model NAME] [--format NAME] [--files A,B]",
			Description: "settle all unresolved review threads of the pull request in one commit, and answer in each " +
				"what was done",
			Example: "/tenon address",
			Needs:   port.PermissionWrite, Commits: true, Retryable: true,
		},
		{
			Verb: Preview, Takes: SomeText, Text: TextTask, Answer: AnswerInConversation,
			Options: []string{optionModel, optionFormat, optionFiles, optionBase},
			Usage:   "/tenon preview [--model NAME] [--format NAME] [--files A,B] [--base BRANCH] [what]",
			Description: "as fix, but nothing is committed: shows each edit with its diff and a box; what you tick is " +
				"committed",
			Example: "/tenon preview rename `Start` to `Run` in `server/start.go`",
			Needs:   port.PermissionWrite, MeansIssue: true,
		},
		{
			Verb: Apply, Takes: OptionalNumbers, Text: TextEdits,
			Usage: "/tenon apply [numbers]",
			Description: "commit the edits of the newest preview, all that fit or those that are named; by number also those " +
				"that a newer answer left out because a file would not parse; with edit blocks in the same comment, or in " +
				"the one that it answers, those. No model is asked",
			Example: "/tenon apply 1,3-5",
			Needs:   port.PermissionWrite, Commits: true, Retryable: true, Button: true,
		},
		{
			Verb: Retry, Takes: NoArgument, Text: TextTask,
			Options: []string{optionModel, optionFormat, optionFiles},
			Usage:   "/tenon retry [--model NAME] [--format NAME] [--files A,B]",
			Description: "ask the model again for the edits of the newest command that failed, with the files as they " +
				"are now; what was applied stays",
			Example: "/tenon retry",
			Needs:   port.PermissionWrite, Commits: true, Retryable: true, Button: true,
		},
		{
			Verb: Undo, Takes: OptionalRun,
			Usage: "/tenon undo [run]",
			Description: "take back what the newest command here committed, or the named run, by another commit on " +
				"today's tip; later changes stay",
			Example: "/tenon undo",
			Needs:   port.PermissionWrite, Commits: true, Button: true,
		},
		{
			Verb: Run, Takes: Numbers,
			Usage:       "/tenon run <numbers>",
			Description: "carry out file operations that the newest answer suggests, by their numbers, and commit them",
			Example:     "/tenon run 1,3-4",
			Needs:       port.PermissionWrite, Commits: true,
		},
	}
}

// immediateCommands are about tenon itself, and do not wait.
func immediateCommands() []Command {
	return []Command{
		{
			Verb: Cancel, Takes: AnyWords, Answer: AnswerInPlace,
			Usage:       "/tenon cancel",
			Description: "stop what is in work on this issue or pull request, and drop what waits there",
			Example:     "/tenon cancel",
			Needs:       port.PermissionWrite, Immediate: true, AlwaysAllowed: true,
		},
		{
			Verb: Status, Takes: AnyWords, Answer: AnswerInPlace,
			Usage:       "/tenon status",
			Description: "show what is in work here and what waits, and to whoever may write, what is left of the budgets",
			Example:     "/tenon status",
			Needs:       port.PermissionRead, Immediate: true, AlwaysAllowed: true, ReadOnly: true,
		},
		{
			Verb: Config, Takes: AnyWords, Answer: AnswerInPlace,
			Usage:       "/tenon config",
			Description: "show the settings that hold here, where each comes from, and what is wrong with them",
			Example:     "/tenon config",
			Needs:       port.PermissionWrite, Immediate: true, AlwaysAllowed: true, ReadOnly: true,
		},
		{
			Verb: Help, Takes: AnyWords, Answer: AnswerInPlace,
			Usage:       "/tenon help",
			Description: "show this table",
			Example:     "/tenon help",
			Needs:       port.PermissionRead, Immediate: true, AlwaysAllowed: true, ReadOnly: true,
		},
	}
}
