package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/storetest"
	"github.com/tenon-bot/tenon/testdata"
)

// storeStep stores a step of a run.
func storeStep(t *testing.T, st *store.Store, ev port.Event, name string, version int, value any) {
	t.Helper()
	data, err := json.Marshal(value)
	require.NoError(t, err)
	require.NoError(t, st.Record(t.Context(), ev, port.RunID(ev.Delivery), name, port.Step{Version: version, Data: data}))
}

func TestAPageShowsARunFromTheQueueToItsEnd(t *testing.T) {
	t.Parallel()
	st, err := store.Open(t.Context(), store.Options{Dir: storetest.Folder(t)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, st.Close()) })
	var live view.Live
	pages := pageRuns{store: st, slug: func() string { return "tenon" }, live: func(string) view.Live { return live },
		models: []port.ModelInfo{{Name: "m", Price: port.Price{Output: 10}}}}
	id := port.RunID("d")
	shown := func(hidden bool) view.Run {
		t.Helper()
		r, err := pages.Run(t.Context(), id, hidden)
		require.NoError(t, err)
		require.Equal(t, id, r.ID)
		return r
	}
	_, err = pages.Run(t.Context(), id, false)
	require.ErrorIs(t, err, port.ErrNotFound)
	_, err = pages.Repository(t.Context(), id)
	require.ErrorIs(t, err, port.ErrNotFound)

	require.NoError(t, st.Submit(t.Context(), port.Event{Delivery: "d", Kind: port.IssueComment,
		Repo:   port.RepoRef{ID: 5, Installation: 7, Owner: "acme", Name: "lathe"},
		Thread: port.Thread{Number: 17, Pull: true}, Comment: port.Comment{ID: 3, Body: "/tenon fix it"}}))
	r := shown(false)
	require.Equal(t, view.Waiting, r.State)
	require.Equal(t, "fix", r.Request.Verb)
	require.Equal(t, []view.Act{view.ActCancel}, r.Acts)
	repo, err := pages.Repository(t.Context(), id)
	require.NoError(t, err)
	require.EqualValues(t, 5, repo.ID)

	claimed, ok, err := st.Claim(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
	_, err = st.Start(t.Context(), claimed.Event)
	require.NoError(t, err)
	storeStep(t, st, claimed.Event, "context", 4, record.Prompt{})
	reply := testdata.Edit("a.go", "one", "two")
	live = view.Live{Call: 1, Text: reply}
	r = shown(false)
	require.Equal(t, view.Running, r.State)
	require.Equal(t, view.Counts{New: 1}, r.Counts)

	storeStep(t, st, claimed.Event, "ask.1", 1, record.Turn{Kind: record.TurnFix, Plan: []record.BlockRef{{}},
		Answer: port.Answer{Text: reply, Name: "m", Usage: port.Usage{Out: 100_000}}})
	live = view.Live{}
	r = shown(false)
	require.Equal(t, reply, r.Replies[0].Text)
	require.Equal(t, "the model answered, call 1", r.Timeline[len(r.Timeline)-1].What)
	require.EqualValues(t, 1_000_000_000, r.Costs.Models[0].Nanos)
	require.Empty(t, shown(true).Replies[0].Text, "an operator who may not read the repository sees no sources")

	st.Ended(claimed.Event, port.Ended{Run: id, Delivery: "d", Outcome: port.EndAnswered, Command: "fix",
		Permission: port.PermissionWrite})
	require.NoError(t, st.Complete(t.Context(), claimed.Event))
	r = shown(false)
	require.Equal(t, view.Ended, r.State)
	require.Equal(t, port.EndAnswered, r.Outcome)
	require.Equal(t, view.Counts{Skipped: 1}, r.Counts, "the run ended before the edit was made")
}

func TestARunOfALaterVersionIsShownAsFarAsItIsUnderstood(t *testing.T) {
	t.Parallel()
	st, err := store.Open(t.Context(), store.Options{Dir: storetest.Folder(t)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, st.Close()) })
	require.NoError(t, st.Submit(t.Context(), port.Event{Delivery: "d", Kind: port.IssueComment,
		Repo: port.RepoRef{ID: 5}, Thread: port.Thread{Number: 17}, Comment: port.Comment{Body: "/tenon fix it"}}))
	claimed, _, err := st.Claim(t.Context())
	require.NoError(t, err)
	_, err = st.Start(t.Context(), claimed.Event)
	require.NoError(t, err)
	storeStep(t, st, claimed.Event, "novelty", 1, "of a later version")
	pages := pageRuns{store: st, slug: func() string { return "tenon" },
		live: func(string) view.Live { return view.Live{} }}
	r, err := pages.Run(t.Context(), port.RunID("d"), false)
	require.NoError(t, err)
	require.Equal(t, "/tenon fix it", r.Request.Text)
	require.Contains(t, r.Problems[0], "Another version of tenon")
}
