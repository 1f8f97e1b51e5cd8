package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

// Condition is what can be said of a database without changing it.
type Condition struct {
	// Schema is the version of its schema, 0 if a server has not used it yet; Known is the one of this program. A server
	// upgrades an older one when it starts.
	Schema, Known int64
}

// Inspect reports on a database that a server uses, or may use later. It creates and changes nothing: what it writes to
// see that it can, it rolls back. Its errors are sentences for the operator, as of Open.
func Inspect(ctx context.Context, opts Options) (Condition, error) {
	var c Condition
	var err error
	if opts.DatabaseURL != "" {
		c, err = inspectPostgres(ctx, opts)
	} else {
		c, err = inspectSQLite(ctx, opts)
	}
	if err == nil && c.Schema > c.Known {
		err = fmt.Errorf("the database was written by a newer tenon (schema %d, this program knows %d): "+
			"run that version or a later one, or restore the backup made before the upgrade", c.Schema, c.Known)
	}
	return c, err
}

func inspectPostgres(ctx context.Context, opts Options) (c Condition, err error) {
	config, err := parseURL(opts.DatabaseURL)
	if err != nil {
		return c, err
	}
	if c.Known, err = newest(goose.DialectPostgres, dialectMigrations{migrations, true}); err != nil {
		return c, err
	}
	db := stdlib.OpenDB(*config)
	defer func() { err = errors.Join(err, db.Close()) }()
	explain := func(err error) error {
		return fmt.Errorf("opening %s: %w", opts.Place(), (&postgresDatabase{}).explain(err))
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return c, explain(err)
	}
	defer func() { _ = conn.Close() }()
	if err := checkServer(ctx, conn, oldestPostgres); err != nil {
		return c, explain(err)
	}
	if c.Schema, err = try(ctx, db, "SELECT count(to_regclass('goose_db_version'))"); err != nil {
		return c, explain(err)
	}
	return c, nil
}

func inspectSQLite(ctx context.Context, opts Options) (c Condition, err error) {
	if c.Known, err = newest(goose.DialectSQLite3, dialectMigrations{migrations, false}); err != nil {
		return c, err
	}
	dir, err := filepath.Abs(opts.Dir)
	if err != nil {
		return c, fmt.Errorf("finding the data folder: %w", err)
	}
	if err := tryFolder(dir); err != nil {
		return c, folderError(dir, err)
	}
	info, err := os.Stat(filepath.Join(dir, databaseFile))
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return c, nil
	}
	db, err := sql.Open("sqlite", dsn(dir, url.Values{"mode": {"rw"}, "_pragma": {"busy_timeout(10000)"},
		"_txlock": {"immediate"}}))
	if err != nil {
		return c, fmt.Errorf("opening %s: %w", opts.Place(), err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var id int
	if err = db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err == nil {
		c.Schema, err = try(ctx, db, "SELECT count(*) FROM sqlite_master WHERE name = 'goose_db_version'")
	}
	switch {
	case err != nil:
		return c, fmt.Errorf("opening %s: %w", opts.Place(), (&sqliteDatabase{dir: dir}).explain(err))
	case id != applicationID:
		return c, fmt.Errorf("opening %s: this is a database of another program: use an empty data folder", opts.Place())
	}
	return c, nil
}

// try writes to a database in a transaction that it rolls back, and returns the version of its schema; migrated counts
// the tables of that.
func try(ctx context.Context, db *sql.DB, migrated string) (version int64, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, "CREATE TABLE tenon_doctor (id INTEGER)"); err != nil {
		return 0, err
	}
	var tables int
	if err := tx.QueryRowContext(ctx, migrated).Scan(&tables); err != nil || tables == 0 {
		return 0, err
	}
	var newest sql.NullInt64
	err = tx.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version WHERE is_applied").Scan(&newest)
	return newest.Int64, err
}

// tryFolder returns an error if files cannot be written in a folder, or the folder cannot be made.
func tryFolder(dir string) error {
	info, err := os.Stat(dir)
	for errors.Is(err, fs.ErrNotExist) && filepath.Dir(dir) != dir {
		dir = filepath.Dir(dir)
		info, err = os.Stat(dir)
	}
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return errors.New(dir + " is not a folder")
	}
	f, err := os.CreateTemp(dir, ".tenon-doctor-")
	if err != nil {
		return err
	}
	_, err = f.WriteString("tenon\n")
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// newest returns the version of this program's schema.
func newest(dialect goose.Dialect, all fs.FS) (int64, error) {
	files, err := fs.Sub(all, "migrations")
	if err != nil {
		return 0, err
	}
	p, err := goose.NewProvider(dialect, new(sql.DB), files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return 0, fmt.Errorf("reading the migrations: %w", err)
	}
	sources := p.ListSources()
	return sources[len(sources)-1].Version, nil
}
