package store

import (
	"context"
	"fmt"
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

func TestAScanForAcceptedEventsTakesATransactionOnlyIfThereAreSome(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *Store) {
		d := &counted{database: s.database}
		s.database = d
		last := notScanned
		for i := range 3 {
			submitAll(t, s, commandIn(7, 0, fmt.Sprint("x", i)))
			d.others = 0
			var all []accepted
			for range 3 {
				found, read, err := s.scanAccepted(t.Context(), last, 0)
				require.NoError(t, err)
				all, last = append(all, found...), read
			}
			require.Len(t, all, 1)
			require.Equal(t, last, all[0].seq)
			require.Equal(t, 1, d.others)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		_, _, err := s.scanAccepted(ended, last, 0)
		require.ErrorIs(t, err, context.Canceled, "an error is not taken for no event")
	})
}
