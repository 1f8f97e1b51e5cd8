package memory

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestMemoryIsReturnedOnceAfterAPeakWhenThereIsLittleToDo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const mib = 1 << 20
		total, freed := uint64(500*mib), 0
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go returnTo(ctx, func() uint64 { return total }, func() { freed++ })
		pass := func(allocated uint64) {
			synctest.Wait()
			total += allocated
			time.Sleep(10 * time.Second)
			synctest.Wait()
		}
		pass(0)
		require.Zero(t, freed, "what was allocated before is not known to be garbage")
		for range 5 {
			pass(300 * mib)
		}
		require.Zero(t, freed, "the collector has enough to do")
		pass(mib)
		require.Equal(t, 1, freed)
		for range 60 {
			pass(mib)
		}
		require.Equal(t, 1, freed, "there is no more to return")
		for range 10 {
			pass(mib)
		}
		require.Equal(t, 2, freed, "little adds up")
	})
}

func TestTheBytesThatWereAllocatedGrow(t *testing.T) {
	t.Parallel()
	before := allocated()
	kept := make([]byte, 32<<20)
	require.GreaterOrEqual(t, allocated()-before, uint64(len(kept)))
}
