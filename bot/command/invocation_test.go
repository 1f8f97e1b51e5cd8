package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

func TestACommentGivesItsCommandAndAClosedThreadNone(t *testing.T) {
	t.Parallel()
	ev := port.Event{Kind: port.IssueComment, Comment: port.Comment{Body: "/tenon undo k3v9x1p7q2m4"}}
	inv, ok := FromEvent(ev, "tenon", "tenon")
	require.True(t, ok)
	require.Equal(t, Undo, inv.Command.Verb)
	require.Equal(t, "k3v9x1p7q2m4", inv.Run)

	ev.Kind = port.Closed
	_, ok = FromEvent(ev, "tenon", "tenon")
	require.False(t, ok)
}

func TestALabelAsksForWhatTheIssueSays(t *testing.T) {
	t.Parallel()
	ev := port.Event{
		Kind: port.Labeled, Label: "Tenon", Thread: port.Thread{Title: "--model of the parser"},
		Comment: port.Comment{Kind: port.IssueBody, Body: "It panics.\n\n/tenon help"},
	}
	inv, ok := FromEvent(ev, "tenon", "tenon")
	require.True(t, ok)
	require.Equal(t, Fix, inv.Command.Verb)
	require.Empty(t, inv.Problem)
	require.Empty(t, inv.Text, "no option, no other command: the issue is the task")
	require.Zero(t, inv.Options)
	may, immediate := Scan(ev, "tenon")
	require.True(t, may)
	require.False(t, immediate)

	for _, set := range []string{"bug", "tenon", "sawdust-2", ""} {
		ev.Label = set
		_, ok = FromEvent(ev, "tenon", "sawdust")
		require.False(t, ok, set)
	}
	_, ok = FromEvent(port.Event{Kind: port.Labeled, Label: "tenon"}, "tenon", "tenon")
	require.False(t, ok, "an issue that says nothing")
}

func TestAButtonAsksForItsVerb(t *testing.T) {
	t.Parallel()
	for story, b := range map[string]*port.Button{
		"no button":                   nil,
		"a verb without a button":     {Verb: Ask, Run: "k3v9x1p7q2m4"},
		"a button of no verb":         {Verb: "", Run: "k3v9x1p7q2m4"},
		"a button for a run of words": {Verb: Undo, Run: "k3v9x1p7q2 4"},
	} {
		ev := port.Event{Kind: port.Pressed, Button: b, Comment: port.Comment{Body: "/tenon fix it"}}
		_, ok := FromEvent(ev, "tenon", "tenon")
		require.False(t, ok, story)
	}
	for _, verb := range []string{Undo, Retry, Apply} {
		ev := port.Event{Kind: port.Pressed, Button: &port.Button{Verb: verb, Run: "k3v9x1p7q2m4"}}
		inv, ok := FromEvent(ev, "tenon", "tenon")
		require.True(t, ok)
		require.Equal(t, verb, inv.Command.Verb)
		require.Equal(t, "k3v9x1p7q2m4", inv.Run)
		require.Empty(t, inv.Problem)
	}
}

func TestTickedBoxesAskForTheirBlocks(t *testing.T) {
	t.Parallel()
	preview := func(one, two bool) string {
		return markdown.Box(1, one, "a") + "\n" + markdown.Box(2, two, "b") + "\n\n<!-- tenon:preview=k3v9x1p7q2m4 -->"
	}
	ticked := port.Event{Kind: port.Ticked, Before: preview(false, true), Comment: port.Comment{Body: preview(true, true)}}
	inv, ok := FromEvent(ticked, "tenon", "tenon")
	require.True(t, ok)
	require.Equal(t, Apply, inv.Command.Verb)
	require.Equal(t, []int{1}, inv.Numbers, "the other one was ticked before")
	require.Equal(t, "k3v9x1p7q2m4", inv.Run)
	may, immediate := Scan(ticked, "tenon")
	require.True(t, may)
	require.False(t, immediate)

	ticked.Comment.Body = preview(false, true)
	_, ok = FromEvent(ticked, "tenon", "tenon")
	require.False(t, ok, "no box was ticked")
	ticked.Comment.Body = strings.ReplaceAll(preview(true, true), "preview", "offer")
	inv, ok = FromEvent(ticked, "tenon", "tenon")
	require.True(t, ok)
	require.True(t, inv.Offered, "of the edits of a run")
	require.Equal(t, "k3v9x1p7q2m4", inv.Run)
	ticked.Comment.Body = strings.ReplaceAll(preview(true, true), "preview", "something")
	_, ok = FromEvent(ticked, "tenon", "tenon")
	require.False(t, ok, "no preview")
}

func TestACommandOfWhichAPartIsNotReadIsRefused(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"/tenon fix the generic Partial<Template> but do not touch the greeting",
		"@tenon fix the <rp> in it", "/tenon address\n\nnot Foo<Template>, please",
	} {
		inv, ok := FromEvent(port.Event{Comment: port.Comment{Body: body}}, "tenon", "")
		require.True(t, ok, body)
		require.Regexp(t, "The text after `<(template|rp)>` .* put it in backticks", inv.Problem, body)
	}
	for _, body := range []string{
		"/tenon fix the generic `Partial<Template>`", "/tenon fix List<Foo>", "/tenon apply 1\n\nFoo<Template> is fine",
	} {
		inv, ok := FromEvent(port.Event{Comment: port.Comment{Body: body}}, "tenon", "")
		require.True(t, ok, body)
		require.Empty(t, inv.Problem, body)
	}
}
