package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// Pace is the log of the writes to GitHub of all processes that use the database. Safe for concurrent use.
type Pace struct{ store *Store }

var _ port.Pace = Pace{}

// Pace returns the log of the writes to GitHub.
func (s *Store) Pace() Pace { return Pace{s} }

// Write logs a write, unless wait returns more than 0 for what was written before. It returns what wait returned.
func (p Pace) Write(ctx context.Context, installation int64, kind port.WriteKind,
	wait func(port.PaceState) time.Duration) (d time.Duration, err error) {
	err = p.store.write(ctx, "logging a write to GitHub", func(tx tx) error {
		d = 0
		var blocked int64
		if err := tx.QueryRowContext(ctx, lockPace, installation).Scan(&blocked); err != nil {
			return err
		}
		state := port.PaceState{Now: tx.now, Blocked: time.UnixMilli(blocked).Sub(tx.now)}
		if state.Writes, err = findContentWrites(ctx, tx, installation); err != nil {
			return err
		}
		if d = wait(state); d > 0 {
			return nil
		}
		if _, err := tx.ExecContext(ctx, forgetWrites, installation, tx.after(-port.PaceMemory)); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, insertWrite, installation, tx.after(0), int(kind))
		return err
	})
	return d, err
}

func findContentWrites(ctx context.Context, tx tx, installation int64) (all []port.ContentWrite, err error) {
	rows, err := tx.QueryContext(ctx, findWrites, installation, tx.after(-port.PaceMemory))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var sent int64
		var kind port.WriteKind
		if err := rows.Scan(&sent, &kind); err != nil {
			return nil, err
		}
		all = append(all, port.ContentWrite{At: time.UnixMilli(sent), Kind: kind})
	}
	return all, rows.Err()
}

// Block lets nothing be sent for a time, which never shortens an earlier one.
func (p Pace) Block(ctx context.Context, installation int64, d time.Duration) error {
	return p.store.write(ctx, "noting that GitHub asks to wait", func(tx tx) error {
		_, err := tx.ExecContext(ctx, blockPace, installation, tx.after(d))
		return err
	})
}

// Blocked returns for how long nothing may be sent; 0 or less if there is no such time.
func (p Pace) Blocked(ctx context.Context, installation int64) (d time.Duration, err error) {
	err = p.store.write(ctx, "asking whether GitHub asks to wait", func(tx tx) error {
		var until int64
		err := tx.QueryRowContext(ctx, findBlocked, installation).Scan(&until)
		d = time.UnixMilli(until).Sub(tx.now)
		return err
	})
	return d, err
}

// Acknowledged records that the command of an event was acknowledged.
func (s *Store) Acknowledged(ctx context.Context, ev port.Event) error {
	err := s.write(ctx, "recording an acknowledgement", func(tx tx) error {
		_, err := tx.ExecContext(ctx, recordAcknowledged, ev.Delivery)
		return err
	})
	if err != nil {
		return fmt.Errorf("delivery %s: %w", ev.Delivery, err)
	}
	return nil
}

// InstallationPace is what GitHub allows an installation.
type InstallationPace struct {
	// BlockedUntil is until when GitHub asks that nothing is sent; zero if it does not ask that.
	BlockedUntil time.Time
	// Writes counts the writes of the last hour.
	Writes int
}

// All returns the pace of each installation that wrote within an hour, or is blocked.
func (p Pace) All(ctx context.Context) (all map[int64]InstallationPace, err error) {
	err = p.store.write(ctx, "listing the writes to GitHub", func(tx tx) error {
		all = map[int64]InstallationPace{}
		rows, err := tx.QueryContext(ctx, listPaces, tx.after(-time.Hour), tx.after(0))
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var installation, blocked int64
			var pace InstallationPace
			if err := rows.Scan(&installation, &pace.Writes, &blocked); err != nil {
				return err
			}
			if blocked != 0 {
				pace.BlockedUntil = time.UnixMilli(blocked).UTC()
			}
			all[installation] = pace
		}
		return rows.Err()
	})
	return all, err
}
