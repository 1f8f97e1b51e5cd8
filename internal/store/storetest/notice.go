package storetest

import (
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
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(work):
			return nil
		}
	}
	return w
}

func noticeIsSent(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1), event("b", 1), immediate("x", 1), event("other", 2), event("c", 1))
		h := slow(time.Minute)
		workFor(t, 10*time.Minute, store.Workers{Store: s, Handler: h, Count: 1})
		calls := h.called()
		require.ElementsMatch(t, []string{"0s handle a", "0s handle x"}, calls[:2])
		require.Equal(t, []string{
			// One of the thread, once; not x, and not the one that waits for a free worker only.
			"10s b queued behind a", "1m0s handle b", "1m0s b had a notice", "2m0s handle other", "3m0s handle c",
		}, calls[2:])
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}

func noNoticeAtOnce(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1), event("b", 1), event("c", 1))
		h := slow(9 * time.Second)
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		require.NoError(t, (&store.Workers{Store: s, Handler: h, Poll: time.Second}).Run(ctx))
		require.Equal(t, []string{"0s handle a", "9s handle b", "10s c queued behind b", "18s handle c",
			"18s c had a notice"}, h.called())
	})
}

// In a thread where many commands wait, one of them has a notice at a time, and none within a minute of another.
func noticeOncePerThread(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		for i := range 12 {
			submit(t, s, event(fmt.Sprintf("first-%02d", i), 1))
		}
		later := []time.Duration{15 * time.Second, 45 * time.Second, 2 * time.Minute}
		for i, after := range later {
			time.AfterFunc(after, func() { submit(t, s, event(fmt.Sprintf("later-%d", i), 1), event("other-"+name(i), 2+i)) })
		}
		h := slow(23500 * time.Millisecond) // no event ends when the queue is looked at
		workFor(t, 10*time.Minute, store.Workers{Store: s, Handler: h})
		require.Equal(t, []string{"10s first-01 queued behind first-00", "1m24s first-04 queued behind first-03",
			"2m34s first-07 queued behind first-06", "3m45s first-10 queued behind first-09",
			"4m55s later-1 queued behind later-0"}, noticesIn(h, ""))
	})
}

// Commands that have no notice because another one of their thread had it. The queue is looked at every ten seconds.
func noticeIsPassedOn(t *testing.T, open Open) {
	for name, c := range map[string]struct {
		work, given time.Duration // how long t1 is handled, and when t3 is given
		told        string
	}{
		"a minute after the other one was claimed": {12 * time.Second, 0, "1m12s"},
		"when the other one has ended":             {101 * time.Second, 0, "1m53s"},
		"not before it has waited":                 {12 * time.Second, 70 * time.Second, "1m20s"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, open, func(t *testing.T, s *store.Store) {
				h := slow(0)
				h.handle = worksFor(map[string]time.Duration{"t0": 12 * time.Second, "t1": c.work, "t2": 4 * time.Minute})
				submit(t, s, event("t0", 1), event("t1", 1), event("t2", 1))
				time.AfterFunc(c.given, func() {
					strange := event("strange", 1)
					strange.Sender.Login = "stranger"
					submit(t, s, strange, event("t3", 1))
				})
				workFor(t, 9*time.Minute, store.Workers{Store: s, Handler: h})
				require.Equal(t, []string{"10s t1 queued behind t0", c.told + " strange queued behind t2",
					c.told + " t3 queued behind t2"}, noticesIn(h, ""), "%v", h.called())
			})
		})
	}
}

// A stranger, of whom nothing is told, keeps no notice from another one in the thread.
func noticeBesideAStranger(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		strange := event("strange", 1)
		strange.Sender.Login = "stranger"
		submit(t, s, event("a", 1), strange, event("b", 1), event("c", 1))
		h := slow(time.Minute)
		workFor(t, 10*time.Minute, store.Workers{Store: s, Handler: h})
		require.Equal(t, []string{"0s handle a", "10s strange queued behind a", "10s b queued behind a",
			"1m0s handle strange", "2m0s handle b", "2m0s b had a notice", "3m0s handle c"}, h.called())
	})
}

// An event that is held because its sender sends too many is acknowledged, and not begun because of that.
func noNoticeWhenHeld(t *testing.T, open Open) {
	synctest.Test(t, func(t *testing.T) {
		limits := store.Limits{Sender: 4} // one at once, and one every 15 minutes
		s := open(t, store.Options{Now: time.Now, Limits: limits})
		submit(t, s, by(3, "a", 1), by(3, "held", 1))
		h := acknowledger{notifier: slow(time.Minute), store: s}
		answers := away(3 * time.Second)
		h.fails = func() error { return answers(t.Context()) }
		workFor(t, 16*time.Minute, store.Workers{Store: s, Handler: h})
		require.Equal(t, []string{"0s handle a", "1s acknowledge held", "6s acknowledge held", "15m0s handle held"},
			h.called())
	})
}

// The notices to others take so long that a thread's turn to be told comes when it was told already.
func noticeWhileOthersAreTold(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
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
		submit(t, s, event("t0", 1), event("t1", 1))
		time.AfterFunc(time.Second, func() {
			for i := range 8 {
				submit(t, s, event(fmt.Sprint("a", i), 10+i), event(fmt.Sprint("b", i), 10+i))
			}
			submit(t, s, event("t2", 1), event("t3", 1))
		})
		ctx, stop := context.WithTimeout(t.Context(), 50*time.Second)
		defer stop()
		workers := store.Workers{Store: s, Handler: h, Count: 16, Poll: time.Second, Grace: time.Second}
		require.NoError(t, workers.Run(ctx))
		require.Equal(t, []string{"10s t1 queued behind t0"}, noticesIn(h, "t"))
		require.Len(t, noticesIn(h, "b"), 8)
	})
}

// worksFor returns a handler's function that takes so long for some events, and 20 minutes for others.
func worksFor(some map[string]time.Duration) func(context.Context, port.Event) error {
	return func(ctx context.Context, ev port.Event) error {
		work, ok := some[ev.Delivery]
		if !ok {
			work = 20 * time.Minute
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(work):
			return nil
		}
	}
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

// A notice that takes its time delays none in another thread.
func noticesAtOnce(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		for i := range 8 {
			submit(t, s, event(fmt.Sprint("a", i), i), event(fmt.Sprint("b", i), i))
		}
		h := slow(time.Minute)
		h.waits = func(context.Context) error { time.Sleep(9 * time.Second); return nil }
		workFor(t, 50*time.Second, store.Workers{Store: s, Handler: h, Count: 8})
		var told []string
		for i := range 8 {
			told = append(told, fmt.Sprintf("10s b%d queued behind a%d", i, i))
		}
		require.ElementsMatch(t, told, h.called()[8:16])
	})
}

func noticeBehindARetry(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1), event("b", 1))
		h := &notifier{handler: &handler{handle: func(_ context.Context, ev port.Event) error {
			if ev.Delivery == "a" && ev.Attempt == 1 {
				return waitError(time.Minute)
			}
			return nil
		}}}
		workFor(t, 10*time.Minute, store.Workers{Store: s, Handler: h})
		require.Equal(t, []string{"0s handle a", "10s b queued behind a", "1m0s handle a", "1m0s handle b"}, h.called())
	})
}

func noticeBeforeClaim(t *testing.T, open Open) {
	for name, c := range map[string]struct {
		takes time.Duration
		want  string
	}{
		"it takes a while":   {7 * time.Second, "17s"},
		"it takes for ever":  {time.Hour, "20s"},
		"it is done by then": {time.Second, "15s"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, open, func(t *testing.T, s *store.Store) {
				submit(t, s, event("a", 1), event("b", 1))
				h := slow(15 * time.Second)
				h.waits = func(ctx context.Context) error {
					select {
					case <-ctx.Done():
						return ctx.Err()
					case <-time.After(c.takes):
						return nil
					}
				}
				workFor(t, time.Minute, store.Workers{Store: s, Handler: h})
				want := []string{"0s handle a", "10s b queued behind a", c.want + " handle b", c.want + " b had a notice"}
				require.Equal(t, want, h.called())
			})
		})
	}
}

func cancelledDuringNotice(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1), event("b", 1), event("c", 1))
		h := slow(time.Hour)
		work := h.handle
		h.handle = func(ctx context.Context, ev port.Event) error {
			if ev.Immediate {
				_, err := s.Cancel(ctx, ev)
				return err
			}
			return work(ctx, ev)
		}
		h.waits = func(context.Context) error {
			if len(h.called()) == 2 {
				submit(t, s, stop(1))
			}
			time.Sleep(5 * time.Second)
			return nil
		}
		workFor(t, time.Minute, store.Workers{Store: s, Handler: h})
		require.Equal(t, []string{
			"0s handle a", "10s b queued behind a", "10s handle stop",
			"15s handle b", "15s b had a notice", // so that it can report its end in its notice; c has none
		}, h.called())
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}

func noticeInALongQueue(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		for i := range 250 {
			submit(t, s, event(name(i), 10+i))
		}
		submit(t, s, event("b", 1))
		h := slow(time.Hour)
		workFor(t, time.Minute, store.Workers{Store: s, Handler: h, Count: 1})
		require.Equal(t, []string{"0s handle a", "10s b queued behind a"}, h.called())
	})
}

// An event whose attempt was released, and that was cancelled then, is handled once more; behind another one it has to
// wait for that, and is not told so.
func noNoticeWhenCancelled(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("earlier", 1))
		require.NoError(t, s.DeadLetter(t.Context(), claim(t, s, "earlier").Event, errors.New("hopeless")))
		released, _ := begun(t, s, event("a", 1))
		require.NoError(t, s.Release(t.Context(), released))
		submit(t, s, event("earlier", 1)) // a redelivery
		claim(t, s, "earlier")
		by := stopping(t, s, 1)
		require.Equal(t, []string{"earlier leased", "a ready"}, cancel(t, s, by))
		require.NoError(t, s.Complete(t.Context(), by))
		h := acknowledger{notifier: slow(time.Second), store: s}
		workFor(t, 25*time.Second, store.Workers{Store: s, Handler: h})
		require.Empty(t, h.called())
	})
}

// An event whose run was started may have an answer already: a notice would be the second one.
func noNoticeWhenStarted(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("earlier", 1))
		require.NoError(t, s.DeadLetter(t.Context(), claim(t, s, "earlier").Event, errors.New("hopeless")))
		released, _ := begun(t, s, event("a", 1))
		require.NoError(t, s.Release(t.Context(), released))
		submit(t, s, event("earlier", 1)) // a redelivery
		claim(t, s, "earlier")
		h := slow(time.Second)
		workFor(t, 25*time.Second, store.Workers{Store: s, Handler: h})
		require.Empty(t, h.called())
	})
}

// The events that may be queued are looked for together, and told one after another, which takes a while.
func cancelledBeforeItsNotice(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("first", 1))
		require.NoError(t, s.DeadLetter(t.Context(), claim(t, s, "first").Event, errors.New("hopeless")))
		second, _ := begun(t, s, event("second", 1))
		require.NoError(t, s.DeadLetter(t.Context(), second, errors.New("hopeless")))
		submit(t, s, event("a", 1))
		h := slow(time.Hour)
		work := h.handle
		h.handle = func(ctx context.Context, ev port.Event) error {
			switch ev.Delivery {
			case "a":
				first := event("first", 1)
				first.Sender.Login = "stranger"         // so that another one may be told
				submit(t, s, first, event("second", 1)) // redeliveries
			case "first":
				time.Sleep(time.Second) // the second one is still behind it
			case "stop":
				_, err := s.Cancel(ctx, ev)
				return err
			}
			return work(ctx, ev)
		}
		h.waits = func(context.Context) error {
			submit(t, s, stop(1))
			time.Sleep(5 * time.Second)
			return nil
		}
		workFor(t, time.Minute, store.Workers{Store: s, Handler: h})
		require.Equal(t, []string{
			"0s handle a", "10s first queued behind a", "10s handle stop",
			"15s handle first", "16s handle second",
		}, h.called())
	})
}
