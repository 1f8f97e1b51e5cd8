package store_test

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

func (s *steps) Now() time.Time { return time.Now().Add(time.Duration(s.by.Load())) }

func (s *steps) set(step time.Duration) { s.by.Add(int64(step)) }

// inClockBubble returns a story that is played in a bubble, with a clock that it can set.
func inClockBubble(name string, play func(*stage, *steps)) story {
	return story{name, func(t *testing.T, open opener) {
		synctest.Test(t, func(t *testing.T) {
			c := &steps{}
			play(newStage(t, open, store.Options{Now: c.Now}), c)
		})
	}}
}

var clockStories = []story{
	inClockBubble("a clock that is set forward starts no handler twice", func(s *stage, c *steps) {
		s.submit(event("a", 1))
		h := &handler{handle: func(ctx context.Context, ev port.Event) error {
			c.set(time.Hour)
			time.Sleep(store.DefaultLease - 5*time.Second) // the workers claim meanwhile
			if err := port.Guard(ctx); err != nil {
				return err
			}
			_, err := s.Start(ctx, ev)
			return err
		}}
		s.workFor(time.Minute, store.Workers{Handler: h})
		require.Equal(s, []string{"0s handle a"}, h.called())
		require.Equal(s, store.Stats{}, s.queued())
	}),
	inClockBubble("a clock that is set forward takes no event from another process", func(s *stage, c *steps) {
		s.submit(event("a", 1))
		other := s.claim("a").Event // by another process, which renews it
		go func() {
			time.Sleep(3 * time.Second)
			for range 6 {
				time.Sleep(store.DefaultLease / 3)
				_, err := s.Renew(context.WithoutCancel(s.Context()), other)
				require.NoError(s, err)
			}
		}()
		h := &handler{handle: func(context.Context, port.Event) error { return nil }}
		h.note("begin")
		go func() {
			time.Sleep(5 * time.Second) // all workers see an expired lease before it is renewed
			c.set(time.Hour)
		}()
		s.workFor(2*time.Minute, store.Workers{Handler: h})
		// The last renewal is after 53 seconds; then the other process is dead.
		require.Equal(s, []string{"0s begin", "1m20s handle a"}, h.called())
	}),
	inClockBubble("a clock that is set back delays no retry", func(s *stage, c *steps) {
		s.submit(event("a", 1), event("b", 1))
		h := &handler{handle: func(_ context.Context, ev port.Event) error {
			if ev.Delivery == "a" && ev.Attempt == 1 {
				time.AfterFunc(time.Second, func() { c.set(-time.Hour) })
				return errors.New("broken")
			}
			return nil
		}}
		s.workFor(time.Minute, store.Workers{Handler: h})
		// The time from the last poll to the next one is lost.
		require.Equal(s, []string{"0s handle a", "20s handle a", "20s handle b"}, h.called())
		require.Equal(s, store.Stats{}, s.queued())
	}),
	inClockBubble("a clock that is set back keeps no event from another worker", func(s *stage, c *steps) {
		s.submit(event("a", 1))
		s.claim("a") // by a process that dies
		c.set(-time.Hour)
		h := &handler{}
		s.workFor(2*time.Minute, store.Workers{Handler: h})
		require.Len(s, h.called(), 1)
	}),
	// shares is a story of two workers that are busy with one installation, and one with another, which had its turn last.
	on("an installation has no more than its share of the workers while others wait", store.Options{}, func(s *stage) {
		for i := range 4 {
			s.submit(eventOf(1, name(i), i))
		}
		s.claim(name(0))
		s.claim(name(1))
		s.submit(eventOf(2, "other-0", 0), eventOf(2, "other-1", 1), eventOf(2, "other-2", 2))
		s.claim("other-0")
		last := s.claim("other-1").Event // not one of installation 1, whose turn it would be
		s.claim(name(2))                 // two each now, and installation 1 had its turn before
		require.NoError(s, s.Complete(s.Context(), last))
		s.claim("other-2")
		s.claim(name(3)) // nobody else waits
	}),
	inBubble("a burst delays a command of another installation by one free worker", func(s *stage) {
		for i := range 200 {
			s.submit(eventOf(1, name(i), i))
		}
		h := &handler{handle: func(_ context.Context, ev port.Event) error {
			time.Sleep(30 * time.Second) // a call of a model
			return nil
		}}
		go func() {
			time.Sleep(45 * time.Second) // all workers are busy until a minute is over
			s.submit(eventOf(2, "second", 1), eventOf(3, "third", 1))
		}()
		s.workFor(100*time.Second, store.Workers{Handler: h, Count: 3, Grace: time.Minute})
		require.Contains(s, h.called(), "1m0s handle second")
		require.Contains(s, h.called(), "1m0s handle third")
	}),
}
