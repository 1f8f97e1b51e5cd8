package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// maxUnstarted is how many events are searched for one whose run was not started.
const maxUnstarted = 2000

// maxLookups is how many lookups read at a time. Anybody who may see a page can ask for runs that do not exist, each of
// which searches maxUnstarted events, and in SQLite all statements share one connection with arriving deliveries.
const maxLookups = 4

// read calls fn in a transaction when it is its turn.
func (s *Store) read(ctx context.Context, doing string, fn func(tx) error) error {
	select {
	case s.lookups <- struct{}{}:
		defer func() { <-s.lookups }()
		return s.write(ctx, doing, fn)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", doing, context.Cause(ctx))
	}
}

// RunInfo is all that is known of a run.
type RunInfo struct {
	// EventInfo is the event with its state. The state is empty if the event is deleted, or if this program cannot read
	// it; then it has what the audit has of it.
	EventInfo
	// Run is the zero value for one that was not started. At is when each of its steps was recorded.
	Run port.Run
	At  map[string]time.Time
	// Ended is how the run ended last, nil if it never did. It may have been started again since.
	Ended *port.Ended
}

// Lookup returns what is known of a run by its id, of any repository. It returns port.ErrNotFound if there is none.
func (s *Store) Lookup(ctx context.Context, id string) (info RunInfo, err error) {
	err = s.read(ctx, fmt.Sprintf("reading run %.40q", id), func(tx tx) error {
		if info, err = lookup(ctx, tx, id); err != nil || info.State == "" {
			return err
		}
		info.Run, info.At, err = loadTimedRun(ctx, tx, info.Event.Delivery)
		if errors.Is(err, sql.ErrNoRows) {
			info.Run, err = port.Run{}, nil
		}
		return err
	})
	return info, err
}

// EventOf returns the event of a run by its id, as Lookup does.
func (s *Store) EventOf(ctx context.Context, id string) (ev port.Event, err error) {
	err = s.read(ctx, fmt.Sprintf("reading the event of run %.40q", id), func(tx tx) error {
		info, err := lookup(ctx, tx, id)
		ev = info.Event
		return err
	})
	return ev, err
}

// lookup returns what is known of a run but for its steps. The state is empty if its event is deleted, or if this
// program cannot read it.
func lookup(ctx context.Context, tx tx, id string) (info RunInfo, err error) {
	if !port.IsRunID(id) {
		return info, port.ErrNotFound
	}
	if info.Ended, err = endOf(ctx, tx, id); err != nil {
		return info, err
	}
	delivery, err := deliveryOf(ctx, tx, id, info.Ended)
	if err != nil {
		return info, err
	}
	info.EventInfo, err = scanEvent(tx.QueryRowContext(ctx, findListed, delivery), tx.now)
	switch {
	case err == nil && info.Event.Kind == "", errors.Is(err, sql.ErrNoRows): // deleted, or of a later program
	default:
		return info, err
	}
	if info.Ended == nil {
		return info, port.ErrNotFound
	}
	info.EventInfo = EventInfo{Event: eventIn(*info.Ended)}
	return info, nil
}

// endOf returns how a run ended last; nil if it did not.
func endOf(ctx context.Context, tx tx, id string) (*port.Ended, error) {
	var seq int64
	var version int
	var body string
	err := tx.QueryRowContext(ctx, findEnd, id).Scan(&seq, &version, &body)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	e, err := decodeEnded(seq, version, body)
	return &e, err
}

// deliveryOf returns the delivery of a run. It returns port.ErrNotFound if there is none.
func deliveryOf(ctx context.Context, tx tx, id string, ended *port.Ended) (delivery string, err error) {
	err = tx.QueryRowContext(ctx, findDeliveryOfRun, id).Scan(&delivery)
	switch {
	case !errors.Is(err, sql.ErrNoRows):
		return delivery, err
	case ended != nil:
		return ended.Delivery, nil
	}
	rows, err := tx.QueryContext(ctx, listUnstarted, maxUnstarted)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := rows.Scan(&delivery); err != nil {
			return "", err
		}
		if port.RunID(delivery) == id {
			return delivery, nil
		}
	}
	return "", errors.Join(rows.Err(), port.ErrNotFound)
}

// eventIn returns what the audit has of the event of a run.
func eventIn(e port.Ended) port.Event {
	return port.Event{
		Delivery: e.Delivery, Kind: e.Kind, Received: e.Received,
		Repo:   port.RepoRef{Installation: e.Installation, ID: e.Repository, Owner: e.Owner, Name: e.Repo},
		Thread: port.Thread{Number: e.Thread, Pull: e.Pull},
		Sender: port.User{ID: e.PersonID, Login: e.Person},
	}
}
