package storetest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// sha returns a full commit id of one digit.
func sha(digit string) string { return strings.Repeat(digit, 40) }

// following returns an event that follows a commit for a thread of installation 1.
func following(delivery string, thread int, commit string) port.Event {
	ev := event(delivery, thread)
	ev.Kind = port.Following
	ev.Followed = &port.Followed{Commit: commit, Branch: "main", Run: port.RunID("of-" + delivery),
		First: port.RunID("of-" + delivery)}
	return ev
}

// waits is the error of a handler that waits for CI.
func waits(after time.Duration) *port.WaitError {
	return &port.WaitError{For: port.CIReport, After: after, Err: errors.New("test is pending")}
}

func claimFollowing(t *testing.T, s *store.Store, delivery string) store.Claim {
	t.Helper()
	c, ok, err := s.ClaimFollowing(t.Context())
	require.NoError(t, err)
	require.True(t, ok, "nothing to claim, %s was expected", delivery)
	require.Equal(t, delivery, c.Event.Delivery)
	return c
}

func noClaimFollowing(t *testing.T, s *store.Store) {
	t.Helper()
	c, ok, err := s.ClaimFollowing(t.Context())
	require.NoError(t, err)
	require.False(t, ok, "%s was claimed", c.Event.Delivery)
}

// reported reports about a commit of installation 1.
func reported(t *testing.T, s *store.Store, commit string) (followed bool) {
	t.Helper()
	followed, err := s.Reported(t.Context(), event("", 1).Repo, commit)
	require.NoError(t, err)
	return followed
}

func rerunIsFollowed(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now, Follow: 5 * time.Hour})
	require.NoError(t, s.Follow(t.Context(), following("f", 1, sha("a"))))
	reported(t, s, sha("a"))
	clock.move(2 * time.Second)
	require.NoError(t, s.Complete(t.Context(), claimFollowing(t, s, "f").Event))
	require.Equal(t, store.Stats{}, queued(t, s), "nothing waits")
	clock.move(4 * time.Hour)
	noClaimFollowing(t, s)
	require.True(t, reported(t, s, sha("a")))
	clock.move(2 * time.Second)
	c := claimFollowing(t, s, "f")
	require.Equal(t, "/tenon fix\r\n", c.Event.Comment.Body, "with all that it had")
	require.NoError(t, s.Complete(t.Context(), c.Event))
	clock.move(time.Hour)
	require.False(t, reported(t, s, sha("a")), "it was followed long enough")
	clock.move(2 * time.Second)
	noClaimFollowing(t, s)
}

func manyReportsAreFewLooks(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	require.NoError(t, s.Follow(t.Context(), following("f", 1, sha("a"))))
	looks, late := 0, 0
	for i := range 180 { // in six minutes
		reported(t, s, sha("a"))
		clock.move(2 * time.Second)
		c, ok, err := s.ClaimFollowing(t.Context())
		require.NoError(t, err)
		if ok {
			if looks++; i >= 60 {
				late++
			}
			reported(t, s, sha("a")) // during the look too
			_, err := s.Sleep(t.Context(), c.Event, store.Sleep{Wait: waits(0)})
			require.NoError(t, err)
		}
	}
	require.Less(t, looks, 40)
	require.InDelta(t, 4, late, 1, "once a minute, as long as reports come")
}

// However many reports come, none postpones the look that an earlier one, or the event itself, asked for.
func manyReportsPostponeNothing(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now, Lease: day})
	require.NoError(t, s.Follow(t.Context(), following("f", 1, sha("a"))))
	submit(t, s, event("a", 1))
	awaits := claim(t, s, "a").Event
	require.NoError(t, s.Await(t.Context(), awaits, sha("a")))
	for range 61 {
		reported(t, s, sha("a"))
	}
	clock.move(2 * time.Second)
	c := claimFollowing(t, s, "f")
	for ev, after := range map[*port.Event]time.Duration{&c.Event: time.Hour, &awaits: 10 * time.Second} {
		_, err := s.Sleep(t.Context(), *ev, store.Sleep{Wait: waits(after)})
		require.NoError(t, err)
	}
	for range 2 {
		reported(t, s, sha("a"))
		clock.move(10 * time.Second)
	}
	claim(t, s, "a") // at its own time
	noClaimFollowing(t, s)
	for range 4 {
		reported(t, s, sha("a"))
		clock.move(10 * time.Second)
	}
	claimFollowing(t, s, "f") // a minute after the first of these reports
}

// autofix returns a round of autofix for a commit that is followed.
func autofix(delivery string, following port.Event) port.Event {
	followed := *following.Followed
	followed.Round = 1
	following.Delivery, following.Kind, following.Followed = delivery, port.Autofix, &followed
	return following
}

func autofixIsAcceptedOnce(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now, Limits: store.Limits{Sender: 1, Installation: 1}})
	f := following("f", 1, sha("a"))
	f.Comment.Updated = clock.Now()
	submit(t, s, event("a", 1))
	for _, delivery := range []string{"autofix-1", "autofix-2", "autofix-1"} {
		require.NoError(t, s.Autofix(t.Context(), autofix(delivery, f)), "it counts for no limit")
	}
	complete(t, s, "a")
	c := claim(t, s, "autofix-1")
	require.Equal(t, 1, c.Event.Followed.Round)
	require.NoError(t, s.DeadLetter(t.Context(), c.Event, errors.New("no use")))
	require.NoError(t, s.Autofix(t.Context(), autofix("autofix-1", f)))
	complete(t, s, "autofix-2")
	noClaim(t, s) // a round that failed is not begun again
}
