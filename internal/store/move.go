package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Moved is how much MoveToPostgres moved, by table.
type Moved map[string]int64

// referenced are the tables that others refer to, and these, in the order in which they can be filled.
var referenced = []string{"events", "runs", "run_steps", "bookings"}

// MoveToPostgres copies the SQLite database in a folder to an empty PostgreSQL database: all of it or, after an error,
// nothing. It upgrades both first. The folder must not be in use, and is not changed otherwise. Its errors are
// sentences for people.
func MoveToPostgres(ctx context.Context, from, to Options) (moved Moved, err error) {
	source, err := openExisting(ctx, from)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := Open(ctx, to) // which makes the tables
	if err != nil {
		return nil, err
	}
	if err := target.Close(); err != nil {
		return nil, err
	}
	config, err := parseURL(to.DatabaseURL)
	if err != nil {
		return nil, err
	}
	conn, err := pgx.ConnectConfig(ctx, config) // without the time limits of other connections: a table may be large
	if err != nil {
		return nil, target.database.explain(err)
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	moved = Moved{}
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { return moveTables(ctx, source.db, tx, moved) })
	if err != nil {
		return nil, fmt.Errorf("moving the data to %s: %w", to.Place(), target.database.explain(err))
	}
	return moved, nil
}

// openExisting opens a database in a folder, but creates none.
func openExisting(ctx context.Context, opts Options) (*Store, error) {
	read, _, err := readSQLite(opts)
	if err != nil {
		return nil, err
	}
	if err := read.Close(); err != nil {
		return nil, err
	}
	return Open(ctx, opts)
}

// errNotEmpty is the error for a target with data of its own.
var errNotEmpty = errors.New("it has events, budgets or an audit already: use an empty database")

func moveTables(ctx context.Context, source *sql.DB, tx pgx.Tx, moved Moved) error {
	// Servers that use the database already wait, so that it stays empty.
	if _, err := tx.Exec(ctx, "LOCK TABLE events IN ACCESS EXCLUSIVE MODE"); err != nil {
		return err
	}
	var used bool
	err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM events) OR EXISTS (SELECT 1 FROM budgets) "+
		"OR EXISTS (SELECT 1 FROM audit)").Scan(&used)
	if err != nil {
		return err
	}
	if used {
		return errNotEmpty
	}
	tables, err := tablesOf(ctx, source)
	if err != nil {
		return err
	}
	for _, table := range tables {
		if moved[table], err = moveTable(ctx, source, tx, table); err != nil {
			return fmt.Errorf("table %s: %w", table, err)
		}
	}
	for _, numbered := range []string{"events", "audit"} { // the next row comes after all of these
		_, err = tx.Exec(ctx, fmt.Sprintf(`SELECT setval(pg_get_serial_sequence('%[1]s', 'seq'), max(seq)) FROM %[1]s
			HAVING count(*) > 0`, numbered))
		if err != nil {
			return err
		}
	}
	return nil
}

// tablesOf returns the names of the tables with data, each behind those that it refers to.
func tablesOf(ctx context.Context, db *sql.DB) (all []string, err error) {
	rows, err := db.QueryContext(ctx, `SELECT name FROM sqlite_master
		WHERE type = 'table' AND name NOT LIKE 'sqlite@_%' ESCAPE '@' AND name <> 'goose_db_version' ORDER BY name`)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	all = slices.Clone(referenced)
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		if !slices.Contains(referenced, name) {
			all = append(all, name)
		}
	}
	return all, rows.Err()
}

// moveTable replaces the rows of a table by those of the source.
func moveTable(ctx context.Context, source *sql.DB, tx pgx.Tx, table string) (n int64, err error) {
	rows, err := source.QueryContext(ctx, "SELECT * FROM "+table) // a name of our own migrations
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	columns, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	if _, err := tx.Exec(ctx, "DELETE FROM "+table); err != nil { // what a migration put there
		return 0, err
	}
	var read int64
	n, err = tx.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromFunc(func() ([]any, error) {
		if !rows.Next() {
			return nil, rows.Err()
		}
		read++
		return scanRow(rows, len(columns))
	}))
	if err == nil && n != read {
		err = fmt.Errorf("%d rows arrived of %d: %w", n, read, io.ErrShortWrite)
	}
	return n, err
}

// scanRow reads the values of a row, which are integers and texts.
func scanRow(rows *sql.Rows, columns int) ([]any, error) {
	values, to := make([]any, columns), make([]any, columns)
	for i := range values {
		to[i] = &values[i]
	}
	if err := rows.Scan(to...); err != nil {
		return nil, err
	}
	for i, v := range values {
		switch v := v.(type) {
		case []byte:
			values[i] = string(v)
		case string:
			values[i] = strings.ToValidUTF8(v, "\uFFFD") // PostgreSQL stores nothing else
		}
	}
	return values, nil
}
