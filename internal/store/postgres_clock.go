package store

import (
	"context"
	"time"
)

// serverTime is the server's time in the database's form, and queueTime the queue's, with how much of it is not the
// server's.
const (
	serverTime = `CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)`
	queueTime  = serverTime + `, (SELECT shift FROM clock WHERE id = 1)`
)

// maxBack is how far the queue's time may be behind the latest that it has seen: claims see times of one another in
// another order than they took them, and servers of one cluster differ.
const maxBack = 5 * time.Second

// setTime sets the time of a transaction from what queueTime returned.
func (d *postgresDatabase) setTime(tx *tx, server, shift int64) {
	tx.now = time.UnixMilli(server).UTC()
	if d.now != nil {
		tx.now = d.now()
	}
	tx.now = tx.now.Add(time.Duration(shift) * time.Millisecond)
}

// readTime sets the time of a transaction, which has the lock of the claims, and for how long it waits for an event,
// and returns its id. If the server's clock was set back, it shifts the time of the queue, for all processes, to the
// latest that the queue has seen: neither a retry nor the lease of a process that died waits for the clock to get there
// again.
func (d *postgresDatabase) readTime(ctx context.Context, tx *tx) (id string, err error) {
	var now, shift, seen int64
	var patience string
	const query = `SELECT ` + xactID + `, ` + queueTime + `, (SELECT seen FROM clock WHERE id = 1),
		set_config('lock_timeout', '` + claimPatience + `', true)`
	if err := tx.QueryRowContext(ctx, query).Scan(&id, &now, &shift, &seen, &patience); err != nil {
		return "", err
	}
	d.setTime(tx, now, shift)
	back := time.UnixMilli(seen).Sub(tx.now)
	if back <= maxBack {
		return id, nil
	}
	d.log.WarnContext(ctx, "the database server's clock was set back: "+
		"the queue continues from the latest time that it has seen", "behind", back.Round(time.Second))
	tx.now = tx.now.Add(back)
	_, err = tx.ExecContext(ctx, `UPDATE clock SET shift = shift + $1 WHERE id = 1`, back.Milliseconds())
	return id, err
}

// claimPatience is how long a claim waits for an event that another transaction is changing, in PostgreSQL's form. Many
// events may change in a transaction, as those of a thread that are cancelled. If the claim has one of them, and needs
// another, the two wait for each other, and all claims with them, until the server finds out after a second.
const claimPatience = "50ms"

// xactID is the id of a transaction.
const xactID = `CAST(pg_current_xact_id() AS TEXT)`
