package command

import (
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// FromEvent returns the command that an event gives. slug is the app's name, label the label that asks for a fix.
// Whether labels ask for a backport is a setting, and checked later.
func FromEvent(ev port.Event, slug, label string) (Invocation, bool) {
	switch ev.Kind {
	case port.Labeled:
		if ev.Opening && Contains(ev.Comment.Body, slug) {
			return Invocation{}, false // the command in the text has an event of its own
		}
		if AsksForBackport(ev) {
			return fromBackportLabels(ev.Label)
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
	case port.Closed:
		if !AsksForBackport(ev) {
			return Invocation{}, false
		}
		return fromBackportLabels(ev.Labels...)
	case port.Following:
		return Invocation{}, false
	}
	inv, ok := parseText(ev.Comment.Body, slug)
	return inv.on(ev.Thread).read().about(), ok
}

// fixCI returns the command that asks for what CI reports to be fixed.
func fixCI() Invocation {
	c, _ := Lookup(Fix)
	return Invocation{Command: c, Text: "ci", CI: CINamed}
}

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

// fromTicks returns the command of newly ticked boxes: of a preview, to apply the blocks of these boxes, of an offer,
// to open a pull request with all edits of a run, or of the conflicts of a merge, to choose what these become.
func fromTicks(ev port.Event) (Invocation, bool) {
	if run, revision, ok := markdown.ResolveRun(ev.Comment.Body); ok {
		c, known := Lookup(Resolve)
		n := markdown.NewTicks(ev.Before, ev.Comment.Body)
		return Invocation{Command: c, Numbers: n, Run: run, Revision: revision}, known && len(n) > 0
	}
	run, marked := markdown.PreviewRun(ev.Comment.Body)
	offered := false
	if !marked {
		run, offered = markdown.OfferRun(ev.Comment.Body)
	}
	c, ok := Lookup(Apply)
	n := markdown.NewTicks(ev.Before, ev.Comment.Body)
	return Invocation{Command: c, Numbers: n, Run: run, Offered: offered}, (marked || offered) && ok && len(n) > 0
}
