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
}

// after returns the time after d, in the database's form.
func (t tx) after(d time.Duration) int64 { return t.now.Add(d).UnixMilli() }

// write runs fn in a transaction. When write returns nil, what fn wrote is on the disk.
func (s *Store) write(ctx context.Context, doing string, fn func(tx) error) error {
	begun, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", doing, s.explain(err))
	}
	if err := fn(tx{begun, s.now()}); err != nil {
		_ = begun.Rollback() // the error of fn is the one to return
		return fmt.Errorf("%s: %w", doing, s.explain(err))
	}
	if err := begun.Commit(); err != nil {
		return fmt.Errorf("%s: %w", doing, s.explain(err))
	}
	return nil
}
