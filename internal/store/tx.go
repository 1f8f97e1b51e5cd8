package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// tx is a transaction with the queue's time, which is the same in all of it.
type tx struct {
	*sql.Tx
	now time.Time
	// pipeline is execMany where the database can be sent many statements without waiting for each; nil where it cannot.
	pipeline func(ctx context.Context, query string, rows [][]any) (affected []int64, err error)
}

// after returns the time after d, in the database's form.
func (t tx) after(d time.Duration) int64 { return t.now.Add(d).UnixMilli() }

// execMany executes a statement once for each row of arguments, in order, and returns how many rows each changed.
func (t tx) execMany(ctx context.Context, query string, rows [][]any) (affected []int64, err error) {
	if t.pipeline != nil {
		return t.pipeline(ctx, query, rows)
	}
	stmt, err := t.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = stmt.Close() }()
	for _, args := range rows {
		res, err := stmt.ExecContext(ctx, args...)
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

// write runs fn in a transaction, again if the database asks for that: fn must set what it returns to its caller each
// time. When write returns nil, what fn wrote is on the disk.
func (s *Store) write(ctx context.Context, doing string, fn func(tx) error) error {
	if err := s.database.transact(ctx, fn); err != nil {
		if s.failed != nil && isDatabaseError(err) {
			s.failed(err)
		}
		return fmt.Errorf("%s: %w", doing, s.database.explain(err))
	}
	return nil
}
