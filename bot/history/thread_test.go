package history

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

func TestCommandsForABranchAreGivenInItsIssueAndItsPullRequest(t *testing.T) {
	t.Parallel()
	fork := &port.RepoRef{ID: 8}
	for story, c := range map[string]struct {
		on     port.Thread
		target record.Target
		want   []int
	}{
		"a pull request": {port.Thread{Number: 12, Pull: true}, onSpeed, []int{12}},
		"a pull request for an issue": {port.Thread{Number: 12, Pull: true},
			record.Target{Branch: "tenon/issue-7"}, []int{12, 7}},
		"a second one for an issue": {port.Thread{Number: 12, Pull: true},
			record.Target{Branch: "tenon/issue-7-2"}, []int{12, 7}},
		"a fork's, whatever its branch is called": {port.Thread{Number: 12, Pull: true},
			record.Target{Branch: "tenon/issue-7", Fork: fork}, []int{12}},
		"a branch of another name": {port.Thread{Number: 12, Pull: true},
			record.Target{Branch: "tenon/issue-07"}, []int{12}},
		"an issue without a pull request": {port.Thread{Number: 7}, record.Target{Branch: "tenon/issue-7"}, []int{7}},
		"an issue with a pull request": {port.Thread{Number: 7}, record.Target{Branch: "tenon/issue-7", Pull: 12},
			[]int{7, 12}},
	} {
		require.Equal(t, c.want, Thread{Event: port.Event{Thread: c.on}}.numbers(c.target), story)
	}
}

// What each question about earlier runs does with a run whose record cannot be read: it never takes an older run for
// the newest, and says which run it could not read.
func TestARunThatCannotBeReadIsNeverPassedOverForAnOlderOne(t *testing.T) {
	t.Parallel()
	preview := previewed(t, inReply(fits("a.go", 0))...)
	for story, c := range map[string]struct {
		step string
		ask  func(Thread) (any, error)
		want any // nil for an error that tells the user
	}{
		"commits": {"commit", func(h Thread) (any, error) {
			all, err := h.Commits(t.Context(), onSpeed)
			newest, _ := all.Newest(func(record.Commit) bool { return false })
			return newest, err
		}, record.Commit{Run: "newer"}},
		"suggestions": {"ask.1", func(h Thread) (any, error) {
			s, _, err := h.Suggestions(t.Context(), onSpeed)
			return s.Run, err
		}, nil},
		"the newest preview": {"preview", func(h Thread) (any, error) {
			v, _, err := h.NewestPreview(t.Context())
			return v.Run, err
		}, nil},
		"what was committed of a preview": {"choice", func(h Thread) (any, error) {
			all, _, err := h.BlockOutcomes(t.Context(), Preview{Run: "older"}, onSpeed)
			return len(all), err
		}, 0},
		"a retry": {"apply.1", func(h Thread) (any, error) {
			r, err := h.Retry(t.Context(), onSpeed, "", commandOf)
			return r.Run, err
		}, "older"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			q := &queue{}
			for _, id := range []string{"older", "newer"} {
				failed := record.Result{Path: "b.go", Status: record.StatusFailed, Reason: "not-found"}
				outcomes := append([]outcome{did(record.Opened, onSpeed)}, preview...)
				q.add(t, id, 12, "/tenon fix it", append(outcomes,
					did(record.Chosen, record.Choice{Run: "older", Numbers: []int{1}}),
					did(record.Applied(1), record.Application{Results: []record.Result{failed}}),
					did(record.CommitMade, committed(failed)),
				)...)
			}
			if story == "what was committed of a preview" {
				q.damage("older", c.step)
			}
			q.damage("newer", c.step)
			h, skipped := q.thread()
			check := func() {
				got, err := c.ask(h)
				if c.want == nil {
					var user *port.UserError
					require.ErrorAs(t, err, &user)
					require.Contains(t, user.Text, "The record of run `newer` cannot be read by this version of tenon")
					return
				}
				require.NoError(t, err)
				require.Equal(t, c.want, got)
			}
			check()
			require.Contains(t, *skipped, "newer")
			h.Skipped = nil // nobody has to listen
			check()

			q.err = errBroken
			_, err := c.ask(h)
			require.ErrorIs(t, err, errBroken, "a store that fails is another matter")
		})
	}
}

func TestARunThatSomebodyNamesAndNobodyCanReadIsAnErrorThatSaysSo(t *testing.T) {
	t.Parallel()
	q := &queue{}
	q.add(t, "k3v9x1p7q2m4", 12, "/tenon fix it", did(record.Opened, onSpeed), did(record.CommitMade, committed()))
	q.damage("k3v9x1p7q2m4", "commit")
	h, _ := q.thread()
	for story, ask := range map[string]func() error{
		"a commit":  func() error { _, _, err := h.CommitOf(t.Context(), "k3v9x1p7q2m4", onSpeed); return err },
		"a preview": func() error { _, err := h.PreviewOf(t.Context(), "k3v9x1p7q2m4"); return err },
		"a retry":   func() error { _, err := h.Retry(t.Context(), onSpeed, "k3v9x1p7q2m4", commandOf); return err },
	} {
		err := ask()
		var user *port.UserError
		require.ErrorAs(t, err, &user, story)
		require.Contains(t, user.Text,
			"The record of run `k3v9x1p7q2m4` cannot be read by this version of tenon, so nothing was done.")
		var cause *record.UnreadableError
		require.ErrorAs(t, err, &cause, "%s: the log has the cause", story)
	}
}

// A question that somebody asked, in a form that nobody reads any more, is no reason to refuse an undo.
func TestARunThatCannotBeReadMattersOnlyIfItDidWhatIsLookedFor(t *testing.T) {
	t.Parallel()
	q := &queue{}
	made := append([]outcome{did(record.Opened, onSpeed)}, previewed(t, inReply(fits("a.go", 0))...)...)
	q.add(t, "older", 12, "/tenon fix it", append(made, did(record.CommitMade, committed()))...)
	q.add(t, "answered", 12, "/tenon fix it", answer(record.TurnFix, "```sh\ngit rm a.go\n```\n"),
		did(record.Reported, record.AnswerComment{Comment: 5}))
	q.add(t, "newer", 12, "/tenon status", did(record.Opened, onSpeed))
	q.damage("newer", "open")
	h, skipped := q.thread()
	commits, err := h.Commits(t.Context(), onSpeed)
	require.NoError(t, err)
	require.Len(t, commits, 1)
	v, _, err := h.NewestPreview(t.Context())
	require.NoError(t, err)
	require.Equal(t, "older", v.Run)
	s, _, err := h.Suggestions(t.Context(), onSpeed)
	require.NoError(t, err)
	require.Equal(t, "answered", s.Run)
	require.Equal(t, []string{"newer", "newer", "newer"}, *skipped)
}
