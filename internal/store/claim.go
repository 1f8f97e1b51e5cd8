package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot"
)

// MaxAttempts is how often an event is tried before it is given up.
const MaxAttempts = 3

// The states of an event.
const (
	stateReady   = "ready"
	stateWorking = "working"
	stateDone    = "done"
	stateParked  = "parked"
)

// Claim is an event in work. Event carries the lease and the number of this attempt.
type Claim struct {
	Event bot.Event
	// LastError is why the former attempt failed; "" when there was none, or it ended without a word, as when the
	// process died.
	LastError string
	// Cancelled is set when somebody cancelled the event: it must not be worked on any more.
	Cancelled *bot.CancelledError
}

// Claim takes the next event: of the installation that waits longest for its turn, the oldest that heads its thread,
// when none of that thread is in work and no retry has to wait; events aside are left to ClaimAside. ok is false when there
// is none. The attempt is counted with it, so that an event that kills the process is found out.
//
// The lease holds for Options.Lease; Renew makes it last. Somebody has to end it by Complete, Retry, Park or GiveBack.
func (s *Store) Claim(ctx context.Context) (c Claim, ok bool, err error) {
	return s.claimOf(ctx, false)
}

// ClaimAside is Claim for the events aside, which wait for nothing but their installation's turn and their own retries.
func (s *Store) ClaimAside(ctx context.Context) (c Claim, ok bool, err error) {
	return s.claimOf(ctx, true)
}

func (s *Store) claimOf(ctx context.Context, aside bool) (c Claim, ok bool, err error) {
	for found := true; found; {
		err := s.write(ctx, "claiming an event", func(tx *sql.Tx) error {
			var err error
			c, found, err = s.claim(ctx, tx, aside)
			return err
		})
		if err != nil {
			return Claim{}, false, err
		}
		if c.Event.Lease != "" {
			return c, true, nil
		}
	}
	return Claim{}, false, nil
}

// claim takes the event that is found next. An event that cannot be read is parked, and has no lease.
func (s *Store) claim(ctx context.Context, tx *sql.Tx, aside bool) (c Claim, found bool, err error) {
	now := s.millis(0)
	if _, err := tx.ExecContext(ctx, expire, now); err != nil {
		return Claim{}, false, err
	}
	r, err := s.findNext(ctx, tx, aside, now)
	if errors.Is(err, sql.ErrNoRows) {
		return Claim{}, false, nil
	}
	if err != nil {
		return Claim{}, false, err
	}
	ev, err := decodeEvent(r)
	if err != nil {
		s.log.ErrorContext(ctx, "an event was parked, as it cannot be read", "delivery", r.delivery, "error", err)
		_, err = tx.ExecContext(ctx, refuse, r.seq, errorText(err), now)
		return Claim{}, true, err
	}
	ev.Lease, ev.Waited = rand.Text(), r.waited
	err = tx.QueryRowContext(ctx, claim, r.seq, ev.Lease, s.millis(s.lease), now, MaxAttempts).Scan(&ev.Attempt)
	if err != nil {
		return Claim{}, false, err
	}
	_, err = tx.ExecContext(ctx, takeTurn, r.installation, digit(aside))
	return Claim{Event: ev, LastError: r.lastError, Cancelled: r.cancelled()}, true, err
}

func (s *Store) findNext(ctx context.Context, tx *sql.Tx, aside bool, now int64) (r row, err error) {
	stmt := tx.StmtContext(ctx, s.next[digit(aside)])
	defer func() { _ = stmt.Close() }() // the transaction's; the prepared one stays
	err = stmt.QueryRowContext(ctx, now).Scan(&r.seq, &r.delivery, &r.thread, &r.installation, &r.version, &r.body,
		&r.lastError, &r.waited, &r.cancelledIn, &r.cancelledBy)
	return r, err
}

// Renew makes the lease of an event last for another Options.Lease from now, even when somebody cancelled the event meanwhile,
// which it returns. ErrLeaseLost when it is no longer ours.
func (s *Store) Renew(ctx context.Context, ev bot.Event) (cancelled *bot.CancelledError, err error) {
	err = s.write(ctx, "renewing the lease", func(tx *sql.Tx) error {
		var r row
		err := tx.QueryRowContext(ctx, renew, ev.Delivery, ev.Lease, s.millis(s.lease)).Scan(&r.cancelledIn, &r.cancelledBy)
		if errors.Is(err, sql.ErrNoRows) {
			return bot.ErrLeaseLost
		}
		cancelled = r.cancelled()
		return err
	})
	return cancelled, err
}

// hold makes sure, and keeps sure until the transaction ends, that the lease is ours.
func (s *Store) hold(ctx context.Context, tx *sql.Tx, ev bot.Event) error {
	res, err := tx.ExecContext(ctx, hold, ev.Delivery, ev.Lease, s.millis(s.lease))
	return one(res, err, bot.ErrLeaseLost)
}

// Complete ends an event: its work is done. ErrLeaseLost when it is no longer ours.
func (s *Store) Complete(ctx context.Context, ev bot.Event) error {
	return s.settle(ctx, ev, settlement{state: stateDone, attempts: ev.Attempt})
}

// Retry makes an event ready again after the given time; ev.Attempt stands as the number of attempts so far.
// ErrLeaseLost when it is no longer ours.
func (s *Store) Retry(ctx context.Context, ev bot.Event, cause error, after time.Duration) error {
	return s.settle(ctx, ev, settlement{state: stateReady, attempts: ev.Attempt, notBefore: s.millis(after), cause: cause})
}

// Park gives an event up; only a redelivery makes it ready again. ErrLeaseLost when it is no longer ours.
func (s *Store) Park(ctx context.Context, ev bot.Event, cause error) error {
	return s.settle(ctx, ev, settlement{state: stateParked, attempts: ev.Attempt, cause: cause})
}

// GiveBack makes an event ready again as if it had not been claimed. ErrLeaseLost when it is no longer ours.
func (s *Store) GiveBack(ctx context.Context, ev bot.Event) error {
	return s.settle(ctx, ev, settlement{state: stateReady, attempts: max(ev.Attempt-1, 0)})
}

// settlement is how a lease ends.
type settlement struct {
	state     string
	attempts  int
	notBefore int64
	cause     error
}

func (s *Store) settle(ctx context.Context, ev bot.Event, to settlement) error {
	cause := sql.NullString{String: errorText(to.cause), Valid: to.cause != nil}
	err := s.write(ctx, "settling an event as "+to.state, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, settle, ev.Delivery, ev.Lease, to.state, to.attempts, to.notBefore, cause, s.millis(0))
		return one(res, err, bot.ErrLeaseLost)
	})
	if err != nil {
		return fmt.Errorf("delivery %s: %w", ev.Delivery, err)
	}
	s.notify(ev.Aside) // the next of its thread may begin
	return nil
}
