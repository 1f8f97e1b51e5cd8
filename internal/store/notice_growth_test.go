package store

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// In a thread with a notice, and in one where nobody is to know of a command, each that waits is looked at.
func TestALookForANoticeLooksAtNoMoreWhenMoreWait(t *testing.T) {
	t.Parallel()
	work := func(waiting int) int {
		s, err := Open(t.Context(), smallPages(t))
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		fill(t, s, queue{waiting, 1, 1, 10, threadLane})
		before := pages(t, s)
		for seq := range int64(10) {
			n, ok, err := s.beginNotice(t.Context(), beginNotice, telling{"7#0", seq + 2}, 0)
			require.NoError(t, err)
			if ok {
				require.NoError(t, s.endNotice(t.Context(), n))
			}
		}
		all, err := s.waitingIn(t.Context(), "7#0", 0)
		require.NoError(t, err)
		require.Len(t, all, maxPassedOver)
		return pages(t, s) - before
	}
	require.Less(t, work(5000), 2*work(100))
}
