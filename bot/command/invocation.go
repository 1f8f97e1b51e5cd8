package command

import (
	"fmt"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// Invocation is a command as somebody gave it.
type Invocation struct {
	Command Command
	Options Options
	// Text is the argument of a command that takes SomeText; of any other command, the lines below its own. White space
	// around it is trimmed. It is empty for a command that means the issue that it was given on, and for a label.
	Text string
	// CI says what the Text of a command for a model has to do with continuous integration. It is more than CIMentioned
	// only for a fix and a preview.
	CI CIWords
	// Numbers are the numbers in the argument, each once, in the given order; nil means all.
	Numbers []int
	// Choices are what is to become of conflicts of a merge, or of a backport to a single branch; nil if the command names
	// none.
	Choices []ConflictChoice
	// Revision says, for boxes with the choices for conflicts, what these meant when they were ticked.
	Revision string
	// Branches are the branches in the argument, or of labels, each once, in the given order.
	Branches []string
	// LeftOut are branches of further labels, for which one command has no room.
	LeftOut []string
	// Run is the id of the run in the argument, or of the check or the page whose button was pressed; empty means the
	// newest run.
	Run string
	// Offered reports that Run is one whose edits are to be put on a branch of their own, with a pull request.
	Offered bool
	// Problem says why the command cannot be carried out, in a sentence for whoever gave it; empty when it can.
	Problem string
}

// about returns the invocation with what its text has to do with CI.
func (i Invocation) about() Invocation {
	if i.Command.Text != TextTask {
		return i
	}
	if i.CI = ciOf(i.Text); i.Command.Takes != SomeText || i.Command.ReadOnly {
		i.CI = min(i.CI, CIMentioned)
	}
	return i
}

// read returns the invocation, with a problem if a part of its text would not be read.
func (i Invocation) read() Invocation {
	if i.Command.Takes != SomeText && i.Command.Verb != Address || i.Problem != "" {
		return i
	}
	if element := markdown.HiddenFrom(i.Text); element != "" {
		tag := markdown.Code(markdown.Clip("<"+element+">", 40))
		i.Problem = fmt.Sprintf("The text after %s in this command cannot be read: %s is an HTML tag that is not closed, so "+
			"it hides the rest. Nothing was done. If it is meant as text, put it in backticks and give the command again.",
			tag, tag)
	}
	return i
}

// IsImmediate reports whether the event of a text that gives this command need not wait for the other events of its
// thread: it gives an immediate command, or one with a problem, which is reported at once.
func (i Invocation) IsImmediate() bool { return i.Command.Immediate || i.Problem != "" }
