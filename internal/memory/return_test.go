package memory

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestMemoryIsReturnedOnceAfterAPeakWhenThereIsLittleToDo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const mib = 1 << 20
		var total atomic.Uint64
		var freed atomic.Int64
		total.Store(500 * mib)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go returnTo(ctx, total.Load, func() { freed.Add(1) })
		pass := func(allocated uint64) {
			synctest.Wait()
			total.Add(allocated)
			time.Sleep(10 * time.Second)
			synctest.Wait()
		}
		pass(0)
		require.Zero(t, freed.Load(), "what was allocated before is not known to be garbage")
		for range 5 {
			pass(300 * mib)
		}
		require.Zero(t, freed.Load(), "the collector has enough to do")
		pass(mib)
		require.EqualValues(t, 1, freed.Load())
		for range 60 {
			pass(mib)
		}
		require.EqualValues(t, 1, freed.Load(), "there is no more to return")
		for range 10 {
			pass(mib)
		}
		require.EqualValues(t, 2, freed.Load(), "little adds up")
	})
}

func TestTheBytesThatWereAllocatedGrow(t *testing.T) {
	t.Parallel()
	before := allocated()
	kept := make([]byte, 32<<20)
	require.GreaterOrEqual(t, allocated()-before, uint64(len(kept)))
}
