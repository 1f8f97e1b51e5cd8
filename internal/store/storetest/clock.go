package storetest

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// steps is a queue's clock that a story sets, in a bubble.
type steps struct{ by atomic.Int64 }

func (s *steps) Now() time.Time         { return time.Now().Add(time.Duration(s.by.Load())) }
func (s *steps) set(step time.Duration) { s.by.Add(int64(step)) }

// clockBubble runs a story in a bubble, with a clock that it can set.
func clockBubble(t *testing.T, open Open, story func(t *testing.T, s *store.Store, c *steps)) {
	synctest.Test(t, func(t *testing.T) {
		c := &steps{}
		story(t, open(t, store.Options{Now: c.Now}), c)
	})
}

func clockForward(t *testing.T, open Open) {
	clockBubble(t, open, func(t *testing.T, s *store.Store, c *steps) {
		submit(t, s, event("a", 1))
		h := &handler{handle: func(ctx context.Context, ev port.Event) error {
			c.set(time.Hour)
			time.Sleep(store.DefaultLease - 5*time.Second) // the workers claim meanwhile
			if err := port.Guard(ctx); err != nil {
				return err
			}
			_, err := s.Start(ctx, ev)
			return err
		}}
		workFor(t, time.Minute, store.Workers{Store: s, Handler: h})
		require.Equal(t, []string{"0s handle a"}, h.called())
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}

func clockForwardOfOthers(t *testing.T, open Open) {
	clockBubble(t, open, func(t *testing.T, s *store.Store, c *steps) {
		submit(t, s, event("a", 1))
		other := claim(t, s, "a").Event // by another process, which renews it
		go func() {
			time.Sleep(3 * time.Second)
			for range 6 {
				time.Sleep(store.DefaultLease / 3)
				_, err := s.Renew(context.WithoutCancel(t.Context()), other)
				require.NoError(t, err)
			}
		}()
		h := &handler{handle: func(context.Context, port.Event) error { return nil }}
		h.note("begin")
		go func() {
			time.Sleep(5 * time.Second) // all workers see an expired lease before it is renewed
			c.set(time.Hour)
		}()
		workFor(t, 2*time.Minute, store.Workers{Store: s, Handler: h})
		// The last renewal is after 53 seconds; then the other process is dead.
		require.Equal(t, []string{"0s begin", "1m20s handle a"}, h.called())
	})
}

func clockBack(t *testing.T, open Open) {
	clockBubble(t, open, func(t *testing.T, s *store.Store, c *steps) {
		submit(t, s, event("a", 1), event("b", 1))
		h := &handler{handle: func(_ context.Context, ev port.Event) error {
			if ev.Delivery == "a" && ev.Attempt == 1 {
				time.AfterFunc(time.Second, func() { c.set(-time.Hour) })
				return errors.New("broken")
			}
			return nil
		}}
		workFor(t, time.Minute, store.Workers{Store: s, Handler: h})
		// The time from the last poll to the next one is lost.
		require.Equal(t, []string{"0s handle a", "20s handle a", "20s handle b"}, h.called())
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}

func clockBackAfterDeath(t *testing.T, open Open) {
	clockBubble(t, open, func(t *testing.T, s *store.Store, c *steps) {
		submit(t, s, event("a", 1))
		claim(t, s, "a") // by a process that dies
		c.set(-time.Hour)
		h := &handler{}
		workFor(t, 2*time.Minute, store.Workers{Store: s, Handler: h})
		require.Len(t, h.called(), 1)
	})
}

// shares is a story of two workers that are busy with one installation, and one with another, which had its turn last.
func shares(t *testing.T, open Open) {
	s := open(t, store.Options{})
	for i := range 4 {
		submit(t, s, eventOf(1, name(i), i))
	}
	claim(t, s, name(0))
	claim(t, s, name(1))
	submit(t, s, eventOf(2, "other-0", 0), eventOf(2, "other-1", 1), eventOf(2, "other-2", 2))
	claim(t, s, "other-0")
	last := claim(t, s, "other-1").Event // not one of installation 1, whose turn it would be
	claim(t, s, name(2))                 // two each now, and installation 1 had its turn before
	require.NoError(t, s.Complete(t.Context(), last))
	claim(t, s, "other-2")
	claim(t, s, name(3)) // nobody else waits
}

func burst(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		for i := range 200 {
			submit(t, s, eventOf(1, name(i), i))
		}
		h := &handler{handle: func(_ context.Context, ev port.Event) error {
			time.Sleep(30 * time.Second) // a call of a model
			return nil
		}}
		go func() {
			time.Sleep(45 * time.Second) // all workers are busy until a minute is over
			submit(t, s, eventOf(2, "second", 1), eventOf(3, "third", 1))
		}()
		workFor(t, 100*time.Second, store.Workers{Store: s, Handler: h, Count: 3, Grace: time.Minute})
		require.Contains(t, h.called(), "1m0s handle second")
		require.Contains(t, h.called(), "1m0s handle third")
	})
}
