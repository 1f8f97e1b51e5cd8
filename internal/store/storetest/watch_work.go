package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// followingOf is following for another installation and repository.
func followingOf(installation int64, delivery, commit string) port.Event {
	ev := following(delivery, 1, commit)
	ev.Repo = eventOf(installation, delivery, 1).Repo
	return ev
}

func followingHasItsWorkers(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		for i := range 20 {
			require.NoError(t, s.Follow(t.Context(), following(name(i), i, sha(fmt.Sprintf("%x", i%16)))))
		}
		for i := range 16 {
			require.True(t, reported(t, s, sha(fmt.Sprintf("%x", i))))
		}
		h := &handler{handle: func(ctx context.Context, ev port.Event) error {
			if ev.Kind == port.Following {
				<-ctx.Done()
			}
			return ctx.Err()
		}}
		go func() {
			time.Sleep(2 * time.Minute) // a minute after the first looks
			submit(t, s, event("a", 1), immediate("x", 1))
		}()
		workFor(t, 5*time.Minute, store.Workers{Store: s, Handler: h, Count: 1, Poll: time.Minute})
		calls := h.called()
		require.Subset(t, calls, []string{"1m0s handle a", "1m0s handle x"}, "whatever is looked at")
		require.Len(t, calls, 2+16, "sixteen looks at a time")
	})
}

func followingEndsQuietly(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		require.NoError(t, s.Follow(t.Context(), following("f", 1, sha("a"))))
		h := &handler{handle: func(context.Context, port.Event) error { return waits(0) }}
		workFor(t, 26*time.Hour, store.Workers{Store: s, Handler: h, Poll: 4 * time.Minute,
			Patience: time.Minute})
		calls := h.called()
		require.NotContains(t, calls[len(calls)-1], "dead letter")
		require.InDelta(t, 24, len(calls), 1, "once an hour, as reports may be lost")
		require.Equal(t, store.Stats{}, queued(t, s))
		require.False(t, reported(t, s, sha("a")))
	})
}

func failedLooksAreNoDeadLetter(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		require.NoError(t, s.Follow(t.Context(), following("f", 1, sha("a"))))
		reported(t, s, sha("a"))
		broken := true
		h := &handler{handle: func(context.Context, port.Event) error {
			if broken {
				return errors.New("422")
			}
			return nil
		}}
		workFor(t, time.Hour/2, store.Workers{Store: s, Handler: h, Poll: 30 * time.Second})
		require.Len(t, h.called(), store.MaxAttempts)
		require.Equal(t, store.Stats{}, queued(t, s), "nothing that an operator has to do")
		broken = false
		require.True(t, reported(t, s, sha("a")))
		workFor(t, time.Minute, store.Workers{Store: s, Handler: h})
		require.Len(t, h.called(), store.MaxAttempts+1, "the next report is looked at")
	})
}

// Whatever comes first, the commit is looked at.
func reportsMeetFollowers(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now, Lease: 1000 * day})
	const commits = 20
	commit := func(i int) string { return fmt.Sprintf("%040x", i) }
	meet := func(other func(i int)) {
		var met sync.WaitGroup
		for i := range commits {
			met.Go(func() { other(i) })
			met.Go(func() { reported(t, s, commit(i)) })
		}
		met.Wait()
		clock.move(2 * time.Second)
	}
	looks := func() (all []port.Event) {
		for range commits {
			c, ok, err := s.ClaimFollowing(t.Context())
			require.NoError(t, err)
			require.True(t, ok, "%d of %d commits are looked at", len(all), commits)
			all = append(all, c.Event)
		}
		noClaimFollowing(t, s)
		return all
	}
	meet(func(i int) {
		if err := s.Follow(t.Context(), following(name(i), i, commit(i))); err != nil {
			t.Error(err)
		}
	})
	leased := looks()
	meet(func(i int) {
		if _, err := s.Sleep(t.Context(), leased[i], store.Sleep{Wait: waits(day)}); err != nil {
			t.Error(err)
		}
	})
	leased = looks()
	meet(func(i int) {
		if err := s.Complete(t.Context(), leased[i]); err != nil {
			t.Error(err)
		}
	})
	looks()
}

func notedReportsAreBounded(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	for _, installation := range []int64{1, 2} {
		_, err := s.Reported(t.Context(), eventOf(installation, "", 1).Repo, sha("a"))
		require.NoError(t, err)
	}
	clock.move(time.Second)
	var flood sync.WaitGroup
	for i := range 3000 {
		flood.Go(func() { reported(t, s, fmt.Sprintf("%040x", i)) })
	}
	flood.Wait()
	require.NoError(t, s.Follow(t.Context(), followingOf(1, "flooded", sha("a"))))
	require.NoError(t, s.Follow(t.Context(), followingOf(2, "other", sha("a"))))
	clock.move(2 * time.Second)
	claimFollowing(t, s, "other")
	noClaimFollowing(t, s) // the oldest of many is forgotten
}

func uninstalledHasNoReports(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	for _, installation := range []int64{1, 2} {
		_, err := s.Reported(t.Context(), eventOf(installation, "", 1).Repo, sha("a"))
		require.NoError(t, err)
	}
	require.NoError(t, s.Follow(t.Context(), followingOf(1, "gone", sha("b"))))
	require.NoError(t, s.Uninstalled(t.Context(), 1))
	pass(t, keeper(s), 1, 0)
	require.False(t, reported(t, s, sha("b")), "what followed it is deleted")
	require.NoError(t, s.Follow(t.Context(), followingOf(1, "late", sha("a"))))
	require.NoError(t, s.Follow(t.Context(), followingOf(2, "stays", sha("a"))))
	clock.move(2 * time.Second)
	claimFollowing(t, s, "stays")
	noClaimFollowing(t, s)
}

// A commit whose patience is over is followed no more, and its event keeps no texts for longer than others.
func followingIsForgotten(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	require.NoError(t, s.Follow(t.Context(), following("f", 1, sha("a"))))
	reported(t, s, sha("a"))
	clock.move(2 * time.Second)
	require.NoError(t, s.Complete(t.Context(), claimFollowing(t, s, "f").Event))
	clock.move(store.StrangerRetention + day)
	k := keeper(s)
	d, err := k.Pass(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, d.Texts)
	clock.move(2 * time.Hour)
	d, err = k.Pass(t.Context())
	require.NoError(t, err)
	require.Zero(t, d.Texts, "it can be read without them")
	require.NoError(t, s.Follow(t.Context(), following("f", 1, sha("a"))), "it is known")
	require.False(t, reported(t, s, sha("a")))
}

func followedIsCounted(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	require.NoError(t, s.Follow(t.Context(), following("f", 1, sha("a"))))
	require.Equal(t, store.Stats{Followed: 1}, queued(t, s))
	clock.move(time.Hour)
	submit(t, s, event("a", 1))
	st, err := s.Stats(t.Context())
	require.NoError(t, err)
	require.Equal(t, store.Stats{Ready: 2, Oldest: clock.Now()}, st, "it is due, but no command waits since then")
}
