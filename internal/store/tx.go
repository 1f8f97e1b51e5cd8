package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// tx is a transaction with the queue's time, which is the same in all of it.
type tx struct {
	*sql.Tx
	now time.Time
	// pipeline is execAll where the database can be sent many statements without waiting for each; nil where it cannot.
	pipeline func(ctx context.Context, all calls) (affected []int64, err error)
}

// after returns the time after d, in the database's form.
func (t tx) after(d time.Duration) int64 { return t.now.Add(d).UnixMilli() }

// calls are executions of statements.
type calls []call

type call struct {
	statement string
	args      []any
}

// add adds the execution of a statement.
func (c *calls) add(statement string, args ...any) { *c = append(*c, call{statement, args}) }

// execAll executes statements in order, and returns how many rows each changed.
func (t tx) execAll(ctx context.Context, all calls) (affected []int64, err error) {
	if t.pipeline != nil {
		return t.pipeline(ctx, all)
	}
	for _, one := range all {
		res, err := t.ExecContext(ctx, one.statement, one.args...)
		if err != nil {
			return nil, err
		}
		n, err := res.RowsAffected()
		if err != nil {
			return nil, err
		}
		affected = append(affected, n)
	}
	return affected, nil
}

// collect reads rows, each by scan.
func collect[T any](ctx context.Context, tx tx, scan func(*sql.Rows) (T, error), query string, args ...any) (
	all []T, err error,
) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// scanOne reads a row of one value.
func scanOne[T any](rows *sql.Rows) (value T, err error) {
	err = rows.Scan(&value)
	return value, err
}

// write runs fn in a transaction, again if the database asks for that: fn must set what it returns to its caller each
// time. When write returns nil, what fn wrote is on the disk. A run waits for that without its slot.
func (s *Store) write(ctx context.Context, doing string, fn func(tx) error) (err error) {
	port.Waiting(ctx, func() { err = s.database.transact(ctx, fn) })
	return s.outcome(doing, err)
}

// outcome returns the error of a transaction, for people.
func (s *Store) outcome(doing string, err error) error {
	if err != nil {
		if s.failed != nil && isDatabaseError(err) {
			s.failed(err)
		}
		return fmt.Errorf("%s: %w", doing, s.database.explain(err))
	}
	return nil
}
