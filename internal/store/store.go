package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"

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

var (
	_ port.Audit       = (*Store)(nil)
	_ port.Budget      = (*Store)(nil)
	_ port.Formats     = (*Store)(nil)
	_ port.Runs        = (*Store)(nil)
	_ port.ThreadQueue = (*Store)(nil)
	_ port.Watches     = (*Store)(nil)
)

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

// Place returns where the database is, for people: its file, or the server and the database's name.
func (o Options) Place() string {
	if o.DatabaseURL == "" {
		return filepath.Join(o.Dir, databaseFile)
	}
	return postgresPlace(o.DatabaseURL)
}

// database is what differs between databases. It is safe for concurrent use.
type database interface {
	// transact runs fn in a transaction. When it returns nil, what fn wrote is on the disk; after an error, nothing of it
	// is. It may run fn more than once, each time in a new transaction after the previous one was rolled back, so that fn
	// must set what it returns to its caller each time.
	transact(ctx context.Context, fn func(tx) error) error
	// claim is transact for claims, which wait for one another. It wraps errBusy if a claim needs an event that another
	// transaction changes for too long.
	claim(ctx context.Context, fn func(tx) error) error
	// skipLocked returns what a SELECT ends with that locks its rows without waiting for those of other transactions.
	skipLocked() string
	// tell tells the other processes that use the database of news, without waiting for that.
	tell(n news)
	// explain adds to an error of the database what a person can do about it.
	explain(err error) error
	// Close closes the database.
	Close() error
}

// errBusy is the error of a claim that needs an event that another transaction is changing. That one may wait for an
// event that the claim has.
var errBusy = errors.New("an event is being changed")

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

// isDatabaseError reports whether an error is the database's, rather than what a transaction found in it.
func isDatabaseError(err error) bool {
	var lite *sqlite.Error
	var server *pgconn.PgError
	return errors.As(err, &lite) || errors.As(err, &server) || isDatabaseOutage(err) ||
		errors.Is(err, context.DeadlineExceeded)
}
