package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// stop returns an event with which maria cancels.
func stop(thread int) port.Event {
	ev := immediate("stop", thread)
	ev.Sender = port.User{ID: 9, Login: "maria"}
	return ev
}

// stopping accepts and claims an event with which maria cancels.
func stopping(t *testing.T, s *store.Store, thread int) port.Event {
	t.Helper()
	submit(t, s, stop(thread))
	return claimImmediate(t, s, "stop").Event
}

func cancel(t *testing.T, s *store.Store, ev port.Event) []string {
	t.Helper()
	queue, err := s.Cancel(t.Context(), ev)
	require.NoError(t, err)
	return listed(queue)
}

func cancelledRunIsRecorded(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	ev, id := begun(t, s, event("a", 1))
	require.Equal(t, []string{"a leased"}, cancel(t, s, stopping(t, s, 1)))
	require.NoError(t, s.Record(t.Context(), ev, id, "report", port.Step{Version: 1, Data: []byte("1")}))
	cancelled, err := s.Renew(t.Context(), ev)
	require.NoError(t, err)
	require.Equal(t, &port.CancelledError{By: "maria"}, cancelled)

	clock.move(time.Minute) // its process dies
	again := claim(t, s, "a")
	require.Equal(t, &port.CancelledError{By: "maria"}, again.Cancelled)
	require.NoError(t, s.DeadLetter(t.Context(), again.Event, errors.New("no use")))
	submit(t, s, event("a", 1))
	noClaim(t, s) // nor does a redelivery
}

// canceller returns a handler that handles immediate events by cancelling, and others by work. It submits one that
// cancels after a minute.
func canceller(t *testing.T, s *store.Store, work func(context.Context, port.Event) error) *handler {
	go func() {
		time.Sleep(time.Minute)
		submit(t, s, stop(1))
	}()
	return &handler{handle: func(ctx context.Context, ev port.Event) error {
		if ev.Immediate {
			_, err := s.Cancel(ctx, ev)
			return err
		}
		return work(ctx, ev)
	}}
}

func cancelEndsTheHandler(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1), event("b", 1))
		var h *handler
		h = canceller(t, s, func(ctx context.Context, ev port.Event) error {
			run, err := s.Start(ctx, ev)
			if err != nil {
				return err
			}
			<-ctx.Done()
			h.note("%v", context.Cause(ctx))
			if err := s.Record(context.WithoutCancel(ctx), ev, run.ID, "report",
				port.Step{Version: 1, Data: []byte("1")}); err != nil {
				return err
			}
			return fmt.Errorf("asking the model: %w", ctx.Err())
		})
		workFor(t, 10*time.Minute, store.Workers{Store: s, Handler: h})
		require.Equal(t, []string{"0s handle a", "1m0s handle stop", "1m0s cancelled by maria"}, h.called(),
			"at once, not again, and not the next")
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}

func cancelWaitsForNoRetry(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		h := canceller(t, s, func(ctx context.Context, ev port.Event) error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if _, err := s.Start(ctx, ev); err != nil {
				return err
			}
			return waitError(time.Hour)
		})
		workFor(t, 10*time.Minute, store.Workers{Store: s, Handler: h})
		require.Equal(t, []string{"0s handle a", "1m0s handle stop", "1m0s handle a"}, h.called(),
			"once more, to report its end")
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}

func cancelledReportIsRetried(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		h := canceller(t, s, func(ctx context.Context, ev port.Event) error {
			<-ctx.Done()
			if ev.Attempt < 3 {
				return errors.New("GitHub is away")
			}
			return nil
		})
		workFor(t, 10*time.Minute, store.Workers{Store: s, Handler: h})
		require.Equal(t, []string{"0s handle a", "1m0s handle stop", "1m10s handle a", "2m10s handle a"}, h.called())
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}

func cancelledIsNoDeadLetter(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		claim(t, s, "a")
		by := stopping(t, s, 1)
		require.NotEmpty(t, cancel(t, s, by))
		require.NoError(t, s.Complete(t.Context(), by))
		time.Sleep(time.Minute) // the worker with a died
		h := &handler{handle: func(ctx context.Context, ev port.Event) error {
			<-ctx.Done()
			return errors.New("GitHub is away")
		}}
		workFor(t, 6*time.Hour, store.Workers{Store: s, Handler: h, Poll: 4 * time.Minute})
		require.Len(t, h.called(), 6, "the sixth attempt is the last")
		require.NotContains(t, fmt.Sprint(h.called()), "dead letter")
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}

func cancelledCrashes(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		claim(t, s, "a")
		by := stopping(t, s, 1)
		require.NotEmpty(t, cancel(t, s, by))
		require.NoError(t, s.Complete(t.Context(), by))
		for range LastDeath + store.MaxAttempts - 1 {
			time.Sleep(time.Minute)
			if _, ok, err := s.Claim(t.Context()); !ok { // the claim released it, after a death that delays it
				require.NoError(t, err)
				time.Sleep(time.Minute)
				claim(t, s, "a")
			}
		}
		time.Sleep(time.Minute)
		h := &handler{}
		workFor(t, 10*time.Minute, store.Workers{Store: s, Handler: h})
		require.Empty(t, h.called())
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}
