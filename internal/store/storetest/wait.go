package storetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
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

// failingFor returns a handler that returns err until the given time has passed.
func failingFor(d time.Duration, err error) func(context.Context, port.Event) error {
	begun := time.Now()
	return func(context.Context, port.Event) error {
		if time.Since(begun) < d {
			return err
		}
		return nil
	}
}

func waitingIsNoAttempt(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		var attempts []int
		outage := failingFor(2*time.Hour, outage())
		h := &handler{handle: func(ctx context.Context, ev port.Event) error {
			attempts = append(attempts, ev.Attempt)
			return outage(ctx, ev)
		}}
		workFor(t, 3*time.Hour, store.Workers{Store: s, Handler: h, Poll: time.Minute})
		require.Greater(t, len(attempts), 5*store.MaxAttempts)
		require.Less(t, len(attempts), 50, "not more often than every few minutes")
		for _, n := range attempts {
			require.Equal(t, 1, n)
		}
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}

func heldWorkersTellNobody(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		begun := time.Now()
		hold := func() bool { return time.Since(begun) < time.Minute }
		submit(t, s, event("a", 1), event("b", 1))
		h := acknowledger{notifier: slow(30 * time.Second), store: s}
		h.fails = func() error {
			require.False(t, hold())
			return nil
		}
		workFor(t, 2*time.Minute, store.Workers{Store: s, Handler: h, Hold: hold})
		require.Contains(t, fmt.Sprint(h.called()), "acknowledge b")
	})
}

// heldWorkersClaimNothing: of events of every lane, none is claimed while the workers are held, however long; then all
// are at once. What slept before is handled as its first attempt, and sooner than it would after such a time.
func heldWorkersClaimNothing(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		begun := time.Now()
		elapsed := func() time.Duration { return time.Since(begun) }
		submit(t, s, event("slept", 1))
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
		workFor(t, time.Minute, store.Workers{Store: s, Handler: h, Hold: hold})
		submit(t, s, event("later", 2))
		immediate := event("immediate", 1)
		immediate.Immediate = true
		submit(t, s, immediate)
		workFor(t, 10*time.Hour-elapsed()-time.Second, store.Workers{Store: s, Handler: h, Hold: hold})
		require.Equal(t, map[string][]int{"slept": {1}}, attempts)
		require.Equal(t, 3, queued(t, s).Ready)
		workFor(t, 30*time.Second, store.Workers{Store: s, Handler: h, Hold: hold})
		require.Equal(t, map[string][]int{"slept": {1, 1}, "later": {1}, "immediate": {1}}, attempts)
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}

func failuresCountBesideWaits(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		calls := 0
		h := &handler{handle: func(context.Context, port.Event) error {
			if calls++; calls%2 == 1 {
				return outage()
			}
			return errors.New("broken")
		}}
		workFor(t, time.Hour, store.Workers{Store: s, Handler: h, Poll: 30 * time.Second})
		require.Equal(t, 2*store.MaxAttempts, calls)
		require.Contains(t, h.called()[calls], "dead letter a: broken")
	})
}

func sleepsAsAsked(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		var at []time.Duration
		begun := time.Now()
		h := &handler{handle: func(context.Context, port.Event) error {
			if at = append(at, time.Since(begun)); len(at) == 1 {
				return limit(40 * time.Minute)
			}
			return nil
		}}
		workFor(t, time.Hour, store.Workers{Store: s, Handler: h, Poll: 30 * time.Second})
		require.Len(t, at, 2)
		require.GreaterOrEqual(t, at[1], 40*time.Minute)
		require.Less(t, at[1], 41*time.Minute)
	})
}

func sleepsGrow(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		var at []time.Time
		down := failingFor(45*time.Minute, outage())
		h := &handler{handle: func(ctx context.Context, ev port.Event) error {
			at = append(at, time.Now())
			return down(ctx, ev)
		}}
		workFor(t, 50*time.Minute, store.Workers{Store: s, Handler: h, Poll: 20 * time.Second})
		require.LessOrEqual(t, at[1].Sub(at[0]), 20*time.Second)
		for i := range at[1:] {
			require.Less(t, at[i+1].Sub(at[i]), 7*time.Minute, "GitHub may be back")
		}
		require.Greater(t, at[len(at)-1].Sub(at[len(at)-2]), 4*time.Minute)
	})
}

func sleepFreesTheWorker(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1), event("b", 1), event("c", 2))
		waits := 0
		h := &handler{handle: func(_ context.Context, ev port.Event) error {
			if ev.Delivery == "a" && waits == 0 {
				waits++
				return limit(10 * time.Minute)
			}
			return nil
		}}
		workFor(t, 20*time.Minute, store.Workers{Store: s, Handler: h, Count: 1})
		calls := h.called()
		require.Len(t, calls, 4)
		require.Equal(t, []string{"0s handle a", "0s handle c"}, calls[:2], "the worker is free for another thread")
		require.Regexp(t, `^10m\d+s handle a$`, calls[2])
		require.Regexp(t, `^10m\d+s handle b$`, calls[3])
	})
}

func patienceEnds(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		var told []error
		h := &handler{
			handle: func(context.Context, port.Event) error { return outage() },
			deadLetter: func(_ context.Context, _ port.Event, cause error) error {
				told = append(told, cause)
				return nil
			},
		}
		workers := store.Workers{Store: s, Handler: h, Patience: time.Hour, Poll: 30 * time.Second}
		workFor(t, 50*time.Minute, workers)
		require.Equal(t, store.Stats{Ready: 1}, queued(t, s))
		workFor(t, 50*time.Minute, workers) // after a restart
		require.Len(t, told, 1)
		var wait *port.WaitError
		require.ErrorAs(t, told[0], &wait)
		require.Equal(t, port.GitHubOutage, wait.For)
		calls := h.called()
		require.Regexp(t, `^1h0m\d*s dead letter a`, calls[len(calls)-1], "the last attempt is at the end of the patience")
		require.Equal(t, store.Stats{DeadLetters: 1}, queued(t, s))
	})
}

// A run ends the wait for the test of its edits itself: given up by the queue, it would lose the edits.
func testsOutlastPatience(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		testing := failingFor(50*time.Minute, &port.WaitError{For: port.VerifyReport, After: 10 * time.Minute,
			Err: errors.New("the workflow runs")})
		h := &handler{handle: func(ctx context.Context, ev port.Event) error { return testing(ctx, ev) }}
		workFor(t, 2*time.Hour, store.Workers{Store: s, Handler: h, Patience: time.Minute, Poll: time.Minute})
		require.Equal(t, store.Stats{}, queued(t, s), "it is done, and no dead letter")
	})
}

func reportWaitsToo(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		down := failingFor(3*time.Hour, outage())
		var causes []error
		h := &handler{
			handle: func(ctx context.Context, ev port.Event) error { return down(ctx, ev) },
			deadLetter: func(ctx context.Context, ev port.Event, cause error) error {
				causes = append(causes, cause)
				return down(ctx, ev)
			},
		}
		workFor(t, 4*time.Hour, store.Workers{Store: s, Handler: h, Poll: 2 * time.Minute, Patience: time.Hour})
		require.Greater(t, len(causes), 2*store.MaxAttempts)
		for _, cause := range causes {
			var wait *port.WaitError
			require.ErrorAs(t, cause, &wait, "the reason survives the sleep")
			require.Equal(t, port.GitHubOutage, wait.For)
		}
		calls := h.called()
		require.Regexp(t, `^3h\d+m\d+s dead letter a`, calls[len(calls)-1], "told when GitHub is back")
		require.Equal(t, store.Stats{DeadLetters: 1}, queued(t, s))
	})
}

func stopKeepsWhatWasGivenUp(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		h := &handler{
			handle: func(context.Context, port.Event) error { return outage() },
			deadLetter: func(ctx context.Context, _ port.Event, _ error) error {
				<-ctx.Done()
				return ctx.Err()
			},
		}
		workFor(t, 2*time.Minute, store.Workers{Store: s, Handler: h, Patience: time.Minute})
		var told error
		again := &handler{deadLetter: func(_ context.Context, _ port.Event, cause error) error {
			told = cause
			return nil
		}}
		workFor(t, time.Minute, store.Workers{Store: s, Handler: again})
		var wait *port.WaitError
		require.ErrorAs(t, told, &wait)
		require.Equal(t, port.GitHubOutage, wait.For)
		require.Len(t, again.called(), 1, "it is not handled again")
		require.Equal(t, store.Stats{DeadLetters: 1}, queued(t, s))
	})
}

func failureIsReportedAsSuch(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		var causes []error
		h := &handler{
			handle: func(context.Context, port.Event) error { return hopelessError{} },
			deadLetter: func(_ context.Context, _ port.Event, cause error) error {
				if causes = append(causes, cause); len(causes) < 9 {
					return outage()
				}
				return nil
			},
		}
		workFor(t, time.Hour, store.Workers{Store: s, Handler: h, Poll: 30 * time.Second})
		require.Len(t, causes, 9, "more often than a report that fails")
		for _, cause := range causes {
			var wait *port.WaitError
			require.NotErrorAs(t, cause, &wait, "what the report waited for is not why the work failed")
			require.EqualError(t, cause, "hopeless")
		}
		require.Equal(t, store.Stats{DeadLetters: 1}, queued(t, s))
	})
}

func cancelEndsASleep(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		h := canceller(t, s, func(ctx context.Context, ev port.Event) error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if _, err := s.Start(ctx, ev); err != nil {
				return err
			}
			return limit(time.Hour)
		})
		workFor(t, 10*time.Minute, store.Workers{Store: s, Handler: h})
		require.Equal(t, []string{"0s handle a", "1m0s handle stop", "1m0s handle a"}, h.called(),
			"once more, to report its end")
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}

func cancelledReportWaits(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		reports := 0
		h := canceller(t, s, func(ctx context.Context, _ port.Event) error {
			<-ctx.Done()
			if reports++; reports < 10 {
				return outage()
			}
			return nil
		})
		workFor(t, time.Hour, store.Workers{Store: s, Handler: h, Poll: 30 * time.Second})
		require.Equal(t, 10, reports, "more often than a report that fails")
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}

func connectionsAreWaitedFor(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		broken := failingFor(time.Hour, fmt.Errorf("recording: %w", &net.OpError{Op: "read", Err: io.EOF}))
		h := &handler{handle: broken}
		workFor(t, 70*time.Minute, store.Workers{Store: s, Handler: h, Poll: time.Minute})
		require.Greater(t, len(h.called()), store.MaxAttempts)
		require.NotContains(t, fmt.Sprint(h.called()), "dead letter")
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}

type permanentWait struct{ *port.WaitError }

func (permanentWait) Permanent() bool { return true }

func (e permanentWait) Unwrap() error { return e.WaitError }

func nothingToWaitFor(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		h := &handler{handle: func(context.Context, port.Event) error {
			return permanentWait{&port.WaitError{For: port.GitHubOutage, Err: errors.New("uninstalled")}}
		}}
		workFor(t, time.Hour, store.Workers{Store: s, Handler: h, Poll: time.Minute})
		require.Equal(t, []string{"0s handle a", "0s dead letter a: uninstalled"}, h.called())
	})
}

func sleepIsListed(t *testing.T, open Open) {
	s := open(t, store.Options{Now: newClock().Now})
	submit(t, s, event("a", 1), event("b", 1), event("c", 1))
	listed := func() (reasons []port.WaitReason) {
		list, err := s.Queued(t.Context(), event("c", 1))
		require.NoError(t, err)
		for _, q := range list {
			reasons = append(reasons, q.WaitsFor)
		}
		return reasons
	}
	a := claim(t, s, "a").Event
	require.Equal(t, []port.WaitReason{"", ""}, listed())
	ok, err := s.Sleep(t.Context(), a, store.Sleep{Wait: &port.WaitError{For: port.ModelLimit, Err: errors.New("429")}})
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, []port.WaitReason{port.ModelLimit, ""}, listed())
	_, err = s.Sleep(t.Context(), a, store.Sleep{Wait: &port.WaitError{For: port.ModelLimit, Err: errors.New("429")}})
	require.ErrorIs(t, err, port.ErrLeaseLost)
}

func failureEndsASleep(t *testing.T, open Open) {
	c := newClock()
	s := open(t, store.Options{Now: c.Now})
	submit(t, s, event("a", 1), event("b", 1))
	_, err := s.Sleep(t.Context(), claim(t, s, "a").Event,
		store.Sleep{Wait: &port.WaitError{For: port.ModelLimit, Err: errors.New("429")}})
	require.NoError(t, err)
	noClaim(t, s)
	c.move(time.Minute)
	require.NoError(t, s.Retry(t.Context(), claim(t, s, "a").Event, errors.New("broken"), time.Minute))
	list, err := s.Queued(t.Context(), event("b", 1))
	require.NoError(t, err)
	require.Empty(t, list[0].WaitsFor)
}
