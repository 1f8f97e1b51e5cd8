package store

import (
	"context"
	"database/sql"
	"slices"
	"time"
)

// maxPlaced is how many events one transaction places, so that none waits long for it.
const maxPlaced = 50

// maxRounds is after how many such transactions a claim takes what it finds, though more events are to be placed. Many
// may become due at once; those that were placed need not wait for the rest.
const maxRounds = 4

// claimant is who claims an event.
type claimant struct {
	lane lane
	// polls is the longest time between two claims of Workers, and 0 for any other claimant. A lease of Workers is renewed
	// until its handler has returned, even if it seems to have expired.
	polls time.Duration
	// newcomers means that it claims only for installations that have nothing leased and have begun nothing for quietFor.
	newcomers bool
	// process is the id of the process that claims.
	process string
	// hurries means that it takes what it finds, though more events are to be placed.
	hurries bool
}

// An installation counts as new if it has begun nothing for quietFor.
const quietFor = 10 * time.Minute

// place finds out which events can be claimed after a change, or because they are due now. more is true if there are
// more such events. Expired leases end, with two exceptions. A lease of a handler of this process is renewed: the
// process was paused or the database did not answer, and nobody has taken the event since. Leases of other processes
// are left alone for a while after a pause of this process or a step of the queue's clock.
func (s *Store) place(ctx context.Context, tx tx, claimant claimant) (more bool, err error) {
	settling := claimant.polls > 0 && s.pauses.look(time.Now(), tx.now, claimant.polls, s.lease)
	now := tx.after(0)
	found, err := collect(ctx, tx, scanPlaced, findToPlace(s.database), now)
	if err != nil || len(found) == 0 {
		return false, err
	}
	var all, last calls
	var dead []died
	threads, turns := map[string]bool{}, map[turn]bool{}
	for _, p := range found {
		switch expired := p.state == stateLeased && p.leaseUntil < now; {
		case expired && s.leases.has(p.lease):
			all.add(renewExpired, p.seq, p.lease, tx.after(s.lease))
		case expired && !settling:
			dead = append(dead, p.died)
		}
		all.add(placeEvent, p.seq, now)
		if p.turn.lane == threadLane {
			threads[p.thread] = true
		}
		turns[p.turn] = true
	}
	for thread := range threads {
		all.add(placeThread, thread, now)
		last.add(takeTurnOfThread, thread, 0, int(threadLane), now) // which may be another installation's now
	}
	for t := range turns {
		last.add(takeTurn, t.installation, 0, int(t.lane), now)
	}
	released, err := release(ctx, tx, dead, now)
	if err == nil {
		_, err = tx.execAll(ctx, slices.Concat(released, all, last))
	}
	return len(found) == maxPlaced || len(dead) > 0, err // a death changes others too
}

// deleteEvents deletes events by a statement that ends with returningThread. Behind one that is deleted there may be
// another installation's, if the App was installed again. It changes those in the order of their threads, as others do
// that delete at the same time, so that they do not wait for each other.
func deleteEvents(ctx context.Context, tx tx, statement string, args ...any) (deleted int64, err error) {
	threads, err := collect(ctx, tx, scanOne[string], statement, args...)
	deleted = int64(len(threads))
	var nexts calls
	slices.Sort(threads)
	for _, thread := range slices.Compact(threads) {
		if thread != "" {
			nexts.add(placeNext, thread)
		}
	}
	if err == nil && len(nexts) > 0 {
		_, err = tx.execAll(ctx, nexts)
	}
	return deleted, err
}

// turn is what takes turns: the events of an installation in a lane.
type turn struct {
	installation int64
	lane         lane
}

// placed is an event that is to be placed.
type placed struct {
	died
	thread     string
	turn       turn
	state      string
	leaseUntil int64
}

func scanPlaced(rows *sql.Rows) (p placed, err error) {
	err = rows.Scan(append([]any{&p.thread, &p.turn.installation, &p.turn.lane, &p.state, &p.leaseUntil},
		p.columns()...)...)
	return p, err
}
