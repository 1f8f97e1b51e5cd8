package store

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

type handleFunc func(context.Context, port.Event) error

func (f handleFunc) Handle(ctx context.Context, ev port.Event) error { return f(ctx, ev) }

func (f handleFunc) DeadLetter(_ context.Context, _ port.Event, cause error) error { return cause }

func TestWorkEndsWhenTheLeaseCannotBeRenewed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openDir(t, folder(t))
		require.NoError(t, s.Submit(t.Context(), testEvent("a")))
		ctx, cancel := context.WithCancel(t.Context())
		var cause error
		var took time.Duration
		h := handleFunc(func(ctx context.Context, _ port.Event) error {
			_, err := s.db.Exec("PRAGMA query_only = ON") // the disk cannot be written from now on
			require.NoError(t, err)
			begun := time.Now()
			<-ctx.Done()
			cause, took = context.Cause(ctx), time.Since(begun)
			cancel()
			return ctx.Err()
		})
		require.NoError(t, (&Workers{Store: s, Handler: h}).Run(ctx))
		require.ErrorIs(t, cause, port.ErrLeaseLost)
		require.InDelta(t, DefaultLease, took, float64(time.Microsecond))
	})
}

func TestACancelByAnotherProcessIsSeenWhenTheLeaseIsRenewed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openDir(t, folder(t))
		require.NoError(t, s.Submit(t.Context(), testEvent("a")))
		ctx, cancel := context.WithCancel(t.Context())
		var cause error
		var took time.Duration
		h := handleFunc(func(ctx context.Context, _ port.Event) error {
			_, err := s.db.Exec("UPDATE events SET cancelled_in = 'another', cancelled_by = 'maria'")
			require.NoError(t, err)
			begun := time.Now()
			select {
			case <-ctx.Done():
			case <-time.After(10 * time.Minute):
			}
			time.Sleep(2 * DefaultLease) // the lease is renewed until the handler returns
			cause, took = context.Cause(ctx), time.Since(begun)
			cancel()
			return ctx.Err()
		})
		require.NoError(t, (&Workers{Store: s, Handler: h, Grace: time.Hour}).Run(ctx))
		require.Equal(t, &port.CancelledError{By: "maria"}, cause)
		require.Equal(t, DefaultLease/renewals+2*DefaultLease, took)
		var state, note string
		require.NoError(t, s.db.QueryRow("SELECT state, error FROM events").Scan(&state, &note))
		require.Equal(t, []string{"done", "cancelled by maria"}, []string{state, note})
	})
}

func TestCloseCommitsPendingSubmissions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		s := openDir(t, dir)
		busy, err := s.db.Conn(t.Context()) // no transaction can begin
		require.NoError(t, err)
		accepted, closed := make(chan error, 1), make(chan error, 1)
		go func() { accepted <- s.Submit(t.Context(), testEvent("a")) }()
		synctest.Wait()
		go func() { closed <- s.Close() }()
		synctest.Wait()
		require.ErrorIs(t, s.Submit(t.Context(), testEvent("b")), ErrClosed)
		require.NoError(t, busy.Close())
		require.NoError(t, <-accepted)
		require.NoError(t, <-closed)
		st, err := openDir(t, dir).Stats(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, st.Ready)
	})
}

func TestASubmitterWhoseContextEndsDoesNotWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openDir(t, folder(t))
		busy, err := s.db.Conn(t.Context())
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, s.Submit(ctx, testEvent("a")), context.DeadlineExceeded)
		require.NoError(t, busy.Close())
		require.NoError(t, s.Submit(t.Context(), testEvent("b"))) // others are not affected
	})
}

// losingSlot is the slot of a run that loses its lease while it waits for the slot.
type losingSlot struct{ keeper *leaseKeeper }

func (losingSlot) Leave() {}

func (s losingSlot) Enter() { s.keeper.lose() }

func TestARunWritesNothingIfItsLeaseIsLostWhileItWaitsForItsSlot(t *testing.T) {
	t.Parallel()
	s := openDir(t, folder(t))
	require.NoError(t, s.Submit(t.Context(), testEvent("a")))
	c, _, err := s.Claim(t.Context())
	require.NoError(t, err)
	k := &leaseKeeper{w: &Workers{Store: s}, ev: c.Event, lease: &lease{}, cancel: func(error) {}}
	require.NoError(t, k.guard(t.Context()))
	require.ErrorIs(t, k.guard(port.WithSlot(t.Context(), losingSlot{k})), port.ErrLeaseLost)
}

func TestALeaseIsAsFreshAsWhoAskedLastFoundIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var l leases
		l.add("token")
		first := time.Now()
		time.Sleep(time.Minute)
		l.confirm("token", time.Now())
		l.confirm("token", first) // by a run that waited for its slot before it could say so
		require.Zero(t, l.age(l.byToken["token"]))
	})
}
