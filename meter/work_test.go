package meter_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/meter"
)

func TestWorkIsUsedUpWhenMoreIsSpentThanThereIs(t *testing.T) {
	t.Parallel()
	w := meter.Of(100)
	w.Spend(100)
	require.False(t, w.UsedUp())
	require.Zero(t, w.Left())
	require.False(t, w.Affords(1))
	w.SpendBytes(1)
	require.True(t, w.UsedUp())
	w.SpendEachByte(160)
	require.Zero(t, w.Left())
	require.Equal(t, 112, w.Spent())
}

func TestWhatIsKeptIsThereLater(t *testing.T) {
	t.Parallel()
	w := meter.Of(100)
	w.Keep(30)
	require.Equal(t, 70, w.Left())
	w.Spend(71)
	require.True(t, w.UsedUp())
	require.False(t, w.Affords(0))
	w.Release()
	require.False(t, w.UsedUp())
	require.Equal(t, 29, w.Left())
	require.True(t, w.Affords(29))
}

func TestACancelledContextUsesUpTheWork(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	w := meter.Within(ctx, 1_000_000)
	w.Spend(1)
	require.NoError(t, w.Err())
	cancel()
	w.Spend(10_000)
	require.True(t, w.UsedUp(), "it is seen without being asked for")
	require.Zero(t, w.Left())
	require.False(t, w.Affords(1))
	require.ErrorIs(t, w.Err(), context.Canceled)
}

func TestNoWorkHasNoEnd(t *testing.T) {
	t.Parallel()
	var w *meter.Work
	w.Spend(1 << 40)
	w.Keep(1)
	w.Release()
	require.False(t, w.UsedUp())
	require.True(t, w.Affords(1<<40))
	require.NoError(t, w.Err())
	require.Equal(t, math.MaxInt, w.Left())
}
