package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/internal/doctor"
	"github.com/tenon-bot/tenon/internal/gh"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/storetest"
	"github.com/tenon-bot/tenon/internal/web"
)

func TestTheQueueOfThePagesSaysWhatComesFirst(t *testing.T) {
	t.Parallel()
	event := func(delivery string, thread int, state store.EventState) store.EventInfo {
		return store.EventInfo{State: state, Event: port.Event{Delivery: delivery, Repo: port.RepoRef{ID: 1},
			Thread: port.Thread{Number: thread}}}
	}
	asleep := event("asleep", 2, store.EventSleeping)
	asleep.WaitsFor = port.ModelOutage
	failed := event("failed", 4, store.EventSleeping)
	failed.Error = "a path of the disk"
	help := event("help", 1, store.EventWaiting)
	help.Event.Immediate = true
	type place struct {
		Position int
		Why      string
	}
	var got []place
	for _, o := range openEvents([]store.EventInfo{event("running", 1, store.EventRunning), event("behind", 1,
		store.EventWaiting), asleep, failed, event("after-sleep", 2, store.EventWaiting), help,
		event("free", 3, store.EventWaiting), event("dead", 3, store.EventDeadLetter)}) {
		got = append(got, place{o.Position, o.Why})
	}
	require.Equal(t, []place{
		{0, ""}, {1, "run " + port.RunID("running") + " of the same thread comes first"}, {0, "the model is not answering"},
		{0, "an attempt failed"}, {2, "run " + port.RunID("asleep") + " of the same thread comes first"},
		{0, "it waits for a worker"}, {3, "it waits for a worker"}, {0, "it failed for good; its answer says why"},
	}, got)
}

// installedGitHub is a doctor.GitHub with installations.
type installedGitHub struct {
	doctor.GitHub
	list []port.Installation
	err  error
}

func (g installedGitHub) App(context.Context) (port.App, error) {
	return port.App{ID: 1, Slug: "tenon"}, g.err
}

func (g installedGitHub) Installations(context.Context) ([]port.Installation, bool, error) {
	return g.list, true, g.err
}

func TestThePagesOfOperatorsChangeDeadLettersAndShowWhatIsInstalled(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	st, err := store.Open(ctx, store.Options{Dir: storetest.Folder(t)})
	require.NoError(t, err)
	defer func() { require.NoError(t, st.Close()) }()
	var log bytes.Buffer
	github := installedGitHub{list: []port.Installation{{ID: 7, Account: "acme"},
		{ID: 8, Account: "octo", Suspended: true}, {ID: 9, Account: "stranger"}}}
	p := pageOperations{store: st, server: doctor.Server{GitHub: &github, Owners: []string{"acme", "octo"}}, now: time.Now,
		log: slog.New(slog.NewTextHandler(&log, nil)),
		rateLimit: func(_ context.Context, installation int64) (gh.RateLimit, error) {
			require.EqualValues(t, 7, installation, "the others cannot be asked for")
			return gh.RateLimit{Left: 4999, Limit: 5000, Reset: time.Now().Add(time.Hour)}, nil
		}}
	ann := web.Visitor{ID: 1, Login: "ann", Operator: true}
	require.NoError(t, st.Submit(ctx, port.Event{Delivery: "d", Repo: port.RepoRef{ID: 1, Installation: 7, Owner: "acme",
		Name: "lathe"}, Thread: port.Thread{Number: 1}}))
	c, ok, err := st.Claim(ctx)
	require.NoError(t, err)
	require.True(t, ok)
	require.NoError(t, st.DeadLetter(ctx, c.Event, errors.New("no use")))
	list, more, err := p.DeadLetters(ctx, 10)
	require.NoError(t, err)
	require.Zero(t, more)
	require.Equal(t, []any{"d", view.DeadLetter, "no use"}, []any{list[0].Delivery, list[0].State, list[0].Why})
	require.NoError(t, p.Retry(ctx, ann, "d"))
	require.Contains(t, log.String(), "operator=ann delivery=d")
	var user *port.UserError
	require.ErrorAs(t, p.Drop(ctx, ann, "d"), &user)
	require.Contains(t, user.Text, "no longer a dead letter, but waiting")
	require.ErrorIs(t, p.Retry(ctx, ann, "none"), port.ErrNotFound)

	require.NoError(t, st.Pace().Block(ctx, 7, time.Hour))
	installed, _, err := p.Installations(ctx, 10)
	require.NoError(t, err)
	var names []string
	for _, in := range installed {
		names = append(names, in.Account)
	}
	require.Equal(t, []string{"octo", "acme", "stranger"}, names, "what needs somebody comes first")
	require.Contains(t, installed[0].Problem, "is suspended")
	require.Equal(t, []int{4999, 5000}, []int{installed[1].Requests, installed[1].Limit})
	require.False(t, installed[1].Blocked.IsZero())
	require.False(t, installed[2].Served)
	github.err = errors.New("502")
	_, _, err = p.Installations(ctx, 10)
	require.ErrorAs(t, err, &user)
	require.Contains(t, user.Text, "GitHub did not list the installations")
}

func TestTheListsOfThePagesAreThoseOfTheStore(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	st, err := store.Open(ctx, store.Options{Dir: storetest.Folder(t)})
	require.NoError(t, err)
	defer func() { require.NoError(t, st.Close()) }()
	for i, repo := range []string{"lathe", "vise"} {
		require.NoError(t, st.Submit(ctx, port.Event{Delivery: repo, Thread: port.Thread{Number: i + 1}}))
		c, _, err := st.Claim(ctx)
		require.NoError(t, err)
		st.Ended(c.Event, port.Ended{Run: port.RunID(repo), Delivery: repo, Owner: "acme", Repo: repo,
			Repository: int64(i + 1), Person: "maria", Permission: port.PermissionWrite, Command: "fix",
			Outcome: port.EndAnswered})
		require.NoError(t, st.Complete(ctx, c.Event))
	}
	lists := pageLists{st}
	for _, c := range []struct {
		filter web.Filter
		want   []string
	}{
		{web.Filter{}, []string{"vise", "lathe"}}, {web.Filter{Owner: "acme", Repo: "Vise"}, []string{"vise"}},
		{web.Filter{Person: "Maria", Before: 2}, []string{"lathe"}}, {web.Filter{Outcome: port.EndFailed}, nil},
	} {
		list, err := lists.Ended(ctx, c.filter, 10)
		require.NoError(t, err)
		var got []string
		for _, e := range list {
			got = append(got, e.Delivery)
		}
		require.Equal(t, c.want, got)
	}
	repos, err := lists.Repositories(ctx, web.Filter{Owner: "acme"}, 10)
	require.NoError(t, err)
	require.Equal(t, []port.RepoRef{{ID: 2, Owner: "acme", Name: "vise"}, {ID: 1, Owner: "acme", Name: "lathe"}}, repos)
	n := 0
	each := func(port.Ended) error { n++; return nil }
	require.NoError(t, lists.Each(ctx, web.Filter{Owner: "acme"}, time.Now().Add(-time.Hour), each))
	require.Equal(t, 2, n)
	require.NoError(t, lists.Each(ctx, web.Filter{}, time.Now().Add(time.Hour), each))
	require.Equal(t, 2, n)
	_, more, err := lists.Open(ctx, 10)
	require.NoError(t, err)
	require.Zero(t, more)
}
