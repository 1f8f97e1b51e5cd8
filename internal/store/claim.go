package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// Claim is a leased event. Event carries the lease's token and the number of this attempt.
type Claim struct {
	Event port.Event
	// LastError is why the previous attempt failed; "" when there was none, or when it left no error, for instance
	// because the process died.
	LastError string
	// GaveUp is what outlasted the patience with an event of which only the end has to be reported; "" for another.
	GaveUp port.WaitReason
	// Cancelled is set when somebody cancelled the event: no more work must be done for it.
	Cancelled *port.CancelledError
}

// Claim leases the next event of the thread queues: of the installation with the fewest leased events, and among such
// of the one that had its last turn longest ago, the oldest event that is due and first in its thread's queue. ok is
// false when there is none. The attempt is counted in the same transaction, so that an event that kills the process is
// noticed.
//
// The lease is valid for Options.Lease; Renew extends it. Complete, Retry, DeadLetter or Release ends it.
func (s *Store) Claim(ctx context.Context) (c Claim, ok bool, err error) {
	return s.claimNext(ctx, claimant{})
}

// ClaimImmediate is Claim for the immediate events, which wait for their installation's turn and their own retries
// only.
func (s *Store) ClaimImmediate(ctx context.Context) (c Claim, ok bool, err error) {
	return s.claimNext(ctx, claimant{lane: immediateLane})
}

// ClaimFollowing is Claim for the events that follow a commit.
func (s *Store) ClaimFollowing(ctx context.Context) (c Claim, ok bool, err error) {
	return s.claimNext(ctx, claimant{lane: followingLane})
}

func (s *Store) claimNext(ctx context.Context, claimant claimant) (c Claim, ok bool, err error) {
	token := rand.Text()
	if claimant.polls > 0 {
		s.leases.add(token)
		defer func() {
			if !ok {
				s.leases.remove(token)
			}
		}()
	}
	for rounds, found := 0, true; found; rounds++ {
		claimant.hurries = rounds >= maxRounds
		err := s.database.claim(ctx, func(tx tx) (err error) {
			c, found, err = s.claimOrRefuse(ctx, tx, claimant, token)
			return err
		})
		if errors.Is(err, errBusy) { // the next poll tries again
			s.log.WarnContext(ctx, "events are not claimed while one is being changed", "error", err)
			return Claim{}, false, nil
		}
		if err := s.outcome("claiming an event", err); err != nil {
			return Claim{}, false, err
		}
		if c.Event.Lease != "" {
			return c, true, nil
		}
	}
	return Claim{}, false, nil
}

// claimOrRefuse leases the next event, with a token. found is false if there is none. The returned event has no lease
// if there are more events to place, unless the claim hurries and finds one of those that are placed; or if the next
// one turned out not to be ready, or cannot be read and becomes a dead letter.
func (s *Store) claimOrRefuse(ctx context.Context, tx tx, claimant claimant, token string) (
	c Claim, found bool, err error,
) {
	more, err := s.place(ctx, tx, claimant)
	if err != nil || more && !claimant.hurries {
		return Claim{}, more, err
	}
	var seq, installation int64
	query, args := findNext, []any{int(claimant.lane)}
	if claimant.newcomers {
		query, args = findNewcomer, append(args, tx.after(-quietFor))
	}
	err = tx.QueryRowContext(ctx, query, args...).Scan(&installation, &seq, &c.LastError)
	if errors.Is(err, sql.ErrNoRows) {
		return Claim{}, more, nil
	}
	if err != nil {
		return Claim{}, false, err
	}
	now := tx.after(0)
	r, err := s.leaseEvent(ctx, tx, seq, token, claimant.process)
	if errors.Is(err, sql.ErrNoRows) { // it was changed or deleted since it was placed
		_, err = tx.execAll(ctx, calls{{placeAgain, []any{seq}}, {takeTurn, []any{installation, 0, int(claimant.lane), now}}})
		return Claim{}, true, err
	}
	if err != nil {
		return Claim{}, false, err
	}
	r.lane = claimant.lane
	if c.Event, err = decodeEvent(r); err != nil {
		s.log.ErrorContext(ctx, "an event cannot be read and is now a dead letter", "delivery", r.delivery, "error", err)
		_, err = tx.ExecContext(ctx, refuseUnreadable, seq, errorText(err), now)
		return Claim{}, true, err
	}
	c.Event.Lease, c.Event.Attempt = token, r.attempts
	c.Event.Notified, c.Event.Acknowledged = r.waited, r.acknowledged == acknowledged
	c.GaveUp, c.Cancelled = port.WaitReason(r.gaveUp), r.cancelled()
	_, err = tx.execAll(ctx, calls{{takeTurn, []any{installation, 1, int(claimant.lane), now}}, {seeTime, []any{now}}})
	return c, true, err
}

// leaseEvent leases an event that can be claimed. It returns sql.ErrNoRows if it cannot.
func (s *Store) leaseEvent(ctx context.Context, tx tx, seq int64, token, process string) (r row, err error) {
	leased := tx.QueryRowContext(ctx, claimEvent, seq, token, tx.after(s.lease), tx.after(0), MaxAttempts, process)
	err = leased.Scan(&r.delivery, &r.thread, &r.installation, &r.version, &r.body, &r.attempts, &r.waited,
		&r.cancelledIn, &r.cancelledBy, &r.gaveUp, &r.acknowledged)
	return r, err
}

// Renew extends the lease of an event to Options.Lease from now, also when the event was cancelled, which it returns.
// It returns port.ErrLeaseLost if the lease is no longer valid.
func (s *Store) Renew(ctx context.Context, ev port.Event) (cancelled *port.CancelledError, err error) {
	asked := time.Now()
	err = s.write(ctx, "renewing the lease", func(tx tx) error {
		var r row
		renewed := tx.QueryRowContext(ctx, renewLease, ev.Delivery, ev.Lease, tx.after(s.lease), tx.after(0))
		err := renewed.Scan(&r.cancelledIn, &r.cancelledBy)
		if errors.Is(err, sql.ErrNoRows) {
			return port.ErrLeaseLost
		}
		cancelled = r.cancelled()
		return err
	})
	if err == nil {
		s.leases.confirm(ev.Lease, asked)
	}
	return cancelled, err
}

// requireLease extends the lease of an event. It cannot be lost before the transaction ends. It returns
// port.ErrLeaseLost if the lease is no longer valid.
func (s *Store) requireLease(ctx context.Context, tx tx, ev port.Event) error {
	res, err := tx.ExecContext(ctx, extendLease, ev.Delivery, ev.Lease, tx.after(s.lease))
	return requireRow(res, err, port.ErrLeaseLost)
}

// Complete ends the lease of an event that needs no more work. If its run recorded nothing, as that of a person without
// permission, what people wrote in it is forgotten. It returns port.ErrLeaseLost if the lease is
// no longer valid.
func (s *Store) Complete(ctx context.Context, ev port.Event) error {
	return s.endLease(ctx, ev, eventState{state: stateDone, attempts: ev.Attempt})
}

// Retry makes an event ready again after the given time, with ev.Attempt as the number of attempts so far.
// It returns port.ErrLeaseLost if the lease is no longer valid.
func (s *Store) Retry(ctx context.Context, ev port.Event, cause error, after time.Duration) error {
	to := eventState{state: stateReady, attempts: ev.Attempt, delay: after, cause: cause}
	return s.endLease(ctx, ev, to)
}

// DeadLetter makes an event a dead letter; only a redelivery makes it ready again. It returns
// port.ErrLeaseLost if the lease is no longer valid.
func (s *Store) DeadLetter(ctx context.Context, ev port.Event, cause error) error {
	return s.endLease(ctx, ev, eventState{state: stateDeadLetter, attempts: ev.Attempt, cause: cause})
}

// Release makes an event ready again as if it had not been claimed. It returns port.ErrLeaseLost if the lease
// is no longer valid.
func (s *Store) Release(ctx context.Context, ev port.Event) error {
	return s.endLease(ctx, ev, eventState{state: stateReady, attempts: max(ev.Attempt-1, 0)})
}

// acknowledged is the value of the column for a command that was acknowledged.
const acknowledged = 2

// eventState is the state of an event after its lease.
type eventState struct {
	state    string
	attempts int
	delay    time.Duration // until it is due
	cause    error         // nil keeps the error that is stored
}

func (s *Store) endLease(ctx context.Context, ev port.Event, to eventState) error {
	cause := sql.NullString{String: errorText(to.cause), Valid: to.cause != nil}
	var what port.Ended
	var ended bool
	err := s.write(ctx, "ending the lease of an event", func(tx tx) error {
		res, err := tx.ExecContext(ctx, endLease, ev.Delivery, ev.Lease,
			to.state, to.attempts, tx.after(to.delay), cause, tx.after(0))
		if err := requireRow(res, err, port.ErrLeaseLost); err != nil {
			return err
		}
		if what, ended, err = s.endOf(ctx, tx, ev, to); err != nil {
			return err
		}
		if ended {
			err = keepEnd(ctx, tx, &what)
		}
		switch {
		case err != nil || to.state != stateDone:
			return err
		case ev.Kind == port.Following: // whose texts are needed if CI reports again
			return wakePending(ctx, tx, ev, 0)
		case to.cause != nil:
			return nil
		}
		return forgetText(ctx, tx, ev)
	})
	if err != nil {
		return fmt.Errorf("delivery %s: %w", ev.Delivery, err)
	}
	s.wakeWorkers(laneOf(ev)) // the next event of its thread may be ready
	if ended && s.observe != nil {
		s.observe(what)
	}
	return nil
}
