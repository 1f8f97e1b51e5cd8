package command

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// The verbs.
const (
	Fix      = "fix"
	Ask      = "ask"
	Address  = "address"
	Preview  = "preview"
	Apply    = "apply"
	Retry    = "retry"
	Undo     = "undo"
	Run      = "run"
	Update   = "update"
	Resolve  = "resolve"
	Backport = "backport"
	Ready    = "ready"
	Cancel   = "cancel"
	Status   = "status"
	Config   = "config"
	Help     = "help"
)

// queuedCommands read or change the code, one at a time for each thread.
func queuedCommands() []Command { return append(askingCommands(), resultCommands()...) }

// askingCommands ask for something.
func askingCommands() []Command {
	return []Command{
		{
			Verb: Fix, Group: GroupChange, Takes: SomeText, Text: TextTask,
			Options:     []string{optionModel, optionFormat, optionFiles, optionBase},
			Usage:       "/tenon fix [--model NAME] [--format NAME] [--files A,B] [--base BRANCH] [what]",
			Description: "changes the code and commits it; on an issue, opens a pull request; `fix ci` fixes what failed in CI",
			Example:     "/tenon fix the nil check in `server/start.go`",
			Needs:       port.PermissionWrite, Commits: true, Retryable: true, MeansIssue: true, Button: true,
		},
		{
			Verb: Ask, Group: GroupChange, Takes: SomeText, Text: TextTask,
			Options:     []string{optionModel, optionFiles},
			Usage:       "/tenon ask [--model NAME] [--files A,B] <question>",
			Description: "answers a question, and changes nothing",
			Example:     "/tenon ask why does `server/start.go` wait?",
			Needs:       port.PermissionWrite, ReadOnly: true,
		},
		{
			Verb: Address, Group: GroupChange, Takes: NoArgument, Text: TextTask,
			Options:     []string{optionModel, optionFormat, optionFiles},
			Usage:       "/tenon address [--model NAME] [--format NAME] [--files A,B]",
			Description: "answers unresolved review threads, with one commit",
			Example:     "/tenon address",
			Needs:       port.PermissionWrite, Commits: true, Retryable: true,
		},
		{
			Verb: Preview, Group: GroupChange, Takes: SomeText, Text: TextTask, Answer: AnswerInConversation,
			Options:     []string{optionModel, optionFormat, optionFiles, optionBase},
			Usage:       "/tenon preview [--model NAME] [--format NAME] [--files A,B] [--base BRANCH] [what]",
			Description: "shows the edits, and commits those that you tick",
			Example:     "/tenon preview rename `Start` to `Run` in `server/start.go`",
			Needs:       port.PermissionWrite, MeansIssue: true,
		},
		{
			Verb: Update, Group: GroupChange, Takes: NoArgument,
			Usage:       "/tenon update",
			Description: "merges the base branch into that of the pull request, or says what conflicts",
			Example:     "/tenon update",
			Needs:       port.PermissionWrite, Commits: true,
		},
		{
			Verb: Resolve, Group: GroupChange, Takes: OptionalChoices, Answer: AnswerInConversation,
			Options:     []string{optionModel},
			Usage:       "/tenon resolve [--model NAME] [choices]",
			Description: "merges the base branch and settles the conflicts by choosing among the lines of both sides",
			Example:     "/tenon resolve C3 theirs C4 ours, theirs",
			Needs:       port.PermissionWrite, Commits: true,
		},
		backportCommand(),
	}
}

// resultCommands are about what an earlier command came to.
func resultCommands() []Command {
	return []Command{
		{
			Verb: Apply, Group: GroupResult, Takes: OptionalNumbers, Text: TextEdits,
			Usage:       "/tenon apply [numbers]",
			Description: "commits what a preview or `resolve` shows, or edits that you paste",
			Example:     "/tenon apply 1,3-5",
			Needs:       port.PermissionWrite, Commits: true, Retryable: true, Button: true, Page: true,
		},
		{
			Verb: Retry, Group: GroupResult, Takes: NoArgument, Text: TextTask,
			Options:     []string{optionModel, optionFormat, optionFiles},
			Usage:       "/tenon retry [--model NAME] [--format NAME] [--files A,B]",
			Description: "asks again for the edits that failed",
			Example:     "/tenon retry",
			Needs:       port.PermissionWrite, Commits: true, Retryable: true, Button: true, Page: true,
		},
		{
			Verb: Undo, Group: GroupResult, Takes: OptionalRun,
			Usage:       "/tenon undo [run]",
			Description: "reverts the newest commit, or that of a run",
			Example:     "/tenon undo",
			Needs:       port.PermissionWrite, Commits: true, Button: true, Page: true,
		},
		{
			Verb: Run, Group: GroupResult, Takes: Numbers,
			Usage:       "/tenon run <numbers>",
			Description: "carries out suggested file operations",
			Example:     "/tenon run 1,3-4",
			Needs:       port.PermissionWrite, Commits: true,
		},
		{
			Verb: Ready, Group: GroupResult, Takes: NoArgument, Answer: AnswerInPlace,
			Usage:       "/tenon ready",
			Description: "marks tenon's draft as ready for review, if the settings allow it",
			Example:     "/tenon ready",
			Needs:       port.PermissionWrite,
		},
	}
}

// immediateCommands are about tenon itself, and do not wait.
func immediateCommands() []Command {
	return []Command{
		{
			Verb: Cancel, Group: GroupTenon, Takes: AnyWords, Answer: AnswerInPlace,
			Usage:       "/tenon cancel",
			Description: "stops what is running and drops what is waiting",
			Example:     "/tenon cancel",
			Needs:       port.PermissionWrite, Immediate: true, AlwaysAllowed: true, Page: true,
		},
		{
			Verb: Status, Group: GroupTenon, Takes: AnyWords, Answer: AnswerInPlace,
			Usage:       "/tenon status",
			Description: "shows what is running and waiting",
			Example:     "/tenon status",
			Needs:       port.PermissionRead, Immediate: true, AlwaysAllowed: true, ReadOnly: true,
		},
		{
			Verb: Config, Group: GroupTenon, Takes: AnyWords, Answer: AnswerInPlace,
			Usage:       "/tenon config",
			Description: "shows the settings, and what is wrong with them",
			Example:     "/tenon config",
			Needs:       port.PermissionWrite, Immediate: true, AlwaysAllowed: true, ReadOnly: true,
		},
		{
			Verb: Help, Group: GroupTenon, Takes: AnyWords, Answer: AnswerInPlace,
			Usage:       "/tenon help",
			Description: "shows this list",
			Example:     "/tenon help",
			Needs:       port.PermissionRead, Immediate: true, AlwaysAllowed: true, ReadOnly: true,
		},
	}
}

// All returns the commands in the order of the help.
func All() []Command { return append(queuedCommands(), immediateCommands()...) }

// Lookup returns the command of a verb, in lower case.
func Lookup(verb string) (Command, bool) {
	for _, c := range All() {
		if c.Verb == verb {
			return c, true
		}
	}
	return Command{}, false
}

// unknownVerb answers a verb that does not exist, and suggests the closest one.
func unknownVerb(verb string) string {
	var verbs []string
	for _, c := range All() {
		verbs = append(verbs, c.Verb)
	}
	text := fmt.Sprintf("There is no command %s.", markdown.Code(markdown.Clip(verb, 40)))
	if best := Closest(verb, verbs); best != "" {
		text += fmt.Sprintf(" Did you mean `/tenon %s`?", best)
	}
	return text + fmt.Sprintf(" The commands are `%s`; `/tenon help` explains them.", strings.Join(verbs, "`, `"))
}
