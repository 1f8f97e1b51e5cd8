package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/storetest"
)

// life is a process that may die. Its handlers return when it does, and their leases are left as they are.
type life struct {
	context.Context
	die context.CancelFunc
}

// takes returns after a time, or when the process dies.
func (l life) takes(d time.Duration) error {
	select {
	case <-l.Done():
		time.Sleep(time.Second) // the workers claim nothing any more
		return port.ErrLeaseLost
	case <-time.After(d):
		return nil
	}
}

// live has events handled by one process after another, until only dead letters are left, and returns how often each
// was handled, and the dead letters. begin is called when a process starts.
func (s *stage) live(begin func(life), handle func(life, port.Event) error) (handled map[string]int,
	deadLetters []string) {
	h := &handler{}
	for begun := time.Now(); ; time.Sleep(store.DefaultLease + time.Second) {
		if st := s.queued(); st.Ready+st.Leased == 0 {
			break
		}
		require.Less(s, time.Since(begun), 3*time.Hour)
		ctx, die := context.WithCancel(s.Context())
		l := life{ctx, die}
		go func() {
			for l.takes(10*time.Second) == nil {
				if st, err := s.Stats(ctx); err == nil && st.Ready+st.Leased == 0 {
					die()
				}
			}
		}()
		begin(l)
		h.handle = func(_ context.Context, ev port.Event) error { return handle(l, ev) }
		require.NoError(s, (&store.Workers{Store: s.Store, Handler: h, Count: 16}).Run(ctx))
		die()
	}
	handled = map[string]int{}
	for _, call := range h.called() {
		_, what, _ := strings.Cut(call, " ")
		if delivery, ok := strings.CutPrefix(what, "handle "); ok {
			handled[delivery]++
		} else {
			deadLetters = append(deadLetters, what)
		}
	}
	slices.Sort(deadLetters)
	return handled, deadLetters
}

// suspected makes suspects of ready events: three processes die while they handle them.
func (s *stage) suspected(deliveries ...string) {
	for range 3 {
		for _, d := range deliveries {
			s.claim(d)
		}
		time.Sleep(store.DefaultLease + time.Second)
	}
	s.noClaim() // they are released now, and wait for five seconds
}

// killers has events handled of which some kill the process after a time, beside eight that take a minute each and
// record nothing by which they could be told from these. It returns how often each was handled.
func killers(s *stage, count int, after time.Duration) (handled map[string]int) {
	var failed []string
	for i := range count {
		killer := fmt.Sprintf("killer-%d", i)
		s.submit(event(killer, 10+i))
		failed = append(failed, killer)
	}
	for i := range 8 {
		s.submit(event(name(i), 1+i))
	}
	handled, deadLetters := s.live(func(life) {}, func(l life, ev port.Event) error {
		if strings.HasPrefix(ev.Delivery, "killer") {
			time.AfterFunc(after, l.die)
		}
		return l.takes(time.Minute)
	})
	require.Len(s, deadLetters, count)
	for i, killer := range failed {
		require.Regexp(s, "^dead letter "+killer+": the program ended [0-9]+ times while it worked on this$",
			deadLetters[i])
	}
	most := map[bool]int{}
	for delivery, n := range handled {
		isKiller := strings.HasPrefix(delivery, "killer")
		most[isKiller] = max(most[isKiller], n)
	}
	s.Logf("killers=%d after=%s killer_handled=%d others_handled=%d", count, after, most[true], most[false])
	return handled
}

var deathsStories = []story{
	inBubble("suspects begin one after another, beside others", func(s *stage) {
		s.submit(event("a", 1), event("b", 2))
		s.suspected("a", "b")
		s.submit(event("c", 3))
		h := &handler{handle: func(context.Context, port.Event) error {
			time.Sleep(time.Minute)
			return nil
		}}
		ctx, cancel := context.WithTimeout(s.Context(), 2*time.Minute)
		defer cancel()
		require.NoError(s, (&store.Workers{Store: s.Store, Handler: h}).Run(ctx))
		calls := h.called()
		require.Len(s, calls, 3)
		require.Equal(s, "0s handle c", calls[0])
		require.Regexp(s, "^5s handle [ab]$", calls[1])
		require.Regexp(s, "^10s handle [ab]$", calls[2])
	}),
	inBubble("an event that gets further is no suspect any more", func(s *stage) {
		s.submit(event("a", 1))
		s.suspected("a")
		time.Sleep(5 * time.Second)
		ev := s.claim("a").Event
		run := must(s.Start(s.Context(), ev))(s)
		require.NoError(s, s.Record(s.Context(), ev, run.ID, "target", port.Step{Version: 1, Data: []byte("1")}))
		for range 2 {
			time.Sleep(store.DefaultLease + time.Second)
			s.claim("a")
		}
	}),
	// A process dies that handles another event while the suspect waits.
	inBubble("a suspect without which the process dies is acquitted", func(s *stage) {
		s.submit(event("suspect", 1))
		s.suspected("suspect")
		s.submit(event("other", 2))
		ctx, die := context.WithCancel(s.Context())
		h := &handler{handle: func(context.Context, port.Event) error {
			time.AfterFunc(2*time.Second, die)
			return life{ctx, die}.takes(time.Minute)
		}}
		require.NoError(s, (&store.Workers{Store: s.Store, Handler: h}).Run(ctx))
		require.Equal(s, []string{"0s handle other"}, h.called())
		for range 2 {
			time.Sleep(store.DefaultLease + time.Second)
			first := s.any(s.Claim)
			s.claim(map[string]string{"suspect": "other", "other": "suspect"}[first.Event.Delivery])
		}
	}),
	// The first of two suspects has to wait for GitHub, or failed. Then the process dies that had it on trial.
	{"an event that is not handled is not on trial", func(t *testing.T, open opener) {
		wait := &port.WaitError{For: port.GitHubOutage, After: time.Hour, Err: errors.New("GitHub is away")}
		for _, err := range []error{wait, waitError(time.Hour)} {
			bubble(t, open, func(s *stage) {
				s.submit(event("a", 1), event("b", 2))
				s.suspected("a", "b")
				s.submit(event("other", 3))
				ctx, die := context.WithCancel(s.Context())
				h := &handler{handle: func(_ context.Context, ev port.Event) error {
					if ev.Delivery != "other" {
						return err
					}
					time.AfterFunc(7*time.Second, die)
					return life{ctx, die}.takes(time.Minute)
				}}
				require.NoError(s, (&store.Workers{Store: s.Store, Handler: h}).Run(ctx))
				require.Len(s, h.called(), 2)
				waiting := map[string]string{"5s handle a": "b", "5s handle b": "a"}[h.called()[1]]
				time.Sleep(store.DefaultLease + time.Second)
				s.claim(waiting)
				s.claim("other")
			})
		}
	}},
	// The process dies three times while two suspects are on trial that began together.
	inBubble("none of two suspects that began together has a strike", func(s *stage) {
		s.submit(event("a", 1), event("b", 2))
		s.suspected("a", "b")
		for range 4 {
			time.Sleep(30 * time.Second)
			for range 2 {
				c := s.any(s.Claim)
				require.Equal(s, 1, c.Event.Attempt)
			}
			time.Sleep(store.DefaultLease + time.Second)
			s.noClaim()
		}
	}),
	// The other suspects do not die with the one that has a strike.
	inBubble("a suspect that has a strike is alone on trial next", func(s *stage) {
		s.submit(event("a", 1), event("b", 2), event("c", 3))
		s.suspected("a", "b", "c")
		time.Sleep(5 * time.Second)
		struck := s.any(s.Claim)
		time.Sleep(store.DefaultLease + time.Second)
		s.noClaim()
		time.Sleep(10 * time.Second)
		s.claim(struck.Event.Delivery)
		s.noClaim()
		time.Sleep(5 * time.Second)
		for range 2 {
			s.any(s.Claim)
		}
	}),
	// Each third process lives for longer than a trial.
	inBubble("a trial that is survived clears the strikes", func(s *stage) {
		s.submit(event("a", 1))
		lives := 0
		handled, deadLetters := s.live(func(life) { lives++ }, func(l life, _ port.Event) error {
			if lives <= 12 {
				time.AfterFunc(map[bool]time.Duration{true: 2 * time.Minute, false: time.Second}[lives%3 == 0], l.die)
			}
			return l.takes(3 * time.Minute)
		})
		require.Empty(s, deadLetters)
		require.Equal(s, map[string]int{"a": 13}, handled)
	}),
	inBubble("an event that kills the process is a dead letter, and takes no other with it", func(s *stage) {
		handled := killers(s, 1, time.Second)
		require.LessOrEqual(s, handled["killer-0"], storetest.LastDeath+1)
		for i := range 8 {
			require.LessOrEqual(s, handled[name(i)], 6, "most of the deaths are the killer's alone")
		}
	}),
	inBubble("three events that kill the process are dead letters", func(s *stage) { killers(s, 3, time.Second/2) }),
	inBubble("an event that kills the process after a while is a dead letter", func(s *stage) {
		require.LessOrEqual(s, killers(s, 1, 8*time.Second)["killer-0"], 25)
	}),
	// Forty processes die after one to four seconds, which is less than what any of the events takes.
	inBubble("a process that dies of something else makes no dead letters", func(s *stage) {
		for i := range 16 {
			s.submit(event(name(i), 1+i))
		}
		lives := 0
		var mu sync.Mutex
		done := map[string]bool{}
		_, deadLetters := s.live(func(l life) {
			if lives++; lives <= 40 {
				time.AfterFunc(time.Duration(1+lives%4)*time.Second, l.die)
			}
		}, func(l life, ev port.Event) error {
			err := l.takes(5 * time.Second)
			if err == nil {
				mu.Lock()
				done[ev.Delivery] = true
				mu.Unlock()
			}
			return err
		})
		require.Empty(s, deadLetters)
		require.Len(s, done, 16)
	}),
	// Eight events of 20 seconds are interrupted again and again, as by a node without memory.
	{"what a crash loop interrupted ends soon after it", func(t *testing.T, open opener) {
		for _, deaths := range []int{3, 5, 7} {
			bubble(t, open, func(s *stage) {
				for i := range 8 {
					s.submit(event(name(i), 1+i))
				}
				lives := 0
				var calm, last time.Time
				var mu sync.Mutex // guards last
				handled, deadLetters := s.live(func(l life) {
					lives++
					if calm = time.Now(); lives <= deaths {
						time.AfterFunc(15*time.Second, l.die)
					}
				}, func(l life, _ port.Event) error {
					err := l.takes(20 * time.Second)
					mu.Lock()
					last = time.Now()
					mu.Unlock()
					return err
				})
				require.Empty(s, deadLetters)
				require.Len(s, handled, 8)
				const settling = store.DefaultLease / 2 // since no process was there for longer than a lease
				require.LessOrEqual(s, last.Sub(calm), 45*time.Second+settling)
				s.Logf("deaths=%d all_done_s=%.0f", deaths, last.Sub(calm).Seconds())
			})
		}
	}},
	// The other installations have not had their turn for longer.
	on("what was interrupted by a death is resumed before others begin", store.Options{}, func(s *stage) {
		s.submit(eventOf(1, "a", 1))
		s.claim("a")
		s.submit(eventOf(2, "b", 1), eventOf(3, "c", 1))
		s.clock.move(store.DefaultLease + time.Millisecond)
		s.complete("a", "b", "c")
	}),
	on("a suspect waits for its installation's turn", store.Options{}, func(s *stage) {
		s.submit(eventOf(1, "a", 1))
		for range 3 {
			s.claim("a")
			s.clock.move(store.DefaultLease + time.Millisecond)
		}
		s.noClaim()
		s.clock.move(5 * time.Second)
		s.submit(eventOf(2, "b", 1))
		s.complete("b", "a")
	}),
}
