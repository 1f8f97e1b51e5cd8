package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tenon-bot/tenon/bot/port"
)

// isConflict reports whether a transaction failed because of others that ran at the same time, so that another attempt
// succeeds: a serialization failure, a deadlock, two claims of one thread, or an event that was being changed.
func isConflict(err error) bool {
	if errors.Is(err, errBusy) {
		return true
	}
	var pe *pgconn.PgError
	if !errors.As(err, &pe) {
		return false
	}
	return pe.Code == "40001" || pe.Code == "40P01" || pe.Code == "23505" && pe.ConstraintName == "events_one_in_work"
}

// goneCodes are the codes and, with two characters, the classes of codes with which a server says that it cannot do now
// what it can do later. https://www.postgresql.org/docs/current/errcodes-appendix.html
var goneCodes = []string{
	"08",    // connection exceptions
	"57P01", // admin_shutdown
	"57P02", // crash_shutdown
	"57P03", // cannot_connect_now: it is starting up
	"57P05", // idle_session_timeout
	"25P03", // idle_in_transaction_session_timeout
	"25006", // read_only_sql_transaction: another server is the primary now
	"53300", // too_many_connections
	"55P03", // lock_not_available: lock_timeout
	"57014", // query_canceled: statement_timeout
}

// isGone reports whether the server could not be reached, broke a connection off, or asks for patience.
func isGone(err error) bool {
	if errors.Is(err, errUnknown) || errors.Is(err, errBusy) {
		return false
	}
	var pe *pgconn.PgError
	if errors.As(err, &pe) {
		return slices.ContainsFunc(goneCodes, func(code string) bool { return strings.HasPrefix(pe.Code, code) })
	}
	var ne net.Error
	return errors.As(err, &ne) || pgconn.Timeout(err) || pgconn.SafeToRetry(err) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, pgconn.ErrConnClosed) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, context.DeadlineExceeded)
}

// advice is what a person can do about an error code.
// https://www.postgresql.org/docs/current/errcodes-appendix.html
var advice = map[string]string{
	"28P01": "the server refuses the user or the password: correct them in TENON_DATABASE_URL",
	"28000": "the server refuses the user: correct TENON_DATABASE_URL, or allow the user in pg_hba.conf",
	"3D000": "the server has no such database: create it, or correct TENON_DATABASE_URL",
	"3F000": "there is no schema to write to: create the one that TENON_DATABASE_URL or the user's search_path names, " +
		"and GRANT the user CREATE and USAGE on it",
	"42501": "the user lacks a right: make it the owner of the database, or GRANT it CREATE and USAGE on the schema " +
		"and all rights on tenon's tables",
	"42P07": "the schema has tables of another program: give tenon a database of its own",
	"42P01": "a table is missing: give tenon a database of its own, or restore a backup",
	"25006": "the server is read-only, as a standby is: name the primary in TENON_DATABASE_URL, or several hosts with " +
		"target_session_attrs=read-write",
	"53100": "the server's disk is full: free some space, nothing else is needed",
	"53300": "the server has no connection left: raise its max_connections",
}

// What a person can do when there is no connection.
const (
	adviceUnreachable = "the server cannot be reached: start it, or correct TENON_DATABASE_URL"
	adviceTLS         = "no TLS connection can be made: set up TLS on the server, or correct sslmode and sslrootcert in " +
		"TENON_DATABASE_URL"
	adviceSettings = "the server refuses a setting: correct what follows the question mark in TENON_DATABASE_URL"
)

// adviceOf returns what a person can do about an error, or "" if that is not known.
func adviceOf(err error) string {
	var pe *pgconn.PgError
	var ce *pgconn.ConnectError
	isServers, isConnecting := errors.As(err, &pe), errors.As(err, &ce)
	switch {
	case isServers && isConnecting && (pe.Code == "42704" || pe.Code == "22023"): // undefined_object, invalid value
		return adviceSettings
	case isServers:
		return advice[pe.Code]
	case isConnecting && strings.Contains(ce.Error(), "tls error: "): // no error of the driver's says it
		return adviceTLS
	case isConnecting:
		return adviceUnreachable
	}
	return ""
}

// lineError is an error whose text is one line. The driver writes each attempt to connect on a line of its own.
type lineError struct{ error }

var linesToOne = strings.NewReplacer(":\n\t", ": ", "\n\t", "; ", "\n", "; ")

func (e lineError) Error() string { return linesToOne.Replace(e.error.Error()) }
func (e lineError) Unwrap() error { return e.error }

// explain adds to an error of PostgreSQL what a person can do about it. The error of a server that is gone tells the
// queue to wait.
func (d *postgresDatabase) explain(err error) error {
	if text := adviceOf(err); text != "" {
		err = lineError{&advised{advice: text, err: err}}
	}
	if isGone(err) || errors.Is(err, errUnknown) {
		return &port.WaitError{For: port.DatabaseOutage, Err: err}
	}
	return err
}

// errBadURL is the error for a URL that cannot be read. The parser's own error may contain a part of the password.
var errBadURL = errors.New("TENON_DATABASE_URL cannot be read: " +
	"write it as postgres://user:password@host:port/database, with special characters as %XX")

// errUnknown means that nobody knows whether a transaction was committed.
var errUnknown = errors.New("the server did not say whether it committed this")
