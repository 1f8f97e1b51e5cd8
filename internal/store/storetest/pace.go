package storetest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// perMinute is how many writes atMost allows in a minute.
const perMinute = 30

func atMost(s port.PaceState) time.Duration {
	if s.Blocked > 0 {
		return s.Blocked
	}
	if len(s.Writes) < perMinute {
		return 0
	}
	return s.Writes[len(s.Writes)-perMinute].At.Add(time.Minute).Sub(s.Now)
}

func paceIsOneForAll(t *testing.T, open Open) {
	s := open(t, store.Options{})
	for installation := range int64(4) { // writers meet at the last place of each
		var sent atomic.Int64
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				for range 5 {
					wait, err := s.Pace().Write(t.Context(), installation, port.OtherWrite, atMost)
					switch {
					case err != nil:
						t.Error(err)
					case wait <= 0:
						sent.Add(1)
					}
				}
			})
		}
		all.Wait()
		require.EqualValues(t, perMinute, sent.Load(), "no two writers take the same place")
	}
	wait, err := s.Pace().Write(t.Context(), 8, port.OtherWrite, atMost)
	require.NoError(t, err)
	require.LessOrEqual(t, wait, time.Duration(0), "another installation has a pace of its own")
}

func paceIsRemembered(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	write := func(kind port.WriteKind) port.PaceState {
		t.Helper()
		var state port.PaceState
		_, err := s.Pace().Write(t.Context(), 7, kind, func(s port.PaceState) time.Duration {
			state = s
			return 0
		})
		require.NoError(t, err)
		return state
	}
	first := clock.Now()
	require.Empty(t, write(port.QueuedNotice).Writes)
	clock.move(time.Minute)
	state := write(port.Acknowledgement)
	require.Len(t, state.Writes, 1)
	require.Equal(t, port.QueuedNotice, state.Writes[0].Kind)
	require.True(t, state.Writes[0].At.Equal(first))
	require.True(t, state.Now.Equal(clock.Now()))
	clock.move(time.Hour - time.Minute)
	state = write(port.OtherWrite)
	require.Len(t, state.Writes, 2, "an hour is remembered")
	require.Equal(t, port.Acknowledgement, state.Writes[1].Kind)
	clock.move(2 * time.Minute)
	require.Len(t, write(port.OtherWrite).Writes, 2)
	refused, err := s.Pace().Write(t.Context(), 7, port.OtherWrite,
		func(port.PaceState) time.Duration { return time.Second })
	require.NoError(t, err)
	require.Equal(t, time.Second, refused)
	require.Len(t, write(port.OtherWrite).Writes, 3, "a write that has to wait is not logged")
}

func paceIsBlocked(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	blocked := func(installation int64) time.Duration {
		t.Helper()
		d, err := s.Pace().Blocked(t.Context(), installation)
		require.NoError(t, err)
		return max(0, d)
	}
	require.Zero(t, blocked(7))
	require.NoError(t, s.Pace().Block(t.Context(), 7, time.Minute))
	require.NoError(t, s.Pace().Block(t.Context(), 7, time.Second), "a shorter wait ends no longer one")
	require.Equal(t, time.Minute, blocked(7))
	require.Zero(t, blocked(8))
	wait, err := s.Pace().Write(t.Context(), 7, port.Acknowledgement, atMost)
	require.NoError(t, err)
	require.Equal(t, time.Minute, wait)
	clock.move(time.Minute)
	require.Zero(t, blocked(7))
	wait, err = s.Pace().Write(t.Context(), 7, port.Acknowledgement, atMost)
	require.NoError(t, err)
	require.LessOrEqual(t, wait, time.Duration(0))
}

// acknowledger is a notifier that acknowledges too.
type acknowledger struct {
	*notifier
	store *store.Store
	fails func() error
}

func (a acknowledger) Acknowledge(ctx context.Context, ev port.Event) error {
	a.note("acknowledge %s", ev.Delivery)
	if a.fails != nil {
		if err := a.fails(); err != nil {
			return err
		}
	}
	return a.store.Acknowledged(ctx, ev)
}

func acknowledgedWhileWaiting(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1), event("b", 1), event("other", 2), immediate("x", 3))
		h := acknowledger{notifier: slow(time.Minute), store: s}
		work := h.handle
		h.handle = func(ctx context.Context, ev port.Event) error {
			if ev.Acknowledged {
				h.note("%s was acknowledged", ev.Delivery)
			}
			return work(ctx, ev)
		}
		workFor(t, 5*time.Minute, store.Workers{Store: s, Handler: h, Count: 1})
		calls := h.called()
		require.Contains(t, calls, "1s acknowledge other", "it waits for a worker only")
		require.Contains(t, calls, "1s acknowledge b", "before its notice")
		require.Contains(t, calls, "10s b queued behind a")
		require.Contains(t, calls, "1m0s b was acknowledged")
		require.Contains(t, calls, "2m0s other was acknowledged")
		for _, no := range []string{"acknowledge a", "acknowledge x"} {
			for _, call := range calls {
				require.NotContains(t, call, no)
			}
		}
	})
}

func acknowledgedAtMostOnce(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1), event("other", 2))
		h := acknowledger{notifier: slow(time.Hour), store: s,
			fails: func() error { return errors.New("GitHub is away") }}
		workFor(t, time.Minute, store.Workers{Store: s, Handler: h, Count: 1, Grace: time.Second})
		require.Contains(t, h.called(), "1s acknowledge other")
		again := acknowledger{notifier: slow(time.Hour), store: s} // the next process
		workFor(t, time.Minute, store.Workers{Store: s, Handler: again, Count: 1, Grace: time.Second})
		require.NotContains(t, again.called(), "1s acknowledge other")
	})
}

func acknowledgedLater(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1), event("other", 2))
		h := acknowledger{notifier: slow(2 * time.Minute), store: s}
		h.fails = func() error {
			if len(h.called()) < 4 { // the handling of a, and two acknowledgements of the other
				return &port.WaitError{For: port.GitHubLimit, After: 20 * time.Second, Err: errors.New("no room")}
			}
			return nil
		}
		workFor(t, 5*time.Minute, store.Workers{Store: s, Handler: h, Count: 1})
		require.Equal(t, []string{"0s handle a", "1s acknowledge other", "21s acknowledge other", "41s acknowledge other",
			"2m0s handle other"}, roundedTo(t, h.called()))
	})
}

// An outage of GitHub is waited out.
func acknowledgedAfterAnOutage(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1), event("other", 2))
		h := acknowledger{notifier: slow(time.Hour), store: s}
		answers := away(10 * time.Minute)
		h.fails = func() error { return answers(t.Context()) }
		workFor(t, 5*time.Minute, store.Workers{Store: s, Handler: h, Count: 1, Grace: time.Second})
		workFor(t, 6*time.Minute, store.Workers{Store: s, Handler: h, Count: 1, Grace: time.Second}) // the next process
		calls := h.called()
		at, what, _ := strings.Cut(calls[len(calls)-1], " ")
		require.Equal(t, "acknowledge other", what)
		last, err := time.ParseDuration(at)
		require.NoError(t, err)
		require.InDelta(t, 10*time.Minute+3*time.Second, last, float64(3*time.Second))
	})
}

// An event that comes to a worker while it is acknowledged is handled then: it is acknowledged once.
func acknowledgedBeforeClaim(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1), event("other", 2))
		h := acknowledger{notifier: slow(2 * time.Second), store: s}
		h.fails = func() error { time.Sleep(3 * time.Second); return nil }
		work := h.handle
		h.handle = func(ctx context.Context, ev port.Event) error {
			if ev.Acknowledged {
				h.note("%s was acknowledged", ev.Delivery)
			}
			return work(ctx, ev)
		}
		workFor(t, time.Minute, store.Workers{Store: s, Handler: h, Count: 1})
		require.Equal(t, []string{"0s handle a", "1s acknowledge other", "4s handle other", "4s other was acknowledged"},
			h.called())
	})
}

// A process that ended while it acknowledged an event leaves that to the next one.
func acknowledgedByTheNextProcess(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1), event("other", 2), event("behind", 2))
		h := acknowledger{notifier: slow(time.Hour), store: s}
		ctx, die := context.WithCancel(t.Context())
		h.fails = func() error { die(); time.Sleep(2 * time.Minute); return nil }
		dead := store.Workers{Store: s, Handler: h, Count: 1, Grace: time.Second}
		require.Error(t, dead.Run(ctx))
		next := acknowledger{notifier: slow(time.Hour), store: s}
		workFor(t, time.Minute, store.Workers{Store: s, Handler: next, Count: 1, Grace: time.Second})
		acknowledged := 0
		for _, call := range next.called() {
			if strings.Contains(call, "acknowledge") {
				acknowledged++
			}
		}
		require.Equal(t, 2, acknowledged, "%v", next.called())
		time.Sleep(2 * time.Minute) // the calls of the dead one end
	})
}

// roundedTo returns calls without what half a second of polling adds to their times.
func roundedTo(t *testing.T, calls []string) (list []string) {
	t.Helper()
	for _, call := range calls {
		at, what, _ := strings.Cut(call, " ")
		d, err := time.ParseDuration(at)
		require.NoError(t, err)
		if d > time.Minute {
			list = append(list, call)
			continue
		}
		list = append(list, (d-d%(20*time.Second)+min(d%(20*time.Second), time.Second)).String()+" "+what)
	}
	return list
}
