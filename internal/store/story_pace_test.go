package store_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
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

// acknowledger is a notifier that acknowledges too.
type acknowledger struct {
	*notifier
	store *store.Store
	fails func() error
}

// acknowledger returns one whose work takes so long.
func (s *stage) acknowledger(work time.Duration) *acknowledger {
	return &acknowledger{notifier: slow(work), store: s.Store}
}

func (a *acknowledger) Acknowledge(ctx context.Context, ev port.Event) error {
	a.note("acknowledge %s", ev.Delivery)
	if a.fails != nil {
		if err := a.fails(); err != nil {
			return err
		}
	}
	return a.store.Acknowledged(ctx, ev)
}

// notesAcknowledged has it note which events it handles that were acknowledged.
func (a *acknowledger) notesAcknowledged() {
	work := a.handle
	a.handle = func(ctx context.Context, ev port.Event) error {
		if ev.Acknowledged {
			a.note("%s was acknowledged", ev.Delivery)
		}
		return work(ctx, ev)
	}
}

// roundedTo returns calls without what half a second of polling adds to their times.
func roundedTo(s *stage, calls []string) (list []string) {
	for _, call := range calls {
		at, what, _ := strings.Cut(call, " ")
		d := must(time.ParseDuration(at))(s)
		if d > time.Minute {
			list = append(list, call)
			continue
		}
		list = append(list, (d-d%(20*time.Second)+min(d%(20*time.Second), time.Second)).String()+" "+what)
	}
	return list
}

var paceStories = []story{
	on("the pace of writes is one for all workers", store.Options{}, func(s *stage) {
		for installation := range int64(4) { // writers meet at the last place of each
			var sent atomic.Int64
			var all sync.WaitGroup
			for range 20 {
				all.Go(func() {
					for range 5 {
						wait, err := s.Pace().Write(s.Context(), installation, port.OtherWrite, atMost)
						switch {
						case err != nil:
							s.Error(err)
						case wait <= 0:
							sent.Add(1)
						}
					}
				})
			}
			all.Wait()
			require.EqualValues(s, perMinute, sent.Load(), "no two writers take the same place")
		}
		wait := must(s.Pace().Write(s.Context(), 8, port.OtherWrite, atMost))(s)
		require.LessOrEqual(s, wait, time.Duration(0), "another installation has a pace of its own")
	}),
	on("the writes of an hour are remembered", store.Options{}, func(s *stage) {
		write := func(kind port.WriteKind) port.PaceState {
			var state port.PaceState
			_, err := s.Pace().Write(s.Context(), 7, kind, func(s port.PaceState) time.Duration {
				state = s
				return 0
			})
			require.NoError(s, err)
			return state
		}
		first := s.clock.Now()
		require.Empty(s, write(port.QueuedNotice).Writes)
		s.clock.move(time.Minute)
		state := write(port.Acknowledgement)
		require.Len(s, state.Writes, 1)
		require.Equal(s, port.QueuedNotice, state.Writes[0].Kind)
		require.True(s, state.Writes[0].At.Equal(first))
		require.True(s, state.Now.Equal(s.clock.Now()))
		s.clock.move(time.Hour - time.Minute)
		state = write(port.OtherWrite)
		require.Len(s, state.Writes, 2, "an hour is remembered")
		require.Equal(s, port.Acknowledgement, state.Writes[1].Kind)
		s.clock.move(2 * time.Minute)
		require.Len(s, write(port.OtherWrite).Writes, 2)
		refused := must(s.Pace().Write(s.Context(), 7, port.OtherWrite,
			func(port.PaceState) time.Duration { return time.Second }))(s)
		require.Equal(s, time.Second, refused)
		require.Len(s, write(port.OtherWrite).Writes, 3, "a write that has to wait is not logged")
	}),
	on("a pause that GitHub asks for is one for all workers", store.Options{}, func(s *stage) {
		blocked := func(installation int64) time.Duration {
			return max(0, must(s.Pace().Blocked(s.Context(), installation))(s))
		}
		require.Zero(s, blocked(7))
		require.NoError(s, s.Pace().Block(s.Context(), 7, time.Minute))
		require.NoError(s, s.Pace().Block(s.Context(), 7, time.Second), "a shorter wait ends no longer one")
		require.Equal(s, time.Minute, blocked(7))
		require.Zero(s, blocked(8))
		wait := must(s.Pace().Write(s.Context(), 7, port.Acknowledgement, atMost))(s)
		require.Equal(s, time.Minute, wait)
		s.clock.move(time.Minute)
		require.Zero(s, blocked(7))
		wait = must(s.Pace().Write(s.Context(), 7, port.Acknowledgement, atMost))(s)
		require.LessOrEqual(s, wait, time.Duration(0))
	}),
	inBubble("an event that waits is acknowledged", func(s *stage) {
		s.submit(event("a", 1), event("b", 1), event("other", 2), immediate("x", 3))
		h := s.acknowledger(time.Minute)
		h.notesAcknowledged()
		s.workFor(5*time.Minute, store.Workers{Handler: h, Count: 1})
		calls := h.called()
		require.Contains(s, calls, "1s acknowledge other", "it waits for a worker only")
		require.Contains(s, calls, "1s acknowledge b", "before its notice")
		require.Contains(s, calls, "10s b queued behind a")
		require.Contains(s, calls, "1m0s b was acknowledged")
		require.Contains(s, calls, "2m0s other was acknowledged")
		for _, no := range []string{"acknowledge a", "acknowledge x"} {
			for _, call := range calls {
				require.NotContains(s, call, no)
			}
		}
	}),
	inBubble("an event is acknowledged at most once", func(s *stage) {
		s.submit(event("a", 1), event("other", 2))
		h := s.acknowledger(time.Hour)
		h.fails = func() error { return errors.New("GitHub is away") }
		s.workFor(time.Minute, store.Workers{Handler: h, Count: 1, Grace: time.Second})
		require.Contains(s, h.called(), "1s acknowledge other")
		again := s.acknowledger(time.Hour) // the next process
		s.workFor(time.Minute, store.Workers{Handler: again, Count: 1, Grace: time.Second})
		require.NotContains(s, again.called(), "1s acknowledge other")
	}),
	inBubble("an acknowledgement that GitHub's limits postpone comes later", func(s *stage) {
		s.submit(event("a", 1), event("other", 2))
		h := s.acknowledger(2 * time.Minute)
		h.fails = func() error {
			if len(h.called()) < 4 { // the handling of a, and two acknowledgements of the other
				return &port.WaitError{For: port.GitHubLimit, After: 20 * time.Second, Err: errors.New("no room")}
			}
			return nil
		}
		s.workFor(5*time.Minute, store.Workers{Handler: h, Count: 1})
		require.Equal(s, []string{"0s handle a", "1s acknowledge other", "21s acknowledge other", "41s acknowledge other",
			"2m0s handle other"}, roundedTo(s, h.called()))
	}),
	// An outage of GitHub is waited out.
	inBubble("an acknowledgement is sent after an outage", func(s *stage) {
		s.submit(event("a", 1), event("other", 2))
		h := s.acknowledger(time.Hour)
		answers := away(10 * time.Minute)
		h.fails = func() error { return answers(s.Context()) }
		s.workFor(5*time.Minute, store.Workers{Handler: h, Count: 1, Grace: time.Second})
		s.workFor(6*time.Minute, store.Workers{Handler: h, Count: 1, Grace: time.Second}) // the next process
		calls := h.called()
		at, what, _ := strings.Cut(calls[len(calls)-1], " ")
		require.Equal(s, "acknowledge other", what)
		require.InDelta(s, 10*time.Minute+3*time.Second, must(time.ParseDuration(at))(s), float64(3*time.Second))
	}),
	// An event that comes to a worker while it is acknowledged is handled then: it is acknowledged once.
	inBubble("no event is handled while it is acknowledged", func(s *stage) {
		s.submit(event("a", 1), event("other", 2))
		h := s.acknowledger(2 * time.Second)
		h.fails = func() error { time.Sleep(3 * time.Second); return nil }
		h.notesAcknowledged()
		s.workFor(time.Minute, store.Workers{Handler: h, Count: 1})
		require.Equal(s, []string{"0s handle a", "1s acknowledge other", "4s handle other", "4s other was acknowledged"},
			h.called())
	}),
	// A process that ended while it acknowledged an event leaves that to the next one.
	inBubble("what a process did not acknowledge to the end, the next one does", func(s *stage) {
		s.submit(event("a", 1), event("other", 2), event("behind", 2))
		h := s.acknowledger(time.Hour)
		ctx, die := context.WithCancel(s.Context())
		h.fails = func() error { die(); time.Sleep(2 * time.Minute); return nil }
		dead := store.Workers{Store: s.Store, Handler: h, Count: 1, Grace: time.Second}
		require.Error(s, dead.Run(ctx))
		next := s.acknowledger(time.Hour)
		s.workFor(time.Minute, store.Workers{Handler: next, Count: 1, Grace: time.Second})
		require.Equal(s, 2, strings.Count(strings.Join(next.called(), "\n"), "acknowledge"), "%v", next.called())
		time.Sleep(2 * time.Minute) // the calls of the dead one end
	}),
}
