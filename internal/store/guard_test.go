package store

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// handled runs workers until the handler of the first attempt has returned, and returns how often a handler was called.
func handled(t *testing.T, s *Store, h func(context.Context, port.Event) error) (calls int) {
	t.Helper()
	require.NoError(t, s.Submit(t.Context(), testEvent("a")))
	ctx, cancel := context.WithCancel(t.Context())
	w := &Workers{Store: s, Handler: handleFunc(func(ctx context.Context, ev port.Event) error {
		if calls++; calls > 1 {
			return nil
		}
		defer cancel()
		return h(ctx, ev)
	})}
	require.NoError(t, w.Run(ctx))
	return calls
}

// block blocks the database until the returned function is called.
func block(t *testing.T, s *Store) *sql.Conn {
	t.Helper()
	conn, err := s.db.Conn(context.WithoutCancel(t.Context())) // the only connection
	require.NoError(t, err)
	return conn
}

func TestAHandlerThatWasPausedIsNotStartedTwice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openDir(t, folder(t))
		calls := handled(t, s, func(ctx context.Context, ev port.Event) error {
			conn := block(t, s) // neither claims nor renewals go on for longer than the lease
			time.Sleep(DefaultLease + 2*time.Second)
			require.NoError(t, conn.Close())
			time.Sleep(5 * time.Second)
			if err := port.Guard(ctx); err != nil {
				return err
			}
			_, err := s.Start(ctx, ev)
			return err
		})
		require.Equal(t, 1, calls)
		st, err := s.Stats(t.Context())
		require.NoError(t, err)
		require.Equal(t, Stats{}, st)
	})
}

func TestAWriteAsksWhetherTheLeaseIsLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openDir(t, folder(t))
		handled(t, s, func(ctx context.Context, _ port.Event) error {
			_, err := s.db.Exec("UPDATE events SET lease_token = 'another process'")
			require.NoError(t, err)
			require.NoError(t, port.Guard(ctx)) // it was valid just now
			time.Sleep(2 * freshLease)
			require.NoError(t, ctx.Err()) // the next renewal is later
			require.ErrorIs(t, port.Guard(ctx), port.ErrLeaseLost)
			require.ErrorIs(t, context.Cause(ctx), port.ErrLeaseLost)
			return ctx.Err()
		})
	})
}

func TestAWriteSeesThatTheEventWasCancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openDir(t, folder(t))
		handled(t, s, func(ctx context.Context, _ port.Event) error {
			_, err := s.db.Exec("UPDATE events SET cancelled_in = 'another', cancelled_by = 'maria'")
			require.NoError(t, err)
			time.Sleep(2 * freshLease)
			require.NoError(t, port.Guard(ctx)) // the end of the run may be reported
			require.Equal(t, &port.CancelledError{By: "maria"}, context.Cause(ctx))
			return ctx.Err()
		})
	})
}

func TestWritesGoOnForATimeWithoutTheDatabase(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openDir(t, folder(t))
		handled(t, s, func(ctx context.Context, _ port.Event) error {
			conn := block(t, s)
			time.Sleep(2 * freshLease)
			begun := time.Now()
			require.NoError(t, port.Guard(ctx)) // nobody else can have the event
			require.Equal(t, guardTimeout, time.Since(begun))
			time.Sleep(DefaultLease / 2)
			require.ErrorIs(t, port.Guard(ctx), context.DeadlineExceeded)
			return conn.Close()
		})
	})
}

func TestAStepOfARunConfirmsTheLease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openDir(t, folder(t))
		handled(t, s, func(ctx context.Context, ev port.Event) error {
			time.Sleep(2 * freshLease)
			run, err := s.Start(ctx, ev)
			require.NoError(t, err)
			conn := block(t, s)
			require.NoError(t, port.Guard(ctx)) // asks nobody
			require.NoError(t, conn.Close())
			time.Sleep(2 * freshLease)
			require.NoError(t, s.Record(ctx, ev, run.ID, "open", port.Step{Version: 1, Data: []byte(`1`)}))
			conn = block(t, s)
			require.NoError(t, port.Guard(ctx))
			return conn.Close()
		})
	})
}

func TestACancelBetweenClaimAndHandlerIsNotMissed(t *testing.T) {
	t.Parallel()
	var l leases
	l.add("x")
	l.end("x", &port.CancelledError{By: "maria"})
	var cause error
	l.run("x", func(err error) { cause = err })
	require.Equal(t, &port.CancelledError{By: "maria"}, cause)
}

func TestAQueueGoesOnFromTheLatestTimeThatItHasSeen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir, back := t.TempDir(), time.Duration(0)
		clock := func() time.Time { return time.Now().Add(-back) }
		open := func() *Store {
			s, err := Open(t.Context(), Options{Dir: dir, Now: clock})
			require.NoError(t, err)
			return s
		}
		s := open()
		require.NoError(t, s.Submit(t.Context(), testEvent("a")))
		c, ok, err := s.Claim(t.Context())
		require.True(t, ok)
		require.NoError(t, err)
		require.NoError(t, s.Retry(t.Context(), c.Event, errors.New("broken"), 10*time.Second))
		require.NoError(t, s.Close())

		back = time.Hour // the clock is set back before the restart
		s = open()
		_, ok, err = s.Claim(t.Context())
		require.False(t, ok)
		require.NoError(t, err)
		time.Sleep(10 * time.Second)
		_, ok, err = s.Claim(t.Context())
		require.True(t, ok)
		require.NoError(t, err)
		require.NoError(t, s.Close())

		s = open() // the latest time is also known when no event waits
		err = s.write(t.Context(), "reading the time", func(tx tx) error {
			require.WithinDuration(t, time.Now(), tx.now, time.Second)
			return nil
		})
		require.NoError(t, err)
		require.NoError(t, s.Close())
	})
}

func TestAPauseIsNoticed(t *testing.T) {
	t.Parallel()
	begun := time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)
	at := func(d time.Duration) time.Time { return begun.Add(d) }
	var p pauses
	look := func(process, queue time.Duration) bool {
		return p.look(at(process), at(queue), time.Second, 30*time.Second)
	}
	require.False(t, look(0, 0)) // the first look
	require.False(t, look(time.Second, time.Second))
	require.False(t, look(12*time.Second, 12*time.Second)) // a slow database
	require.True(t, look(24*time.Second, 24*time.Second))
	require.True(t, look(30*time.Second, 30*time.Second))
	require.True(t, look(38*time.Second, 38*time.Second))
	require.False(t, look(40*time.Second, 40*time.Second))
	require.True(t, look(41*time.Second, time.Hour)) // the queue's clock was set forward
	require.True(t, look(50*time.Second, time.Hour+9*time.Second))
	require.False(t, look(57*time.Second, time.Hour+16*time.Second))
	require.True(t, look(58*time.Second, 17*time.Second)) // and back
}

func TestTheLeaseOfARunningHandlerIsRenewedByTheNextClaim(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)
	s, err := Open(t.Context(), Options{Dir: folder(t), Now: func() time.Time { return now }})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	require.NoError(t, s.Submit(t.Context(), testEvent("a")))
	c, ok, err := s.claimNext(t.Context(), claimant{polls: time.Second})
	require.True(t, ok)
	require.NoError(t, err)
	for range 2 {
		now = now.Add(2 * DefaultLease)
		_, ok, err = s.Claim(t.Context())
		require.False(t, ok)
		require.NoError(t, err)
	}
	s.leases.remove(c.Event.Lease) // the handler has returned without ending its lease
	now = now.Add(2 * DefaultLease)
	_, ok, err = s.Claim(t.Context())
	require.True(t, ok)
	require.NoError(t, err)
}
