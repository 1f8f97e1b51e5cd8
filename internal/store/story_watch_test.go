package store_test

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

func (s *stage) claimFollowing(delivery string) store.Claim {
	return s.next(s.ClaimFollowing, delivery)
}

func (s *stage) noClaimFollowing() { s.none(s.ClaimFollowing) }

// reported reports about a commit of installation 1.
func (s *stage) reported(commit string) (followed bool) {
	followed = must(s.Reported(s.Context(), event("", 1).Repo, commit))(s)
	return followed
}

// autofix returns a round of autofix for a commit that is followed.
func autofix(delivery string, following port.Event) port.Event {
	followed := *following.Followed
	followed.Round = 1
	following.Delivery, following.Kind, following.Followed = delivery, port.Autofix, &followed
	return following
}

var watchStories = []story{
	on("a commit is looked at again when its CI runs again", store.Options{Follow: 5 * time.Hour}, func(s *stage) {
		require.NoError(s, s.Follow(s.Context(), following("f", 1, sha("a"))))
		s.reported(sha("a"))
		s.clock.move(2 * time.Second)
		require.NoError(s, s.Complete(s.Context(), s.claimFollowing("f").Event))
		require.Equal(s, store.Stats{}, s.queued(), "nothing waits")
		s.clock.move(4 * time.Hour)
		s.noClaimFollowing()
		require.True(s, s.reported(sha("a")))
		s.clock.move(2 * time.Second)
		c := s.claimFollowing("f")
		require.Equal(s, "/tenon fix\r\n", c.Event.Comment.Body, "with all that it had")
		require.NoError(s, s.Complete(s.Context(), c.Event))
		s.clock.move(time.Hour)
		require.False(s, s.reported(sha("a")), "it was followed long enough")
		s.clock.move(2 * time.Second)
		s.noClaimFollowing()
	}),
	on("many reports in a row are few looks", store.Options{}, func(s *stage) {
		require.NoError(s, s.Follow(s.Context(), following("f", 1, sha("a"))))
		looks, late := 0, 0
		for i := range 180 { // in six minutes
			s.reported(sha("a"))
			s.clock.move(2 * time.Second)
			c, ok, err := s.ClaimFollowing(s.Context())
			require.NoError(s, err)
			if ok {
				if looks++; i >= 60 {
					late++
				}
				s.reported(sha("a")) // during the look too
				must(s.Sleep(s.Context(), c.Event, store.Sleep{Wait: waits(0)}))(s)
			}
		}
		require.Less(s, looks, 40)
		require.InDelta(s, 4, late, 1, "once a minute, as long as reports come")
	}),
	// However many reports come, none postpones the look that an earlier one, or the event itself, asked for.
	on("many reports postpone no look", store.Options{Lease: day}, func(s *stage) {
		require.NoError(s, s.Follow(s.Context(), following("f", 1, sha("a"))))
		s.submit(event("a", 1))
		awaits := s.claim("a").Event
		require.NoError(s, s.Await(s.Context(), awaits, sha("a")))
		for range 61 {
			s.reported(sha("a"))
		}
		s.clock.move(2 * time.Second)
		c := s.claimFollowing("f")
		for ev, after := range map[*port.Event]time.Duration{&c.Event: time.Hour, &awaits: 10 * time.Second} {
			must(s.Sleep(s.Context(), *ev, store.Sleep{Wait: waits(after)}))(s)
		}
		for range 2 {
			s.reported(sha("a"))
			s.clock.move(10 * time.Second)
		}
		s.claim("a") // at its own time
		s.noClaimFollowing()
		for range 4 {
			s.reported(sha("a"))
			s.clock.move(10 * time.Second)
		}
		s.claimFollowing("f") // a minute after the first of these reports
	}),
	{"a round of autofix is accepted once, and counts for no limit", func(t *testing.T, open opener) {
		s := newStage(t, open, store.Options{Limits: store.Limits{Sender: 1, Installation: 1}})
		f := following("f", 1, sha("a"))
		f.Comment.Updated = s.clock.Now()
		s.submit(event("a", 1))
		for _, delivery := range []string{"autofix-1", "autofix-2", "autofix-1"} {
			require.NoError(s, s.Autofix(s.Context(), autofix(delivery, f)), "it counts for no limit")
		}
		s.complete("a")
		c := s.claim("autofix-1")
		require.Equal(s, 1, c.Event.Followed.Round)
		require.NoError(s, s.DeadLetter(s.Context(), c.Event, errors.New("no use")))
		require.NoError(s, s.Autofix(s.Context(), autofix("autofix-1", f)))
		s.complete("autofix-2")
		s.noClaim() // a round that failed is not begun again
	}},
}
