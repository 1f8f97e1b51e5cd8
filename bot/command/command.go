// Package command reads what people ask of the app: it turns the text of a comment, a label, a button or the check
// boxes of a preview into an Invocation. It describes every command with its traits, argument and options; package bot
// carries commands out.
package command

import (
	"regexp"

	"github.com/tenon-bot/tenon/bot/port"
)

// Command describes a verb: how it is written, who may give it, and its traits. The help is made from it.
type Command struct {
	Verb string
	// Usage is the whole command as people type it, with its options and argument.
	Usage string
	// Group is where the help lists the command, and Description is its line there: what it does.
	Group       Group
	Description string
	Example     string
	// Needs is the least permission of whoever gives the command.
	Needs port.Permission
	// Options are the names of the options that it takes.
	Options []string
	// Takes is the argument after the options, Text says what any further text is.
	Takes Argument
	Text  TextUse
	// Answer is where the answer is posted.
	Answer AnswerPlace

	// Immediate means that the command does not wait for the other commands of its thread.
	Immediate bool
	// AlwaysAllowed means that the settings can neither forbid the command nor raise the permission that it needs.
	AlwaysAllowed bool
	// ReadOnly means that the command changes nothing, so that it is allowed on closed and merged threads too.
	ReadOnly bool
	// OnMerged means that the command is for merged pull requests.
	OnMerged bool
	// Commits means that the command makes a commit of its edits.
	Commits bool
	// Retryable means that "retry" takes up those edits of the command that were not applied.
	Retryable bool
	// MeansIssue means that the command without a text, given on an issue, is about that issue.
	MeansIssue bool
	// Button means that a button of a check run can give the command, for the run of that check.
	Button bool
	// Page means that the command can be given on the page of a run, for that run.
	Page bool
}

// Group is a part of the help.
type Group int

// The groups of the help, in their order.
const (
	// GroupChange is of commands that ask for something.
	GroupChange Group = iota
	// GroupResult is of commands about what an earlier one came to.
	GroupResult
	// GroupTenon is of commands about tenon itself.
	GroupTenon
)

// optionsInUsage are the options of a command, as its usage has them.
var optionsInUsage = regexp.MustCompile(` \[--[^]]*\]`)

// ShortUsage returns the command as people type it, without its options.
func (c Command) ShortUsage() string { return optionsInUsage.ReplaceAllString(c.Usage, "") }

// TextUse says what the text of an Invocation is for.
type TextUse int

const (
	// TextNote is a note for other readers.
	TextNote TextUse = iota
	// TextTask is what the model is to do.
	TextTask
	// TextEdits are edit blocks.
	TextEdits
)

// AnswerPlace says where the answer to a command is posted. A refusal is posted where the command was given.
type AnswerPlace int

const (
	// AnswerInReview posts a review of the pull request. Where the command was given in a review thread, the answer goes
	// there; on an issue it is an ordinary comment.
	AnswerInReview AnswerPlace = iota
	// AnswerInPlace posts in the review thread in which the command was given, else in the conversation.
	AnswerInPlace
	// AnswerInConversation always posts in the conversation: only there can people tick the check boxes of a comment.
	AnswerInConversation
)
