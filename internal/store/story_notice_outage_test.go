package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// away returns what GitHub answers during an outage that ends at a time after now.
func away(end time.Duration) func(context.Context) error {
	begun := time.Now()
	return func(context.Context) error {
		if time.Since(begun) < end {
			return &port.WaitError{For: port.GitHubOutage, Err: errors.New("GitHub is away")}
		}
		return nil
	}
}

var noticeOutageStories = []story{
	// However long an outage is, a notice is sent soon after it, to the one whose turn it is, and to no other one of the
	// thread.
	{"a notice is sent after an outage", func(t *testing.T, open opener) {
		for name, untold := range map[string]bool{"": true, " again": false} {
			t.Run("perhaps sent"+name, func(t *testing.T) {
				bubble(t, open, func(s *stage) {
					s.submit(event("a", 1), event("b", 1), event("c", 1))
					h := slow(10 * time.Minute)
					h.waits, h.untold = away(5*time.Minute+2*time.Second), untold
					s.workFor(9*time.Minute, store.Workers{Handler: h})
					notices := noticesIn(h, "")
					require.Equal(s, "10s b queued behind a", notices[0])
					require.Equal(s, "5m5s b queued behind a"+name, notices[len(notices)-1])
					require.Equal(s, notices, noticesIn(h, "b"))
				})
			})
		}
	}},
	// The handling of an event ends what is tried to tell of it. The next one of the thread is told then.
	inBubble("an event that is handled gets no notice any more", func(s *stage) {
		s.submit(event("a", 1), event("b", 1), event("c", 1))
		h := slow(0)
		h.handle = worksFor(map[string]time.Duration{"a": 32 * time.Second})
		h.waits, h.untold = away(40*time.Second), true
		s.workFor(5*time.Minute, store.Workers{Handler: h})
		require.Equal(s, "30s b queued behind a", noticesIn(h, "b")[len(noticesIn(h, "b"))-1])
		require.Equal(s, []string{"35s c queued behind b", "40s c queued behind b"}, noticesIn(h, "c"))
	}),
	// The commands of many threads wait while GitHub is away.
	inBubble("the notices of many threads are sent after an outage", func(s *stage) {
		for i := range 24 {
			s.submit(event(fmt.Sprint("a", i), i), event(fmt.Sprint("b", i), i))
		}
		h := slow(10 * time.Minute)
		answers := away(2 * time.Minute)
		h.untold = true
		var told atomic.Int64
		h.waits = func(ctx context.Context) error {
			time.Sleep(2 * time.Second)
			err := answers(ctx)
			if err == nil {
				told.Add(1)
			}
			return err
		}
		s.workFor(2*time.Minute+15*time.Second, store.Workers{Handler: h, Count: 24, Grace: time.Second})
		require.EqualValues(s, 24, told.Load())
	}),
	// Where GitHub's limits leave no room, there is a notice when they do.
	inBubble("a notice that GitHub's limits postpone comes later", func(s *stage) {
		b := event("b", 1)
		b.Received = time.Now()
		s.submit(event("a", 1), b)
		h := slow(10 * time.Minute)
		h.untold = true
		h.waits = func(context.Context) error {
			if len(noticesIn(h, "b")) < 4 {
				return &port.WaitError{For: port.GitHubLimit, After: 20 * time.Second, Err: errors.New("no room")}
			}
			return nil
		}
		s.workFor(9*time.Minute, store.Workers{Handler: h})
		require.Equal(s, []string{"10s b queued behind a", "1m10s b queued behind a", "2m20s b queued behind a",
			"4m40s b queued behind a"}, noticesIn(h, ""))
	}),
	inBubble("a notice that failed is not sent again", func(s *stage) {
		s.submit(event("a", 1), event("b", 1), event("d", 2), event("c", 2))
		h := slow(time.Minute)
		h.waits = func(context.Context) error {
			if len(h.called()) == 3 {
				return errors.New("GitHub is away")
			}
			panic("at the disco")
		}
		s.workFor(20*time.Second, store.Workers{Handler: h, Grace: time.Second})
		require.ElementsMatch(s, []string{"0s handle a", "0s handle d", "10s b queued behind a", "10s c queued behind d"},
			h.called())
		again := slow(time.Minute) // the next process
		s.workFor(5*time.Minute, store.Workers{Handler: again})
		require.ElementsMatch(s, []string{
			"0s handle a", "0s handle d", "1m0s handle b", "1m0s b had a notice", "1m0s handle c", "1m0s c had a notice",
		}, again.called())
	}),
}
