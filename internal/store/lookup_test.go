package store_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// Whoever may see a page can ask for runs that there are not. A delivery that arrives waits for a few of them at most.
func TestADeliveryWaitsForFewLookups(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openSQLite(t, store.Options{})
		release := store.Occupy(t, s)
		errs := make(chan error, 50)
		for i := range cap(errs) {
			go func() {
				if i%2 == 0 {
					_, err := s.EventOf(t.Context(), port.RunID("none"))
					errs <- err
					return
				}
				_, err := s.Lookup(t.Context(), port.RunID("none"))
				errs <- err
			}()
		}
		synctest.Wait()
		waiting := store.Waiting(s)
		release()
		for range cap(errs) {
			require.ErrorIs(t, <-errs, port.ErrNotFound)
		}
		require.EqualValues(t, 4, waiting)
	})
}
