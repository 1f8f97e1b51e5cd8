package contract

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// WatchStage is a QueueStage on which the contract of port.Watches is played. Its commits are followed for
// bottest.Patience.
type WatchStage interface {
	QueueStage
	port.Watches

	// Reported notes that CI reported about a commit, as the webhook does.
	Reported(ctx context.Context, repo port.RepoRef, sha string) error
	// ClaimFollowing is Claim for the events that follow commits.
	ClaimFollowing(ctx context.Context) (bottest.Claim, bool, error)
}

var watchStories = []story[WatchStage]{
	{"a followed commit is looked at when CI reports", func(t *testing.T, s WatchStage) {
		follow(t, s, following("a", 1, watched))
		noLook(t, s)
		reported(t, s, "ffeeddccbbaa99887766554433221100ffeeddcc")
		other := queueEvent("", 1).Repo
		other.ID++
		require.NoError(t, s.Reported(t.Context(), other, watched))
		s.Pass(bottest.Burst)
		noLook(t, s)
		ciReports(t, s)
		for range 3 {
			ev := looks(t, s, "follow-a").Event
			require.Equal(t, watched, ev.Followed.Commit)
			require.Equal(t, 1, ev.Attempt)
			untilCI(t, s, ev, port.CIReport)
			s.Pass(2 * time.Hour)
			noLook(t, s)
			ciReports(t, s)
		}
		require.NoError(t, s.Complete(t.Context(), looks(t, s, "follow-a").Event))
		s.Pass(bottest.Patience)
		noLook(t, s)
	}},
	{"many reports are one look", func(t *testing.T, s WatchStage) {
		follow(t, s, following("a", 1, watched))
		for range 4 { // they do not delay it
			reported(t, s, watched)
			s.Pass(bottest.Burst / 4)
		}
		require.NoError(t, s.Complete(t.Context(), looks(t, s, "follow-a").Event))
		s.Pass(time.Minute)
		noLook(t, s)
	}},
	{"a report that came before the commit was followed counts for an hour", func(t *testing.T, s WatchStage) {
		reported(t, s, watched)
		s.Pass(59 * time.Minute)
		follow(t, s, following("a", 1, watched))
		s.Pass(bottest.Burst)
		require.NoError(t, s.Complete(t.Context(), looks(t, s, "follow-a").Event))
		s.Pass(2 * time.Minute)
		follow(t, s, following("b", 2, watched))
		s.Pass(bottest.Burst)
		noLook(t, s)
	}},
	{"a commit without reports is looked at after an hour", func(t *testing.T, s WatchStage) {
		follow(t, s, following("a", 1, watched))
		s.Pass(59 * time.Minute)
		noLook(t, s)
		s.Pass(2 * time.Minute)
		looks(t, s, "follow-a")
	}},
	{"a commit is followed once", func(t *testing.T, s WatchStage) {
		for range 2 {
			follow(t, s, following("a", 1, watched))
		}
		ciReports(t, s)
		require.NoError(t, s.Complete(t.Context(), looks(t, s, "follow-a").Event))
		follow(t, s, following("a", 1, watched))
		s.Pass(2 * time.Hour)
		noLook(t, s)
		follow(t, s, following("b", 1, "ffeeddccbbaa99887766554433221100ffeeddcc"))
		s.Pass(2 * time.Hour)
		looks(t, s, "follow-b")
		requirePermanent(t, s.Follow(t.Context(), queueEvent("c", 1)))
	}},
	{"a report while the commit is looked at is another look", func(t *testing.T, s WatchStage) {
		follow(t, s, following("a", 1, watched))
		ciReports(t, s)
		ev := looks(t, s, "follow-a").Event
		reported(t, s, watched)
		untilCI(t, s, ev, port.CIReport)
		s.Pass(bottest.Burst)
		ev = looks(t, s, "follow-a").Event
		reported(t, s, watched)
		require.NoError(t, s.Complete(t.Context(), ev))
		s.Pass(bottest.Burst)
		require.NoError(t, s.Complete(t.Context(), looks(t, s, "follow-a").Event))
		s.Pass(2 * time.Hour)
		noLook(t, s)
	}},
	{"a report after the commit was done with is another look", func(t *testing.T, s WatchStage) {
		follow(t, s, following("a", 1, watched))
		for range 2 * bottest.MaxAttempts {
			s.Pass(time.Hour)
			ciReports(t, s)
			c := looks(t, s, "follow-a")
			require.Equal(t, 1, c.Event.Attempt)
			require.NoError(t, c.LastError)
			require.NoError(t, s.Complete(t.Context(), c.Event))
		}
	}},
	{"a report after the patience is no look", func(t *testing.T, s WatchStage) {
		follow(t, s, following("a", 1, watched))
		ciReports(t, s)
		require.NoError(t, s.Complete(t.Context(), looks(t, s, "follow-a").Event))
		s.Pass(bottest.Patience)
		ciReports(t, s)
		noLook(t, s)
	}},
	{"a look that failed is retried in its own time", func(t *testing.T, s WatchStage) {
		follow(t, s, following("a", 1, watched))
		ciReports(t, s)
		require.NoError(t, s.Retry(t.Context(), looks(t, s, "follow-a").Event, away(0), time.Minute))
		ciReports(t, s)
		noLook(t, s)
		s.Pass(time.Minute)
		require.Equal(t, 2, looks(t, s, "follow-a").Event.Attempt)
	}},
	{"a commit that is followed does not wait for its thread, nor its thread for it", func(t *testing.T, s WatchStage) {
		a := taken(t, s, queueEvent("a", 1))
		follow(t, s, following("a", 1, watched))
		ciReports(t, s)
		looks(t, s, "follow-a")
		list := must(s.Queued(t.Context(), queueEvent("b", 1)))(t)
		require.Len(t, list, 1)
		require.Equal(t, "a", list[0].Event.Delivery)
		require.NoError(t, s.Complete(t.Context(), a))
		submit(t, s, queueEvent("b", 1))
		claim(t, s, false, "b")
		noClaim(t, s, true)
	}},
	// It is made once, whatever CI reports.
	{"a check run that is to be made later is no look at CI", func(t *testing.T, s WatchStage) {
		ev := following("a", 1, watched)
		ev.Followed.Check = &port.Check{Name: port.CheckName, SHA: watched, Status: "completed", Conclusion: "success"}
		follow(t, s, ev)
		follow(t, s, ev)
		reported(t, s, watched)
		s.Pass(port.CheckLater - time.Second)
		noLook(t, s)
		s.Pass(2 * time.Second)
		got := looks(t, s, "follow-a").Event
		require.Equal(t, ev.Followed.Check, got.Followed.Check)
		got.Attempt = 0
		room := &port.WaitError{For: port.GitHubLimit, After: time.Minute, Err: away(0).Err}
		require.True(t, must(s.Sleep(t.Context(), got, room, room, bottest.Patience, ""))(t))
		s.Pass(2 * time.Minute)
		require.NoError(t, s.Complete(t.Context(), looks(t, s, "follow-a").Event))
		reported(t, s, watched)
		s.Pass(2 * time.Hour)
		noLook(t, s)
	}},
	{"a run that awaits a report is woken by it", func(t *testing.T, s WatchStage) {
		a := taken(t, s, queueEvent("a", 1))
		for range 2 { // an attempt that died may have
			require.NoError(t, s.Await(t.Context(), a, watched))
		}
		untilCI(t, s, a, port.VerifyReport)
		s.Pass(time.Minute)
		noClaim(t, s, false)
		for range 2 {
			ciReports(t, s)
			a = claim(t, s, false, "a").Event
			require.NoError(t, s.Await(t.Context(), a, watched))
			untilCI(t, s, a, port.VerifyReport)
			s.Pass(time.Minute)
			noClaim(t, s, false)
		}
		ciReports(t, s)
		a = claim(t, s, false, "a").Event
		reported(t, s, watched) // before it sleeps
		untilCI(t, s, a, port.VerifyReport)
		s.Pass(bottest.Burst)
		a = claim(t, s, false, "a").Event
		require.NoError(t, s.Complete(t.Context(), a))
		reported(t, s, watched)
		s.Pass(time.Minute)
		noClaim(t, s, false)
		noLook(t, s)
	}},
	{"a report before a run awaits it wakes nobody", func(t *testing.T, s WatchStage) {
		a := taken(t, s, queueEvent("a", 1))
		reported(t, s, watched)
		require.NoError(t, s.Await(t.Context(), a, watched))
		untilCI(t, s, a, port.VerifyReport)
		s.Pass(time.Minute)
		noClaim(t, s, false)
	}},
	{"a run that waits for something else is not woken", func(t *testing.T, s WatchStage) {
		a := taken(t, s, queueEvent("a", 1))
		require.NoError(t, s.Await(t.Context(), a, watched))
		untilCI(t, s, a, port.GitHubLimit)
		reported(t, s, watched)
		s.Pass(time.Minute)
		noClaim(t, s, false)
	}},
	{"who has lost the lease awaits nothing", func(t *testing.T, s WatchStage) {
		a := taken(t, s, queueEvent("a", 1))
		require.NoError(t, s.Retry(t.Context(), a, away(0), 0))
		require.ErrorIs(t, s.Await(t.Context(), a, watched), port.ErrLeaseLost)
	}},
	{"a cancel stops what follows the commits of the thread", func(t *testing.T, s WatchStage) {
		cancelThread(t, s, "early", 1)
		follow(t, s, following("a", 1, watched))
		require.False(t, stopped(t, s, following("a", 1, watched)))
		cancelThread(t, s, "elsewhere", 2)
		require.False(t, stopped(t, s, following("a", 1, watched)))
		cancelThread(t, s, "here", 1)
		require.True(t, stopped(t, s, following("a", 1, watched)))
		ciReports(t, s)
		require.NoError(t, s.Complete(t.Context(), looks(t, s, "follow-a").Event))
		require.True(t, stopped(t, s, following("a", 1, watched)))
		follow(t, s, following("b", 1, "ffeeddccbbaa99887766554433221100ffeeddcc"))
		require.False(t, stopped(t, s, following("b", 1, "ffeeddccbbaa99887766554433221100ffeeddcc")))
		var by *port.CancelledError
		require.ErrorAs(t, s.Autofix(t.Context(), autofix("a", 1, watched)), &by)
		noClaim(t, s, false)
	}},
	{"a cancel that came too late for the run stops what follows its commit", func(t *testing.T, s WatchStage) {
		a := taken(t, s, queueEvent("a", 1))
		must(s.Start(t.Context(), a))(t)
		cancelThread(t, s, "cancel", 1)
		follow(t, s, following("a", 1, watched))
		require.True(t, stopped(t, s, following("a", 1, watched)))
	}},
	{"a round of autofix is accepted once, in the queue of its thread", func(t *testing.T, s WatchStage) {
		follow(t, s, following("a", 1, watched))
		b := taken(t, s, queueEvent("b", 1))
		for range 2 {
			require.NoError(t, s.Autofix(t.Context(), autofix("a", 1, watched)))
		}
		noClaim(t, s, false)
		require.NoError(t, s.Complete(t.Context(), b))
		c := claim(t, s, false, "autofix-a-1")
		require.Equal(t, 1, c.Event.Followed.Round)
		require.NoError(t, s.DeadLetter(t.Context(), c.Event, away(0)))
		require.NoError(t, s.Autofix(t.Context(), autofix("a", 1, watched)))
		noClaim(t, s, false)
		requirePermanent(t, s.Autofix(t.Context(), queueEvent("c", 1)))
	}},
}

const watched = "00112233445566778899aabbccddeeff00112233"

// following is an event that follows a commit of the run of a delivery.
func following(delivery string, number int, sha string) port.Event {
	ev := queueEvent("follow-"+delivery, number)
	ev.Kind, ev.Action = port.Following, ""
	ev.Comment.Updated = ev.Received
	ev.Followed = &port.Followed{Commit: sha, Branch: "speed", Run: port.RunID(delivery), First: port.RunID(delivery)}
	return ev
}

func follow(t *testing.T, s WatchStage, ev port.Event) {
	require.NoError(t, s.Follow(t.Context(), ev))
}

func reported(t *testing.T, s WatchStage, sha string) {
	require.NoError(t, s.Reported(t.Context(), queueEvent("", 1).Repo, sha))
}

// ciReports reports about the watched commit, and lets pass what an event waits for further reports.
func ciReports(t *testing.T, s WatchStage) {
	reported(t, s, watched)
	s.Pass(bottest.Burst)
}

func looks(t *testing.T, s WatchStage, delivery string) bottest.Claim {
	c, ok, err := s.ClaimFollowing(t.Context())
	require.NoError(t, err)
	require.True(t, ok, "nothing is looked at")
	require.Equal(t, delivery, c.Event.Delivery)
	return c
}

func noLook(t *testing.T, s WatchStage) {
	c, ok, err := s.ClaimFollowing(t.Context())
	require.NoError(t, err)
	require.False(t, ok, c.Event.Delivery)
}

// untilCI puts an event to sleep until CI reports.
func untilCI(t *testing.T, s WatchStage, ev port.Event, reason port.WaitReason) {
	ev.Attempt = 0
	wait := &port.WaitError{For: reason, After: bottest.Patience, Err: away(0).Err}
	require.True(t, must(s.Sleep(t.Context(), ev, wait, wait, bottest.Patience, ""))(t))
}

func stopped(t *testing.T, s WatchStage, ev port.Event) bool {
	return must(s.Stopped(t.Context(), ev))(t)
}

func cancelThread(t *testing.T, s WatchStage, delivery string, number int) {
	ev := queueEvent(delivery, number)
	ev.Immediate = true
	ev = taken(t, s, ev)
	must(s.Cancel(t.Context(), ev))(t)
	require.NoError(t, s.Complete(t.Context(), ev))
}

// autofix is the first round after the commit of the run of a delivery.
func autofix(delivery string, number int, sha string) port.Event {
	ev := following(delivery, number, sha)
	ev.Kind, ev.Delivery, ev.Followed.Round = port.Autofix, "autofix-"+delivery+"-1", 1
	return ev
}
