package store

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/tenon-bot/tenon/bot/port"
)

// waitOf returns what a handler's error waits for, nil if it is a failure of the work. The adapters name what they wait
// for; what remains of broken connections and full disks is the database's.
func waitOf(err error) *port.WaitError {
	var wait *port.WaitError
	switch {
	case errors.As(err, &wait):
		return &port.WaitError{For: wait.For, After: wait.After, Err: err}
	case isDatabaseOutage(err):
		return &port.WaitError{For: port.DatabaseOutage, Err: err}
	}
	return nil
}

// isDatabaseOutage reports whether a database did not answer or cannot be written for now. PostgreSQL's classes 53 and
// 58 are insufficient resources, such as a full disk, and errors of the system.
func isDatabaseOutage(err error) bool {
	var op *net.OpError
	var dns *net.DNSError
	var lite *sqlite.Error
	var server *pgconn.PgError
	switch {
	case errors.As(err, &op), errors.As(err, &dns), errors.Is(err, driver.ErrBadConn), errors.Is(err, sql.ErrConnDone):
		return true
	case errors.As(err, &server):
		return strings.HasPrefix(server.Code, "53") || strings.HasPrefix(server.Code, "58")
	case !errors.As(err, &lite):
		return false
	}
	switch lite.Code() & 0xff { // an extended code has more bits
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN:
		return true
	}
	return false
}
