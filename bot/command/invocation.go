package command

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
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
	// Run is the id of the run in the argument, or of the check or the page whose button was pressed; empty means the
	// newest run.
	Run string
	// Offered reports that Run is one whose edits are to be put on a branch of their own, with a pull request.
	Offered bool
	// Problem says why the command cannot be carried out, in a sentence for whoever gave it; empty when it can.
	Problem string
}

// FromEvent returns the command that an event gives. slug is the app's name, label the label that asks for a fix.
func FromEvent(ev port.Event, slug, label string) (Invocation, bool) {
	switch ev.Kind {
	case port.Labeled:
		if ev.Opening && Contains(ev.Comment.Body, slug) {
			return Invocation{}, false // the command in the text has an event of its own
		}
		return fromLabel(ev, label)
	case port.Pressed:
		return fromButton(ev.Button)
	case port.OnPage:
		return fromPage(ev.Button)
	case port.Ticked:
		return fromTicks(ev)
	case port.Autofix:
		return fixCI(), ev.Followed != nil
	case port.Closed, port.Following:
		return Invocation{}, false
	}
	inv, ok := parseText(ev.Comment.Body, slug)
	return inv.on(ev.Thread).read().about(), ok
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

// fixCI returns the command that asks for what CI reports to be fixed.
func fixCI() Invocation {
	c, _ := Lookup(Fix)
	return Invocation{Command: c, Text: "ci", CI: CINamed}
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

// fromLabel returns the fix that a label asks for: it has no text, and is about the issue or pull request.
func fromLabel(ev port.Event, label string) (Invocation, bool) {
	c, ok := Lookup(Fix)
	if !ok || strings.TrimSpace(ev.Thread.Title+ev.Comment.Body) == "" || !strings.EqualFold(ev.Label, label) {
		return Invocation{}, false // GitHub's labels ignore case
	}
	return Invocation{Command: c}, true
}

// fromButton returns the command of a button, for the run of its check. The button of a fix is about what CI reports of
// the branch.
func fromButton(b *port.Button) (Invocation, bool) {
	if b == nil || !port.IsRunID(b.Run) {
		return Invocation{}, false
	}
	if b.Verb == Fix {
		inv := fixCI()
		inv.Run = b.Run
		return inv, true
	}
	c, ok := Lookup(b.Verb)
	return Invocation{Command: c, Run: b.Run}, ok && c.Button
}

// fromPage returns the command that was given on the page of a run, for that run.
func fromPage(b *port.Button) (Invocation, bool) {
	if b == nil || !port.IsRunID(b.Run) {
		return Invocation{}, false
	}
	c, ok := Lookup(b.Verb)
	inv := Invocation{Command: c, Run: b.Run}
	if b.Verb == Apply {
		inv.Numbers, inv.Problem = selected(b.Blocks)
	}
	return inv, ok && c.Page
}

// fromTicks returns the command of newly ticked boxes: of a preview, to apply the blocks of these boxes, or of an
// offer, to open a pull request with all edits of a run.
func fromTicks(ev port.Event) (Invocation, bool) {
	run, marked := markdown.PreviewRun(ev.Comment.Body)
	offered := false
	if !marked {
		run, offered = markdown.OfferRun(ev.Comment.Body)
	}
	c, ok := Lookup(Apply)
	n := markdown.NewTicks(ev.Before, ev.Comment.Body)
	return Invocation{Command: c, Numbers: n, Run: run, Offered: offered}, (marked || offered) && ok && len(n) > 0
}
