// Package storetest is what every database behind the store has to pass: stories of accepting, claiming, recording and
// working. A database calls Run from its own test.
package storetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/internal/store"
)

// Open opens a store on a database that is new for this test, with everything but the place taken from opts, and
// closes it when the test ends.
type Open func(t *testing.T, opts store.Options) *store.Store

// Run tells all stories to a database.
func Run(t *testing.T, open Open) {
	t.Helper()
	for _, story := range stories {
		t.Run(story.name, func(t *testing.T) {
			t.Parallel()
			story.tell(t, open)
		})
	}
}

type story struct {
	name string
	tell func(*testing.T, Open)
}

var stories = []story{
	{"an accepted event is claimed as it was", claimedAsAccepted},
	{"the events of a thread come in order, one at a time", orderPerThread},
	{"events of different threads are in work together", threadsTogether},
	{"a retry that waits holds back the rest of its thread", retryHoldsThread},
	{"the same delivery twice is one event", duplicates},
	{"a redelivery heals what was given up", redeliveryHeals},
	{"an event too large or without a delivery is refused for good", refusals},
	{"a submitter who goes away gets an error", submitterGone},
	{"fifty submitters at once, nothing lost and nothing twice", manySubmitters},
	{"many workers never share a thread", manyClaimers},
	{"installations take turns", turns},
	{"an installation without a free thread loses no turn to others", turnsBlocked},
	{"attempts are counted by the claim", attempts},
	{"an event given back is as it was", giveBack},

	{"an event aside does not wait for its thread", asideDoesNotWait},
	{"an event aside holds nothing up", asideHoldsNothingUp},
	{"an event aside has a lease, retries and redeliveries like others", asideIsLeased},
	{"installations take turns aside too, and apart", asideTurns},
	{"events aside have places of their own", asideHasItsPlaces},

	{"what works and waits on a thread is told in order", lineIsTold},
	{"a long line is told in part", lineIsBounded},
	{"the runs before an event are told, newest first", pastIsTold},
	{"a stranger's commands hide no runs", pastIsNotHidden},
	{"a run is found by its id", runIsFound},

	{"cancelling drops what came before, for good", cancelDropsWhatWaits},
	{"cancelling leaves events aside and later ones alone", cancelLeavesAsides},
	{"cancelling wants the lease", cancelWantsTheLease},
	{"a cancelled run can be recorded, and does not come back", cancelledRunIsRecorded},
	{"cancelling ends the handler at once", cancelEndsTheHandler},
	{"cancelling waits for no retry", cancelWaitsForNoRetry},
	{"telling of a cancelled event is tried again, the work is not", cancelledTellsAgain},
	{"a cancelled event is not given up", cancelledIsNotGivenUp},
	{"a cancelled event that keeps killing the program ends", cancelledKeepsKilling},

	{"whoever waits is told for what, once", waitsAreTold},
	{"a short wait is not told", shortWaits},
	{"what waits for a retry of another is told", waitsForARetry},
	{"no event is handled while people are told that it waits", toldBeforeClaimed},
	{"a wait that could not be told is not told again", toldAtMostOnce},
	{"what told that it waits can tell that it was cancelled", cancelledWhileTold},
	{"waits are told in a long line too", waitsInALongLine},

	{"a lease that ran out is another's", leaseOver},
	{"a renewed lease lasts", leaseRenewed},
	{"who lost the lease writes nothing", lostWritesNothing},
	{"an event that is done has no lease", doneHasNoLease},

	{"a run goes on where it was", runGoesOn},
	{"a step is recorded once", stepOnce},
	{"a record is JSON of a bounded size", recordBounds},
	{"a run is one event's only", runOfAnother},
	{"recording renews the lease", recordingRenews},
	{"the queue is counted", stats},

	{"a budget is one for all workers", budgetIsOneForAll},
	{"what a call took takes the place of what was reserved", budgetIsSettled},
	{"a call is booked once, however often its run dies", budgetIsBookedOnce},
	{"a budget begins anew with the day and the month", budgetBeginsAnew},
	{"a booking wants the lease", budgetWantsTheLease},
	{"a budget can be tightened from call to call", budgetIsTightened},
	{"what is left of the budgets is shown to anybody", budgetIsShown},

	{"workers do what is accepted", workersWork},
	{"workers are woken, they do not wait for the next look", workersWoken},
	{"an error is tried again, later each time, and given up after the third", retriesGrow},
	{"an error says when to try again", retryAfter},
	{"a hopeless error is given up at once", permanent},
	{"what killed the program three times is given up", crashed},
	{"telling people is tried again, the work is not", giveUpFails},
	{"a death while telling people forgets no cause", crashedWhileGivingUp},
	{"telling people ends too", giveUpNeverWorks},
	{"a panic is an error", panics},
	{"a handler that takes long keeps its lease", longWork},
	{"a handler learns that its lease is lost", handlerLosesLease},
	{"who lost the lease gives nothing up", leaseLostAtLast},
	{"a stop lets running work end", stopWaits},
	{"a stop gives back what does not end", stopGivesBack},
	{"a stop while telling people forgets no cause", stopWhileGivingUp},
}

// clock is a clock that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// event makes an event of a thread of installation 1.
func event(delivery string, thread int) bot.Event { return eventOf(1, delivery, thread) }

func eventOf(installation int64, delivery string, thread int) bot.Event {
	return bot.Event{
		Delivery: delivery,
		Kind:     bot.IssueComment,
		Action:   "created",
		Repo:     bot.RepoRef{Installation: installation, ID: 100 + installation, Owner: "octo", Name: "hello"},
		Thread:   bot.Thread{Number: thread, Pull: true, Title: "Mind <the> gap & \u00e9\u0000"},
		Comment:  bot.Comment{Kind: bot.IssueComment, ID: 7, Body: "/tenon fix\r\n", Author: bot.User{ID: 3, Login: "ada"}},
		Sender:   bot.User{ID: 3, Login: "ada"},
		Received: time.Date(2026, 2, 3, 4, 5, 6, 789, time.UTC),
	}
}

func submit(t *testing.T, s *store.Store, events ...bot.Event) {
	t.Helper()
	for _, ev := range events {
		require.NoError(t, s.Submit(t.Context(), ev))
	}
}

// claim takes the event that the test expects.
func claim(t *testing.T, s *store.Store, delivery string) store.Claim {
	t.Helper()
	c, ok, err := s.Claim(t.Context())
	require.NoError(t, err)
	require.True(t, ok, "nothing to claim, %s was expected", delivery)
	require.Equal(t, delivery, c.Event.Delivery)
	return c
}

func noClaim(t *testing.T, s *store.Store) {
	t.Helper()
	c, ok, err := s.Claim(t.Context())
	require.NoError(t, err)
	require.False(t, ok, "%s was claimed", c.Event.Delivery)
}

// complete claims what is expected, and completes it.
func complete(t *testing.T, s *store.Store, deliveries ...string) {
	t.Helper()
	for _, d := range deliveries {
		require.NoError(t, s.Complete(t.Context(), claim(t, s, d).Event))
	}
}

func name(i int) string { return fmt.Sprintf("delivery-%03d", i) }
