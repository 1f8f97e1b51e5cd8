package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

var figuresStories = []story{
	{"what waits is counted by what it waits for", func(t *testing.T, open opener) {
		s := newStage(t, open, store.Options{Lease: 24 * time.Hour, ServerTokens: 1000})
		for i, reason := range []port.WaitReason{port.GitHubLimit, port.GitHubOutage, port.GitHubLimit, ""} {
			s.submit(event(name(i), i))
			c := s.claim(name(i))
			if reason == "" {
				require.NoError(s, s.Retry(s.Context(), c.Event, errors.New("broken"), time.Minute))
				continue
			}
			ok := must(s.Sleep(s.Context(), c.Event,
				store.Sleep{Wait: &port.WaitError{For: reason, After: time.Minute, Err: errors.New("503")}}))(s)
			require.True(s, ok)
		}
		a, run := s.begun(eventOf(1, "z", 99))
		must(s.Reserve(s.Context(), reservation(a, run, 1, 600, port.Limits{})))(s)

		f := must(s.Figures(s.Context()))(s)
		require.Equal(s, map[port.WaitReason]int{port.GitHubLimit: 2, port.GitHubOutage: 1}, f.Waiting)
		require.Equal(s, 4, f.Ready)
		require.Equal(s, 1, f.Leased)
		require.False(s, f.Oldest.IsZero())
		require.Equal(s, []int64{600, 1000}, []int64{f.ServerTokens, f.ServerTokensLimit})
		s.clock.move(23 * time.Hour)
		f = must(s.Figures(s.Context()))(s)
		require.Empty(s, f.Waiting, "what is due waits for nothing but a worker")
		require.Zero(s, f.ServerTokens, "another day")
	}},
}
