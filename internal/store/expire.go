package store

import (
	"context"
	"errors"
	"time"
)

// maxExpired bounds the expired leases that one claim looks at. There are no more leases than workers.
const maxExpired = 100

// claimant is who claims an event.
type claimant struct {
	lane lane
	// polls is how often it claims at least; 0 if it is not Workers. The leases of Workers are kept until their handlers
	// have returned.
	polls time.Duration
	// except is an installation whose events are not claimed; 0 is none.
	except int64
}

// releaseExpired releases the events whose leases were not renewed in time. A lease of a handler of this process is
// renewed instead: it was late because the process was paused, or the database did not answer, and nobody took its
// event meanwhile. Those of other processes are left alone for a while after a pause of this one, or a step of the
// queue's clock.
func (s *Store) releaseExpired(ctx context.Context, tx tx, by claimant) error {
	settling := by.polls > 0 && s.pauses.look(time.Now(), tx.now, by.polls, s.lease)
	expired, err := queryTexts(ctx, tx, findExpired(s.database), tx.after(0), maxExpired)
	if err != nil {
		return err
	}
	for _, token := range expired {
		switch {
		case s.leases.has(token):
			_, err = tx.ExecContext(ctx, renewExpired, token, tx.after(s.lease))
		case !settling:
			_, err = tx.ExecContext(ctx, releaseLease, token, tx.after(0))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// queryTexts reads rows of one text.
func queryTexts(ctx context.Context, tx tx, query string, args ...any) (all []string, err error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, rows.Err()
}
