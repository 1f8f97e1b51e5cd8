package store_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// Whoever may see a page can ask for runs that there are not. A delivery that arrives waits for a few of them at most.
func TestADeliveryWaitsForFewLookups(t *testing.T) {
	t.Parallel()
	s := openSQLite(t, store.Options{Dir: t.TempDir()})
	release := store.Occupy(t, s)
	var started, ended sync.WaitGroup
	errs := make(chan error, 50)
	for i := range cap(errs) {
		started.Add(1)
		ended.Go(func() {
			started.Done()
			if i%2 == 0 {
				_, err := s.EventOf(t.Context(), port.RunID("none"))
				errs <- err
				return
			}
			_, err := s.Lookup(t.Context(), port.RunID("none"))
			errs <- err
		})
	}
	started.Wait()
	require.Eventually(t, func() bool { return store.Waiting(s) > 0 }, 20*time.Second, time.Millisecond)
	time.Sleep(50 * time.Millisecond) // in which the others would come to wait, too
	waiting := store.Waiting(s)
	release()
	ended.Wait()
	require.LessOrEqual(t, waiting, int64(4))
	for range cap(errs) {
		require.ErrorIs(t, <-errs, port.ErrNotFound)
	}
}
