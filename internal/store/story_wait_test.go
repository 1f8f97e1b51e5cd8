package store_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// outage returns the error of a run that found GitHub unreachable.
func outage() error {
	return fmt.Errorf("reading the pull request: %w", &port.WaitError{For: port.GitHubOutage, Err: errors.New("503")})
}

// limit returns the error of a run that has to wait for a time.
func limit(after time.Duration) error {
	return fmt.Errorf("commenting: %w", &port.WaitError{For: port.GitHubLimit, After: after, Err: errors.New("429")})
}

// failingFor returns work that fails until the time has passed.
func failingFor(d time.Duration, err error) work {
	begun := time.Now()
	return func(context.Context, port.Event) error {
		if time.Since(begun) < d {
			return err
		}
		return nil
	}
}

// requireOutage requires the error of a GitHub that cannot be reached.
func requireOutage(s *stage, err error, why ...any) {
	var wait *port.WaitError
	require.ErrorAs(s, err, &wait, why...)
	require.Equal(s, port.GitHubOutage, wait.For)
}

type permanentWait struct{ *port.WaitError }

func (permanentWait) Permanent() bool { return true }

func (e permanentWait) Unwrap() error { return e.WaitError }

var waitStories = []story{
	inBubble("waiting uses up no attempt", func(s *stage) {
		s.submit(event("a", 1))
		var attempts []int
		outage := failingFor(2*time.Hour, outage())
		h := &handler{handle: func(ctx context.Context, ev port.Event) error {
			attempts = append(attempts, ev.Attempt)
			return outage(ctx, ev)
		}}
		s.workFor(3*time.Hour, store.Workers{Handler: h, Poll: time.Minute})
		require.Greater(s, len(attempts), 5*store.MaxAttempts)
		require.Less(s, len(attempts), 50, "not more often than every few minutes")
		for _, n := range attempts {
			require.Equal(s, 1, n)
		}
		require.Equal(s, store.Stats{}, s.queued())
	}),
	inBubble("a process that could handle nothing tells nobody", func(s *stage) {
		begun := time.Now()
		hold := func() bool { return time.Since(begun) < time.Minute }
		s.submit(event("a", 1), event("b", 1))
		h := s.acknowledger(30 * time.Second)
		h.fails = func() error {
			require.False(s, hold())
			return nil
		}
		s.workFor(2*time.Minute, store.Workers{Handler: h, Hold: hold})
		require.Contains(s, fmt.Sprint(h.called()), "acknowledge b")
	}),
	// Of events of every lane, none is claimed while the workers are held, however long; then all
	// are at once. What slept before is handled as its first attempt, and sooner than it would after such a time.
	inBubble("a process that could handle nothing claims nothing", func(s *stage) {
		begun := time.Now()
		elapsed := func() time.Duration { return time.Since(begun) }
		s.submit(event("slept", 1))
		attempts := map[string][]int{}
		var mu sync.Mutex
		h := &handler{handle: func(_ context.Context, ev port.Event) error {
			mu.Lock()
			defer mu.Unlock()
			if attempts[ev.Delivery] = append(attempts[ev.Delivery], ev.Attempt); elapsed() < time.Minute {
				return &port.WaitError{For: port.AppRefused, Err: errors.New("401")}
			}
			return nil
		}}
		hold := func() bool { return elapsed() > time.Second && elapsed() < 10*time.Hour }
		s.workFor(time.Minute, store.Workers{Handler: h, Hold: hold})
		s.submit(event("later", 2))
		s.submit(immediate("immediate", 1))
		s.workFor(10*time.Hour-elapsed()-time.Second, store.Workers{Handler: h, Hold: hold})
		require.Equal(s, map[string][]int{"slept": {1}}, attempts)
		require.Equal(s, 3, s.queued().Ready)
		s.workFor(30*time.Second, store.Workers{Handler: h, Hold: hold})
		require.Equal(s, map[string][]int{"slept": {1, 1}, "later": {1}, "immediate": {1}}, attempts)
		require.Equal(s, store.Stats{}, s.queued())
	}),
	inBubble("failures are counted beside waits", func(s *stage) {
		s.submit(event("a", 1))
		calls := 0
		h := &handler{handle: func(context.Context, port.Event) error {
			if calls++; calls%2 == 1 {
				return outage()
			}
			return errors.New("broken")
		}}
		s.workFor(time.Hour, store.Workers{Handler: h, Poll: 30 * time.Second})
		require.Equal(s, 2*store.MaxAttempts, calls)
		require.Contains(s, h.called()[calls], "dead letter a: broken")
	}),
	inBubble("an event sleeps as long as it is asked to", func(s *stage) {
		s.submit(event("a", 1))
		var at []time.Duration
		begun := time.Now()
		h := &handler{handle: func(context.Context, port.Event) error {
			if at = append(at, time.Since(begun)); len(at) == 1 {
				return limit(40 * time.Minute)
			}
			return nil
		}}
		s.workFor(time.Hour, store.Workers{Handler: h, Poll: 30 * time.Second})
		require.Len(s, at, 2)
		require.GreaterOrEqual(s, at[1], 40*time.Minute)
		require.Less(s, at[1], 41*time.Minute)
	}),
	inBubble("sleeps of unknown length grow, and are bounded", func(s *stage) {
		s.submit(event("a", 1))
		var at []time.Time
		down := failingFor(45*time.Minute, outage())
		h := &handler{handle: func(ctx context.Context, ev port.Event) error {
			at = append(at, time.Now())
			return down(ctx, ev)
		}}
		s.workFor(50*time.Minute, store.Workers{Handler: h, Poll: 20 * time.Second})
		require.LessOrEqual(s, at[1].Sub(at[0]), 20*time.Second)
		for i := range at[1:] {
			require.Less(s, at[i+1].Sub(at[i]), 7*time.Minute, "GitHub may be back")
		}
		require.Greater(s, at[len(at)-1].Sub(at[len(at)-2]), 4*time.Minute)
	}),
	inBubble("a sleeping event keeps its thread, and no worker", func(s *stage) {
		s.submit(event("a", 1), event("b", 1), event("c", 2))
		h := &handler{handle: times(1, limit(10*time.Minute))}
		s.workFor(20*time.Minute, store.Workers{Handler: h, Count: 1})
		calls := h.called()
		require.Len(s, calls, 4)
		require.Equal(s, []string{"0s handle a", "0s handle c"}, calls[:2], "the worker is free for another thread")
		require.Regexp(s, `^10m\d+s handle a$`, calls[2])
		require.Regexp(s, `^10m\d+s handle b$`, calls[3])
	}),
	inBubble("patience ends, also across a restart", func(s *stage) {
		s.submit(event("a", 1))
		h := &handler{handle: always(outage())}
		workers := store.Workers{Handler: h, Patience: time.Hour, Poll: 30 * time.Second}
		s.workFor(50*time.Minute, workers)
		require.Equal(s, store.Stats{Ready: 1}, s.queued())
		s.workFor(50*time.Minute, workers) // after a restart
		require.Len(s, h.causes, 1)
		requireOutage(s, h.causes[0])
		calls := h.called()
		require.Regexp(s, `^1h0m\d*s dead letter a`, calls[len(calls)-1], "the last attempt is at the end of the patience")
		require.Equal(s, store.Stats{DeadLetters: 1}, s.queued())
	}),
	// A run ends the wait for the test of its edits itself: given up by the queue, it would lose the edits.
	inBubble("the test of edits has a patience of its own", func(s *stage) {
		s.submit(event("a", 1))
		h := &handler{handle: failingFor(50*time.Minute, &port.WaitError{For: port.VerifyReport, After: 10 * time.Minute,
			Err: errors.New("the workflow runs")})}
		s.workFor(2*time.Hour, store.Workers{Handler: h, Patience: time.Minute, Poll: time.Minute})
		require.Equal(s, store.Stats{}, s.queued(), "it is done, and no dead letter")
	}),
	inBubble("reporting a dead letter waits as long as it has to", func(s *stage) {
		s.submit(event("a", 1))
		down := failingFor(3*time.Hour, outage())
		h := &handler{handle: down, deadLetter: down}
		s.workFor(4*time.Hour, store.Workers{Handler: h, Poll: 2 * time.Minute, Patience: time.Hour})
		require.Greater(s, len(h.causes), 2*store.MaxAttempts)
		for _, cause := range h.causes {
			requireOutage(s, cause, "the reason survives the sleep")
		}
		calls := h.called()
		require.Regexp(s, `^3h\d+m\d+s dead letter a`, calls[len(calls)-1], "told when GitHub is back")
		require.Equal(s, store.Stats{DeadLetters: 1}, s.queued())
	}),
	inBubble("a stop while reporting keeps what was given up", func(s *stage) {
		s.submit(event("a", 1))
		h := &handler{handle: always(outage()), deadLetter: untilEnd}
		s.workFor(2*time.Minute, store.Workers{Handler: h, Patience: time.Minute})
		again := &handler{}
		s.workFor(time.Minute, store.Workers{Handler: again})
		require.Len(s, again.called(), 1, "it is not handled again")
		requireOutage(s, again.causes[0])
		require.Equal(s, store.Stats{DeadLetters: 1}, s.queued())
	}),
	inBubble("a report that waits keeps why the work failed", func(s *stage) {
		s.submit(event("a", 1))
		h := &handler{handle: always(hopelessError{}), deadLetter: times(8, outage())}
		s.workFor(time.Hour, store.Workers{Handler: h, Poll: 30 * time.Second})
		require.Len(s, h.causes, 9, "more often than a report that fails")
		for _, cause := range h.causes {
			var wait *port.WaitError
			require.NotErrorAs(s, cause, &wait, "what the report waited for is not why the work failed")
			require.EqualError(s, cause, "hopeless")
		}
		require.Equal(s, store.Stats{DeadLetters: 1}, s.queued())
	}),
	inBubble("reporting the end of a cancelled event waits too", func(s *stage) {
		s.submit(event("a", 1))
		h := s.canceller(after(times(9, outage())))
		s.workFor(time.Hour, store.Workers{Handler: h, Poll: 30 * time.Second})
		require.Len(s, h.called(), 1+10, "more often than a report that fails")
		require.Equal(s, store.Stats{}, s.queued())
	}),
	inBubble("a broken connection is waited for", func(s *stage) {
		s.submit(event("a", 1))
		h := &handler{handle: failingFor(time.Hour, fmt.Errorf("recording: %w", &net.OpError{Op: "read", Err: io.EOF}))}
		s.workFor(70*time.Minute, store.Workers{Handler: h, Poll: time.Minute})
		require.Greater(s, len(h.called()), store.MaxAttempts)
		require.NotContains(s, fmt.Sprint(h.called()), "dead letter")
		require.Equal(s, store.Stats{}, s.queued())
	}),
	inBubble("what is permanent is not waited for", func(s *stage) {
		s.submit(event("a", 1))
		uninstalled := &port.WaitError{For: port.GitHubOutage, Err: errors.New("uninstalled")}
		h := &handler{handle: always(permanentWait{uninstalled})}
		s.workFor(time.Hour, store.Workers{Handler: h, Poll: time.Minute})
		require.Equal(s, []string{"0s handle a", "0s dead letter a: uninstalled"}, h.called())
	}),
	on("the queue of a thread says what a sleeping event waits for", store.Options{}, func(s *stage) {
		s.submit(event("a", 1), event("b", 1), event("c", 1))
		listed := func() (reasons []port.WaitReason) {
			for _, q := range must(s.Queued(s.Context(), event("c", 1)))(s) {
				reasons = append(reasons, q.WaitsFor)
			}
			return reasons
		}
		a := s.claim("a").Event
		require.Equal(s, []port.WaitReason{"", ""}, listed())
		ok, err := s.Sleep(s.Context(), a, store.Sleep{Wait: &port.WaitError{For: port.ModelLimit, Err: errors.New("429")}})
		require.NoError(s, err)
		require.True(s, ok)
		require.Equal(s, []port.WaitReason{port.ModelLimit, ""}, listed())
		_, err = s.Sleep(s.Context(), a, store.Sleep{Wait: &port.WaitError{For: port.ModelLimit, Err: errors.New("429")}})
		require.ErrorIs(s, err, port.ErrLeaseLost)
	}),
	on("an event that failed waits for nothing", store.Options{}, func(s *stage) {
		s.submit(event("a", 1), event("b", 1))
		must(s.Sleep(s.Context(), s.claim("a").Event,
			store.Sleep{Wait: &port.WaitError{For: port.ModelLimit, Err: errors.New("429")}}))(s)
		s.noClaim()
		s.clock.move(time.Minute)
		require.NoError(s, s.Retry(s.Context(), s.claim("a").Event, errors.New("broken"), time.Minute))
		require.Empty(s, must(s.Queued(s.Context(), event("b", 1)))(s)[0].WaitsFor)
	}),
}
