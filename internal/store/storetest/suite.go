// Package storetest is the test suite for every database behind the store: stories of accepting, claiming, recording
// and handling events. A database calls Run from its own test.
package storetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// Open opens a store on a new database, with all options but the folder from opts, and closes it when the test ends.
type Open func(t *testing.T, opts store.Options) *store.Store

// Run runs all stories on a database.
func Run(t *testing.T, open Open) {
	t.Helper()
	for _, story := range stories {
		t.Run(story.name, func(t *testing.T) {
			t.Parallel()
			story.run(t, open)
		})
	}
}

type story struct {
	name string
	run  func(*testing.T, Open)
}

var stories = []story{
	{"the same signed act without a time under two delivery ids is one event", sameSigned},
	{"a comment that differs in what identifies it is another event", otherOrigin},
	{"a dead letter is revived by its own delivery only", originOfDeadLetter},
	{"an event too large or without a delivery is refused for good", refusals},
	{"a submitter whose context ended gets an error", submitterGone},
	{"fifty submitters at once, nothing lost and nothing twice", manySubmitters},
	{"a burst of one sender is held, then refused", burstIsHeld},
	{"a held event blocks nobody in its thread", heldBlocksNobody},
	{"a burst of an installation is held, then refused for now", installationLimit},
	{"a flood of strangers does not shut out who sends little", strangersShutNobodyOut},
	{"what a limit refuses counts for nothing else", refusedCountsForNothing},
	{"a command of a new installation begins at once", newcomersBeginAtOnce},
	{"a worker is freed last, and wakes the others", workersAreFreedLast},
	{"the budget of the whole server is reserved with the others", serverBudget},
	{"many workers never share a thread", manyClaimers},
	{"installations take turns", turns},
	{"an installation without a free thread loses no turn to others", turnsBlocked},
	{"what waits is counted by what it waits for", whatWaitsIsCounted},

	{"the end of a run is kept once, when its event ends", endIsKeptOnce},
	{"that a run is about to commit is kept before it does", commitIsAnnounced},
	{"a dead letter that is tried again ends again", deadLetterEndsAgain},
	{"the audit is filtered", auditIsFiltered},
	{"the formats that models write are counted for 30 days", formatsAreCounted},
	{"strangers do not fill the audit", strangersFillNoAudit},
	{"the runs that ended are listed, newest first", recentIsListed},
	{"all that is known of a run is looked up by its id", runsAreLookedUp},
	{"of a deleted run there is what the audit has", deletedRunsAreLookedUp},
	{"the runs that ended are read in order, however many there are", recentIsRead},
	{"the repositories with the newest runs are listed", recentRepositories},
	{"what GitHub allows is told of each installation", pacesAreTold},
	{"the audit outlives events and installations, and is deleted when it is old", auditOutlivesTheRest},
	{"an end that no handler tells is kept as the record tells it", whatNobodySays},
	{"the cost of each attempt is kept exactly, by model", costIsExact},
	{"of an event that came to nothing, no text is kept", textIsForgotten},
	{"missing deliveries are looked for by one process", sweepIsOne},
	{"a search that died is taken over", sweepIsTakenOver},
	{"deliveries that were not accepted are missing", missingDeliveries},

	{"an immediate event has a lease, retries and redeliveries like others", immediateIsLeased},
	{"installations take turns with immediate events too, separately", immediateTurns},
	{"immediate events have workers of their own", immediateHasItsWorkers},

	{"the runs since an event are listed, newest first", laterRunsAreListed},

	{"a cancelled run can be recorded, and does not come back", cancelledRunIsRecorded},
	{"cancelling ends the handler at once", cancelEndsTheHandler},
	{"cancelling waits for no retry", cancelWaitsForNoRetry},
	{"reporting the end of a cancelled event is retried, its work is not", cancelledReportIsRetried},
	{"a cancelled event becomes no dead letter", cancelledIsNoDeadLetter},
	{"a cancelled event that crashes the program each time ends", cancelledCrashes},

	{"a queued event gets a notice, once", noticeIsSent},
	{"a short wait gets no notice", noNoticeAtOnce},
	{"where many wait in a thread, one gets a notice", noticeOncePerThread},
	{"who was not told because of another is told when that was handled", noticeIsPassedOn},
	{"who is not told keeps no notice from others", noticeBesideAStranger},
	{"a slow notice delays none in another thread", noticesAtOnce},
	{"a thread that was told while it waited to be told is not told again", noticeWhileOthersAreTold},
	{"a held event gets no notice and stays held", noNoticeWhenHeld},
	{"an event behind a retry gets a notice", noticeBehindARetry},
	{"no event is handled during its queued notice", noticeBeforeClaim},
	{"a notice that failed is not sent again", noticeAtMostOnce},
	{"a notice is sent after an outage", noticeAfterAnOutage},
	{"the notices of many threads are sent after an outage", noticesOfManyThreadsAfterAnOutage},
	{"an event that is handled gets no notice any more", noticeEndsWithTheClaim},
	{"a notice that GitHub's limits postpone comes later", noticeWhenThereIsRoom},
	{"a cancelled event gets no notice", noNoticeWhenCancelled},
	{"an event whose run was started gets no notice", noNoticeWhenStarted},
	{"an event that is cancelled before its notice gets none", cancelledBeforeItsNotice},
	{"an event with a queued notice can report that it was cancelled", cancelledDuringNotice},
	{"notices are sent in a long queue too", noticeInALongQueue},

	{"an installation has no more than its share of the workers while others wait", shares},
	{"a burst delays a command of another installation by one free worker", burst},
	{"a clock that is set forward starts no handler twice", clockForward},
	{"a clock that is set forward takes no event from another process", clockForwardOfOthers},
	{"a clock that is set back delays no retry", clockBack},
	{"a clock that is set back keeps no event from another worker", clockBackAfterDeath},
	{"an event that waits is acknowledged", acknowledgedWhileWaiting},
	{"an event is acknowledged at most once", acknowledgedAtMostOnce},
	{"an acknowledgement that GitHub's limits postpone comes later", acknowledgedLater},
	{"an acknowledgement is sent after an outage", acknowledgedAfterAnOutage},
	{"no event is handled while it is acknowledged", acknowledgedBeforeClaim},
	{"what a process did not acknowledge to the end, the next one does", acknowledgedByTheNextProcess},
	{"the pace of writes is one for all workers", paceIsOneForAll},
	{"the writes of an hour are remembered", paceIsRemembered},
	{"a pause that GitHub asks for is one for all workers", paceIsBlocked},

	{"a renewed lease lasts", leaseRenewed},
	{"an event that is done has no lease", doneHasNoLease},

	{"text that a database refuses is stored without that part", hostileText},
	{"the queue is counted", stats},

	{"what ended long ago is deleted, with its run", oldEventsAreDeleted},
	{"what strangers wrote is forgotten early", textsOfStrangersAreForgottenEarly},
	{"the sources of a run are deleted before the rest of it", sourcesAreDeletedBeforeTheRest},
	{"the budgets of periods long past are deleted", oldBudgetsAreDeleted},
	{"one process deletes for all", oneProcessDeletesForAll},
	{"what belongs to an uninstalled App is deleted", uninstalledIsDeleted},

	{"a budget is one for all workers", budgetIsOneForAll},
	{"the limit of a budget can be lowered from call to call", budgetLimitIsLowered},

	{"a commit is looked at again when its CI runs again", rerunIsFollowed},
	{"many reports in a row are few looks", manyReportsAreFewLooks},
	{"many reports postpone no look", manyReportsPostponeNothing},
	{"a round of autofix is accepted once, and counts for no limit", autofixIsAcceptedOnce},
	{"what follows commits has workers of its own", followingHasItsWorkers},
	{"what follows a commit ends quietly", followingEndsQuietly},
	{"looks at a commit that fail make no dead letter", failedLooksAreNoDeadLetter},
	{"no report is lost between what waits and what reports", reportsMeetFollowers},
	{"the reports that are noted are bounded for each installation", notedReportsAreBounded},
	{"no reports of an uninstalled App are kept", uninstalledHasNoReports},
	{"what followed a commit is forgotten", followingIsForgotten},
	{"commits that are followed are counted apart", followedIsCounted},

	{"workers handle what is accepted", workersWork},
	{"workers are woken, they do not wait for the next poll", workersWoken},
	{"an error is retried, later each time, and the third makes a dead letter", retriesGrow},
	{"an error says when to retry", retryAfter},
	{"a permanent error makes a dead letter at once", permanent},
	{"an event that crashes the program whenever it is handled is a dead letter", crashed},
	{"what was interrupted by a death is resumed before others begin", interruptedComesFirst},
	{"a suspect waits for its installation's turn", suspectsComeInTheirTurn},
	{"suspects begin one after another, beside others", suspectsBeginApart},
	{"an event that gets further is no suspect any more", progressEndsSuspicion},
	{"a suspect without which the process dies is acquitted", acquitted},
	{"an event that is not handled is not on trial", endedIsNotOnTrial},
	{"none of two suspects that began together has a strike", noStrikeForOneOfTwo},
	{"a suspect that has a strike is alone on trial next", aloneAfterAStrike},
	{"a trial that is survived clears the strikes", survivedTrial},
	{"an event that kills the process is a dead letter, and takes no other with it", killerEnds},
	{"three events that kill the process are dead letters", threeKillersEnd},
	{"an event that kills the process after a while is a dead letter", slowKillerEnds},
	{"what a crash loop interrupted ends soon after it", crashLoop},
	{"a process that dies of something else makes no dead letters", othersDeaths},
	{"reporting a dead letter is retried, the work is not", deadLetterReportIsRetried},
	{"a crash while reporting loses no cause", crashedWhileReporting},
	{"reporting a dead letter has an end too", deadLetterReportNeverWorks},
	{"waiting uses up no attempt", waitingIsNoAttempt},
	{"a process that could handle nothing claims nothing", heldWorkersClaimNothing},
	{"a process that could handle nothing tells nobody", heldWorkersTellNobody},
	{"failures are counted beside waits", failuresCountBesideWaits},
	{"an event sleeps as long as it is asked to", sleepsAsAsked},
	{"sleeps of unknown length grow, and are bounded", sleepsGrow},
	{"a sleeping event keeps its thread, and no worker", sleepFreesTheWorker},
	{"patience ends, also across a restart", patienceEnds},
	{"the test of edits has a patience of its own", testsOutlastPatience},
	{"reporting a dead letter waits as long as it has to", reportWaitsToo},
	{"a stop while reporting keeps what was given up", stopKeepsWhatWasGivenUp},
	{"a report that waits keeps why the work failed", failureIsReportedAsSuch},
	{"cancelling ends a sleep at once", cancelEndsASleep},
	{"reporting the end of a cancelled event waits too", cancelledReportWaits},
	{"a broken connection is waited for", connectionsAreWaitedFor},
	{"what is permanent is not waited for", nothingToWaitFor},
	{"the queue of a thread says what a sleeping event waits for", sleepIsListed},
	{"an event that failed waits for nothing", failureEndsASleep},
	{"a panic is an error", panics},
	{"a handler that takes long keeps its lease", longWork},
	{"a handler learns that its lease is lost", handlerLosesLease},
	{"a worker that lost the lease makes no dead letter", leaseLostOnLastAttempt},
	{"a stop lets handlers return", stopLetsHandlersReturn},
	{"a stop releases what does not end", stopReleases},
	{"a stop while reporting loses no cause", stopWhileReporting},
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
func event(delivery string, thread int) port.Event { return eventOf(1, delivery, thread) }

func eventOf(installation int64, delivery string, thread int) port.Event {
	return port.Event{
		Delivery: delivery,
		Kind:     port.IssueComment,
		Action:   "created",
		Repo:     port.RepoRef{Installation: installation, ID: 100 + installation, Owner: "octo", Name: "hello"},
		Thread:   port.Thread{Number: thread, Pull: true, Title: "Mind <the> gap & \u00e9\u0000"},
		Comment: port.Comment{Kind: port.IssueComment, ID: 7, Body: "/tenon fix\r\n",
			Author: port.User{ID: 3, Login: "ada"}},
		Sender:   port.User{ID: 3, Login: "ada"},
		Received: time.Date(2026, 2, 3, 4, 5, 6, 789, time.UTC),
	}
}

func submit(t *testing.T, s *store.Store, events ...port.Event) {
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
