package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/tenon-bot/tenon/internal/retry"
)

// resolve returns nil if a transaction was committed though its commit failed with cause, and cause if it was not. It
// asks the server, when that is back. incarnation is that of the server that had the transaction. ctx may have ended.
//
// A server that crashes forgets the transactions of which it has written nothing to the disk. It gives their ids to
// others, so that the status of an id is not that of the transaction, unless it says that neither was committed.
func (d *postgresDatabase) resolve(ctx context.Context, id, incarnation string, cause error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.gone)
	defer cancel()
	pause := firstPause
	for {
		status, now, err := d.status(ctx, id)
		crashed := err == nil && now != incarnation
		switch {
		case status == "committed" && !crashed:
			return nil
		case status == "aborted", status == "in progress" && crashed, isFuture(err):
			return cause
		case err == nil && status != "in progress" || err != nil && !isGone(err):
			return fmt.Errorf("%w: %w", errUnknown, cause)
		}
		if retry.Sleep(ctx, pause) != nil {
			return fmt.Errorf("%w: %w", errUnknown, cause)
		}
		pause = min(2*pause, maxPause)
	}
}

// status returns the status of a transaction's id, "" for one that is too old, and the server's incarnation.
func (d *postgresDatabase) status(ctx context.Context, id string) (status, incarnation string, err error) {
	const query = "SELECT COALESCE(pg_xact_status(CAST(CAST($1 AS TEXT) AS xid8)), ''), " + serverIncarnation
	err = d.db.QueryRowContext(ctx, query, id).Scan(&status, &incarnation)
	return status, incarnation, err
}

// isFuture reports whether the server refused to tell the status of an id because it has given it to no transaction.
func isFuture(err error) bool {
	var pe *pgconn.PgError
	return errors.As(err, &pe) && pe.Code == "22023" // invalid_parameter_value
}

// serverIncarnation differs before and after each crash of the server, or of one of its processes, as it discards its
// statistics then; it does so when it is started from a copy of its data too, as a standby is.
// https://www.postgresql.org/docs/current/monitoring-stats.html
const serverIncarnation = `COALESCE((SELECT CAST(extract(epoch FROM stats_reset) AS TEXT) FROM pg_stat_bgwriter), '')`

// incarnationKey is where a connection has the incarnation of its server.
const incarnationKey = "tenon.incarnation"

// noteIncarnation notes the incarnation of the server of a new connection, which does not survive a crash.
func noteIncarnation(ctx context.Context, conn *pgx.Conn) error {
	var incarnation string
	asked := conn.QueryRow(ctx, "SELECT "+serverIncarnation, pgx.QueryExecModeSimpleProtocol) // in one round trip
	if err := asked.Scan(&incarnation); err != nil {
		return err
	}
	conn.PgConn().CustomData()[incarnationKey] = incarnation
	return nil
}

// incarnationOf returns what noteIncarnation noted.
func incarnationOf(conn *sql.Conn) (incarnation string) {
	_ = conn.Raw(func(driver any) error { // an error is that of the next statement too
		incarnation, _ = driver.(*stdlib.Conn).Conn().PgConn().CustomData()[incarnationKey].(string)
		return nil
	})
	return incarnation
}
