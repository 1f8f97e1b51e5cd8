package contract

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

var listStories = []story[QueueStage]{
	{"the runs before an event are listed, newest first", func(t *testing.T, s QueueStage) {
		recorded(t, s, queueEvent("a", 1), "open")
		recorded(t, s, queueEvent("b", 2), "open")
		recorded(t, s, queueEvent("silent", 1))
		recorded(t, s, queueEvent("c", 1), "open", "answer")
		recorded(t, s, queueEvent("d", 1), "open")
		past := must(s.Past(t.Context(), queueEvent("d", 1), 100))(t)
		require.Len(t, past, 2, "without the own, those of other threads, and those without a record")
		require.Equal(t, queueEvent("c", 1), past[0].Event)
		require.Equal(t, port.RunID("c"), past[0].ID)
		require.False(t, past[0].Resumed)
		require.Equal(t, map[string]port.Step{"open": step(`{"of":"c"}`), "answer": step(`{"of":"c"}`)}, past[0].Steps)
		require.Equal(t, "a", past[1].Event.Delivery)
		require.Len(t, must(s.Past(t.Context(), queueEvent("d", 1), 1))(t), 1)
		require.Len(t, must(s.Past(t.Context(), queueEvent("c", 1), 100))(t), 1, "without the later one")
		require.Empty(t, must(s.Past(t.Context(), queueEvent("b", 2), 100))(t))
	}},
	// Anybody may ask for help, or lack the permission for a command.
	{"nobody's commands hide a run", func(t *testing.T, s QueueStage) {
		recorded(t, s, queueEvent("a", 1), "open")
		for i := range 101 {
			recorded(t, s, queueEvent(fmt.Sprintf("silent-%d", i), 1))
		}
		recorded(t, s, immediateEvent("help"), "report")
		submit(t, s, queueEvent("b", 1))
		past := must(s.Past(t.Context(), queueEvent("b", 1), 100))(t)
		require.Len(t, past, 1)
		require.Equal(t, "a", past[0].Event.Delivery)
		require.NoError(t, s.Complete(t.Context(), claim(t, s, false, "b").Event))
		for i := range 101 {
			recorded(t, s, queueEvent(fmt.Sprintf("long-%d", i), 9), "open")
		}
		past = must(s.Past(t.Context(), queueEvent("long-100", 9), 1000))(t)
		require.Len(t, past, 100)
		require.Equal(t, "long-99", past[0].Event.Delivery)
	}},
	{"a run is found by its id", func(t *testing.T, s QueueStage) {
		recorded(t, s, queueEvent("a", 1), "open")
		run, ev, err := s.FindRun(t.Context(), port.RunID("a"))
		require.NoError(t, err)
		require.Equal(t, queueEvent("a", 1), ev)
		require.Equal(t, port.RunID("a"), run.ID)
		require.Equal(t, map[string]port.Step{"open": step(`{"of":"a"}`)}, run.Steps)
		submit(t, s, queueEvent("b", 1))
		for _, id := range []string{port.RunID("b"), "abcdefghijkl", "", "'"} {
			_, _, err = s.FindRun(t.Context(), id)
			require.ErrorIs(t, err, port.ErrNotFound, "%q was not started", id)
		}
	}},
	{"the queue of a thread is listed in order", func(t *testing.T, s QueueStage) {
		submit(t, s, queueEvent("a", 1), queueEvent("b", 1), queueEvent("c", 1), queueEvent("other", 2),
			immediateEvent("x"))
		elsewhere, x := queueEvent("another's", 1), immediateEvent("x")
		elsewhere.Repo.ID++
		submit(t, s, elsewhere)
		require.Equal(t, []string{"a ready", "b ready", "c ready"}, listed(s.Queued(t.Context(), x)))
		a := claim(t, s, false, "a").Event
		require.Equal(t, []string{"a running", "b ready", "c ready"}, listed(s.Queued(t.Context(), x)))
		require.Equal(t, []string{"b ready", "c ready"}, listed(s.Queued(t.Context(), a)))
		require.NoError(t, s.Retry(t.Context(), a, errors.New("x"), time.Hour))
		require.Equal(t, []string{"a ready", "b ready", "c ready"}, listed(s.Queued(t.Context(), x)),
			"what is retried later is in the queue")
		require.Empty(t, listed(s.Queued(t.Context(), queueEvent("y", 3))))
	}},
	{"the list of a long queue is bounded", func(t *testing.T, s QueueStage) {
		for i := range 120 {
			submit(t, s, queueEvent(fmt.Sprintf("d%03d", i), 1))
		}
		claim(t, s, false, "d000")
		list := listed(s.Queued(t.Context(), immediateEvent("x")))
		require.Len(t, list, 100)
		require.Equal(t, "d000 running", list[0])
		require.Equal(t, "d099 ready", list[99])
		require.Len(t, listed(s.Cancel(t.Context(), canceller(t, s, "stop"))), 100)
		require.Equal(t, []string{"d000 running"}, listed(s.Queued(t.Context(), immediateEvent("x"))),
			"all are cancelled, not only those that are listed")
	}},
}

// listed names the events of a queue, as "a running" and "b ready".
func listed(queue []port.QueuedEvent, err error) []string {
	if err != nil {
		return []string{err.Error()}
	}
	all := []string{}
	for _, q := range queue {
		all = append(all, q.Event.Delivery+map[bool]string{true: " running", false: " ready"}[q.Running])
	}
	return all
}

var cancelStories = []story[QueueStage]{
	{"cancelling ends what came before, and returns it", func(t *testing.T, s QueueStage) {
		submit(t, s, queueEvent("a", 1), queueEvent("b", 1), queueEvent("other", 2))
		a := claim(t, s, false, "a").Event
		by := canceller(t, s, "stop")
		for range 2 {
			require.Equal(t, []string{"a running", "b ready"}, listed(s.Cancel(t.Context(), by)),
				"a second attempt returns the same")
		}
		require.Equal(t, &port.CancelledError{By: "maria"}, must(s.Renew(t.Context(), a))(t))
		submit(t, s, queueEvent("b", 1)) // a redelivery does not make it ready
		claim(t, s, false, "other")
		noClaim(t, s, false)
		require.Equal(t, []string{"a running"}, listed(s.Queued(t.Context(), by)))
		require.Empty(t, listed(s.Cancel(t.Context(), canceller(t, s, "again"))),
			"what is cancelled already is not cancelled again")
	}},
	{"cancelling spares immediate and later events", func(t *testing.T, s QueueStage) {
		submit(t, s, immediateEvent("x"))
		x := claim(t, s, true, "x").Event
		by := canceller(t, s, "stop")
		submit(t, s, queueEvent("later", 1))
		require.Empty(t, listed(s.Cancel(t.Context(), by)))
		require.Nil(t, must(s.Renew(t.Context(), x))(t))
		require.Nil(t, claim(t, s, false, "later").Cancelled)
	}},
	{"a cancelled run is handled once more, to tell its end", func(t *testing.T, s QueueStage) {
		ev, run := begun(t, s, queueEvent("a", 1))
		require.NoError(t, s.Retry(t.Context(), ev, errors.New("GitHub is away"), time.Hour))
		require.Equal(t, []string{"a ready"}, listed(s.Cancel(t.Context(), canceller(t, s, "stop"))))
		require.Empty(t, listed(s.Queued(t.Context(), queueEvent("b", 1))), "it does not wait for its work any more")
		again := claim(t, s, false, "a")
		require.Equal(t, &port.CancelledError{By: "maria"}, again.Cancelled)
		require.NoError(t, s.Record(t.Context(), again.Event, run.ID, "report", step(`1`)))
		require.NoError(t, s.DeadLetter(t.Context(), again.Event, errors.New("x")))
		submit(t, s, queueEvent("a", 1))
		noClaim(t, s, false)
	}},
}

// canceller accepts and claims the event of a command of maria that cancels.
func canceller(t *testing.T, s QueueStage, delivery string) port.Event {
	ev := immediateEvent(delivery)
	ev.Sender = port.User{ID: 9, Login: "maria"}
	return taken(t, s, ev)
}

var budgetStories = []story[QueueStage]{
	{"an attempt is charged what it took instead of what was reserved", func(t *testing.T, s QueueStage) {
		limits := port.Limits{RepositoryTokens: 1000}
		ev, run := begun(t, s, queueEvent("a", 1))
		first := must(s.Reserve(t.Context(), reserve(ev, run, 1, 900, limits)))(t)
		require.Equal(t, port.Booking{Run: run.ID, Call: 1, Attempt: 1,
			Use: port.BudgetUse{Of: "this repository's tokens today", Percent: 90}}, first)
		over := overBudget(t, s, reserve(ev, run, 2, 200, limits))
		require.Equal(t, "this repository's tokens today", over.Of)
		require.EqualValues(t, 1000, over.Limit)
		for range 2 {
			require.NoError(t, s.Charge(t.Context(), ev, first, 300, port.ModelUse{}), "once")
		}
		require.NoError(t, s.Charge(t.Context(), ev, port.Booking{Run: run.ID, Call: 7, Attempt: 1}, 300, port.ModelUse{}),
			"without a reservation it does nothing")
		second, err := s.Reserve(t.Context(), reserve(ev, run, 2, 200, limits))
		require.NoError(t, err, "what was not used is free again, and a refusal reserves nothing")
		require.Equal(t, 50, second.Use.Percent)
	}},
	{"each attempt at a call is booked", func(t *testing.T, s QueueStage) {
		limits := port.Limits{UserCommands: 1, RepositoryTokens: 2000}
		ev, run := begun(t, s, queueEvent("a", 1))
		var attempts []port.Booking
		for n := range 3 {
			booked := must(s.Reserve(t.Context(), reserve(ev, run, 1, 600, limits)))(t, "a second attempt is no second command")
			require.Equal(t, n+1, booked.Attempt)
			attempts = append(attempts, booked)
		}
		tokens := func() int64 {
			return must(s.Usage(t.Context(), ev, limits))(t)[2].Used
		}
		require.EqualValues(t, 1800, tokens(), "an attempt whose end nobody heard of remains booked")
		require.Equal(t, "this repository's tokens today", overBudget(t, s, reserve(ev, run, 1, 600, limits)).Of)
		require.NoError(t, s.Charge(t.Context(), ev, attempts[1], 100, port.ModelUse{}))
		require.EqualValues(t, 1300, tokens(), "each attempt is charged by itself")
		must(s.Reserve(t.Context(), reserve(ev, run, 2, 300, limits)))(t, "a second call is no second command")
		other, second := begun(t, s, queueEvent("b", 2))
		require.Equal(t, "your commands today", overBudget(t, s, reserve(other, second, 1, 1, limits)).Of)
	}},
	{"all attempts of a command count toward its limit", func(t *testing.T, s QueueStage) {
		ev, run := begun(t, s, queueEvent("a", 1))
		upTo := func(call int, tokens int64) (port.Booking, error) {
			r := reserve(ev, run, call, tokens, port.Limits{})
			r.RunTokens = 1000
			return s.Reserve(t.Context(), r)
		}
		first := must(upTo(1, 600))(t)
		_, err := upTo(1, 401)
		var over *port.OverCommand
		require.ErrorAs(t, err, &over, "an attempt that was cut off counts")
		require.Equal(t, port.OverCommand{Needs: 1001, Limit: 1000}, *over)
		must(upTo(2, 400))(t, "a refusal books nothing, and the last token may be taken")
		require.NoError(t, s.Charge(t.Context(), ev, first, 500, port.ModelUse{}))
		must(upTo(3, 100))(t)
		require.EqualValues(t, 1000, must(s.Usage(t.Context(), ev, port.Limits{}))(t)[2].Used)
	}},
	{"each budget has its limit", func(t *testing.T, s QueueStage) {
		ev, run := begun(t, s, queueEvent("a", 1))
		must(s.Reserve(t.Context(), reserve(ev, run, 1, 500, port.Limits{})))(t)
		other := queueEvent("b", 2)
		other.Sender = port.User{ID: 4, Login: "victor"}
		victor, second := begun(t, s, other)
		for of, limits := range map[string]port.Limits{
			"this repository's commands today": {RepositoryCommands: 1},
			"this repository's tokens today":   {RepositoryTokens: 600},
			"this owner's tokens of the month": {OwnerTokens: 600},
		} {
			require.Equal(t, of, overBudget(t, s, reserve(victor, second, 1, 200, limits)).Of)
		}
		_, err := s.Reserve(t.Context(), reserve(victor, second, 1, 200, port.Limits{UserCommands: 1}))
		require.NoError(t, err, "the commands of others are theirs")
	}},
	{"a budget resets with the day or the month", func(t *testing.T, s QueueStage) {
		limits := port.Limits{UserCommands: 1, OwnerTokens: 500}
		ev, run := begun(t, s, queueEvent("a", 1))
		first := must(s.Reserve(t.Context(), reserve(ev, run, 1, 500, limits)))(t)
		today := s.Now().UTC()
		other, second := begun(t, s, queueEvent("b", 2))
		over := overBudget(t, s, reserve(other, second, 1, 1, limits))
		require.Equal(t, time.Date(today.Year(), today.Month(), today.Day()+1, 0, 0, 0, 0, time.UTC), over.Resets)
		s.Pass(24 * time.Hour)
		over = overBudget(t, s, reserve(other, second, 1, 1, limits), "a new day, but the same month")
		require.Equal(t, "this owner's tokens of the month", over.Of)
		require.Equal(t, time.Date(today.Year(), today.Month()+1, 1, 0, 0, 0, 0, time.UTC), over.Resets)
		s.Pass(31 * 24 * time.Hour)
		booked := must(s.Reserve(t.Context(), reserve(other, second, 1, 500, limits)))(t)
		require.NoError(t, s.Charge(t.Context(), ev, first, 0, port.ModelUse{}), "in the month of its reservation")
		require.Equal(t, 100, booked.Use.Percent)
		require.EqualValues(t, 500, must(s.Usage(t.Context(), other, limits))(t)[3].Used)
	}},
	{"the use of the budgets is shown", func(t *testing.T, s QueueStage) {
		limits := port.Limits{UserCommands: 5, RepositoryCommands: 6, RepositoryTokens: 1000}
		ev, run := begun(t, s, queueEvent("a", 1))
		booked := must(s.Reserve(t.Context(), reserve(ev, run, 1, 400, limits)))(t)
		require.NoError(t, s.Charge(t.Context(), ev, booked, 300, port.ModelUse{}))
		now := s.Now().UTC()
		tomorrow := time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, time.UTC)
		nextMonth := time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC)
		other := queueEvent("b", 2) // without a lease
		other.Sender.ID++
		for range 2 {
			all := must(s.Usage(t.Context(), other, limits))(t)
			require.Equal(t, []port.BudgetState{
				{Of: "your commands today", Used: 0, Limit: 5, Resets: tomorrow},
				{Of: "this repository's commands today", Used: 1, Limit: 6, Resets: tomorrow},
				{Of: "this repository's tokens today", Used: 300, Limit: 1000, Resets: tomorrow},
				{Of: "this owner's tokens of the month", Used: 300, Limit: 40_000_000, Resets: nextMonth},
			}, all)
		}
	}},
	{"the replies to a user are counted by the hour", func(t *testing.T, s QueueStage) {
		count := func(user int64) bool {
			return must(s.CountReply(t.Context(), user, 3))(t)
		}
		for range 3 {
			require.True(t, count(1))
		}
		require.False(t, count(1))
		require.True(t, count(2), "another person")
		s.Pass(time.Hour)
		for range 3 {
			require.True(t, count(1), "another hour")
		}
		require.False(t, count(1))
		s.Pass(24 * time.Hour)
		require.True(t, count(1), "the same hour of another day")
	}},
}

// overBudget requires that a reservation is refused because it exceeds a budget.
func overBudget(t *testing.T, s QueueStage, r port.Reservation, why ...any) (over *port.OverBudget) {
	_, err := s.Reserve(t.Context(), r)
	require.ErrorAs(t, err, &over, why...)
	return over
}

func reserve(ev port.Event, run port.Run, call int, tokens int64, limits port.Limits) port.Reservation {
	return port.Reservation{Event: ev, Run: run.ID, Call: call, Tokens: tokens, Limits: limits}
}
