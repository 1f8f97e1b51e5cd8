package store_test

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

// by makes an event of a sender in a thread of its own.
func by(sender int64, delivery string, thread int) port.Event {
	ev := event(delivery, thread)
	ev.Sender.ID, ev.Comment.ID = sender, int64(thread)
	return ev
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

// slowLog takes a second for each line.
type slowLog struct{ slog.Handler }

func (slowLog) Enabled(context.Context, slog.Level) bool { return true }

func (slowLog) Handle(context.Context, slog.Record) error {
	time.Sleep(time.Second)
	return nil
}

var limitsStories = []story{
	{"a burst of one sender is held, then refused", func(t *testing.T, open opener) {
		limits := store.Limits{Sender: 8} // two at once, and one every 7.5 minutes
		s := newStage(t, open, store.Options{Lease: 24 * time.Hour, Limits: limits})
		for i := range 10 {
			s.submit(by(3, name(i), 1+i))
		}
		var many *port.TooMany
		for i := 10; i < 13; i++ {
			require.ErrorAs(s, s.Submit(s.Context(), by(3, name(i), 1+i)), &many)
			require.Equal(s, port.TooMany{Of: "sender", Limit: 8, Final: true, After: 450 * time.Second}, *many)
		}
		require.Equal(s, 10, s.queued().Ready, "what is not accepted is not stored")

		s.submit(by(4, "of-another", 1))
		s.complete(name(0))
		s.claim(name(1))
		s.claim("of-another")
		s.noClaim()
		for i := 2; i < 10; i++ {
			s.clock.move(7*time.Minute + 29*time.Second)
			s.noClaim()
			s.clock.move(time.Second)
			s.claim(name(i))
		}
		for range 20 {
			s.submit(by(3, "later", 99)) // a redelivery counts for nothing
		}
	}},
	{"a held event blocks nobody in its thread", func(t *testing.T, open opener) {
		s := newStage(t, open, store.Options{Lease: 24 * time.Hour, Limits: store.Limits{Sender: 4}})
		s.submit(by(3, "first", 1))
		s.complete("first")
		s.submit(by(3, "held", 2), by(3, "held-too", 2), by(4, "of-another", 2))
		queue := must(s.Queued(s.Context(), by(4, "of-another", 2)))(s)
		require.Len(s, queue, 2)
		require.Equal(s, port.TooManyCommands, queue[0].WaitsFor)
		s.complete("of-another")
		s.noClaim()
		s.clock.move(15 * time.Minute)
		ev := s.claim("held").Event
		s.clock.move(15 * time.Minute)
		s.noClaim()
		require.NoError(s, s.Retry(s.Context(), ev, errors.New("later"), time.Minute))
		s.noClaim() // once it was begun, the next of the thread waits for it as for any other
		s.clock.move(time.Minute)
		s.complete("held")
		s.complete("held-too")
	}},
	{"a burst of an installation is held, then refused for now", func(t *testing.T, open opener) {
		s := newStage(t, open, store.Options{Lease: 24 * time.Hour, Limits: store.Limits{Sender: 1000, Installation: 4}})
		var many *port.TooMany
		for i := range 5 {
			s.submit(by(int64(i), name(i), 1+i))
		}
		require.ErrorAs(s, s.Submit(s.Context(), by(9, "over", 50)), &many)
		require.Equal(s, port.TooMany{Of: "installation", Limit: 4, After: 15 * time.Minute}, *many,
			"it may be asked for again")

		help, end := by(3, "help", 60), by(3, "end", 61)
		help.Immediate, end.Kind, end.Comment = true, port.Closed, port.Comment{}
		s.submit(help, end, eventOf(2, "elsewhere", 1))
		_, ok, err := s.ClaimImmediate(s.Context())
		require.NoError(s, err)
		require.True(s, ok, "immediate commands are counted apart")
		s.clock.move(15 * time.Minute)
		s.submit(by(9, "over", 50))
	}},
	// Anybody may comment in a public repository.
	{"a flood of strangers does not shut out who sends little", func(t *testing.T, open opener) {
		limits := store.Limits{Sender: 40, Installation: 80} // a sender's first two in half an hour each are its own
		s := newStage(t, open, store.Options{Lease: 24 * time.Hour, Limits: limits})
		flood := func() {
			for i := range 300 {
				_ = s.Submit(s.Context(), by(int64(10+i%10), "flood-"+s.clock.Now().Format(time.Kitchen)+name(i), 100+i))
			}
		}
		flood()
		var many *port.TooMany
		for i := range 2 {
			s.submit(by(3, "own-"+name(i), 1+i))
			require.Empty(s, must(s.Queued(s.Context(), by(3, "own-"+name(i), 1+i)))(s))
		}
		require.ErrorAs(s, s.Submit(s.Context(), by(3, "third", 3)), &many)
		require.Equal(s, "installation", many.Of)
		s.clock.move(30 * time.Minute)
		flood()
		s.submit(by(3, "later", 3))
	}},
	{"what a limit refuses counts for nothing else", func(t *testing.T, open opener) {
		s := newStage(t, open, store.Options{Lease: 24 * time.Hour, Limits: store.Limits{Sender: 4, Installation: 40}})
		for i := range 100 {
			_ = s.Submit(s.Context(), by(3, name(i), 1+i))
		}
		require.Equal(s, 5, s.queued().Ready)
		for i := range 9 { // ten of the installation come at once
			s.submit(by(int64(10+i), "other-"+name(i), 200+i))
		}
		due := 0
		for ok := true; ok; {
			var err error
			_, ok, err = s.Claim(s.Context())
			require.NoError(s, err)
			due += map[bool]int{true: 1}[ok]
		}
		require.Equal(s, 1+5, due, "five of the first sender had been counted")
	}},
	inBubble("a command of a new installation begins at once", func(s *stage) {
		for i := range 9 {
			s.submit(eventOf(1, name(i), 1+i))
		}
		for after, ev := range map[time.Duration]port.Event{
			time.Minute:      eventOf(2, "newcomer", 1),
			2 * time.Minute:  eventOf(2, "its-second", 2),
			3 * time.Minute:  eventOf(3, "another", 1),
			4 * time.Minute:  eventOf(4, "one-too-many", 1),
			5 * time.Minute:  eventOf(1, "no-newcomer", 20),
			30 * time.Minute: eventOf(3, "quiet-since", 2),
		} {
			time.AfterFunc(after, func() { s.submit(ev) })
		}
		h := &handler{handle: func(context.Context, port.Event) error { time.Sleep(8 * time.Minute); return nil }}
		s.workFor(2*time.Hour, store.Workers{Handler: h, Count: 5, Kept: 2, Poll: 3 * time.Hour})
		calls := h.called()
		require.ElementsMatch(s, []string{"0s handle " + name(0), "0s handle " + name(1), "0s handle " + name(2)}, calls[:3])
		require.Equal(s, []string{"1m0s handle newcomer", "3m0s handle another"}, calls[3:5])
		// The other workers are for newcomers, until fewer than three are busy.
		require.Equal(s, []string{"8m0s handle one-too-many", "9m0s handle " + name(3), "11m0s handle its-second"},
			calls[5:8])
		require.Equal(s, []string{"30m0s handle quiet-since"}, onlyAt(calls, "30m0s"))
		require.Len(s, calls, 15)
		require.Equal(s, store.Stats{}, s.queued())
	}),
	// A worker logs what happened to an event after its lease has ended, and it is busy until then.
	inBubble("a worker is freed last, and wakes the others", func(s *stage) {
		s.submit(eventOf(1, "waits", 1))
		s.submit(eventOf(1, "next", 2))
		h := &handler{handle: func(_ context.Context, ev port.Event) error {
			if ev.Delivery == "waits" {
				return &port.WaitError{For: port.GitHubOutage, After: time.Hour, Err: errors.New("unavailable")}
			}
			return nil
		}}
		log := slog.New(slowLog{slog.DiscardHandler})
		s.workFor(5*time.Minute, store.Workers{
			Handler: h, Count: 2, Kept: 1, Log: log, Poll: time.Minute,
		})
		require.Equal(s, []string{"0s handle waits", "1s handle next"}, h.called(), "without waiting for a poll")
	}),
	{"the budget of the whole server is reserved with the others", func(t *testing.T, open opener) {
		s := newStage(t, open, store.Options{Lease: 24 * time.Hour, ServerTokens: 1000})
		a, runA := s.begun(eventOf(1, "a", 1))
		b, runB := s.begun(eventOf(2, "b", 1))
		runs := map[string]string{"a": runA, "b": runB}
		reserve := func(ev port.Event, call int) (port.Booking, error) {
			return s.Reserve(s.Context(), reservation(ev, runs[ev.Delivery], call, 600, port.Limits{}))
		}
		first := must(reserve(a, 1))(s)
		_, err := reserve(b, 1)
		var over *port.OverBudget
		require.ErrorAs(s, err, &over)
		require.Equal(s, "the tokens today on this server", over.Of)
		require.Equal(s, "server-tokens", over.Kind)
		require.NoError(s, s.Charge(s.Context(), a, first, 100, port.ModelUse{}))
		must(reserve(b, 1))(s)
		_, err = reserve(a, 2)
		require.ErrorAs(s, err, &over)
		for _, state := range must(s.Usage(s.Context(), a, port.Limits{}))(s) {
			require.NotContains(s, state.Of, "server", "people of one owner are not told what others take")
		}
		s.clock.move(23 * time.Hour)
		must(reserve(a, 2))(s, "another day")
	}},
}
