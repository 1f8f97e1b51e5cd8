package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"
)

// DefaultLease is how long a claim holds without being renewed: a worker that died is replaced after that long.
const DefaultLease = 30 * time.Second

// ErrClosed says that the store was closed.
var ErrClosed = errors.New("the store is closed")

// Options say how to open a store. Only Dir is needed.
type Options struct {
	// Dir is the folder of the database; it is made when it is missing. One process at a time can hold it.
	Dir string
	// Now is the clock; nil is time.Now.
	Now func() time.Time
	// Lease is how long a claim holds without being renewed; 0 is DefaultLease.
	Lease time.Duration
	// Log gets what no caller can be told; nil is nowhere.
	Log *slog.Logger
}

// Store is an open database. It is safe for concurrent use. It implements bot.Runs, bot.Line and bot.Budget.
type Store struct {
	db    *sql.DB
	lock  io.Closer
	now   func() time.Time
	lease time.Duration
	log   *slog.Logger
	// explain adds to an error of the database what a person can do about it.
	explain func(error) error
	// wake holds a value when an event may have become ready, wakeAside when one aside may have.
	wake, wakeAside chan struct{}
	waiting         waiting
	inWork          inWork
	// next are the statements that find the next event of the line and, second, of those aside. They are long, and so made
	// ready once.
	next [2]*sql.Stmt
}

// Open opens the database in opts.Dir, makes or upgrades its schema, and frees what a process that died had in work.
// Its errors are sentences for the operator: the folder is in use by another process, cannot be written, or holds a
// database that is damaged, another program's, or a newer tenon's.
func Open(ctx context.Context, opts Options) (*Store, error) {
	s := &Store{now: opts.Now, lease: opts.Lease, log: opts.Log, wake: make(chan struct{}, 1), wakeAside: make(chan struct{}, 1)}
	s.waiting.batch = maxBatch
	if s.now == nil {
		s.now = time.Now
	}
	if s.lease <= 0 {
		s.lease = DefaultLease
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if err := openSQLite(ctx, s, opts.Dir); err != nil {
		return nil, err
	}
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("preparing statements: %w", s.explain(err)), s.Close())
	}
	return s, nil
}

// prepare makes ready what every claim asks. The statements are closed with the database.
func (s *Store) prepare(ctx context.Context) (err error) {
	for _, aside := range []bool{false, true} {
		if s.next[digit(aside)], err = s.db.PrepareContext(ctx, nextOf(aside)); err != nil { //nolint:sqlclosecheck // it lives as long as the database
			return err
		}
	}
	return nil
}

// Close commits the submissions that wait, closes the database and frees the folder. Workers must have ended.
// Work that is leased stays so; the next Open frees it.
func (s *Store) Close() error {
	s.waiting.close()
	err := s.db.Close()
	return errors.Join(err, s.lock.Close())
}

// Ping tells whether the database can be written, which is what accepting an event needs.
func (s *Store) Ping(ctx context.Context) error {
	return s.write(ctx, "probing the database", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, beat, s.millis(0))
		return err
	})
}

// Stats counts what is in the queue.
type Stats struct {
	// Ready counts the events that wait, those that wait for a retry or for another of their thread included.
	Ready int
	// Working counts the events that somebody holds a lease of, even if it has run out.
	Working int
	// Parked counts the events that were given up; a redelivery makes them ready again.
	Parked int
	// Oldest is when the event was accepted that has waited longest; zero when none waits.
	Oldest time.Time
}

// Stats counts what is in the queue now.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	var st Stats
	var oldest int64
	err := s.db.QueryRowContext(ctx, count).Scan(&st.Ready, &st.Working, &st.Parked, &oldest)
	if err != nil {
		return Stats{}, fmt.Errorf("counting events: %w", s.explain(err))
	}
	if oldest != 0 {
		st.Oldest = time.UnixMilli(oldest).UTC()
	}
	return st, nil
}

// write runs fn in a transaction. When it returns nil, what fn wrote is on the disk.
func (s *Store) write(ctx context.Context, doing string, fn func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", doing, s.explain(err))
	}
	if err := fn(tx); err != nil {
		_ = tx.Rollback() // what fn met is the error to tell
		return fmt.Errorf("%s: %w", doing, s.explain(err))
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("%s: %w", doing, s.explain(err))
	}
	return nil
}

// millis is the time that lies d ahead, as the database keeps it.
func (s *Store) millis(d time.Duration) int64 { return s.now().Add(d).UnixMilli() }

// notify wakes the workers who look for events aside, or those who look for the others.
func (s *Store) notify(aside bool) {
	wake := s.wake
	if aside {
		wake = s.wakeAside
	}
	select {
	case wake <- struct{}{}:
	default:
	}
}

// digit is a truth as the database keeps it.
func digit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// one turns the number of changed rows into nil or none.
func one(res sql.Result, err, none error) error {
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		return none
	}
	return err
}
