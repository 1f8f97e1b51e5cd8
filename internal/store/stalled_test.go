package store

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// stall takes all connections of a replica to its database, so that it can neither renew nor claim.
func stall(t *testing.T, s *Store) (resume func()) {
	t.Helper()
	var conns []*sql.Conn
	for range maxConnections {
		conn, err := s.db.Conn(context.WithoutCancel(t.Context()))
		require.NoError(t, err)
		conns = append(conns, conn)
	}
	return func() {
		for _, conn := range conns {
			require.NoError(t, conn.Close())
		}
	}
}

func TestAStalledReplicaThatResumesWritesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, stalledReplica)
}

func stalledReplica(t *testing.T) {
	opts := Deaf(Options{DatabaseURL: Schema.URL(t), Now: time.Now})
	replica := func() *Store {
		s, err := Open(t.Context(), opts)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		return s
	}
	first, second := replica(), replica()
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	require.NoError(t, first.Submit(ctx, testEvent("a")))

	begun, taken, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var guard, record, next error
	stalled := handleFunc(func(ctx context.Context, ev port.Event) error {
		defer close(done)
		resume := stall(t, first)
		close(begun)
		<-taken // its lease is over, and the other replica has the event
		resume()
		guard = port.Guard(ctx)
		_, record = first.Start(context.WithoutCancel(ctx), ev)
		return record
	})
	other := handleFunc(func(ctx context.Context, ev port.Event) error {
		defer cancel()
		close(taken)
		<-done
		_, err := second.Start(ctx, ev)
		next = errors.Join(port.Guard(ctx), err)
		return next
	})
	var all sync.WaitGroup
	all.Go(func() { _ = (&Workers{Store: first, Handler: stalled}).Run(ctx) })
	<-begun
	all.Go(func() { _ = (&Workers{Store: second, Handler: other}).Run(ctx) })
	all.Wait()
	require.ErrorIs(t, guard, port.ErrLeaseLost)
	require.ErrorIs(t, record, port.ErrLeaseLost)
	require.NoError(t, next)
	st, err := second.Stats(t.Context())
	require.NoError(t, err)
	require.Equal(t, Stats{}, st)
}

func TestTheTimeOfTheQueueGoesOnWhenTheServersClockIsSetBack(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Options{DatabaseURL: Schema.URL(t)})
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
