package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/tenon-bot/tenon/internal/retry"
)

const (
	// transactionTimeout is how long a transaction may take; the server's own limits are shorter, and this one ends what
	// waits for a server that does not answer.
	transactionTimeout = 12 * time.Second
	// firstPause is the wait before a transaction is tried again; each further one is twice as long, maxPause at most.
	firstPause = 20 * time.Millisecond
	maxPause   = time.Second
	// maxConflicts is how often a transaction is tried again because it met others.
	maxConflicts = 20
)

// transact runs fn in a transaction, and again in another one after a conflict with others, or when the server was
// gone and nothing of the first was committed.
func (d *postgresDatabase) transact(ctx context.Context, fn func(tx) error) error {
	return d.try(ctx, d.begin, fn)
}

// claim makes claims wait for one another: each sees what the previous one leased, so that turns and shares are right
// across processes, as the order within a thread is.
func (d *postgresDatabase) claim(ctx context.Context, fn func(tx) error) error {
	return d.try(ctx, d.beginClaim, func(tx tx) error {
		err := fn(tx)
		var pe *pgconn.PgError
		if errors.As(err, &pe) && pe.Code == "55P03" { // lock_not_available, after claimPatience
			return fmt.Errorf("%w: %w", errBusy, err)
		}
		return err
	})
}

// begin makes the first statements of a transaction: they set its time, and return its id.
type begin func(context.Context, *tx) (id string, err error)

func (d *postgresDatabase) try(ctx context.Context, begin begin, fn func(tx) error) error {
	var gone time.Time // the first time that the server was gone
	pause, conflicts := firstPause, 0
	for {
		err := d.attempt(ctx, begin, fn)
		next := pause
		switch {
		case err == nil || ctx.Err() != nil:
			return err
		case isConflict(err) && conflicts < maxConflicts:
			conflicts++
			next = rand.N(firstPause) // the others come at another time
		case isGone(err) && (gone.IsZero() || time.Since(gone) < d.gone):
			if gone.IsZero() {
				gone = time.Now()
			}
			pause = min(2*pause, maxPause)
		default:
			return err
		}
		if retry.Sleep(ctx, next) != nil {
			return err
		}
	}
}

// attempt runs fn in one transaction. After an error, nothing of it is committed, or it wraps errUnknown.
func (d *postgresDatabase) attempt(ctx context.Context, begin begin, fn func(tx) error) error {
	// The statements end with ctx; the transaction does not, so that the end of its commit is known.
	lasting, cancel := context.WithTimeout(context.WithoutCancel(ctx), transactionTimeout)
	defer cancel()
	conn, err := d.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // returns it to the pool
	begun, err := conn.BeginTx(lasting, nil)
	if err != nil {
		return err
	}
	tx, incarnation := tx{Tx: begun, pipeline: pipelineOf(conn)}, incarnationOf(conn)
	id, err := begin(ctx, &tx)
	if err == nil {
		err = fn(tx)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = begun.Rollback() // the other error is the one to return
		return err
	}
	if err = begun.Commit(); err != nil && (isGone(err) || lasting.Err() != nil) {
		return d.resolve(ctx, id, incarnation, err)
	}
	return err
}

// pipelineOf returns tx.execAll for a connection: all statements are sent before the first answer is read.
func pipelineOf(conn *sql.Conn) func(context.Context, calls) ([]int64, error) {
	return func(ctx context.Context, all calls) (affected []int64, err error) {
		err = conn.Raw(func(driver any) error {
			batch := &pgx.Batch{}
			for _, one := range all {
				batch.Queue(one.statement, one.args...)
			}
			results := driver.(*stdlib.Conn).Conn().SendBatch(ctx, batch)
			for range all {
				tag, err := results.Exec()
				if err != nil {
					return errors.Join(err, results.Close())
				}
				affected = append(affected, tag.RowsAffected())
			}
			return results.Close()
		})
		return affected, err
	}
}

// begin reads the queue's time, and returns the id of the transaction.
func (d *postgresDatabase) begin(ctx context.Context, tx *tx) (id string, err error) {
	var now, shift int64
	err = tx.QueryRowContext(ctx, `SELECT `+xactID+`, `+queueTime).Scan(&id, &now, &shift)
	d.setTime(tx, now, shift)
	return id, err
}

// beginClaim is begin for a claim, which holds the lock of the claims until its end.
func (d *postgresDatabase) beginClaim(ctx context.Context, tx *tx) (id string, err error) {
	if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", int64(claimLock)); err != nil {
		return "", err
	}
	return d.readTime(ctx, tx)
}
