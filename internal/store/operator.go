package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"time"

	"github.com/pressly/goose/v3"

	"github.com/tenon-bot/tenon/bot/port"
)

// Operator looks into the database of a server, which may be running, and changes what the server cannot decide. Safe
// for concurrent use.
type Operator struct{ s *Store }

// Operator returns an operator of an open database, which ends with it: Close must not be called.
func (s *Store) Operator() *Operator { return &Operator{s} }

// Attach opens the database of a server for an operator. It creates and upgrades nothing. Its errors are sentences for
// people.
func Attach(ctx context.Context, opts Options) (*Operator, error) {
	s := &Store{log: slog.New(slog.DiscardHandler), wake: newWakes(), lookups: make(chan struct{}, maxLookups)}
	attach, dialect, files := attachSQLite, goose.DialectSQLite3, fs.FS(dialectMigrations{migrations, false})
	if opts.DatabaseURL != "" {
		attach, dialect, files = attachPostgres, goose.DialectPostgres, dialectMigrations{migrations, true}
	}
	err := attach(s, opts)
	if err != nil {
		return nil, err
	}
	if err = requireSchema(ctx, s.db, dialect, files); err != nil {
		return nil, errors.Join(fmt.Errorf("opening %s: %w", opts.Place(), s.database.explain(err)), s.database.Close())
	}
	return &Operator{s}, nil
}

// attachSQLite opens an existing database without locking its folder.
func attachSQLite(s *Store, opts Options) error {
	read, _, err := readSQLite(opts) // it returns an error if there is none
	if err != nil {
		return err
	}
	if err := read.Close(); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", dsn(opts.Dir, url.Values{
		"mode":    {"rw"},
		"_pragma": {"busy_timeout(10000)", "synchronous(FULL)", "foreign_keys(ON)"},
		"_txlock": {"immediate"},
	}))
	if err != nil {
		return fmt.Errorf("opening %s: %w", opts.Place(), err)
	}
	db.SetMaxOpenConns(1)
	s.db, s.database = db, &sqliteDatabase{db: db, dir: opts.Dir, lock: notLocked{}, now: time.Now}
	return nil
}

type notLocked struct{}

func (notLocked) Close() error { return nil }

// attachPostgres connects to an existing database.
func attachPostgres(s *Store, opts Options) error {
	config, err := parseURL(opts.DatabaseURL)
	if err != nil {
		return err
	}
	d := &postgresDatabase{db: openPool(config), now: opts.Now}
	s.db, s.database = d.db, d
	d.wire = newWire(config, true, d.notify, s.told, s.log) // it has nobody to wake
	return nil
}

// Close closes the database.
func (o *Operator) Close() error { return o.s.database.Close() }

// EventState is what an event that is not done is at, for people.
type EventState string

// The states of events. A sleeping event waits for a time, a waiting one for a worker or for its turn.
const (
	EventRunning    EventState = "running"
	EventWaiting    EventState = "waiting"
	EventSleeping   EventState = "sleeping"
	EventDeadLetter EventState = "dead letter"
	// EventDone is that of an event that no list of those that are not done has.
	EventDone EventState = "done"
)

// EventInfo is an event that is not done.
type EventInfo struct {
	// Event has the delivery only if this program cannot read it.
	Event    port.Event
	State    EventState
	Attempts int
	// Accepted is when the event was accepted, Changed when its state last changed.
	Accepted, Changed time.Time
	// Until is when a sleeping event is tried again; WaitsFor is what it waits for, empty after a failure.
	Until    time.Time
	WaitsFor port.WaitReason
	// Error is why the last attempt failed; empty if it did not say.
	Error string
}

// NotListed counts the events that are not done and not in a list.
type NotListed struct {
	// Events counts those that the list had no room for.
	Events int
	// Followed counts the commits that are followed until CI reports, if the list was to be without them.
	Followed int
}

// Events returns the events that are not done, at most most of them: the running ones, those that wait, the dead
// letters, each in the order of acceptance. The commits that are followed and sleep until CI reports are among them if
// followed is true.
func (o *Operator) Events(ctx context.Context, most int, followed bool) (list []EventInfo, left NotListed, err error) {
	err = o.s.write(ctx, "listing the events", func(tx tx) error {
		list = nil
		rows, err := tx.QueryContext(ctx, listEvents, most, toInt(followed), tx.after(0))
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			e, err := scanEvent(rows, tx.now)
			if err != nil {
				return err
			}
			list = append(list, e)
		}
		return rows.Err()
	})
	if err != nil {
		return nil, NotListed{}, err
	}
	stats, err := o.s.Stats(ctx)
	all := stats.Ready + stats.Leased + stats.DeadLetters
	if followed {
		all += stats.Followed
	} else {
		left.Followed = stats.Followed
	}
	left.Events = max(0, all-len(list))
	return list, left, err
}

// DeadLetters returns the dead letters, the newest first, at most most; more counts those beside them.
func (o *Operator) DeadLetters(ctx context.Context, most int) (list []EventInfo, more int, err error) {
	err = o.s.write(ctx, "listing the dead letters", func(tx tx) error {
		list = nil
		stats, err := statsIn(ctx, tx)
		if err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, listDeadLetters, most)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			e, err := scanEvent(rows, tx.now)
			if err != nil {
				return err
			}
			list = append(list, e)
		}
		more = stats.DeadLetters - len(list)
		return rows.Err()
	})
	return list, more, err
}

func scanEvent(rows interface{ Scan(to ...any) error }, now time.Time) (e EventInfo, err error) {
	var r row
	var notBefore, accepted, changed int64
	err = rows.Scan(&r.delivery, &r.thread, &r.installation, &r.version, &r.body, &r.lane, &r.state, &e.Attempts,
		&notBefore, &e.WaitsFor, &e.Error, &accepted, &changed)
	if err != nil {
		return e, err
	}
	if e.Event, err = decodeEvent(r); err != nil {
		e.Event = port.Event{Delivery: r.delivery}
	}
	e.Accepted, e.Changed = time.UnixMilli(accepted).UTC(), time.UnixMilli(changed).UTC()
	switch until := time.UnixMilli(notBefore).UTC(); {
	case r.state == stateLeased:
		e.State = EventRunning
	case r.state == stateDeadLetter:
		e.State = EventDeadLetter
	case r.state == stateDone:
		e.State = EventDone
	case until.After(now):
		e.State, e.Until = EventSleeping, until
	default:
		e.State = EventWaiting
	}
	return e, nil
}

// NotDeadLetterError is the error for an event that is no dead letter.
type NotDeadLetterError struct {
	ID string
	// State is "done" for an event that is.
	State EventState
}

func (e *NotDeadLetterError) Error() string {
	return fmt.Sprintf("event %s is %s, and only dead letters can be retried or dropped", e.ID, e.State)
}

// ErrForgotten is the error for a dead letter that cannot go on.
var ErrForgotten = errors.New("its prompts and answers have been deleted since, so that it cannot go on: drop it")

// Retry makes a dead letter ready again, with all its attempts; its run goes on where its record ends. An id is that
// of the delivery or of the run. It returns port.ErrNotFound if there is no such event, a *NotDeadLetterError, and
// ErrForgotten.
func (o *Operator) Retry(ctx context.Context, id string) error {
	of, err := o.change(ctx, "retrying", id, retryDeadLetter)
	if err == nil {
		o.s.wakeWorkers(of)
	}
	return err
}

// Drop ends a dead letter for good: it is done, and a redelivery does not bring it back. An id is that of the delivery
// or of the run. It returns port.ErrNotFound if there is no such event, and a *NotDeadLetterError.
func (o *Operator) Drop(ctx context.Context, id string) error {
	_, err := o.change(ctx, "dropping", id, dropDeadLetter)
	return err
}

// change changes a dead letter by a statement.
func (o *Operator) change(ctx context.Context, doing, id, statement string) (lane lane, err error) {
	err = o.s.write(ctx, fmt.Sprintf("%s event %.60q", doing, id), func(tx tx) error {
		var delivery, state string
		var forgotten int64
		err := tx.QueryRowContext(ctx, findEvent, id).Scan(&delivery, &state, &lane, &forgotten)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return port.ErrNotFound
		case err != nil:
			return err
		case state != stateDeadLetter:
			return &NotDeadLetterError{ID: delivery, State: stateNames[state]}
		case forgotten != 0 && statement == retryDeadLetter:
			return ErrForgotten
		}
		if statement == dropDeadLetter {
			if _, err := tx.ExecContext(ctx, deleteWatch, delivery); err != nil {
				return err
			}
		}
		res, err := tx.ExecContext(ctx, statement, delivery, tx.after(0))
		return requireRow(res, err, &NotDeadLetterError{ID: delivery, State: EventWaiting}) // it was redelivered just now
	})
	return lane, err
}

// stateNames are the names for people of the states of the database.
var stateNames = map[string]EventState{
	stateReady: EventWaiting, stateLeased: EventRunning, stateDeadLetter: EventDeadLetter, stateDone: EventDone,
}
