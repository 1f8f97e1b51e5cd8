package store_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/storetest"
)

// stop returns an event with which maria cancels.
func stop(thread int) port.Event {
	ev := immediate("stop", thread)
	ev.Sender = port.User{ID: 9, Login: "maria"}
	return ev
}

// stopping accepts and claims an event with which maria cancels.
func (s *stage) stopping(thread int) port.Event {
	s.submit(stop(thread))
	return s.claimImmediate("stop").Event
}

func (s *stage) cancel(ev port.Event) []string {
	return listed(must(s.Cancel(s.Context(), ev))(s))
}

// canceller returns a handler that handles immediate events by cancelling, and others by work. It submits one that
// cancels after a minute.
func (s *stage) canceller(w work) *handler {
	go func() {
		time.Sleep(time.Minute)
		s.submit(stop(1))
	}()
	return &handler{handle: s.cancelling(w)}
}

// cancelling returns work that cancels for immediate events, and is w for others.
func (s *stage) cancelling(w work) work {
	return func(ctx context.Context, ev port.Event) error {
		if ev.Immediate {
			_, err := s.Cancel(ctx, ev)
			return err
		}
		return w(ctx, ev)
	}
}

// cancelledOnce is the story of an event that is cancelled while it waits for another attempt after an error.
func cancelledOnce(err error) func(*stage) {
	return func(s *stage) {
		s.submit(event("a", 1))
		h := s.canceller(func(ctx context.Context, ev port.Event) error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if _, started := s.Start(ctx, ev); started != nil {
				return started
			}
			return err
		})
		s.workFor(10*time.Minute, store.Workers{Handler: h})
		require.Equal(s, []string{"0s handle a", "1m0s handle stop", "1m0s handle a"}, h.called(),
			"once more, to report its end")
		require.Equal(s, store.Stats{}, s.queued())
	}
}

// cancelledLeased accepts and claims an event, which is cancelled then.
func (s *stage) cancelledLeased(ev port.Event) {
	s.submit(ev)
	s.claim(ev.Delivery)
	by := s.stopping(ev.Thread.Number)
	require.NotEmpty(s, s.cancel(by))
	require.NoError(s, s.Complete(s.Context(), by))
}

var cancelStories = []story{
	on("a cancelled run can be recorded, and does not come back", store.Options{}, func(s *stage) {
		ev, id := s.begun(event("a", 1))
		require.Equal(s, []string{"a leased"}, s.cancel(s.stopping(1)))
		require.NoError(s, s.Record(s.Context(), ev, id, "report", port.Step{Version: 1, Data: []byte("1")}))
		require.Equal(s, &port.CancelledError{By: "maria"}, must(s.Renew(s.Context(), ev))(s))

		s.clock.move(time.Minute) // its process dies
		again := s.claim("a")
		require.Equal(s, &port.CancelledError{By: "maria"}, again.Cancelled)
		require.NoError(s, s.DeadLetter(s.Context(), again.Event, errors.New("no use")))
		s.submit(event("a", 1))
		s.noClaim() // nor does a redelivery
	}),
	inBubble("cancelling ends the handler at once", func(s *stage) {
		s.submit(event("a", 1), event("b", 1))
		var h *handler
		h = s.canceller(func(ctx context.Context, ev port.Event) error {
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
		s.workFor(10*time.Minute, store.Workers{Handler: h})
		require.Equal(s, []string{"0s handle a", "1m0s handle stop", "1m0s cancelled by maria"}, h.called(),
			"at once, not again, and not the next")
		require.Equal(s, store.Stats{}, s.queued())
	}),
	inBubble("cancelling waits for no retry", cancelledOnce(waitError(time.Hour))),
	inBubble("cancelling ends a sleep at once", cancelledOnce(limit(time.Hour))),
	inBubble("reporting the end of a cancelled event is retried, its work is not", func(s *stage) {
		s.submit(event("a", 1))
		h := s.canceller(after(times(2, errors.New("GitHub is away"))))
		s.workFor(10*time.Minute, store.Workers{Handler: h})
		require.Equal(s, []string{"0s handle a", "1m0s handle stop", "1m10s handle a", "2m10s handle a"}, h.called())
		require.Equal(s, store.Stats{}, s.queued())
	}),
	inBubble("a cancelled event becomes no dead letter", func(s *stage) {
		s.cancelledLeased(event("a", 1))
		time.Sleep(time.Minute) // the worker with a died
		h := &handler{handle: after(always(errors.New("GitHub is away")))}
		s.workFor(6*time.Hour, store.Workers{Handler: h, Poll: 4 * time.Minute})
		require.Len(s, h.called(), 6, "the sixth attempt is the last")
		require.NotContains(s, fmt.Sprint(h.called()), "dead letter")
		require.Equal(s, store.Stats{}, s.queued())
	}),
	inBubble("a cancelled event that crashes the program each time ends", func(s *stage) {
		s.cancelledLeased(event("a", 1))
		for range storetest.LastDeath + store.MaxAttempts - 1 {
			time.Sleep(time.Minute)
			if _, ok, err := s.Claim(s.Context()); !ok { // the claim released it, after a death that delays it
				require.NoError(s, err)
				time.Sleep(time.Minute)
				s.claim("a")
			}
		}
		time.Sleep(time.Minute)
		h := &handler{}
		s.workFor(10*time.Minute, store.Workers{Handler: h})
		require.Empty(s, h.called())
		require.Equal(s, store.Stats{}, s.queued())
	}),
}
