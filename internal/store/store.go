package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
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
	// gone is for tests that restart the server: how long a transaction is tried again meanwhile; 0 means goneTimeout.
	gone time.Duration
	// unwaited is for tests of what the check of the database finds after the start, which does not wait for it.
	unwaited bool
	// Now is the clock; nil means this machine's for SQLite, and the server's for PostgreSQL.
	Now func() time.Time
	// Lease is how long a lease is valid without being renewed; 0 means DefaultLease.
	Lease time.Duration
	// Limits bound the events that are accepted.
	Limits Limits
	// Follow is for how long CI is followed for a commit; 0 means DefaultPatience.
	Follow time.Duration
	// ServerTokens are how many tokens a day all commands together may take, in and out; 0 means any number.
	ServerTokens int64
	// Failed is told of each error of the database, besides whoever asked; nil: nobody is told. Safe for concurrent use.
	Failed func(error)
	// Ended is told once of each end of a run, when that is on the disk. A process that dies between the two tells nobody.
	// nil tells nobody.
	Ended func(port.Ended)
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

// Store is an open database. It is safe for concurrent use. It implements port.Runs, port.ThreadQueue, port.Watches,
// port.Audit and port.Budget.
type Store struct {
	db       *sql.DB
	database database
	lease    time.Duration
	log      *slog.Logger
	// failed is Options.Failed.
	failed func(error)
	// wake holds a value when an event of the lane may have become ready.
	wake         [lanes]chan struct{}
	submissions  submissions
	reports      reports
	follow       time.Duration
	limits       Limits
	serverTokens int64
	limitsTold   told
	leases       leases
	pauses       pauses
	ends         ends
	// damage is what the check of the database found after the start; nil if nothing.
	damage atomic.Pointer[error]
	// lookups has an element for each lookup that reads.
	lookups  chan struct{}
	describe atomic.Pointer[func(port.Event, port.Run) port.Ended]
	observe  func(port.Ended)
	// repositoriesChanged is what OnRepositoriesChanged was given; nil before that.
	repositoriesChanged atomic.Pointer[func()]
	// runChanged is what OnRunChanged was given; nil before that.
	runChanged atomic.Pointer[func(string)]
}

// Open opens the database and creates or upgrades its schema. In a folder it releases the events that a process that
// died had leased; in PostgreSQL, where other processes may be at work, their leases expire. Its errors are sentences
// for the operator: the folder is in use by another process, cannot be written, or contains a database that is damaged,
// another program's, or a newer tenon's; the server cannot be reached, is too old, or grants too little.
func Open(ctx context.Context, opts Options) (*Store, error) {
	s := &Store{
		lease: opts.Lease, log: opts.Log, failed: opts.Failed, limits: opts.Limits, serverTokens: opts.ServerTokens,
		wake: newWakes(), observe: opts.Ended, lookups: make(chan struct{}, maxLookups),
	}
	s.submissions.maxBatch = maxBatch
	s.reports.stop = make(chan struct{})
	s.lease = cmp.Or(max(s.lease, 0), DefaultLease)
	s.follow = cmp.Or(max(opts.Follow, 0), DefaultPatience)
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
	return s, nil
}

// Close commits the pending submissions and reports, closes the database and unlocks the folder. Workers must have
// ended. Leased events remain leased until the next Open, or until their leases expire.
func (s *Store) Close() error {
	s.submissions.close()
	s.reports.close()
	return s.database.Close()
}

// pingTimeout is how long Ping waits for a database that does not answer.
const pingTimeout = 3 * time.Second

// Ping returns an error if an event cannot be accepted: it inserts one, rolls that back, and writes another row to the
// disk. It also returns the damage that the check of the database found. Advice says what to do about an error.
func (s *Store) Ping(ctx context.Context) error {
	if damage := s.damage.Load(); damage != nil {
		return *damage
	}
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	return s.write(ctx, "probing the queue", func(tx tx) error {
		if err := tryAccept(ctx, tx); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, probe, tx.after(0))
		return err
	})
}

// tryAccept returns an error if no event can be inserted.
func tryAccept(ctx context.Context, tx tx) error {
	id := probeID()
	var try calls
	try.add("SAVEPOINT try")
	try.add(insertEvent, id, id, 0, 1, "{}", tx.after(0), int(threadLane), id)
	try.add("ROLLBACK TO try")
	_, err := tx.execAll(ctx, try)
	return err
}

// probeID returns a random id, among which that of any delivery may be: each probe looks at other pages of the indexes.
func probeID() string {
	id := make([]byte, 16)
	_, _ = rand.Read(id) // never fails
	return hex.EncodeToString(id)
}

// Stats are the numbers of events in the queue.
type Stats struct {
	// Ready counts the events to be claimed, now or when a retry is due or their thread's queue comes to them; of the
	// commits that are followed, only those that are due.
	Ready int
	// Followed counts the other commits that are followed: they sleep until CI reports.
	Followed int
	// Leased counts the leased events, those with an expired lease included.
	Leased int
	// DeadLetters counts the events that failed for good; a redelivery makes them ready again.
	DeadLetters int
	// Oldest is when the oldest ready event was accepted that follows no commit; zero when none is ready.
	Oldest time.Time
}

// Stats counts the events in the queue.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	var st Stats
	err := s.write(ctx, "counting events", func(tx tx) (err error) {
		st, err = statsIn(ctx, tx)
		return err
	})
	return st, err
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
