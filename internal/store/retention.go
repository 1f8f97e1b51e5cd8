package store

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	// DefaultRetention is how long finished events, their runs and the figures of budgets are kept.
	DefaultRetention = 90 * 24 * time.Hour
	// DefaultSourceRetention is how long the sources in the records of runs are kept.
	DefaultSourceRetention = 30 * 24 * time.Hour
	// MinRetention is the shortest retention that is safe: an event that is forgotten is taken for a new one when it is
	// delivered again, and webhook accepts deliveries of comments of the last 30 days.
	MinRetention = 31 * 24 * time.Hour
	// StrangerRetention is how long the texts of events are kept at most that recorded nothing. Most, such as those of
	// people without permission, are forgotten when the event is done (forgetText). It is longer than the three days of
	// which GitHub sends deliveries again.
	// https://docs.github.com/en/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks
	StrangerRetention = 4 * 24 * time.Hour

	// DefaultAuditRetention is how long entries of the audit are kept.
	DefaultAuditRetention = 365 * 24 * time.Hour

	// retentionPeriod is how often one process deletes what is too old.
	retentionPeriod = time.Hour
	// deleteBatch is how many events one transaction looks at: few, because others wait for it.
	deleteBatch = 50
	// maxYoung is after how many batches of events that are not old enough the search for old ones ends. Redelivered
	// events count as accepted again, and may be many in a row.
	maxYoung = 20
)

// retentionChore is the name of the work that one process does for all.
const retentionChore = "retention"

// Keeper deletes from a store what is kept no longer. Set Store and Forget, and call Run once. Several processes with
// one database may each run one.
type Keeper struct {
	Store *Store
	// Events is how long events, their runs and the figures of budgets are kept after their end; 0 means
	// DefaultRetention, and less than MinRetention is not safe. Of events that recorded nothing, the texts are kept for
	// StrangerRetention.
	Events time.Duration
	// Sources is how long after the end of a run the sources in its steps are kept; 0 means DefaultSourceRetention.
	Sources time.Duration
	// Audit is how long the entries of the audit are kept; 0 means DefaultAuditRetention.
	Audit time.Duration
	// Forget returns what is kept of a step after that.
	Forget func(name string, step port.Step) port.Step
	// Log gets a line for what was deleted; nil discards it.
	Log *slog.Logger

	// searched is the last event that was searched for texts of strangers.
	searched int64
}

// Deleted counts what a pass deleted.
type Deleted struct {
	// Events counts the events, each with its run.
	Events int64
	// Sources counts the runs whose sources were deleted, Texts the events that recorded nothing and lost their texts.
	Sources, Texts int64
	// Audit counts the entries of the audit.
	Audit int64
}

// Run deletes until ctx ends what is kept no longer: once an hour, by one process of all, and what belongs to
// uninstalled Apps within a minute. Its transactions are small, and it rests after each as long as that took.
func (k *Keeper) Run(ctx context.Context) {
	tick := time.NewTicker(uninstalledPeriod)
	defer tick.Stop()
	for {
		d, err := k.Pass(ctx)
		if d != (Deleted{}) {
			k.Log.InfoContext(ctx, "deleted expired data", "events", d.Events, "sources_of_runs", d.Sources,
				"texts_of_strangers", d.Texts, "audit", d.Audit)
		}
		if err != nil && ctx.Err() == nil {
			k.Log.ErrorContext(ctx, "cannot delete expired data", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (k *Keeper) setDefaults() {
	if k.Events <= 0 {
		k.Events = DefaultRetention
	}
	if k.Sources <= 0 {
		k.Sources = DefaultSourceRetention
	}
	if k.Audit <= 0 {
		k.Audit = DefaultAuditRetention
	}
	if k.Log == nil {
		k.Log = slog.New(slog.DiscardHandler)
	}
}

// Pass deletes what belongs to uninstalled Apps, and, if no process has done that within an hour, what is too old.
func (k *Keeper) Pass(ctx context.Context) (d Deleted, err error) {
	k.setDefaults()
	if d.Events, err = k.deleteUninstalled(ctx); err != nil {
		return d, err
	}
	mine, err := k.Store.takeChore(ctx, retentionChore, retentionPeriod)
	if err != nil || !mine {
		return d, err
	}
	err = k.deleteOld(ctx, &d)
	return d, err
}

// takeChore reports whether this process is the one to do some work now. No process is before the period is over.
func (s *Store) takeChore(ctx context.Context, name string, period time.Duration) (mine bool, err error) {
	err = s.write(ctx, "taking the chore "+name, func(tx tx) error {
		res, err := tx.ExecContext(ctx, takeChore, name, tx.after(0), tx.after(period))
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		mine = n > 0
		return err
	})
	return mine, err
}

// deleteOld deletes what is too old.
func (k *Keeper) deleteOld(ctx context.Context, d *Deleted) error {
	expired, _, err := k.walk(ctx, k.Events, 0, func(tx tx, from, to int64) (int64, error) {
		return deleteEvents(ctx, tx, deleteExpired, tx.after(-k.Events), from, to)
	})
	if d.Events += expired; err != nil {
		return err
	}
	d.Texts, k.searched, err = k.walk(ctx, StrangerRetention, k.searched, func(tx tx, from, to int64) (int64, error) {
		return deleteTexts(ctx, tx, from, to)
	})
	if err != nil {
		return err
	}
	if d.Sources, err = k.deleteSources(ctx); err != nil {
		return err
	}
	if d.Audit, err = k.deleteAudit(ctx); err != nil {
		return err
	}
	return k.Store.write(ctx, "deleting budgets and writes", func(tx tx) error {
		oldest := tx.now.Add(-k.Events).UTC()
		_, err := tx.ExecContext(ctx, deletePeriods, oldest.Format(time.DateOnly), oldest.Format("2006-01"))
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, deleteFormats, formatsSince(tx)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, deleteArrivals, tx.after(0)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, deleteReports, tx.after(-reportsLast)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, deleteWatches, tx.after(-k.Store.follow-reportsLast)); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, deleteWrites, tx.after(-port.PaceMemory))
		return err
	})
}

// walk calls do for the events after one that are older than an age, some at a time: for those after from, up to to. It
// returns the sum of what do returned, and the last event that was old enough. Events are nearly in the order of their
// age: it ends at maxYoung batches without an old one, so that it does not read all that is kept.
func (k *Keeper) walk(ctx context.Context, age time.Duration, after int64,
	do func(tx tx, from, to int64) (int64, error)) (sum, last int64, err error) {
	last = after
	for young := 0; young < maxYoung; young++ {
		var read, old, n int64
		err := k.batch(ctx, "deleting what is too old", func(tx tx) (err error) {
			n = 0
			read, old, err = readAges(ctx, tx, after, tx.after(-age))
			if err != nil || old == 0 {
				return err
			}
			n, err = do(tx, after, old)
			return err
		})
		if err != nil || read == 0 {
			return sum, last, err
		}
		sum, after = sum+n, read
		if old != 0 {
			last, young = old, -1
		}
	}
	return sum, last, nil
}

// readAges reads the next deleteBatch events after one, and returns the last of them and the last of those that were
// accepted before a time; 0 if there is none.
func readAges(ctx context.Context, tx tx, after, before int64) (read, old int64, err error) {
	rows, err := tx.QueryContext(ctx, findNextAccepted, after, deleteBatch)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var accepted int64
		if err := rows.Scan(&read, &accepted); err != nil {
			return 0, 0, err
		}
		if accepted < before {
			old = read
		}
	}
	return read, old, rows.Err()
}

// deleteTexts deletes the texts of finished events that recorded nothing and still have them, as a cancelled one. The
// events themselves remain, so that they are known when they are delivered again.
func deleteTexts(ctx context.Context, tx tx, from, to int64) (deleted int64, err error) {
	rows, err := queryRows(ctx, tx, findTraceless, tx.after(-StrangerRetention), from, to)
	if err != nil {
		return 0, err
	}
	for _, r := range rows {
		ev, err := decodeEvent(r)
		if err != nil {
			continue
		}
		kept, err := encodeEvent(withoutText(ev))
		if err != nil {
			return deleted, err
		}
		if kept.body == r.body {
			continue // it has none any more
		}
		if _, err := tx.ExecContext(ctx, replaceEvent, r.delivery, kept.version, kept.body); err != nil {
			return deleted, err
		}
		deleted++
	}
	return deleted, nil
}

// deleteSources deletes the sources of finished runs, one run at a time: a run may have many megabytes.
func (k *Keeper) deleteSources(ctx context.Context) (deleted int64, err error) {
	var after int64
	for {
		var id, delivery string
		var started int64
		err = k.batch(ctx, "deleting the sources of a run", func(tx tx) error {
			found := tx.QueryRowContext(ctx, findWithSources, tx.after(-k.Sources), after)
			if err := found.Scan(&id, &started, &delivery); err != nil {
				return err
			}
			return k.forgetRun(ctx, tx, id, delivery)
		})
		if errors.Is(err, sql.ErrNoRows) {
			return deleted, nil
		}
		if err != nil {
			return deleted, err
		}
		deleted, after = deleted+1, started
	}
}

// forgetRun deletes the sources of a run from its steps and its event.
func (k *Keeper) forgetRun(ctx context.Context, tx tx, id, delivery string) error {
	var r row
	locked := tx.QueryRowContext(ctx, lockFinished, tx.after(-k.Sources), delivery)
	err := locked.Scan(&r.delivery, &r.thread, &r.installation, &r.version, &r.body, &r.lane)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // it was redelivered just now
	}
	if err != nil {
		return err
	}
	if ev, err := decodeEvent(r); err == nil {
		ev.Thread.Text, ev.Before, ev.Comment.Hunk = nil, "", ""
		if r, err = encodeEvent(ev); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, replaceEvent, delivery, r.version, r.body); err != nil {
			return err
		}
	}
	run, err := loadRun(ctx, tx.Tx, delivery)
	if err != nil {
		return err
	}
	for name, step := range run.Steps {
		kept := k.Forget(name, step)
		if _, err := tx.ExecContext(ctx, replaceStep, id, name, kept.Version, string(kept.Data)); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, setForgotten, id, tx.after(0))
	return err
}

// batch runs a transaction, and rests as long as it took.
func (k *Keeper) batch(ctx context.Context, doing string, fn func(tx) error) error {
	started := time.Now()
	if err := k.Store.write(ctx, doing, fn); err != nil {
		return err
	}
	rest := time.NewTimer(time.Since(started))
	defer rest.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-rest.C:
		return nil
	}
}
