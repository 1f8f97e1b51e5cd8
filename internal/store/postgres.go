package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

const (
	// oldestPostgres is the oldest PostgreSQL that has all that the statements use, as server_version_num;
	// pg_current_xact_id is the newest of it. https://www.postgresql.org/docs/13/release-13.html
	oldestPostgres = 130000
	// maxConnections is how many connections a process has, besides the one that listens.
	maxConnections = 8
	// maxIdle is how long a connection stays open that nobody uses.
	maxIdle = 5 * time.Minute
	// connectTimeout is how long connecting may take.
	connectTimeout = 5 * time.Second
)

// The keys of advisory locks. They begin with "tenn", so that they differ from those of another program.
const (
	migrationLock = 0x74656e6e_00000001
	claimLock     = 0x74656e6e_00000002
)

// sessionSettings are the settings of every connection, unless the URL sets them. The server ends what a process that
// stalled keeps locked, so that it delays others by this at most.
// https://www.postgresql.org/docs/current/runtime-config-client.html
var sessionSettings = map[string]string{
	"application_name":                    "tenon",
	"statement_timeout":                   "10s",
	"lock_timeout":                        "8s",
	"idle_in_transaction_session_timeout": "5s",
}

// postgresDatabase is a PostgreSQL database that other processes use too.
type postgresDatabase struct {
	db  *sql.DB
	now func() time.Time // nil: the server's clock
	log *slog.Logger
}

// openPostgres connects to a server and upgrades the schema.
func openPostgres(ctx context.Context, s *Store, opts Options) error {
	config, err := pgx.ParseConfig(opts.DatabaseURL)
	if err != nil {
		return errBadURL
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	d := &postgresDatabase{now: opts.Now, log: s.log}
	if err := upgrade(ctx, config); err != nil {
		return fmt.Errorf("opening the PostgreSQL database %q on %s: %w", config.Database, config.Host, d.explain(err))
	}
	for name, value := range sessionSettings {
		if config.RuntimeParams[name] == "" {
			config.RuntimeParams[name] = value
		}
	}
	d.db = stdlib.OpenDB(*config)
	d.db.SetMaxOpenConns(maxConnections)
	d.db.SetMaxIdleConns(maxConnections)
	d.db.SetConnMaxIdleTime(maxIdle)
	s.db, s.database = d.db, d
	return nil
}

// upgrade checks the server and upgrades the schema, in one process at a time. Its connections have no time limits: a
// migration may take long.
func upgrade(ctx context.Context, config *pgx.ConnConfig) (err error) {
	db := stdlib.OpenDB(*config)
	defer func() { err = errors.Join(err, db.Close()) }()
	locked, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = locked.Close() }()
	if err := checkServer(ctx, locked, oldestPostgres); err != nil {
		return err
	}
	if _, err := locked.ExecContext(ctx, "SELECT pg_advisory_lock($1)", int64(migrationLock)); err != nil {
		return fmt.Errorf("waiting for the upgrades of other processes: %w", err)
	}
	return migrate(ctx, db, goose.DialectPostgres, postgresMigrations{migrations})
}

// checkServer returns an error for a server that is older than oldest, or whose database stores other text than UTF-8.
func checkServer(ctx context.Context, conn *sql.Conn, oldest int) error {
	var version int
	var name, encoding string
	err := conn.QueryRowContext(ctx, `SELECT CAST(current_setting('server_version_num') AS INTEGER),
		current_setting('server_version'), current_setting('server_encoding')`).Scan(&version, &name, &encoding)
	switch {
	case err != nil:
		return err
	case version < oldest:
		return fmt.Errorf("the server is PostgreSQL %s: upgrade it to %d or later", name, oldest/10000)
	case encoding != "UTF8":
		return fmt.Errorf("the database stores text as %s: create one with ENCODING 'UTF8'", encoding)
	}
	return nil
}

// lockClaims makes claims wait for one another: each sees what the previous one leased, so that turns and shares are
// right across processes, as the order within a thread is.
func (d *postgresDatabase) lockClaims(ctx context.Context, tx tx) (tx, error) {
	if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", int64(claimLock)); err != nil {
		return tx, err
	}
	err := d.readTime(ctx, &tx)
	return tx, err
}

func (d *postgresDatabase) skipLocked() string { return " FOR UPDATE SKIP LOCKED" }

// Close closes the connections.
func (d *postgresDatabase) Close() error { return d.db.Close() }
