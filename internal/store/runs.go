package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// Start returns the run of an event: a new one, or the one that a previous attempt started. It renews the lease. It
// returns port.ErrLeaseLost if the lease is no longer valid, and an error if the run of another delivery has the same
// id.
func (s *Store) Start(ctx context.Context, ev port.Event) (port.Run, error) {
	var run port.Run
	asked := time.Now()
	err := s.write(ctx, "starting a run", func(tx tx) error {
		if err := s.requireLease(ctx, tx, ev); err != nil {
			return err
		}
		id := port.RunID(ev.Delivery)
		res, err := tx.ExecContext(ctx, startRun, id, ev.Delivery, ev.Repo.Installation, ev.ThreadKey(), tx.after(0))
		if err != nil {
			return err
		}
		isNew, err := res.RowsAffected()
		if err != nil {
			return err
		}
		run, err = loadRun(ctx, tx.Tx, ev.Delivery)
		run.Resumed = isNew == 0
		return err
	})
	if err != nil {
		return port.Run{}, err
	}
	s.leases.confirm(ev.Lease, asked)
	s.tellRun(run.ID)
	return run, nil
}

// Record stores the outcome of a step, once, and renews the lease. Its data is JSON of at most MaxStep bytes. It
// returns port.ErrLeaseLost if the lease is no longer valid, and an error if the step is recorded already.
//
// The first step of a kind shows that the event gets further: the deaths of its processes are forgotten. Numbered
// steps, such as "apply.1" and "apply.2", are of one kind; each attempt may add one.
func (s *Store) Record(ctx context.Context, ev port.Event, run, name string, step port.Step) error {
	doing := fmt.Sprintf("recording step %.40q", name)
	switch {
	case !isName(name):
		return &recordError{doing + ": the name is not plain text"}
	case len(step.Data) > MaxStep:
		return &recordError{fmt.Sprintf("%s: %d bytes are more than the %d that a step may have",
			doing, len(step.Data), MaxStep)}
	case !json.Valid(step.Data):
		return &recordError{doing + ": the record is not JSON"}
	case step.Version < 1:
		return &recordError{doing + ": its form has no version"}
	}
	data := strings.ToValidUTF8(string(step.Data), "\ufffd") // as reading JSON would have it
	asked := time.Now()
	err := s.write(ctx, doing, func(tx tx) error {
		kind, _, _ := strings.Cut(name, ".")
		res, err := tx.ExecContext(ctx, extendProgress, ev.Delivery, ev.Lease, tx.after(s.lease), run, kind+".")
		if err := requireRow(res, err, port.ErrLeaseLost); err != nil {
			return err
		}
		var id string
		var started, forgotten int64
		err = tx.QueryRowContext(ctx, findRun, ev.Delivery).Scan(&id, &started, &forgotten)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if id != run {
			return &recordError{fmt.Sprintf("run %.20q is not the run of delivery %s", run, ev.Delivery)}
		}
		res, err = tx.ExecContext(ctx, recordStep, run, name, step.Version, data, tx.after(0))
		return requireRow(res, err, &recordError{"the step is recorded already"})
	})
	if err != nil {
		return err
	}
	s.leases.confirm(ev.Lease, asked)
	s.tellRun(run)
	return nil
}

// findRunOf returns the run of a delivery; the zero value if it was not started.
func findRunOf(ctx context.Context, tx tx, delivery string) (port.Run, error) {
	run, err := loadRun(ctx, tx.Tx, delivery)
	if errors.Is(err, sql.ErrNoRows) {
		return port.Run{}, nil
	}
	return run, err
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func loadRun(ctx context.Context, tx querier, delivery string) (port.Run, error) {
	run, _, err := loadTimedRun(ctx, tx, delivery)
	return run, err
}

// loadTimedRun returns the run of a delivery, and when each step was recorded.
func loadTimedRun(ctx context.Context, tx querier, delivery string) (run port.Run, at map[string]time.Time, err error) {
	run.Steps, at = map[string]port.Step{}, map[string]time.Time{}
	var started, forgotten int64
	if err := tx.QueryRowContext(ctx, findRun, delivery).Scan(&run.ID, &started, &forgotten); err != nil {
		return run, nil, err
	}
	run.Started, run.Forgotten = time.UnixMilli(started).UTC(), forgotten != 0
	rows, err := tx.QueryContext(ctx, findSteps, run.ID)
	if err != nil {
		return run, nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name, data string
		var version int
		var recorded int64
		if err := rows.Scan(&name, &version, &data, &recorded); err != nil {
			return run, nil, err
		}
		run.Steps[name], at[name] = port.Step{Version: version, Data: []byte(data)}, time.UnixMilli(recorded).UTC()
	}
	return run, at, rows.Err()
}

// FindRun returns a run by its id, of any thread of any repository, and its event. It returns port.ErrNotFound if there
// is none.
func (s *Store) FindRun(ctx context.Context, id string) (port.Run, port.Event, error) {
	ev, run, err := readRun(ctx, s.db, id)
	if err != nil {
		return port.Run{}, port.Event{}, fmt.Errorf("reading run %.40q: %w", id, s.database.explain(err))
	}
	return run, ev, nil
}

// FindRun returns a run by its id, and its event, from the database of a server, which may be running. It changes
// nothing. It returns port.ErrNotFound if there is none.
func FindRun(ctx context.Context, opts Options, id string) (port.Event, port.Run, error) {
	var db *sql.DB
	var explain func(error) error
	var err error
	if opts.DatabaseURL != "" {
		db, explain, err = readPostgres(opts)
	} else {
		db, explain, err = readSQLite(opts)
	}
	if err != nil {
		return port.Event{}, port.Run{}, err
	}
	defer func() { _ = db.Close() }()
	ev, run, err := readRun(ctx, db, id)
	if err != nil {
		return port.Event{}, port.Run{}, fmt.Errorf("reading run %.40q from %s: %w", id, opts.Place(), explain(err))
	}
	return ev, run, nil
}

func readRun(ctx context.Context, db *sql.DB, id string) (port.Event, port.Run, error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return port.Event{}, port.Run{}, err
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	var r row
	found := tx.QueryRowContext(ctx, findEventOfRun, id)
	err = found.Scan(&r.delivery, &r.thread, &r.installation, &r.version, &r.body, &r.lane)
	if errors.Is(err, sql.ErrNoRows) {
		return port.Event{}, port.Run{}, port.ErrNotFound
	}
	if err != nil {
		return port.Event{}, port.Run{}, err
	}
	ev, err := decodeEvent(r)
	if err != nil {
		return port.Event{}, port.Run{}, err
	}
	run, err := loadRun(ctx, tx, r.delivery)
	return ev, run, err
}
