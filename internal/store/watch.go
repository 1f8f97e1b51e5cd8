package store

import (
	"context"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	// reportsLast is how long a report of CI is noted for events that begin to wait for it only then, and how long a
	// commit is followed before it is looked at without a report.
	reportsLast = time.Hour
	// burst is how long after a report the events are due that wait for it, so that they see many reports at once. After
	// manyReports in an hour it is longBurst: whoever may set statuses on a commit can set any number of them, and each
	// look is a request to GitHub.
	burst, longBurst = 2 * time.Second, time.Minute
	manyReports      = 60
)

// Follow accepts an event of the kind Following, once; see port.Watches. It counts for no limit. The commit is followed
// for Options.Follow: until then, a report of CI makes the event ready also after it was completed.
func (s *Store) Follow(ctx context.Context, ev port.Event) error {
	if ev.Kind != port.Following || ev.Followed == nil || !isName(ev.Followed.Commit) {
		return &recordError{"following a commit: the event does not say which"}
	}
	r, err := encodeEvent(ev)
	if err != nil {
		return fmt.Errorf("following a commit: %w", err)
	}
	thread := port.Event{Repo: ev.Repo, Thread: ev.Thread}.ThreadKey()
	return s.write(ctx, "following a commit", func(tx tx) error {
		var reported int64
		found := tx.QueryRowContext(ctx, lockReports, ev.Repo.ID, ev.Followed.Commit, ev.Repo.Installation)
		if err := found.Scan(&reported); err != nil {
			return err
		}
		due := tx.after(burst)
		switch {
		case ev.Followed.Check != nil:
			due = tx.after(port.CheckLater)
		case reported <= tx.after(-reportsLast):
			due = tx.after(reportsLast)
		}
		res, err := tx.ExecContext(ctx, insertFollowing, r.delivery, r.thread, r.installation, r.version, r.body, due,
			tx.after(0), int(r.lane), string(port.CIReport))
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 || ev.Followed.Check != nil {
			return err // it was accepted before, or what CI says is nothing to it
		}
		_, err = tx.ExecContext(ctx, insertWatch, r.delivery, ev.Followed.Commit, ev.Repo.ID, thread, tx.after(0))
		return err
	})
}

// Await makes an event that is handled ready, once it sleeps for port.CIReport or port.VerifyReport, as soon as CI
// reports about a commit; see port.Watches. It renews the lease.
func (s *Store) Await(ctx context.Context, ev port.Event, sha string) error {
	if !isName(sha) {
		return &recordError{fmt.Sprintf("awaiting what CI says of %.50q: that is no commit", sha)}
	}
	return s.write(ctx, "awaiting what CI says of a commit", func(tx tx) error {
		if err := s.requireLease(ctx, tx, ev); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, insertWatch, ev.Delivery, sha, ev.Repo.ID, "", tx.after(0))
		return err
	})
}

// wakePending makes an event ready whose lease was ended in this transaction, if CI reported while it was leased.
func wakePending(ctx context.Context, tx tx, ev port.Event, attempts int) error {
	commits, err := collect(ctx, tx, scanOne[string], takePending, ev.Delivery)
	for _, sha := range commits {
		_, err := tx.ExecContext(ctx, wakeOne, ev.Repo.ID, sha, tx.after(burst), tx.after(longBurst), manyReports,
			ev.Delivery, attempts)
		if err != nil {
			return err
		}
	}
	return err
}

// Stopped reports whether somebody cancelled the commands of the thread of a Following event since it was accepted, or
// the run that made the commit when it was too late to end it.
func (s *Store) Stopped(ctx context.Context, ev port.Event) (stopped bool, err error) {
	if ev.Followed == nil {
		return false, &recordError{"looking for a cancel: the event follows no commit"}
	}
	err = s.write(ctx, "looking for a cancel", func(tx tx) error {
		return tx.QueryRowContext(ctx, isStopped, ev.Delivery, ev.Followed.Run).Scan(&stopped)
	})
	return stopped, err
}

// Autofix accepts an event of the kind Autofix, once: also one that became a dead letter is not accepted again. It
// counts for no limit. It returns a *port.CancelledError if the commands of the thread were cancelled since the commit
// is followed.
func (s *Store) Autofix(ctx context.Context, ev port.Event) error {
	if ev.Kind != port.Autofix || ev.Followed == nil {
		return &recordError{"accepting a round of autofix: the event does not say of which commit"}
	}
	r, err := encodeEvent(ev)
	if err != nil {
		return fmt.Errorf("accepting a round of autofix: %w", err)
	}
	err = s.write(ctx, "accepting a round of autofix", func(tx tx) error {
		var stopped bool
		found := tx.QueryRowContext(ctx, isCommitStopped, ev.Repo.ID, ev.Followed.Commit, r.thread)
		if err := found.Scan(&stopped); err != nil {
			return err
		}
		if stopped {
			return &port.CancelledError{By: "somebody in the thread"}
		}
		_, err := tx.ExecContext(ctx, insertEvent, r.delivery, r.thread, r.installation, r.version, r.body, tx.after(0),
			int(r.lane), r.origin)
		return err
	})
	if err == nil {
		s.wakeWorkers(r.lane)
	}
	return err
}
