package command

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

const pageRun = "k3v9x1p7q2m4"

func TestAPageGivesTheCommandsOfItsRun(t *testing.T) {
	t.Parallel()
	of := port.Event{Delivery: "d", Kind: port.IssueComment, Repo: port.RepoRef{ID: 5, Installation: 7},
		Thread: port.Thread{Number: 17, Pull: true}, Comment: port.Comment{ID: 3, Body: "/tenon fix it"}, Private: true,
		Sender: port.User{ID: 1, Login: "maria"}}
	victor := port.User{ID: 2, Login: "victor"}
	now := time.Unix(100, 0)
	for verb, immediate := range map[string]bool{Undo: false, Retry: false, Apply: false, Cancel: true} {
		b := port.Button{Verb: verb, Run: pageRun}
		if verb == Apply {
			b.Blocks = []int{3, 1, 3}
		}
		ev, err := OnPage(of, b, victor, "x", now)
		require.NoError(t, err, verb)
		require.Equal(t, port.Event{Delivery: "page-x", Kind: port.OnPage, Action: verb, Repo: of.Repo, Thread: of.Thread,
			Sender: victor, Received: now, Private: true, Button: &b, Immediate: immediate}, ev,
			"it has nothing of what somebody else wrote")
		inv, ok := FromEvent(ev, "tenon", "tenon")
		require.True(t, ok)
		require.Equal(t, pageRun, inv.Run)
		require.Equal(t, verb, inv.Command.Verb)
		may, scanned := Scan(ev, "tenon")
		require.True(t, may)
		require.Equal(t, immediate, scanned)
		if verb == Apply {
			require.Equal(t, []int{1, 3}, inv.Numbers)
		}
	}
}

func TestWhatAPageCannotAskFor(t *testing.T) {
	t.Parallel()
	const tooBig = markdown.MaxNumber + 1
	many := make([]int, maxNumbers+1)
	for i := range many {
		many[i] = i + 1
	}
	for story, c := range map[string]struct {
		button port.Button
		says   string
	}{
		"a verb that needs words":    {port.Button{Verb: Fix, Run: pageRun}, "cannot give the command `fix`"},
		"no verb":                    {port.Button{Run: pageRun}, "cannot give the command"},
		"a run that is none":         {port.Button{Verb: Undo, Run: "../../../x"}, "cannot give the command"},
		"nothing selected":           {port.Button{Verb: Apply, Run: pageRun}, "No edit is selected."},
		"more than a command takes":  {port.Button{Verb: Apply, Run: pageRun, Blocks: many}, "at most 200 edits, and 201"},
		"a number that no edit has":  {port.Button{Verb: Apply, Run: pageRun, Blocks: []int{1, 0}}, "have numbers from 1 to"},
		"another that no edit has":   {port.Button{Verb: Apply, Run: pageRun, Blocks: []int{tooBig}}, "from 1"},
		"a negative number of edits": {port.Button{Verb: Apply, Run: pageRun, Blocks: []int{-4}}, "from 1"},
	} {
		_, err := OnPage(port.Event{}, c.button, port.User{}, "x", time.Time{})
		var refused *port.UserError
		require.ErrorAs(t, err, &refused, story)
		require.Contains(t, refused.Text, c.says, story)
	}
	_, ok := FromEvent(port.Event{Kind: port.OnPage}, "tenon", "tenon")
	require.False(t, ok, "no button")
}
