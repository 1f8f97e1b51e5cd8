package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/store/pgtest"
)

func TestTheTimeOfTheQueueGoesOnWhenTheServersClockIsSetBack(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Options{DatabaseURL: pgtest.URL(t)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	now := func() (at time.Time) {
		require.NoError(t, s.write(t.Context(), "reading the time", func(tx tx) error {
			at = tx.now
			return nil
		}))
		return at
	}
	before := now()
	_, err = s.db.Exec("UPDATE clock SET seen = $1", before.Add(time.Hour).UnixMilli()) // before it was set back
	require.NoError(t, err)
	for range 2 { // once
		_, _, err = s.Claim(t.Context())
		require.NoError(t, err)
		require.WithinRange(t, now(), before.Add(time.Hour), before.Add(90*time.Minute))
	}
}
