package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot"
)

var _ bot.Runs = (*Store)(nil)

// Start returns the run of an event: a new one, or what a former attempt left. It renews the lease. bot.ErrLeaseLost
// when the event is no longer ours; an error when the run of another delivery has the same id; one with Permanent() true when a former step cannot be read by this program.
func (s *Store) Start(ctx context.Context, ev bot.Event) (bot.Run, error) {
	var run bot.Run
	err := s.write(ctx, "starting a run", func(tx *sql.Tx) error {
		if err := s.hold(ctx, tx, ev); err != nil {
			return err
		}
		res, err := tx.ExecContext(ctx, startRun, bot.RunID(ev.Delivery), ev.Delivery, ev.Repo.Installation, ev.ThreadKey(), s.millis(0))
		if err != nil {
			return err
		}
		isNew, err := res.RowsAffected()
		if err != nil {
			return err
		}
		run, err = loadRun(ctx, tx, ev.Delivery)
		run.Resumed = isNew == 0
		return err
	})
	if err != nil {
		return bot.Run{}, err
	}
	return run, nil
}

// Record stores the outcome of a step, once, and renews the lease. data is JSON of at most MaxStep bytes.
// bot.ErrLeaseLost when the event is no longer ours; a step that stands already is an error.
func (s *Store) Record(ctx context.Context, ev bot.Event, run, step string, data []byte) error {
	doing := fmt.Sprintf("recording step %.40q", step)
	switch {
	case !isName(step):
		return &recordError{doing + ": the name is no plain text"}
	case len(data) > MaxStep:
		return &recordError{fmt.Sprintf("%s: %d bytes are more than the %d that a step may have", doing, len(data), MaxStep)}
	case !json.Valid(data):
		return &recordError{doing + ": the record is no JSON"}
	}
	return s.write(ctx, doing, func(tx *sql.Tx) error {
		if err := s.hold(ctx, tx, ev); err != nil {
			return err
		}
		var id string
		var started int64
		err := tx.QueryRowContext(ctx, findRun, ev.Delivery).Scan(&id, &started)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if id != run {
			return &recordError{fmt.Sprintf("run %.20q is not the run of delivery %s", run, ev.Delivery)}
		}
		res, err := tx.ExecContext(ctx, recordStep, run, step, stepVersion, string(data), s.millis(0))
		return one(res, err, &recordError{"the step is recorded already"})
	})
}

func loadRun(ctx context.Context, tx *sql.Tx, delivery string) (bot.Run, error) {
	run := bot.Run{Steps: map[string][]byte{}}
	var started int64
	if err := tx.QueryRowContext(ctx, findRun, delivery).Scan(&run.ID, &started); err != nil {
		return run, err
	}
	run.Started = time.UnixMilli(started).UTC()
	rows, err := tx.QueryContext(ctx, findSteps, run.ID)
	if err != nil {
		return run, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var step, data string
		var version int
		if err := rows.Scan(&step, &version, &data); err != nil {
			return run, err
		}
		if run.Steps[step], err = decodeStep(step, version, data); err != nil {
			return run, err
		}
	}
	return run, rows.Err()
}
