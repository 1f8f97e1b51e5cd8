package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/storetest"
	"github.com/tenon-bot/tenon/internal/web"
)

func TestAClickOnAPageIsAnEventOfTheVisitor(t *testing.T) {
	t.Parallel()
	of := port.Event{Delivery: "d", Kind: port.IssueComment, Repo: port.RepoRef{ID: 5, Installation: 7, Owner: "acme"},
		Thread: port.Thread{Number: 17, Pull: true}, Sender: port.User{ID: 1, Login: "maria"}}
	run := port.RunID("d")
	var got []port.Event
	var refuses error
	now := time.Unix(100, 0)
	acts := pageActs{
		eventOf: func(_ context.Context, id string) (port.Event, error) {
			if id != run {
				return port.Event{}, port.ErrNotFound
			}
			return of, nil
		},
		submit: func(_ context.Context, ev port.Event) error { got = append(got, ev); return refuses },
		now:    func() time.Time { return now },
	}
	victor := web.Visitor{ID: 2, Login: "victor", Operator: true}
	id, err := acts.Act(t.Context(), victor, run, view.ActApply, []int{2})
	require.NoError(t, err)
	require.Len(t, got, 1)
	require.Equal(t, port.RunID(got[0].Delivery), id)
	require.Equal(t, port.User{ID: 2, Login: "victor"}, got[0].Sender)
	require.Equal(t, of.Thread, got[0].Thread)
	require.Equal(t, &port.Button{Verb: "apply", Run: run, Blocks: []int{2}}, got[0].Button)

	now = now.Add(time.Second)
	again, err := acts.Act(t.Context(), victor, run, view.ActApply, []int{2})
	require.NoError(t, err)
	require.Equal(t, id, again, "a double click is one command")
	now = now.Add(doubleClick)
	for _, other := range []struct {
		of     web.Visitor
		act    view.Act
		blocks []int
	}{{victor, view.ActApply, []int{2}}, {victor, view.ActApply, []int{2, 3}}, {victor, view.ActUndo, nil},
		{web.Visitor{ID: 3, Login: "olga"}, view.ActUndo, nil}} {
		another, err := acts.Act(t.Context(), other.of, run, other.act, other.blocks)
		require.NoError(t, err)
		require.NotEqual(t, id, another)
		id = another
	}
	got = got[:2]

	_, err = acts.Act(t.Context(), victor, "aaaabbbbcccc", view.ActUndo, nil)
	require.ErrorIs(t, err, port.ErrNotFound)
	var refused *port.UserError
	_, err = acts.Act(t.Context(), victor, run, view.ActApply, nil)
	require.ErrorAs(t, err, &refused)
	require.Contains(t, refused.Text, "No edit is selected")
	_, err = acts.Act(t.Context(), victor, run, "fix", nil)
	require.ErrorAs(t, err, &refused, "not every command is one of a page")
	require.Len(t, got, 2, "none of these is submitted")

	refuses = &port.TooMany{Of: "sender", Limit: 30}
	_, err = acts.Act(t.Context(), victor, run, view.ActUndo, nil)
	require.ErrorAs(t, err, &refused)
	require.Contains(t, refused.Text, "at most 30 an hour")
	refuses = errors.New("the disk is full")
	_, err = acts.Act(t.Context(), victor, run, view.ActUndo, nil)
	require.ErrorIs(t, err, refuses)
}

func TestWhatAPageOffersForARunDependsOnItsState(t *testing.T) {
	t.Parallel()
	st, err := store.Open(t.Context(), store.Options{Dir: storetest.Folder(t)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, st.Close()) })
	ev := port.Event{Delivery: "d", Kind: port.IssueComment, Repo: port.RepoRef{ID: 5, Installation: 7},
		Thread: port.Thread{Number: 17}, Comment: port.Comment{ID: 3, Body: "/tenon fix it"}}
	require.NoError(t, st.Submit(t.Context(), ev))
	run := history.Run{Event: ev, Record: record.Record{ID: port.RunID("d")}}
	offers := func(state view.State) []view.Act {
		t.Helper()
		acts, apply, err := actsNow(t.Context(), st, "tenon", state, run)
		require.NoError(t, err)
		require.Empty(t, apply)
		return acts
	}
	cancel := []view.Act{view.ActCancel}
	require.Equal(t, cancel, offers(view.Waiting))
	require.Equal(t, cancel, offers(view.Running))
	require.Equal(t, cancel, offers(view.Sleeping))
	require.Empty(t, offers(view.Ended))
	run.Committing = true
	require.Empty(t, offers(view.Running), "it is too late")
	run.Committing = false
	run.Event.Immediate = true
	require.Empty(t, offers(view.Running), "a cancel does not end it")
	run.Event.Immediate = false
	run.Committed = &record.Committed{SHA: "89abcdef0123456789abcdef0123456789abcdef"}
	require.Equal(t, []view.Act{view.ActUndo}, offers(view.Ended))
}
