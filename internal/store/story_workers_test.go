package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// work is what a handler does with an event.
type work func(context.Context, port.Event) error

// always returns work that fails each time.
func always(err error) work {
	return func(context.Context, port.Event) error { return err }
}

// times returns work that fails so many times.
func times(most int64, err error) work {
	var calls atomic.Int64
	return func(context.Context, port.Event) error {
		if calls.Add(1) <= most {
			return err
		}
		return nil
	}
}

// untilEnd is work that lasts until its context ends.
func untilEnd(ctx context.Context, _ port.Event) error {
	<-ctx.Done()
	return ctx.Err()
}

// after returns work that begins when its context has ended.
func after(w work) work {
	return func(ctx context.Context, ev port.Event) error {
		<-ctx.Done()
		return w(ctx, ev)
	}
}

// handler is a store.Handler made of work; it notes its calls, and how long after the start they were, and the causes
// of dead letters. What is nil succeeds.
type handler struct {
	handle, deadLetter work

	mu     sync.Mutex
	begun  time.Time
	calls  []string
	causes []error
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
	h.mu.Lock()
	h.causes = append(h.causes, cause)
	h.mu.Unlock()
	if h.deadLetter == nil {
		return nil
	}
	return h.deadLetter(ctx, ev)
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

// workFor runs workers for a time and stops them. They poll seldom: in a bubble, each poll takes
// time, waiting does not.
func (s *stage) workFor(d time.Duration, w store.Workers) {
	w.Store, w.Poll = s.Store, max(w.Poll, 10*time.Second)
	ctx, cancel := context.WithTimeout(s.Context(), d)
	defer cancel()
	require.NoError(s, w.Run(ctx))
}

func (s *stage) queued() store.Stats {
	st := must(s.Stats(s.Context()))(s)
	st.Oldest = time.Time{}
	return st
}

var workersStories = []story{
	inBubble("workers handle what is accepted", func(s *stage) {
		for i := range 20 {
			s.submit(event(name(i), i%7))
		}
		h := &handler{}
		s.workFor(time.Minute, store.Workers{Handler: h, Count: 3})
		require.Len(s, h.called(), 20)
		require.Equal(s, store.Stats{}, s.queued())
	}),
	inBubble("workers are woken, they do not wait for the next poll", func(s *stage) {
		var late time.Duration
		h := &handler{handle: func(_ context.Context, ev port.Event) error {
			late = max(late, time.Since(ev.Received))
			return nil
		}}
		done := make(chan struct{})
		ctx, cancel := context.WithCancel(s.Context())
		go func() {
			defer close(done)
			_ = (&store.Workers{Store: s.Store, Handler: h, Poll: time.Hour}).Run(ctx)
		}()
		for i := range 5 {
			time.Sleep(time.Minute)
			ev := event(name(i), 1)
			ev.Received = time.Now()
			s.submit(ev)
		}
		synctest.Wait()
		time.Sleep(time.Second)
		cancel()
		<-done
		require.Len(s, h.called(), 5)
		require.Zero(s, late)
	}),
	inBubble("a panic is an error", func(s *stage) {
		s.submit(event("a", 1))
		h := &handler{handle: func(_ context.Context, ev port.Event) error {
			if ev.Attempt < 2 {
				panic("at the disco")
			}
			return nil
		}}
		s.workFor(time.Minute, store.Workers{Handler: h})
		require.Equal(s, []string{"0s handle a", "10s handle a"}, h.called())
		require.Equal(s, store.Stats{}, s.queued())
	}),
	inBubble("a handler that takes long keeps its lease", func(s *stage) {
		s.submit(event("a", 1))
		h := &handler{handle: func(ctx context.Context, ev port.Event) error {
			time.Sleep(10 * store.DefaultLease)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			_, err := s.Start(ctx, ev)
			return err
		}}
		s.workFor(10*time.Minute, store.Workers{Handler: h})
		require.Equal(s, []string{"0s handle a"}, h.called())
		require.Equal(s, store.Stats{}, s.queued())
	}),
	inBubble("a handler learns that its lease is lost", func(s *stage) {
		s.submit(event("a", 1))
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
		s.workFor(10*time.Minute, store.Workers{Handler: h})
		require.ErrorIs(s, cause, port.ErrLeaseLost)
		require.Equal(s, []string{"0s handle a", "1m0s handle a"}, h.called())
		require.Equal(s, store.Stats{}, s.queued())
	}),
	inBubble("a worker that lost the lease makes no dead letter", func(s *stage) {
		s.submit(event("a", 1))
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
		s.workFor(10*time.Minute, store.Workers{Handler: h})
		require.Equal(s, []string{"0s handle a", "10s handle a", "1m10s handle a", "1m10s handle a"}, h.called())
		require.Equal(s, store.Stats{}, s.queued())
	}),
	inBubble("a stop lets handlers return", func(s *stage) {
		s.submit(event("a", 1), event("b", 1))
		h := &handler{handle: func(ctx context.Context, _ port.Event) error {
			time.Sleep(15 * time.Second)
			return ctx.Err()
		}}
		s.workFor(time.Second, store.Workers{Handler: h})
		require.Equal(s, []string{"0s handle a"}, h.called()) // and no new work
		require.Equal(s, store.Stats{Ready: 1}, s.queued())
	}),
	inBubble("a stop releases what does not end", func(s *stage) {
		s.submit(event("a", 1))
		h := &handler{handle: func(ctx context.Context, _ port.Event) error {
			<-ctx.Done()
			return fmt.Errorf("asking the model: %w", ctx.Err())
		}}
		begun := time.Now()
		s.workFor(time.Second, store.Workers{Handler: h, Grace: 10 * time.Second})
		require.Equal(s, 11*time.Second, time.Since(begun))
		require.Equal(s, 1, s.claim("a").Event.Attempt)
	}),
	inBubble("a stop while reporting loses no cause", func(s *stage) {
		s.submit(event("a", 1))
		h := &handler{handle: always(hopelessError{}), deadLetter: untilEnd}
		s.workFor(time.Second, store.Workers{Handler: h})
		require.NoError(s, s.Release(s.Context(), s.claim("a").Event)) // it is due
		again := &handler{}
		s.workFor(time.Minute, store.Workers{Handler: again})
		require.Equal(s, []string{"0s dead letter a: hopeless"}, again.called())
		require.Equal(s, store.Stats{DeadLetters: 1}, s.queued())
	}),
}
