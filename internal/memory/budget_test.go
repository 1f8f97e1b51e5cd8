package memory_test

import (
	"context"
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/memory"
)

const mib = 1 << 20

// work is something that takes memory until it is told to end.
type work struct {
	begun atomic.Bool
	end   chan struct{}
}

func begin(t *testing.T, b *memory.Budget, bytes int64) *work {
	t.Helper()
	w := &work{end: make(chan struct{})}
	go func() {
		release, err := b.Admit(t.Context(), bytes)
		if err != nil {
			return
		}
		defer release()
		w.begun.Store(true)
		<-w.end
	}()
	synctest.Wait()
	return w
}

func (w *work) finish() {
	close(w.end)
	synctest.Wait()
}

func TestTwoLargePiecesOfWorkAreNotDoneAtOnceAndSmallOnesAre(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := memory.NewBudget(100 * mib)
		first := begin(t, b, 60*mib)
		second := begin(t, b, 60*mib)
		require.True(t, first.begun.Load())
		require.False(t, second.begun.Load())
		var small []*work
		for range 100 { // together more than all
			w := begin(t, b, 5*mib)
			require.True(t, w.begun.Load())
			small = append(small, w)
		}
		first.finish()
		require.True(t, second.begun.Load())
		second.finish()
		for _, w := range small {
			w.finish()
		}
	})
}

func TestWhatIsLargerThanAllIsDoneWhenNothingElseIs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := memory.NewBudget(100 * mib)
		large := begin(t, b, 10)
		middle := begin(t, b, 40*mib)
		huge := begin(t, b, 300*mib)
		later := begin(t, b, 40*mib)
		require.True(t, middle.begun.Load())
		require.False(t, huge.begun.Load())
		require.False(t, later.begun.Load(), "or the largest would never come")
		middle.finish()
		require.True(t, huge.begun.Load())
		require.False(t, later.begun.Load())
		huge.finish()
		require.True(t, later.begun.Load())
		later.finish()
		large.finish()
	})
}

func TestWhoNoLongerWaitsTakesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := memory.NewBudget(100 * mib)
		first := begin(t, b, 90*mib)
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error, 1)
		go func() {
			_, err := b.Admit(ctx, 90*mib)
			failed <- err
		}()
		synctest.Wait()
		cancel()
		require.ErrorIs(t, <-failed, context.Canceled)
		first.finish()
		last := begin(t, b, 100*mib)
		require.True(t, last.begun.Load())
		last.finish()
	})
}

func TestTheShareOfALimit(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int64]int64{
		math.MaxInt64: 256 * mib, 460 * mib: 115 * mib, 64 * mib: 32 * mib, 1 << 50: 2 << 30,
	} {
		require.Equal(t, want, memory.Share(limit), limit)
	}
	release, err := memory.NewBudget(0).Admit(t.Context(), 1)
	require.NoError(t, err)
	release()
}
