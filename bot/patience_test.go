package bot

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// What passes between calls, and before the model can begin with one, is not the model's time.
func TestTheTimeForAModelIsThatOfItsAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		wait := newPatience(maxAsk)
		call := func(busy, answer time.Duration) error {
			var queued []bool
			ctx, end := wait.begin(t.Context(), func(now bool) { queued = append(queued, now) })
			defer end()
			if busy > 0 {
				begins := port.Busy(ctx)
				time.Sleep(busy)
				begins()
				require.Equal(t, []bool{true, false}, queued)
			}
			select {
			case <-ctx.Done():
			case <-time.After(answer):
			}
			return context.Cause(ctx)
		}
		require.NoError(t, call(3*time.Hour, 12*time.Minute))
		time.Sleep(3 * time.Hour)
		require.NoError(t, call(0, 7*time.Minute))
		begun := time.Now()
		require.ErrorContains(t, call(time.Hour, 2*time.Minute), "20 minutes")
		require.Equal(t, time.Hour+time.Minute, time.Since(begun))
	})
}
