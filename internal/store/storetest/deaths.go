package storetest

import (
	"context"
	"database/sql"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// SetDeaths sets the deaths of the events in a folder during which two processes died, so that no test waits for the
// delays after further ones. No process may be using the folder.
func SetDeaths(t *testing.T, dir string, deaths int) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "tenon.db"))
	require.NoError(t, err)
	res, err := db.ExecContext(t.Context(), "UPDATE events SET deaths = $1 WHERE deaths = 2", deaths)
	require.NoError(t, err)
	n, err := res.RowsAffected()
	require.NoError(t, err)
	require.Equal(t, int64(1), n)
	require.NoError(t, db.Close())
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
	noClaim(t, s) // they are released now, and wait a second
	time.Sleep(time.Second)
}

func suspectsRunAlone(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1), event("b", 2))
		suspected(t, s, "a", "b")
		submit(t, s, event("c", 3))
		h := &handler{handle: func(context.Context, port.Event) error {
			time.Sleep(10 * time.Second)
			return nil
		}}
		workFor(t, time.Minute, store.Workers{Store: s, Handler: h, Poll: time.Hour})
		calls := h.called()
		slices.Sort(calls[:2])
		require.Equal(t, []string{"0s handle a", "0s handle c", "10s handle b"}, calls)
	})
}

func progressEndsSuspicion(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1), event("b", 2))
		suspected(t, s, "a", "b")
		h := &handler{handle: func(ctx context.Context, ev port.Event) error {
			run, err := s.Start(ctx, ev)
			if err != nil {
				return err
			}
			time.Sleep(5 * time.Second)
			err = s.Record(ctx, ev, run.ID, "target", port.Step{Version: 1, Data: []byte("1")})
			time.Sleep(20 * time.Second)
			return err
		}}
		workFor(t, time.Minute, store.Workers{Store: s, Handler: h, Poll: time.Hour})
		require.Equal(t, []string{"0s handle a", "5s handle b"}, h.called())
	})
}

// An event kills the process a second after its handler began. The others take a minute each, and record nothing by
// which they could be told from it.
func killerIsParkedAlone(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("killer", 1))
		for i := range 8 {
			submit(t, s, event(name(i), 2+i))
		}
		begun := time.Now()
		h := &handler{}
		for queued(t, s) != (store.Stats{DeadLetters: 1}) {
			require.Less(t, time.Since(begun), time.Hour)
			life, die := context.WithCancel(t.Context())
			go func() {
				for life.Err() == nil {
					time.Sleep(10 * time.Second)
					if st, err := s.Stats(life); err == nil && st.Ready+st.Leased == 0 {
						die()
					}
				}
			}()
			h.handle = func(_ context.Context, ev port.Event) error {
				if ev.Delivery == "killer" {
					time.AfterFunc(time.Second, die)
				}
				select {
				case <-life.Done():
					time.Sleep(time.Second)  // the workers claim nothing any more
					return port.ErrLeaseLost // the process is dead: the lease is left as it is
				case <-time.After(time.Minute):
					return nil
				}
			}
			require.NoError(t, (&store.Workers{Store: s, Handler: h, Poll: 10 * time.Second}).Run(life))
			die()
			time.Sleep(store.DefaultLease + time.Second) // also for the goroutine
		}
		count := map[string]int{}
		for _, call := range h.called() {
			_, what, _ := strings.Cut(call, " ")
			count[what]++
		}
		require.Equal(t, store.MaxDeaths, count["handle killer"])
		require.Equal(t, 1, count["dead letter killer: the program ended 10 times while it worked on this"])
		for i := range 8 {
			require.LessOrEqual(t, count["handle "+name(i)], 4, "three deaths beside the killer, none after")
		}
	})
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
	clock.move(time.Second)
	submit(t, s, eventOf(2, "b", 1))
	complete(t, s, "b", "a")
}
