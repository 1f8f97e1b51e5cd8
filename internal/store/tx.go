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

// write runs fn in a transaction, again if the database asks for that: fn must set what it returns to its caller each
// time. When write returns nil, what fn wrote is on the disk.
func (s *Store) write(ctx context.Context, doing string, fn func(tx) error) error {
	if err := s.database.transact(ctx, fn); err != nil {
		return fmt.Errorf("%s: %w", doing, s.database.explain(err))
	}
	return nil
}
