package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

func whatWaitsIsCounted(t *testing.T, open Open) {
	now, pass := clockOf()
	s := open(t, store.Options{Now: now, Lease: 24 * time.Hour, ServerTokens: 1000})
	for i, reason := range []port.WaitReason{port.GitHubLimit, port.GitHubOutage, port.GitHubLimit, ""} {
		submit(t, s, event(name(i), i))
		c := claim(t, s, name(i))
		if reason == "" {
			require.NoError(t, s.Retry(t.Context(), c.Event, errors.New("broken"), time.Minute))
			continue
		}
		ok, err := s.Sleep(t.Context(), c.Event,
			store.Sleep{Wait: &port.WaitError{For: reason, After: time.Minute, Err: errors.New("503")}})
		require.NoError(t, err)
		require.True(t, ok)
	}
	a, run := begun(t, s, eventOf(1, "z", 99))
	_, err := s.Reserve(t.Context(), reservation(a, run, 1, 600, port.Limits{}))
	require.NoError(t, err)

	f, err := s.Figures(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[port.WaitReason]int{port.GitHubLimit: 2, port.GitHubOutage: 1}, f.Waiting)
	require.Equal(t, 4, f.Ready)
	require.Equal(t, 1, f.Leased)
	require.False(t, f.Oldest.IsZero())
	require.Equal(t, []int64{600, 1000}, []int64{f.ServerTokens, f.ServerTokensLimit})
	pass(23 * time.Hour)
	f, err = s.Figures(t.Context())
	require.NoError(t, err)
	require.Empty(t, f.Waiting, "what is due waits for nothing but a worker")
	require.Zero(t, f.ServerTokens, "another day")
}
