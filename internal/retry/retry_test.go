package retry_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/retry"
)

func TestThereIsOneRetryForEachDelay(t *testing.T) {
	t.Parallel()
	delays := retry.Delays{time.Second, time.Minute}
	for failures, want := range delays {
		for range 100 {
			wait, ok := delays.Wait(failures + 1)
			require.True(t, ok)
			require.GreaterOrEqual(t, wait, want*3/4)
			require.LessOrEqual(t, wait, want*5/4)
		}
	}
	_, ok := delays.Wait(3)
	require.False(t, ok)
}

func TestAWaitThatWasAskedForIsNeverShorter(t *testing.T) {
	t.Parallel()
	for range 100 {
		wait := retry.Longer(time.Minute)
		require.GreaterOrEqual(t, wait, time.Minute)
		require.LessOrEqual(t, wait, 66*time.Second)
	}
}

func TestRetryAfterIsRead(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		ms, after string
		wait      time.Duration
		ok        bool
	}{
		"neither":                 {},
		"seconds":                 {after: "3", wait: 3 * time.Second, ok: true},
		"parts of a second":       {after: "0.5", wait: 500 * time.Millisecond, ok: true},
		"none":                    {after: "0", ok: true},
		"milliseconds go first":   {ms: "2500", after: "3", wait: 2500 * time.Millisecond, ok: true},
		"unreadable milliseconds": {ms: "soon", after: "3", wait: 3 * time.Second, ok: true},
		"a date":                  {after: "Fri, 20 Nov 2026 12:00:04 GMT", wait: 4 * time.Second, ok: true},
		"a date that has passed":  {after: "Fri, 20 Nov 2026 11:59:00 GMT", wait: -time.Minute, ok: true},
		"more than a year":        {after: "99999999999999999999", wait: 365 * 24 * time.Hour, ok: true},
		"beyond all numbers":      {after: "1e300", wait: 365 * 24 * time.Hour, ok: true},
		"a negative number":       {after: "-1"},
		"no number":               {after: "NaN"},
		"a word":                  {after: "soon"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := http.Header{}
			h.Set("Retry-After-Ms", c.ms)
			h.Set("Retry-After", c.after)
			wait, ok := retry.After(h, now)
			require.Equal(t, c.ok, ok)
			require.Equal(t, c.wait, wait)
		})
	}
}

func TestASleepEndsWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		require.NoError(t, retry.Sleep(t.Context(), time.Hour))
		require.Equal(t, time.Hour, time.Since(begun))

		stopped := errors.New("stopped")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Minute, func() { cancel(stopped) })
		require.ErrorIs(t, retry.Sleep(ctx, time.Hour), stopped)
		require.Equal(t, time.Hour+time.Minute, time.Since(begun))
		require.ErrorIs(t, retry.Sleep(ctx, 0), stopped)
	})
}
