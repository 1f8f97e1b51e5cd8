package storetest

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// clockOf returns a clock that the test sets, and what sets it forward.
func clockOf() (now func() time.Time, pass func(time.Duration)) {
	at := time.Date(2026, 2, 3, 4, 0, 0, 0, time.UTC)
	return func() time.Time { return at }, func(d time.Duration) { at = at.Add(d) }
}

// by makes an event of a sender in a thread of its own.
func by(sender int64, delivery string, thread int) port.Event {
	ev := event(delivery, thread)
	ev.Sender.ID, ev.Comment.ID = sender, int64(thread)
	return ev
}

func burstIsHeld(t *testing.T, open Open) {
	now, pass := clockOf()
	limits := store.Limits{Sender: 8} // two at once, and one every 7.5 minutes
	s := open(t, store.Options{Now: now, Lease: 24 * time.Hour, Limits: limits})
	for i := range 10 {
		submit(t, s, by(3, name(i), 1+i))
	}
	var many *port.TooMany
	for i := 10; i < 13; i++ {
		require.ErrorAs(t, s.Submit(t.Context(), by(3, name(i), 1+i)), &many)
		require.Equal(t, port.TooMany{Of: "sender", Limit: 8, Final: true, After: 450 * time.Second}, *many)
	}
	require.Equal(t, 10, queued(t, s).Ready, "what is not accepted is not stored")

	submit(t, s, by(4, "of-another", 1))
	complete(t, s, name(0))
	claim(t, s, name(1))
	claim(t, s, "of-another")
	noClaim(t, s)
	for i := 2; i < 10; i++ {
		pass(7*time.Minute + 29*time.Second)
		noClaim(t, s)
		pass(time.Second)
		claim(t, s, name(i))
	}
	for range 20 {
		submit(t, s, by(3, "later", 99)) // a redelivery counts for nothing
	}
}

func heldBlocksNobody(t *testing.T, open Open) {
	now, pass := clockOf()
	s := open(t, store.Options{Now: now, Lease: 24 * time.Hour, Limits: store.Limits{Sender: 4}})
	submit(t, s, by(3, "first", 1))
	complete(t, s, "first")
	submit(t, s, by(3, "held", 2), by(3, "held-too", 2), by(4, "of-another", 2))
	queue, err := s.Queued(t.Context(), by(4, "of-another", 2))
	require.NoError(t, err)
	require.Len(t, queue, 2)
	require.Equal(t, port.TooManyCommands, queue[0].WaitsFor)
	complete(t, s, "of-another")
	noClaim(t, s)
	pass(15 * time.Minute)
	ev := claim(t, s, "held").Event
	pass(15 * time.Minute)
	noClaim(t, s)
	require.NoError(t, s.Retry(t.Context(), ev, errors.New("later"), time.Minute))
	noClaim(t, s) // once it was begun, the next of the thread waits for it as for any other
	pass(time.Minute)
	complete(t, s, "held")
	complete(t, s, "held-too")
}

func installationLimit(t *testing.T, open Open) {
	now, pass := clockOf()
	s := open(t, store.Options{Now: now, Lease: 24 * time.Hour, Limits: store.Limits{Sender: 1000, Installation: 4}})
	var many *port.TooMany
	for i := range 5 {
		submit(t, s, by(int64(i), name(i), 1+i))
	}
	require.ErrorAs(t, s.Submit(t.Context(), by(9, "over", 50)), &many)
	require.Equal(t, port.TooMany{Of: "installation", Limit: 4, After: 15 * time.Minute}, *many,
		"it may be asked for again")

	help, end := by(3, "help", 60), by(3, "end", 61)
	help.Immediate, end.Kind, end.Comment = true, port.Closed, port.Comment{}
	submit(t, s, help, end, eventOf(2, "elsewhere", 1))
	_, ok, err := s.ClaimImmediate(t.Context())
	require.NoError(t, err)
	require.True(t, ok, "immediate commands are counted apart")
	pass(15 * time.Minute)
	submit(t, s, by(9, "over", 50))
}

// Anybody may comment in a public repository.
func strangersShutNobodyOut(t *testing.T, open Open) {
	now, pass := clockOf()
	limits := store.Limits{Sender: 40, Installation: 80} // a sender's first two in half an hour each are its own
	s := open(t, store.Options{Now: now, Lease: 24 * time.Hour, Limits: limits})
	flood := func() {
		for i := range 300 {
			_ = s.Submit(t.Context(), by(int64(10+i%10), "flood-"+now().Format(time.Kitchen)+name(i), 100+i))
		}
	}
	flood()
	var many *port.TooMany
	for i := range 2 {
		submit(t, s, by(3, "own-"+name(i), 1+i))
		queue, err := s.Queued(t.Context(), by(3, "own-"+name(i), 1+i))
		require.NoError(t, err)
		require.Empty(t, queue)
	}
	require.ErrorAs(t, s.Submit(t.Context(), by(3, "third", 3)), &many)
	require.Equal(t, "installation", many.Of)
	pass(30 * time.Minute)
	flood()
	submit(t, s, by(3, "later", 3))
}

func refusedCountsForNothing(t *testing.T, open Open) {
	now, _ := clockOf()
	s := open(t, store.Options{Now: now, Lease: 24 * time.Hour, Limits: store.Limits{Sender: 4, Installation: 40}})
	for i := range 100 {
		_ = s.Submit(t.Context(), by(3, name(i), 1+i))
	}
	require.Equal(t, 5, queued(t, s).Ready)
	for i := range 9 { // ten of the installation come at once
		submit(t, s, by(int64(10+i), "other-"+name(i), 200+i))
	}
	due := 0
	for ok := true; ok; {
		var err error
		_, ok, err = s.Claim(t.Context())
		require.NoError(t, err)
		due += map[bool]int{true: 1}[ok]
	}
	require.Equal(t, 1+5, due, "five of the first sender had been counted")
}

func newcomersBeginAtOnce(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		for i := range 9 {
			submit(t, s, eventOf(1, name(i), 1+i))
		}
		for after, ev := range map[time.Duration]port.Event{
			time.Minute:      eventOf(2, "newcomer", 1),
			2 * time.Minute:  eventOf(2, "its-second", 2),
			3 * time.Minute:  eventOf(3, "another", 1),
			4 * time.Minute:  eventOf(4, "one-too-many", 1),
			5 * time.Minute:  eventOf(1, "no-newcomer", 20),
			30 * time.Minute: eventOf(3, "quiet-since", 2),
		} {
			time.AfterFunc(after, func() { submit(t, s, ev) })
		}
		h := &handler{handle: func(context.Context, port.Event) error { time.Sleep(8 * time.Minute); return nil }}
		workFor(t, 2*time.Hour, store.Workers{Store: s, Handler: h, Count: 5, Kept: 2, Poll: 3 * time.Hour})
		calls := h.called()
		require.ElementsMatch(t, []string{"0s handle " + name(0), "0s handle " + name(1), "0s handle " + name(2)}, calls[:3])
		require.Equal(t, []string{"1m0s handle newcomer", "3m0s handle another"}, calls[3:5])
		// The other workers are for newcomers, until fewer than three are busy.
		require.Equal(t, []string{"8m0s handle one-too-many", "9m0s handle " + name(3), "11m0s handle its-second"},
			calls[5:8])
		require.Equal(t, []string{"30m0s handle quiet-since"}, onlyAt(calls, "30m0s"))
		require.Len(t, calls, 15)
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}

// onlyAt returns the calls at a time.
func onlyAt(calls []string, at string) (list []string) {
	for _, call := range calls {
		if strings.HasPrefix(call, at+" ") {
			list = append(list, call)
		}
	}
	return list
}

// A worker logs what happened to an event after its lease has ended, and it is busy until then.
func workersAreFreedLast(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, eventOf(1, "waits", 1))
		submit(t, s, eventOf(1, "next", 2))
		h := &handler{handle: func(_ context.Context, ev port.Event) error {
			if ev.Delivery == "waits" {
				return &port.WaitError{For: port.GitHubOutage, After: time.Hour, Err: errors.New("unavailable")}
			}
			return nil
		}}
		log := slog.New(slowLog{slog.DiscardHandler})
		workFor(t, 5*time.Minute, store.Workers{
			Store: s, Handler: h, Count: 2, Kept: 1, Log: log, Poll: time.Minute,
		})
		require.Equal(t, []string{"0s handle waits", "1s handle next"}, h.called(), "without waiting for a poll")
	})
}

// slowLog takes a second for each line.
type slowLog struct{ slog.Handler }

func (slowLog) Enabled(context.Context, slog.Level) bool { return true }

func (slowLog) Handle(context.Context, slog.Record) error {
	time.Sleep(time.Second)
	return nil
}

func serverBudget(t *testing.T, open Open) {
	now, pass := clockOf()
	s := open(t, store.Options{Now: now, Lease: 24 * time.Hour, ServerTokens: 1000})
	a, runA := begun(t, s, eventOf(1, "a", 1))
	b, runB := begun(t, s, eventOf(2, "b", 1))
	runs := map[string]string{"a": runA, "b": runB}
	reserve := func(ev port.Event, call int) (port.Booking, error) {
		return s.Reserve(t.Context(), reservation(ev, runs[ev.Delivery], call, 600, port.Limits{}))
	}
	first, err := reserve(a, 1)
	require.NoError(t, err)
	_, err = reserve(b, 1)
	var over *port.OverBudget
	require.ErrorAs(t, err, &over)
	require.Equal(t, "the tokens today on this server", over.Of)
	require.Equal(t, "server-tokens", over.Kind)
	require.NoError(t, s.Charge(t.Context(), a, first, 100, port.ModelUse{}))
	_, err = reserve(b, 1)
	require.NoError(t, err)
	_, err = reserve(a, 2)
	require.ErrorAs(t, err, &over)
	states, err := s.Usage(t.Context(), a, port.Limits{})
	require.NoError(t, err)
	for _, state := range states {
		require.NotContains(t, state.Of, "server", "people of one owner are not told what others take")
	}
	pass(23 * time.Hour)
	_, err = reserve(a, 2)
	require.NoError(t, err, "another day")
}
