package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// handler is a store.Handler made of functions; it notes its calls, and how long after the start they were.
type handler struct {
	handle     func(context.Context, port.Event) error
	deadLetter func(context.Context, port.Event, error) error

	mu    sync.Mutex
	begun time.Time
	calls []string
}

func (h *handler) Handle(ctx context.Context, ev port.Event) error {
	h.note("handle %s", ev.Delivery)
	if h.handle == nil {
		return nil
	}
	return h.handle(ctx, ev)
}

func (h *handler) DeadLetter(ctx context.Context, ev port.Event, cause error) error {
	h.note("dead letter %s: %v", ev.Delivery, cause)
	if h.deadLetter == nil {
		return nil
	}
	return h.deadLetter(ctx, ev, cause)
}

func (h *handler) note(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.begun.IsZero() {
		h.begun = time.Now()
	}
	h.calls = append(h.calls, fmt.Sprintf("%s ", time.Since(h.begun).Round(time.Second))+fmt.Sprintf(format, args...))
}

func (h *handler) called() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.calls...)
}

// bubble runs a story in a synctest bubble, with its clock.
func bubble(t *testing.T, open Open, story func(t *testing.T, s *store.Store)) {
	synctest.Test(t, func(t *testing.T) { story(t, open(t, store.Options{Now: time.Now})) })
}

// workFor runs workers for a time and stops them. They poll seldom: in a bubble, each poll takes
// time, waiting does not.
func workFor(t *testing.T, d time.Duration, w store.Workers) {
	t.Helper()
	w.Poll = max(w.Poll, 10*time.Second)
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	require.NoError(t, w.Run(ctx))
}

func queued(t *testing.T, s *store.Store) store.Stats {
	t.Helper()
	st, err := s.Stats(t.Context())
	require.NoError(t, err)
	st.Oldest = time.Time{}
	return st
}

func workersWork(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		for i := range 20 {
			submit(t, s, event(name(i), i%7))
		}
		h := &handler{}
		workFor(t, time.Minute, store.Workers{Store: s, Handler: h, Count: 3})
		require.Len(t, h.called(), 20)
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}

func workersWoken(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		var late time.Duration
		h := &handler{handle: func(_ context.Context, ev port.Event) error {
			late = max(late, time.Since(ev.Received))
			return nil
		}}
		done := make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			defer close(done)
			_ = (&store.Workers{Store: s, Handler: h, Poll: time.Hour}).Run(ctx)
		}()
		for i := range 5 {
			time.Sleep(time.Minute)
			ev := event(name(i), 1)
			ev.Received = time.Now()
			submit(t, s, ev)
		}
		synctest.Wait()
		time.Sleep(time.Second)
		cancel()
		<-done
		require.Len(t, h.called(), 5)
		require.Zero(t, late)
	})
}

func panics(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		h := &handler{handle: func(_ context.Context, ev port.Event) error {
			if ev.Attempt < 2 {
				panic("at the disco")
			}
			return nil
		}}
		workFor(t, time.Minute, store.Workers{Store: s, Handler: h})
		require.Equal(t, []string{"0s handle a", "10s handle a"}, h.called())
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}

func longWork(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		h := &handler{handle: func(ctx context.Context, ev port.Event) error {
			time.Sleep(10 * store.DefaultLease)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			_, err := s.Start(ctx, ev)
			return err
		}}
		workFor(t, 10*time.Minute, store.Workers{Store: s, Handler: h})
		require.Equal(t, []string{"0s handle a"}, h.called())
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}

func handlerLosesLease(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		var cause error
		h := &handler{handle: func(ctx context.Context, ev port.Event) error {
			if ev.Attempt > 1 {
				return nil
			}
			if err := s.Retry(ctx, ev, errors.New("somebody else"), time.Minute); err != nil { // takes the lease away
				return err
			}
			<-ctx.Done()
			cause = context.Cause(ctx)
			return ctx.Err()
		}}
		workFor(t, 10*time.Minute, store.Workers{Store: s, Handler: h})
		require.ErrorIs(t, cause, port.ErrLeaseLost)
		require.Equal(t, []string{"0s handle a", "1m0s handle a"}, h.called())
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}

func leaseLostOnLastAttempt(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		thirds := 0
		h := &handler{}
		h.handle = func(ctx context.Context, ev port.Event) error {
			if ev.Attempt < store.MaxAttempts {
				return errors.New("broken")
			}
			if thirds++; thirds > 1 {
				return nil
			}
			if err := s.Release(ctx, ev); err != nil { // takes the lease away
				return err
			}
			<-ctx.Done()
			return ctx.Err()
		}
		workFor(t, 10*time.Minute, store.Workers{Store: s, Handler: h})
		require.Equal(t, []string{"0s handle a", "10s handle a", "1m10s handle a", "1m10s handle a"}, h.called())
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}

func stopLetsHandlersReturn(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1), event("b", 1))
		h := &handler{handle: func(ctx context.Context, _ port.Event) error {
			time.Sleep(15 * time.Second)
			return ctx.Err()
		}}
		workFor(t, time.Second, store.Workers{Store: s, Handler: h})
		require.Equal(t, []string{"0s handle a"}, h.called()) // and no new work
		require.Equal(t, store.Stats{Ready: 1}, queued(t, s))
	})
}

func stopReleases(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		h := &handler{handle: func(ctx context.Context, _ port.Event) error {
			<-ctx.Done()
			return fmt.Errorf("asking the model: %w", ctx.Err())
		}}
		begun := time.Now()
		workFor(t, time.Second, store.Workers{Store: s, Handler: h, Grace: 10 * time.Second})
		require.Equal(t, 11*time.Second, time.Since(begun))
		require.Equal(t, 1, claim(t, s, "a").Event.Attempt)
	})
}

func stopWhileReporting(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		h := &handler{
			handle: func(context.Context, port.Event) error { return hopelessError{} },
			deadLetter: func(ctx context.Context, _ port.Event, _ error) error {
				<-ctx.Done()
				return ctx.Err()
			},
		}
		workFor(t, time.Second, store.Workers{Store: s, Handler: h})
		require.NoError(t, s.Release(t.Context(), claim(t, s, "a").Event)) // it is due
		again := &handler{}
		workFor(t, time.Minute, store.Workers{Store: s, Handler: again})
		require.Equal(t, []string{"0s dead letter a: hopeless"}, again.called())
		require.Equal(t, store.Stats{DeadLetters: 1}, queued(t, s))
	})
}
