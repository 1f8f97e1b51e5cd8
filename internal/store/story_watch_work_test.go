package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
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

var watchWorkStories = []story{
	inBubble("what follows commits has workers of its own", func(s *stage) {
		for i := range 20 {
			require.NoError(s, s.Follow(s.Context(), following(name(i), i, sha(fmt.Sprintf("%x", i%16)))))
		}
		for i := range 16 {
			require.True(s, s.reported(sha(fmt.Sprintf("%x", i))))
		}
		h := &handler{handle: func(ctx context.Context, ev port.Event) error {
			if ev.Kind == port.Following {
				<-ctx.Done()
			}
			return ctx.Err()
		}}
		go func() {
			time.Sleep(2 * time.Minute) // a minute after the first looks
			s.submit(event("a", 1), immediate("x", 1))
		}()
		s.workFor(5*time.Minute, store.Workers{Handler: h, Count: 1, Poll: time.Minute})
		calls := h.called()
		require.Subset(s, calls, []string{"1m0s handle a", "1m0s handle x"}, "whatever is looked at")
		require.Len(s, calls, 2+16, "sixteen looks at a time")
	}),
	inBubble("what follows a commit ends quietly", func(s *stage) {
		require.NoError(s, s.Follow(s.Context(), following("f", 1, sha("a"))))
		h := &handler{handle: func(context.Context, port.Event) error { return waits(0) }}
		s.workFor(26*time.Hour, store.Workers{Handler: h, Poll: 4 * time.Minute,
			Patience: time.Minute})
		calls := h.called()
		require.NotContains(s, calls[len(calls)-1], "dead letter")
		require.InDelta(s, 24, len(calls), 1, "once an hour, as reports may be lost")
		require.Equal(s, store.Stats{}, s.queued())
		require.False(s, s.reported(sha("a")))
	}),
	inBubble("looks at a commit that fail make no dead letter", func(s *stage) {
		require.NoError(s, s.Follow(s.Context(), following("f", 1, sha("a"))))
		s.reported(sha("a"))
		broken := true
		h := &handler{handle: func(context.Context, port.Event) error {
			if broken {
				return errors.New("422")
			}
			return nil
		}}
		s.workFor(time.Hour/2, store.Workers{Handler: h, Poll: 30 * time.Second})
		require.Len(s, h.called(), store.MaxAttempts)
		require.Equal(s, store.Stats{}, s.queued(), "nothing that an operator has to do")
		broken = false
		require.True(s, s.reported(sha("a")))
		s.workFor(time.Minute, store.Workers{Handler: h})
		require.Len(s, h.called(), store.MaxAttempts+1, "the next report is looked at")
	}),
	// Whatever comes first, the commit is looked at.
	on("no report is lost between what waits and what reports", store.Options{Lease: 1000 * day}, func(s *stage) {
		const commits = 20
		commit := func(i int) string { return fmt.Sprintf("%040x", i) }
		meet := func(other func(i int)) {
			var met sync.WaitGroup
			for i := range commits {
				met.Go(func() { other(i) })
				met.Go(func() { s.reported(commit(i)) })
			}
			met.Wait()
			s.clock.move(2 * time.Second)
		}
		looks := func() (all []port.Event) {
			for range commits {
				c, ok, err := s.ClaimFollowing(s.Context())
				require.NoError(s, err)
				require.True(s, ok, "%d of %d commits are looked at", len(all), commits)
				all = append(all, c.Event)
			}
			s.noClaimFollowing()
			return all
		}
		meet(func(i int) {
			if err := s.Follow(s.Context(), following(name(i), i, commit(i))); err != nil {
				s.Error(err)
			}
		})
		leased := looks()
		meet(func(i int) {
			if _, err := s.Sleep(s.Context(), leased[i], store.Sleep{Wait: waits(day)}); err != nil {
				s.Error(err)
			}
		})
		leased = looks()
		meet(func(i int) {
			if err := s.Complete(s.Context(), leased[i]); err != nil {
				s.Error(err)
			}
		})
		looks()
	}),
	on("the reports that are noted are bounded for each installation", store.Options{}, func(s *stage) {
		for _, installation := range []int64{1, 2} {
			must(s.Reported(s.Context(), eventOf(installation, "", 1).Repo, sha("a")))(s)
		}
		s.clock.move(time.Second)
		var flood sync.WaitGroup
		for i := range 3000 {
			flood.Go(func() { s.reported(fmt.Sprintf("%040x", i)) })
		}
		flood.Wait()
		require.NoError(s, s.Follow(s.Context(), followingOf(1, "flooded", sha("a"))))
		require.NoError(s, s.Follow(s.Context(), followingOf(2, "other", sha("a"))))
		s.clock.move(2 * time.Second)
		s.claimFollowing("other")
		s.noClaimFollowing() // the oldest of many is forgotten
	}),
	on("no reports of an uninstalled App are kept", store.Options{}, func(s *stage) {
		for _, installation := range []int64{1, 2} {
			must(s.Reported(s.Context(), eventOf(installation, "", 1).Repo, sha("a")))(s)
		}
		require.NoError(s, s.Follow(s.Context(), followingOf(1, "gone", sha("b"))))
		require.NoError(s, s.Uninstalled(s.Context(), 1))
		pass(s, keeper(s), 1, 0)
		require.False(s, s.reported(sha("b")), "what followed it is deleted")
		require.NoError(s, s.Follow(s.Context(), followingOf(1, "late", sha("a"))))
		require.NoError(s, s.Follow(s.Context(), followingOf(2, "stays", sha("a"))))
		s.clock.move(2 * time.Second)
		s.claimFollowing("stays")
		s.noClaimFollowing()
	}),
	// A commit whose patience is over is followed no more, and its event keeps no texts for longer than others.
	on("what followed a commit is forgotten", store.Options{}, func(s *stage) {
		require.NoError(s, s.Follow(s.Context(), following("f", 1, sha("a"))))
		s.reported(sha("a"))
		s.clock.move(2 * time.Second)
		require.NoError(s, s.Complete(s.Context(), s.claimFollowing("f").Event))
		s.clock.move(store.StrangerRetention + day)
		k := keeper(s)
		d := must(k.Pass(s.Context()))(s)
		require.EqualValues(s, 1, d.Texts)
		s.clock.move(2 * time.Hour)
		d = must(k.Pass(s.Context()))(s)
		require.Zero(s, d.Texts, "it can be read without them")
		require.NoError(s, s.Follow(s.Context(), following("f", 1, sha("a"))), "it is known")
		require.False(s, s.reported(sha("a")))
	}),
	on("commits that are followed are counted apart", store.Options{}, func(s *stage) {
		require.NoError(s, s.Follow(s.Context(), following("f", 1, sha("a"))))
		require.Equal(s, store.Stats{Followed: 1}, s.queued())
		s.clock.move(time.Hour)
		s.submit(event("a", 1))
		st := must(s.Stats(s.Context()))(s)
		require.Equal(s, store.Stats{Ready: 2, Oldest: s.clock.Now()}, st, "it is due, but no command waits since then")
	}),
}
