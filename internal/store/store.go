package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"time"
)

// DefaultLease is how long a lease is valid without being renewed: a worker that died is replaced after that time.
const DefaultLease = 25 * time.Second

// ErrClosed is returned for events that are submitted to a closed store.
var ErrClosed = errors.New("the store is closed")

// Options say how to open a store. Dir or DatabaseURL is required.
type Options struct {
	// Dir is the folder of the SQLite database; Open creates it if it is missing. One process at a time can use it.
	Dir string
	// DatabaseURL is the URL of a PostgreSQL database, which is used instead of one in Dir, by any number of processes. It
	// may have all options of libpq's connection URIs that pgx knows.
	// https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS
	DatabaseURL string
	// deaf is for tests whose time is not the server's: the news of other processes are not listened to.
	deaf bool
	// Now is the clock; nil means this machine's for SQLite, and the server's for PostgreSQL.
	Now func() time.Time
	// Lease is how long a lease is valid without being renewed; 0 means DefaultLease.
	Lease time.Duration
	// Log gets what is returned to no caller; nil discards it.
	Log *slog.Logger
}

// Place returns where the database is, for people: its file, or the server and the database's name.
func (o Options) Place() string {
	if o.DatabaseURL == "" {
		return filepath.Join(o.Dir, databaseFile)
	}
	return postgresPlace(o.DatabaseURL)
}

// Store is an open database. It is safe for concurrent use. It implements port.Runs, port.ThreadQueue and port.Budget.
type Store struct {
	db       *sql.DB
	database database
	lease    time.Duration
	log      *slog.Logger
	// wake holds a value when an event may have become ready, wakeImmediate when an immediate one may have.
	wake, wakeImmediate chan struct{}
	submissions         submissions
	leases              leases
	pauses              pauses
	// next are the prepared statements that find the next event of the thread queues and, second, of the immediate
	// events.
	next [2]*sql.Stmt
	// repositoriesChanged is what OnRepositoriesChanged was given; nil before that.
	repositoriesChanged atomic.Pointer[func()]
}

// Open opens the database and creates or upgrades its schema. In a folder it releases the events that a process that
// died had leased; in PostgreSQL, where other processes may be at work, their leases expire. Its errors are sentences
// for the operator: the folder is in use by another process, cannot be written, or contains a database that is damaged,
// another program's, or a newer tenon's; the server cannot be reached, is too old, or grants too little.
func Open(ctx context.Context, opts Options) (*Store, error) {
	s := &Store{
		lease: opts.Lease, log: opts.Log,
		wake: make(chan struct{}, 1), wakeImmediate: make(chan struct{}, 1),
	}
	s.submissions.maxBatch = maxBatch
	if s.lease <= 0 {
		s.lease = DefaultLease
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	var err error
	if opts.DatabaseURL != "" {
		err = openPostgres(ctx, s, opts)
	} else {
		err = openSQLite(ctx, s, opts)
	}
	if err != nil {
		return nil, err
	}
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("preparing statements: %w", s.database.explain(err)), s.Close())
	}
	return s, nil
}

// prepare prepares the statements of every claim, which are long. They are closed with the database.
func (s *Store) prepare(ctx context.Context) error {
	for _, immediate := range []bool{false, true} {
		//nolint:sqlclosecheck // it is closed with the database
		stmt, err := s.db.PrepareContext(ctx, nextEventOf(immediate))
		if err != nil {
			return err
		}
		s.next[toInt(immediate)] = stmt
	}
	return nil
}

// Close commits the pending submissions, closes the database and unlocks the folder. Workers must have ended.
// Leased events remain leased until the next Open, or until their leases expire.
func (s *Store) Close() error {
	s.submissions.close()
	return s.database.Close()
}

// pingTimeout is how long Ping waits for a database that does not answer.
const pingTimeout = 3 * time.Second

// Ping returns an error if the database cannot be written, which accepting an event requires.
func (s *Store) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	return s.write(ctx, "probing the database", func(tx tx) error {
		_, err := tx.ExecContext(ctx, probe, tx.after(0))
		return err
	})
}

// Stats are the numbers of events in the queue.
type Stats struct {
	// Ready counts the events to be claimed, now or when a retry is due or their thread's queue comes to them.
	Ready int
	// Leased counts the leased events, those with an expired lease included.
	Leased int
	// DeadLetters counts the events that failed for good; a redelivery makes them ready again.
	DeadLetters int
	// Oldest is when the oldest ready event was accepted; zero when none is ready.
	Oldest time.Time
}

// Stats counts the events in the queue.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	var st Stats
	var oldest int64
	err := s.db.QueryRowContext(ctx, countEvents).Scan(&st.Ready, &st.Leased, &st.DeadLetters, &oldest)
	if err != nil {
		return Stats{}, fmt.Errorf("counting events: %w", s.database.explain(err))
	}
	if oldest != 0 {
		st.Oldest = time.UnixMilli(oldest).UTC()
	}
	return st, nil
}

// toInt returns a truth value in the database's form.
func toInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// requireRow returns ifNone if a statement changed no row.
func requireRow(res sql.Result, err, ifNone error) error {
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		return ifNone
	}
	return err
}
