package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// LastDeath is the death by which an event becomes a dead letter that kills the process whenever it is handled.
const LastDeath = 6

// MakeGuilty has the next death be the last of the event in a folder that was leased when the third process died, so
// that no test waits for the pauses in between. No process may be using the folder.
func MakeGuilty(t *testing.T, dir string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "tenon.db"))
	require.NoError(t, err)
	res, err := db.ExecContext(t.Context(),
		"UPDATE events SET deaths = $1, strikes = 2, tried = changed WHERE deaths = 2 AND state = 'working'", LastDeath-1)
	require.NoError(t, err)
	n, err := res.RowsAffected()
	require.NoError(t, err)
	require.Equal(t, int64(1), n)
	require.NoError(t, db.Close())
}

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
func live(t *testing.T, s *store.Store, begin func(life), handle func(life, port.Event) error) (handled map[string]int,
	deadLetters []string) {
	t.Helper()
	h := &handler{}
	for begun := time.Now(); ; time.Sleep(store.DefaultLease + time.Second) {
		if st := queued(t, s); st.Ready+st.Leased == 0 {
			break
		}
		require.Less(t, time.Since(begun), 3*time.Hour)
		ctx, die := context.WithCancel(t.Context())
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
		require.NoError(t, (&store.Workers{Store: s, Handler: h, Count: 16}).Run(ctx))
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
func suspected(t *testing.T, s *store.Store, deliveries ...string) {
	t.Helper()
	for range 3 {
		for _, d := range deliveries {
			claim(t, s, d)
		}
		time.Sleep(store.DefaultLease + time.Second)
	}
	noClaim(t, s) // they are released now, and wait for five seconds
}

func suspectsBeginApart(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1), event("b", 2))
		suspected(t, s, "a", "b")
		submit(t, s, event("c", 3))
		h := &handler{handle: func(context.Context, port.Event) error {
			time.Sleep(time.Minute)
			return nil
		}}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		require.NoError(t, (&store.Workers{Store: s, Handler: h}).Run(ctx))
		calls := h.called()
		require.Len(t, calls, 3)
		require.Equal(t, "0s handle c", calls[0])
		require.Regexp(t, "^5s handle [ab]$", calls[1])
		require.Regexp(t, "^10s handle [ab]$", calls[2])
	})
}

func progressEndsSuspicion(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		suspected(t, s, "a")
		time.Sleep(5 * time.Second)
		ev := claim(t, s, "a").Event
		run, err := s.Start(t.Context(), ev)
		require.NoError(t, err)
		require.NoError(t, s.Record(t.Context(), ev, run.ID, "target", port.Step{Version: 1, Data: []byte("1")}))
		for range 2 {
			time.Sleep(store.DefaultLease + time.Second)
			claim(t, s, "a")
		}
	})
}

// A process dies that handles another event while the suspect waits.
func acquitted(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("suspect", 1))
		suspected(t, s, "suspect")
		submit(t, s, event("other", 2))
		ctx, die := context.WithCancel(t.Context())
		h := &handler{handle: func(context.Context, port.Event) error {
			time.AfterFunc(2*time.Second, die)
			return life{ctx, die}.takes(time.Minute)
		}}
		require.NoError(t, (&store.Workers{Store: s, Handler: h}).Run(ctx))
		require.Equal(t, []string{"0s handle other"}, h.called())
		for range 2 {
			time.Sleep(store.DefaultLease + time.Second)
			first, ok, err := s.Claim(t.Context())
			require.NoError(t, err)
			require.True(t, ok)
			claim(t, s, map[string]string{"suspect": "other", "other": "suspect"}[first.Event.Delivery])
		}
	})
}

// The first of two suspects has to wait for GitHub, or failed. Then the process dies that had it on trial.
func endedIsNotOnTrial(t *testing.T, open Open) {
	wait := &port.WaitError{For: port.GitHubOutage, After: time.Hour, Err: errors.New("GitHub is away")}
	for _, err := range []error{wait, waitError(time.Hour)} {
		bubble(t, open, func(t *testing.T, s *store.Store) {
			submit(t, s, event("a", 1), event("b", 2))
			suspected(t, s, "a", "b")
			submit(t, s, event("other", 3))
			ctx, die := context.WithCancel(t.Context())
			h := &handler{handle: func(_ context.Context, ev port.Event) error {
				if ev.Delivery != "other" {
					return err
				}
				time.AfterFunc(7*time.Second, die)
				return life{ctx, die}.takes(time.Minute)
			}}
			require.NoError(t, (&store.Workers{Store: s, Handler: h}).Run(ctx))
			require.Len(t, h.called(), 2)
			waiting := map[string]string{"5s handle a": "b", "5s handle b": "a"}[h.called()[1]]
			time.Sleep(store.DefaultLease + time.Second)
			claim(t, s, waiting)
			claim(t, s, "other")
		})
	}
}

// The process dies three times while two suspects are on trial that began together.
func noStrikeForOneOfTwo(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1), event("b", 2))
		suspected(t, s, "a", "b")
		for range 4 {
			time.Sleep(30 * time.Second)
			for range 2 {
				c, ok, err := s.Claim(t.Context())
				require.NoError(t, err)
				require.True(t, ok)
				require.Equal(t, 1, c.Event.Attempt)
			}
			time.Sleep(store.DefaultLease + time.Second)
			noClaim(t, s)
		}
	})
}

// The other suspects do not die with the one that has a strike.
func aloneAfterAStrike(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1), event("b", 2), event("c", 3))
		suspected(t, s, "a", "b", "c")
		time.Sleep(5 * time.Second)
		struck, ok, err := s.Claim(t.Context())
		require.NoError(t, err)
		require.True(t, ok)
		time.Sleep(store.DefaultLease + time.Second)
		noClaim(t, s)
		time.Sleep(10 * time.Second)
		claim(t, s, struck.Event.Delivery)
		noClaim(t, s)
		time.Sleep(5 * time.Second)
		for range 2 {
			_, ok, err := s.Claim(t.Context())
			require.NoError(t, err)
			require.True(t, ok)
		}
	})
}

// Each third process lives for longer than a trial.
func survivedTrial(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		lives := 0
		handled, deadLetters := live(t, s, func(life) { lives++ }, func(l life, _ port.Event) error {
			if lives <= 12 {
				time.AfterFunc(map[bool]time.Duration{true: 2 * time.Minute, false: time.Second}[lives%3 == 0], l.die)
			}
			return l.takes(3 * time.Minute)
		})
		require.Empty(t, deadLetters)
		require.Equal(t, map[string]int{"a": 13}, handled)
	})
}

// killers has events handled of which some kill the process after a time, beside eight that take a minute each and
// record nothing by which they could be told from these.
func killers(t *testing.T, open Open, count int, after time.Duration, check func(handled map[string]int)) {
	t.Helper()
	bubble(t, open, func(t *testing.T, s *store.Store) {
		var failed []string
		for i := range count {
			killer := fmt.Sprintf("killer-%d", i)
			submit(t, s, event(killer, 10+i))
			failed = append(failed, killer)
		}
		for i := range 8 {
			submit(t, s, event(name(i), 1+i))
		}
		handled, deadLetters := live(t, s, func(life) {}, func(l life, ev port.Event) error {
			if strings.HasPrefix(ev.Delivery, "killer") {
				time.AfterFunc(after, l.die)
			}
			return l.takes(time.Minute)
		})
		require.Len(t, deadLetters, count)
		for i, killer := range failed {
			require.Regexp(t, "^dead letter "+killer+": the program ended [0-9]+ times while it worked on this$",
				deadLetters[i])
		}
		most := map[bool]int{}
		for delivery, n := range handled {
			isKiller := strings.HasPrefix(delivery, "killer")
			most[isKiller] = max(most[isKiller], n)
		}
		t.Logf("killers=%d after=%s killer_handled=%d others_handled=%d", count, after, most[true], most[false])
		check(handled)
	})
}

func killerEnds(t *testing.T, open Open) {
	killers(t, open, 1, time.Second, func(handled map[string]int) {
		require.LessOrEqual(t, handled["killer-0"], LastDeath+1)
		for i := range 8 {
			require.LessOrEqual(t, handled[name(i)], 6, "most of the deaths are the killer's alone")
		}
	})
}

func threeKillersEnd(t *testing.T, open Open) {
	killers(t, open, 3, time.Second/2, func(map[string]int) {})
}

func slowKillerEnds(t *testing.T, open Open) {
	killers(t, open, 1, 8*time.Second, func(handled map[string]int) {
		require.LessOrEqual(t, handled["killer-0"], 25)
	})
}

// Forty processes die after one to four seconds, which is less than what any of the events takes.
func othersDeaths(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		for i := range 16 {
			submit(t, s, event(name(i), 1+i))
		}
		lives := 0
		var mu sync.Mutex
		done := map[string]bool{}
		_, deadLetters := live(t, s, func(l life) {
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
		require.Empty(t, deadLetters)
		require.Len(t, done, 16)
	})
}

// Eight events of 20 seconds are interrupted again and again, as by a node without memory.
func crashLoop(t *testing.T, open Open) {
	for _, deaths := range []int{3, 5, 7} {
		bubble(t, open, func(t *testing.T, s *store.Store) {
			for i := range 8 {
				submit(t, s, event(name(i), 1+i))
			}
			lives := 0
			var calm, last time.Time
			handled, deadLetters := live(t, s, func(l life) {
				lives++
				if calm = time.Now(); lives <= deaths {
					time.AfterFunc(15*time.Second, l.die)
				}
			}, func(l life, _ port.Event) error {
				err := l.takes(20 * time.Second)
				last = time.Now()
				return err
			})
			require.Empty(t, deadLetters)
			require.Len(t, handled, 8)
			const settling = store.DefaultLease / 2 // since no process was there for longer than a lease
			require.LessOrEqual(t, last.Sub(calm), 45*time.Second+settling)
			t.Logf("deaths=%d all_done_s=%.0f", deaths, last.Sub(calm).Seconds())
		})
	}
}

// The other installations have not had their turn for longer.
func interruptedComesFirst(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	submit(t, s, eventOf(1, "a", 1))
	claim(t, s, "a")
	submit(t, s, eventOf(2, "b", 1), eventOf(3, "c", 1))
	clock.move(store.DefaultLease + time.Millisecond)
	complete(t, s, "a", "b", "c")
}

func suspectsComeInTheirTurn(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	submit(t, s, eventOf(1, "a", 1))
	for range 3 {
		claim(t, s, "a")
		clock.move(store.DefaultLease + time.Millisecond)
	}
	noClaim(t, s)
	clock.move(5 * time.Second)
	submit(t, s, eventOf(2, "b", 1))
	complete(t, s, "b", "a")
}
