package store_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// notifier is a handler that notes queued notices.
type notifier struct {
	*handler
	waits func(context.Context) error
	// untold reports whether waits is called before anything can have been sent.
	untold bool
}

func (w *notifier) NotifyQueued(ctx context.Context, ev, ahead port.Event) (told bool, err error) {
	again := ""
	if ev.Notified {
		again = " again"
	}
	w.note("%s queued behind %s%s", ev.Delivery, ahead.Delivery, again)
	if w.waits != nil {
		err = w.waits(ctx)
	}
	return ev.Sender.Login != "stranger" && (err == nil || !w.untold), err
}

func (w *notifier) Acknowledge(context.Context, port.Event) error { return nil }

// slow returns a notifier whose work takes so long, and that notes which events had a notice.
func slow(work time.Duration) *notifier {
	w := &notifier{handler: &handler{}}
	w.handle = func(ctx context.Context, ev port.Event) error {
		if ev.Notified {
			w.note("%s had a notice", ev.Delivery)
		}
		return lasts(ctx, work)
	}
	return w
}

// lasts returns after a time, or when its context ends.
func lasts(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// worksFor returns work that takes so long for some events, and 20 minutes for others.
func worksFor(some map[string]time.Duration) work {
	return func(ctx context.Context, ev port.Event) error {
		return lasts(ctx, cmp.Or(some[ev.Delivery], 20*time.Minute))
	}
}

// startedBehindEarlier has an event whose run was started wait for one that a dead worker holds: "a" for "earlier".
func (s *stage) startedBehindEarlier() {
	s.submit(event("earlier", 1))
	require.NoError(s, s.DeadLetter(s.Context(), s.claim("earlier").Event, errors.New("hopeless")))
	released, _ := s.begun(event("a", 1))
	require.NoError(s, s.Release(s.Context(), released))
	s.submit(event("earlier", 1)) // a redelivery
	s.claim("earlier")
}

// noticesIn returns the notices to events whose names begin in a way.
func noticesIn(h *notifier, prefix string) (list []string) {
	for _, call := range h.called() {
		if _, what, _ := strings.Cut(call, " "); strings.HasPrefix(what, prefix) && strings.Contains(what, " queued ") {
			list = append(list, call)
		}
	}
	return list
}

var noticeStories = []story{
	inBubble("a queued event gets a notice, once", func(s *stage) {
		s.submit(event("a", 1), event("b", 1), immediate("x", 1), event("other", 2), event("c", 1))
		h := slow(time.Minute)
		s.workFor(10*time.Minute, store.Workers{Handler: h, Count: 1})
		calls := h.called()
		require.ElementsMatch(s, []string{"0s handle a", "0s handle x"}, calls[:2])
		require.Equal(s, []string{
			// One of the thread, once; not x, and not the one that waits for a free worker only.
			"10s b queued behind a", "1m0s handle b", "1m0s b had a notice", "2m0s handle other", "3m0s handle c",
		}, calls[2:])
		require.Equal(s, store.Stats{}, s.queued())
	}),
	inBubble("a short wait gets no notice", func(s *stage) {
		s.submit(event("a", 1), event("b", 1), event("c", 1))
		h := slow(9 * time.Second)
		ctx, stop := context.WithTimeout(s.Context(), 20*time.Second)
		defer stop()
		require.NoError(s, (&store.Workers{Store: s.Store, Handler: h, Poll: time.Second}).Run(ctx))
		require.Equal(s, []string{"0s handle a", "9s handle b", "10s c queued behind b", "18s handle c",
			"18s c had a notice"}, h.called())
	}),
	// In a thread where many commands wait, one of them has a notice at a time, and none within a minute of another.
	inBubble("where many wait in a thread, one gets a notice", func(s *stage) {
		for i := range 12 {
			s.submit(event(fmt.Sprintf("first-%02d", i), 1))
		}
		later := []time.Duration{15 * time.Second, 45 * time.Second, 2 * time.Minute}
		for i, after := range later {
			time.AfterFunc(after, func() { s.submit(event(fmt.Sprintf("later-%d", i), 1), event("other-"+name(i), 2+i)) })
		}
		h := slow(23500 * time.Millisecond) // no event ends when the queue is looked at
		s.workFor(10*time.Minute, store.Workers{Handler: h})
		require.Equal(s, []string{"10s first-01 queued behind first-00", "1m24s first-04 queued behind first-03",
			"2m34s first-07 queued behind first-06", "3m45s first-10 queued behind first-09",
			"4m55s later-1 queued behind later-0"}, noticesIn(h, ""))
	}),
	// Commands that have no notice because another one of their thread had it. The queue is looked at every ten seconds.
	{"who was not told because of another is told when that was handled", func(t *testing.T, open opener) {
		for name, c := range map[string]struct {
			work, given time.Duration // how long t1 is handled, and when t3 is given
			told        string
		}{
			"a minute after the other one was claimed": {12 * time.Second, 0, "1m12s"},
			"when the other one has ended":             {101 * time.Second, 0, "1m53s"},
			"not before it has waited":                 {12 * time.Second, 70 * time.Second, "1m20s"},
		} {
			t.Run(name, func(t *testing.T) {
				bubble(t, open, func(s *stage) {
					h := slow(0)
					h.handle = worksFor(map[string]time.Duration{"t0": 12 * time.Second, "t1": c.work, "t2": 4 * time.Minute})
					s.submit(event("t0", 1), event("t1", 1), event("t2", 1))
					time.AfterFunc(c.given, func() {
						strange := event("strange", 1)
						strange.Sender.Login = "stranger"
						s.submit(strange, event("t3", 1))
					})
					s.workFor(9*time.Minute, store.Workers{Handler: h})
					require.Equal(s, []string{"10s t1 queued behind t0", c.told + " strange queued behind t2",
						c.told + " t3 queued behind t2"}, noticesIn(h, ""), "%v", h.called())
				})
			})
		}
	}},
	// A stranger, of whom nothing is told, keeps no notice from another one in the thread.
	inBubble("who is not told keeps no notice from others", func(s *stage) {
		strange := event("strange", 1)
		strange.Sender.Login = "stranger"
		s.submit(event("a", 1), strange, event("b", 1), event("c", 1))
		h := slow(time.Minute)
		s.workFor(10*time.Minute, store.Workers{Handler: h})
		require.Equal(s, []string{"0s handle a", "10s strange queued behind a", "10s b queued behind a",
			"1m0s handle strange", "2m0s handle b", "2m0s b had a notice", "3m0s handle c"}, h.called())
	}),
	// An event that is held because its sender sends too many is acknowledged, and not begun because of that.
	{"a held event gets no notice and stays held", func(t *testing.T, open opener) {
		synctest.Test(t, func(t *testing.T) {
			limits := store.Limits{Sender: 4} // one at once, and one every 15 minutes
			s := newStage(t, open, store.Options{Now: time.Now, Limits: limits})
			s.submit(by(3, "a", 1), by(3, "held", 1))
			h := s.acknowledger(time.Minute)
			answers := away(3 * time.Second)
			h.fails = func() error { return answers(s.Context()) }
			s.workFor(16*time.Minute, store.Workers{Handler: h})
			require.Equal(s, []string{"0s handle a", "1s acknowledge held", "6s acknowledge held", "15m0s handle held"},
				h.called())
		})
	}},
	// The notices to others take so long that a thread's turn to be told comes when it was told already.
	inBubble("a thread that was told while it waited to be told is not told again", func(s *stage) {
		h := slow(0)
		h.handle = worksFor(map[string]time.Duration{"t0": 13 * time.Second, "t1": time.Second})
		h.waits = func(context.Context) error {
			if len(noticesIn(h, "b")) == 0 { // t1's, from 10 to 14 seconds
				time.Sleep(4 * time.Second)
			} else {
				time.Sleep(9 * time.Second)
			}
			return nil
		}
		s.submit(event("t0", 1), event("t1", 1))
		time.AfterFunc(time.Second, func() {
			for i := range 8 {
				s.submit(event(fmt.Sprint("a", i), 10+i), event(fmt.Sprint("b", i), 10+i))
			}
			s.submit(event("t2", 1), event("t3", 1))
		})
		ctx, stop := context.WithTimeout(s.Context(), 50*time.Second)
		defer stop()
		workers := store.Workers{Store: s.Store, Handler: h, Count: 16, Poll: time.Second, Grace: time.Second}
		require.NoError(s, workers.Run(ctx))
		require.Equal(s, []string{"10s t1 queued behind t0"}, noticesIn(h, "t"))
		require.Len(s, noticesIn(h, "b"), 8)
	}),
	// A notice that takes its time delays none in another thread.
	inBubble("a slow notice delays none in another thread", func(s *stage) {
		for i := range 8 {
			s.submit(event(fmt.Sprint("a", i), i), event(fmt.Sprint("b", i), i))
		}
		h := slow(time.Minute)
		h.waits = func(context.Context) error { time.Sleep(9 * time.Second); return nil }
		s.workFor(50*time.Second, store.Workers{Handler: h, Count: 8})
		var told []string
		for i := range 8 {
			told = append(told, fmt.Sprintf("10s b%d queued behind a%d", i, i))
		}
		require.ElementsMatch(s, told, h.called()[8:16])
	}),
	inBubble("an event behind a retry gets a notice", func(s *stage) {
		s.submit(event("a", 1), event("b", 1))
		h := &notifier{handler: &handler{handle: func(_ context.Context, ev port.Event) error {
			if ev.Delivery == "a" && ev.Attempt == 1 {
				return waitError(time.Minute)
			}
			return nil
		}}}
		s.workFor(10*time.Minute, store.Workers{Handler: h})
		require.Equal(s, []string{"0s handle a", "10s b queued behind a", "1m0s handle a", "1m0s handle b"}, h.called())
	}),
	{"no event is handled during its queued notice", func(t *testing.T, open opener) {
		for name, c := range map[string]struct {
			takes time.Duration
			want  string
		}{
			"it takes a while":   {7 * time.Second, "17s"},
			"it takes for ever":  {time.Hour, "20s"},
			"it is done by then": {time.Second, "15s"},
		} {
			t.Run(name, func(t *testing.T) {
				bubble(t, open, func(s *stage) {
					s.submit(event("a", 1), event("b", 1))
					h := slow(15 * time.Second)
					h.waits = func(ctx context.Context) error { return lasts(ctx, c.takes) }
					s.workFor(time.Minute, store.Workers{Handler: h})
					want := []string{"0s handle a", "10s b queued behind a", c.want + " handle b", c.want + " b had a notice"}
					require.Equal(s, want, h.called())
				})
			})
		}
	}},
	inBubble("an event with a queued notice can report that it was cancelled", func(s *stage) {
		s.submit(event("a", 1), event("b", 1), event("c", 1))
		h := slow(time.Hour)
		h.handle = s.cancelling(h.handle)
		h.waits = func(context.Context) error {
			if len(h.called()) == 2 {
				s.submit(stop(1))
			}
			time.Sleep(5 * time.Second)
			return nil
		}
		s.workFor(time.Minute, store.Workers{Handler: h})
		require.Equal(s, []string{
			"0s handle a", "10s b queued behind a", "10s handle stop",
			"15s handle b", "15s b had a notice", // so that it can report its end in its notice; c has none
		}, h.called())
		require.Equal(s, store.Stats{}, s.queued())
	}),
	inBubble("notices are sent in a long queue too", func(s *stage) {
		s.submit(event("a", 1))
		for i := range 250 {
			s.submit(event(name(i), 10+i))
		}
		s.submit(event("b", 1))
		h := slow(time.Hour)
		s.workFor(time.Minute, store.Workers{Handler: h, Count: 1})
		require.Equal(s, []string{"0s handle a", "10s b queued behind a"}, h.called())
	}),
	// An event whose attempt was released, and that was cancelled then, is handled once more; behind another one it has to
	// wait for that, and is not told so.
	inBubble("a cancelled event gets no notice", func(s *stage) {
		s.startedBehindEarlier()
		by := s.stopping(1)
		require.Equal(s, []string{"earlier leased", "a ready"}, s.cancel(by))
		require.NoError(s, s.Complete(s.Context(), by))
		h := s.acknowledger(time.Second)
		s.workFor(25*time.Second, store.Workers{Handler: h})
		require.Empty(s, h.called())
	}),
	// An event whose run was started may have an answer already: a notice would be the second one.
	inBubble("an event whose run was started gets no notice", func(s *stage) {
		s.startedBehindEarlier()
		h := slow(time.Second)
		s.workFor(25*time.Second, store.Workers{Handler: h})
		require.Empty(s, h.called())
	}),
	// The events that may be queued are looked for together, and told one after another, which takes a while.
	inBubble("an event that is cancelled before its notice gets none", func(s *stage) {
		s.submit(event("first", 1))
		require.NoError(s, s.DeadLetter(s.Context(), s.claim("first").Event, errors.New("hopeless")))
		second, _ := s.begun(event("second", 1))
		require.NoError(s, s.DeadLetter(s.Context(), second, errors.New("hopeless")))
		s.submit(event("a", 1))
		h := slow(time.Hour)
		work := s.cancelling(h.handle)
		h.handle = func(ctx context.Context, ev port.Event) error {
			switch ev.Delivery {
			case "a":
				first := event("first", 1)
				first.Sender.Login = "stranger"     // so that another one may be told
				s.submit(first, event("second", 1)) // redeliveries
			case "first":
				time.Sleep(time.Second) // the second one is still behind it
			}
			return work(ctx, ev)
		}
		h.waits = func(context.Context) error {
			s.submit(stop(1))
			time.Sleep(5 * time.Second)
			return nil
		}
		s.workFor(time.Minute, store.Workers{Handler: h})
		require.Equal(s, []string{
			"0s handle a", "10s first queued behind a", "10s handle stop",
			"15s handle first", "16s handle second",
		}, h.called())
	}),
}
