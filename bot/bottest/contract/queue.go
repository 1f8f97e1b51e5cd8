package contract

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// QueueStage is an empty queue with its records and budgets, on which the contracts of port.Runs, port.ThreadQueue and
// port.Budget are played, and what the queue's workers use of it. A lease is valid for bottest.Lease.
type QueueStage interface {
	port.Runs
	port.ThreadQueue
	port.Budget

	Submit(ctx context.Context, ev port.Event) error
	Claim(ctx context.Context, immediate bool) (bottest.Claim, bool, error)
	Renew(ctx context.Context, ev port.Event) (*port.CancelledError, error)
	Complete(ctx context.Context, ev port.Event) error
	Retry(ctx context.Context, ev port.Event, cause error, after time.Duration) error
	Sleep(ctx context.Context, ev port.Event, wait *port.WaitError, cause error, patience time.Duration,
		gaveUp port.WaitReason) (bool, error)
	DeadLetter(ctx context.Context, ev port.Event, cause error) error
	Release(ctx context.Context, ev port.Event) error

	// Now is the time, by the queue's clock; Pass lets it pass.
	Now() time.Time
	Pass(d time.Duration)
}

// queueEvent is a command of ada in a thread of acme/lathe.
func queueEvent(delivery string, number int) port.Event {
	return port.Event{Delivery: delivery, Kind: port.IssueComment, Action: "created",
		Repo:    port.RepoRef{Installation: 500, ID: 700, Owner: "acme", Name: "lathe"},
		Thread:  port.Thread{Number: number, Pull: true, Title: "Mind <the> gap"},
		Comment: port.Comment{Kind: port.IssueComment, ID: 7, Body: "/tenon fix\r\n", Author: port.User{ID: 3, Login: "ada"}},
		Sender:  port.User{ID: 3, Login: "ada"}, Received: time.Date(2026, 2, 3, 4, 5, 6, 789, time.UTC)}
}

func immediateEvent(delivery string) port.Event {
	ev := queueEvent(delivery, 1)
	ev.Immediate = true
	return ev
}

func submit(t *testing.T, s QueueStage, events ...port.Event) {
	for _, ev := range events {
		require.NoError(t, s.Submit(t.Context(), ev))
	}
}

// claim claims the event that is expected.
func claim(t *testing.T, s QueueStage, immediate bool, delivery string) bottest.Claim {
	c, ok, err := s.Claim(t.Context(), immediate)
	require.NoError(t, err)
	require.True(t, ok, "there is nothing to claim, and not %s", delivery)
	require.Equal(t, delivery, c.Event.Delivery)
	return c
}

func noClaim(t *testing.T, s QueueStage, immediate bool) {
	c, ok, err := s.Claim(t.Context(), immediate)
	require.NoError(t, err)
	require.False(t, ok, "%s was claimed", c.Event.Delivery)
}

// taken accepts an event and claims it.
func taken(t *testing.T, s QueueStage, ev port.Event) port.Event {
	submit(t, s, ev)
	return claim(t, s, ev.Immediate, ev.Delivery).Event
}

// begun accepts an event, claims it and starts its run.
func begun(t *testing.T, s QueueStage, ev port.Event) (port.Event, port.Run) {
	leased := taken(t, s, ev)
	return leased, must(s.Start(t.Context(), leased))(t)
}

// step is a recorded outcome, in the third version of its form.
func step(data string) port.Step { return port.Step{Version: 3, Data: []byte(data)} }

// recorded is begun with a recorded step, and then done.
func recorded(t *testing.T, s QueueStage, ev port.Event, steps ...string) {
	leased, run := begun(t, s, ev)
	for _, name := range steps {
		require.NoError(t, s.Record(t.Context(), leased, run.ID, name, step(`{"of":"`+ev.Delivery+`"}`)))
	}
	require.NoError(t, s.Complete(t.Context(), leased))
}

var queueStories = []story[QueueStage]{
	{"an event is claimed as it was accepted", func(t *testing.T, s QueueStage) {
		want := queueEvent("a", 1)
		want.Button, want.Label, want.Before = &port.Button{Verb: "undo", Run: "abcdefghijkl", Check: 5}, "tenon", "before"
		want.Comment.Body = strings.Repeat("\x01<&>\u2028\"\\", 9000) // what is long as JSON
		noClaim(t, s, false)
		submit(t, s, want)
		got := claim(t, s, false, "a")
		require.NotEmpty(t, got.Event.Lease)
		require.False(t, got.Event.Notified)
		want.Lease, want.Attempt = got.Event.Lease, 1
		require.Equal(t, bottest.Claim{Event: want}, got)
		noClaim(t, s, false)
	}},
	{"the events of a thread come in order, one at a time", func(t *testing.T, s QueueStage) {
		submit(t, s, queueEvent("a", 1), queueEvent("b", 1), queueEvent("c", 2))
		a, c := claim(t, s, false, "a"), claim(t, s, false, "c")
		noClaim(t, s, false)
		require.NoError(t, s.Complete(t.Context(), a.Event))
		b := claim(t, s, false, "b")
		require.NotEqual(t, a.Event.Lease, b.Event.Lease)
		submit(t, s, queueEvent("d", 1))
		noClaim(t, s, false)
		require.NoError(t, s.DeadLetter(t.Context(), b.Event, errors.New("no use")))
		require.NoError(t, s.Complete(t.Context(), claim(t, s, false, "d").Event))
		require.NoError(t, s.Complete(t.Context(), c.Event))
		noClaim(t, s, false)
	}},
	{"an event that was acknowledged says so at every claim", func(t *testing.T, s QueueStage) {
		submit(t, s, queueEvent("d1", 1), queueEvent("d2", 2))
		require.NoError(t, s.Acknowledged(t.Context(), queueEvent("d2", 2)), "without a lease")
		first := claim(t, s, false, "d1").Event
		require.False(t, first.Acknowledged)
		require.True(t, claim(t, s, false, "d2").Event.Acknowledged)
		require.NoError(t, s.Acknowledged(t.Context(), first))
		require.NoError(t, s.Release(t.Context(), first))
		require.True(t, claim(t, s, false, "d1").Event.Acknowledged)
		require.NoError(t, s.Acknowledged(t.Context(), queueEvent("unknown", 1)))
	}},
	{"an immediate event neither waits nor lets wait", func(t *testing.T, s QueueStage) {
		submit(t, s, queueEvent("a", 1), immediateEvent("x"), immediateEvent("y"), queueEvent("b", 2))
		x := claim(t, s, true, "x").Event
		require.True(t, x.Immediate)
		a := claim(t, s, false, "a")
		require.NotEqual(t, x.Lease, claim(t, s, true, "y").Event.Lease)
		noClaim(t, s, true)
		require.NoError(t, s.Complete(t.Context(), a.Event))
		claim(t, s, false, "b")
	}},
	{"the same delivery twice is one event", func(t *testing.T, s QueueStage) {
		submit(t, s, queueEvent("a", 1), queueEvent("a", 1))
		a := claim(t, s, false, "a")
		submit(t, s, queueEvent("a", 1))
		noClaim(t, s, false)
		require.NoError(t, s.Retry(t.Context(), a.Event, errors.New("later"), time.Minute))
		submit(t, s, queueEvent("a", 1))
		noClaim(t, s, false) // a second delivery does not make the retry due
		s.Pass(time.Minute)
		require.NoError(t, s.Complete(t.Context(), claim(t, s, false, "a").Event))
		submit(t, s, queueEvent("a", 1))
		noClaim(t, s, false)
	}},
	{"the same comment under two delivery ids is one event", func(t *testing.T, s QueueStage) {
		first, twin, edited := queueEvent("a", 1), queueEvent("b", 1), queueEvent("c", 1)
		first.Comment.Updated = time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
		twin.Comment.Updated, edited.Comment.Updated = first.Comment.Updated, first.Comment.Updated.Add(time.Second)
		submit(t, s, first, twin, edited)
		for _, name := range []string{"a", "c"} {
			require.NoError(t, s.Complete(t.Context(), claim(t, s, false, name).Event))
		}
		submit(t, s, twin)
		noClaim(t, s, false)
	}},
	{"attempts are counted, and not by a release", func(t *testing.T, s QueueStage) {
		submit(t, s, queueEvent("a", 1))
		for attempt := 1; attempt <= 4; attempt++ {
			failed := claim(t, s, false, "a")
			require.Equal(t, attempt, failed.Event.Attempt)
			require.NoError(t, s.Retry(t.Context(), failed.Event, errors.New("x"), 0))
		}
		fifth := claim(t, s, false, "a")
		require.NoError(t, s.Release(t.Context(), fifth.Event))
		again := claim(t, s, false, "a")
		require.Equal(t, 5, again.Event.Attempt, "as if it had not been claimed")
		require.NotEqual(t, fifth.Event.Lease, again.Event.Lease)
		again.Event.Attempt = 2 // the worker decides what counts
		require.NoError(t, s.Retry(t.Context(), again.Event, errors.New("x"), 0))
		require.Equal(t, 3, claim(t, s, false, "a").Event.Attempt)
	}},
	{"an event during which the process dies is claimed to fail in the end", func(t *testing.T, s QueueStage) {
		submit(t, s, queueEvent("a", 1))
		require.NoError(t, s.Retry(t.Context(), claim(t, s, false, "a").Event, errors.New("x"), 0))
		for i := range bottest.MaxDeaths {
			require.Equal(t, 2, claim(t, s, false, "a").Event.Attempt, "most of these only ran beside the cause")
			dies(t, s, i+1)
		}
		for attempt := range 2 {
			require.Equal(t, bottest.MaxAttempts+1+attempt, claim(t, s, false, "a").Event.Attempt,
				"only its end is to be reported")
			s.Pass(bottest.Lease + time.Second)
		}
	}},
	{"an event during which the process died often waits longer each time", func(t *testing.T, s QueueStage) {
		submit(t, s, queueEvent("a", 1), queueEvent("b", 1))
		var total time.Duration
		for i := range bottest.MaxDeaths {
			claim(t, s, false, "a")
			dies(t, s, i+1) // nothing of its thread is claimed meanwhile
			total += bottest.DeathDelay(i + 1)
		}
		require.Less(t, total, 2*time.Minute)
		require.Equal(t, bottest.MaxAttempts+1, claim(t, s, false, "a").Event.Attempt, "its end is reported at once")
	}},
	{"an event that gets further loses nothing when the process dies", func(t *testing.T, s QueueStage) {
		submit(t, s, queueEvent("a", 1))
		var ev port.Event
		deaths := 0
		dieAfter := func(attempt int, steps ...string) {
			ev = claim(t, s, false, "a").Event
			require.Equal(t, attempt, ev.Attempt)
			run := must(s.Start(t.Context(), ev))(t)
			for _, name := range steps {
				require.NoError(t, s.Record(t.Context(), ev, run.ID, name, step(`1`)))
			}
			deaths++
			dies(t, s, deaths)
		}
		for _, name := range []string{"target", "reply", "apply.1"} {
			for range bottest.MaxDeaths - 2 {
				dieAfter(1)
			}
			deaths = 0
			dieAfter(1, name)
		}
		for i := range bottest.MaxDeaths - 1 {
			dieAfter(1, fmt.Sprintf("apply.%d", 2+i))
		}
		dieAfter(bottest.MaxAttempts + 1) // it applied the same edits again and again
	}},
	{"a retry waits, and keeps the rest of its thread waiting", func(t *testing.T, s QueueStage) {
		submit(t, s, queueEvent("a", 1), queueEvent("b", 1))
		require.NoError(t, s.Retry(t.Context(), claim(t, s, false, "a").Event, errors.New("GitHub is away"), time.Minute))
		noClaim(t, s, false)
		submit(t, s, queueEvent("elsewhere", 2))
		require.NoError(t, s.Complete(t.Context(), claim(t, s, false, "elsewhere").Event))
		s.Pass(time.Minute - time.Millisecond)
		noClaim(t, s, false)
		s.Pass(time.Millisecond)
		again := claim(t, s, false, "a")
		require.EqualError(t, again.LastError, "GitHub is away")
		require.Equal(t, 2, again.Event.Attempt)
	}},
	{"a dead letter comes back by a redelivery alone", func(t *testing.T, s QueueStage) {
		ev, run := begun(t, s, queueEvent("a", 1))
		require.NoError(t, s.Record(t.Context(), ev, run.ID, "open", step(`{"sha":"1"}`)))
		submit(t, s, queueEvent("b", 1))
		require.NoError(t, s.DeadLetter(t.Context(), ev, errors.New("hopeless")))
		require.NoError(t, s.Complete(t.Context(), claim(t, s, false, "b").Event))
		noClaim(t, s, false)
		submit(t, s, queueEvent("a", 1), queueEvent("b", 1))
		again := claim(t, s, false, "a")
		require.Equal(t, 1, again.Event.Attempt, "with all its attempts")
		require.NoError(t, again.LastError)
		resumed := must(s.Start(t.Context(), again.Event))(t)
		require.Equal(t, run.ID, resumed.ID)
		require.Contains(t, resumed.Steps, "open")
		noClaim(t, s, false)
	}},
	{"a lease that is not renewed is lost", func(t *testing.T, s QueueStage) {
		submit(t, s, queueEvent("a", 1), queueEvent("b", 1))
		first := claim(t, s, false, "a").Event
		for range 5 {
			require.Nil(t, must(s.Renew(t.Context(), first))(t))
			s.Pass(bottest.Lease)
			noClaim(t, s, false)
		}
		s.Pass(time.Millisecond)
		second := claim(t, s, false, "a").Event // not b: the order is the same
		require.NotEqual(t, first.Lease, second.Lease)
		require.ErrorIs(t, errorOf(s.Renew(t.Context(), first)), port.ErrLeaseLost)
		for _, err := range []error{s.Complete(t.Context(), first), s.Retry(t.Context(), first, nil, 0),
			s.Release(t.Context(), first),
			s.DeadLetter(t.Context(), first, errors.New("x"))} {
			require.ErrorIs(t, err, port.ErrLeaseLost)
		}
		require.NoError(t, s.Complete(t.Context(), second))
		require.ErrorIs(t, s.Complete(t.Context(), second), port.ErrLeaseLost, "what is done has no lease")
	}},
}

// dies lets the lease run out of the one event that is leased, which had so many deaths with this one, and the delay
// after it.
func dies(t *testing.T, s QueueStage, deaths int) {
	s.Pass(bottest.Lease + time.Second)
	if delay := bottest.DeathDelay(deaths); delay > 0 {
		noClaim(t, s, false)
		s.Pass(delay - time.Millisecond)
		noClaim(t, s, false)
		s.Pass(time.Millisecond)
	}
}
