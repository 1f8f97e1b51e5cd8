package command

import (
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
	// Numbers are the numbers in the argument, each once, in the given order; nil means all.
	Numbers []int
	// Run is the id of the run in the argument, or of the check whose button was pressed; empty means the newest run.
	Run string
	// Problem says why the command cannot be carried out, in a sentence for whoever gave it; empty when it can.
	Problem string
}

// FromEvent returns the command that an event gives. slug is the app's name, label the label that asks for a fix.
func FromEvent(ev port.Event, slug, label string) (Invocation, bool) {
	switch ev.Kind {
	case port.Labeled:
		return fromLabel(ev, label)
	case port.Pressed:
		return fromButton(ev.Button)
	case port.Ticked:
		return fromTicks(ev)
	case port.Closed:
		return Invocation{}, false
	}
	inv, ok := parseText(ev.Comment.Body, slug)
	return inv.on(ev.Thread), ok
}

// IsImmediate reports whether an event need not wait for the other events of its thread: it gives an immediate command,
// or one with a problem, which is reported at once.
func IsImmediate(ev port.Event, slug string) bool {
	switch ev.Kind {
	case port.Labeled, port.Pressed, port.Ticked, port.Closed:
		return false
	}
	inv, ok := FromEvent(ev, slug, "")
	return ok && inv.IsImmediate()
}

// IsImmediate reports whether the event of a text that gives this command need not wait for the other events of its
// thread.
func (i Invocation) IsImmediate() bool { return i.Command.Immediate || i.Problem != "" }

// fromLabel returns the fix that a label asks for: it has no text, and is about the issue or pull request.
func fromLabel(ev port.Event, label string) (Invocation, bool) {
	c, ok := Lookup(Fix)
	if !ok || strings.TrimSpace(ev.Thread.Title+ev.Comment.Body) == "" || !strings.EqualFold(ev.Label, label) {
		return Invocation{}, false // GitHub's labels ignore case
	}
	return Invocation{Command: c}, true
}

// fromButton returns the command of a button, for the run of its check.
func fromButton(b *port.Button) (Invocation, bool) {
	if b == nil || !port.IsRunID(b.Run) {
		return Invocation{}, false
	}
	c, ok := Lookup(b.Verb)
	return Invocation{Command: c, Run: b.Run}, ok && c.Button
}

// fromTicks returns the command of newly ticked boxes of a preview: to apply the blocks of these boxes.
func fromTicks(ev port.Event) (Invocation, bool) {
	run, marked := markdown.PreviewRun(ev.Comment.Body)
	c, ok := Lookup(Apply)
	n := markdown.NewTicks(ev.Before, ev.Comment.Body)
	return Invocation{Command: c, Numbers: n, Run: run}, marked && ok && len(n) > 0
}
