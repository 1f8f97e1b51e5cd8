package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
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

// sessionSettings are the settings of every connection, unless the URL sets them. A commit returns when it is on the
// disk, whatever the server's default is. The server ends what a process that stalled keeps locked, so that it delays
// others by this at most.
// https://www.postgresql.org/docs/current/runtime-config-client.html
var sessionSettings = map[string]string{
	"application_name":                    "tenon",
	"synchronous_commit":                  "on",
	"statement_timeout":                   "10s",
	"lock_timeout":                        "8s",
	"idle_in_transaction_session_timeout": "5s",
}

// postgresDatabase is a PostgreSQL database that other processes use too.
type postgresDatabase struct {
	db   *sql.DB
	now  func() time.Time // nil: the server's clock
	wire *wire
	log  *slog.Logger
	gone time.Duration // Options.gone
}

// openPostgres connects to a server and upgrades the schema.
func openPostgres(ctx context.Context, s *Store, opts Options) error {
	config, err := parseURL(opts.DatabaseURL)
	if err != nil {
		return err
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	d := &postgresDatabase{now: opts.Now, log: s.log, gone: cmp.Or(opts.gone, goneTimeout)}
	if err := upgrade(ctx, config); err != nil {
		return fmt.Errorf("opening %s: %w", opts.Place(), d.explain(err))
	}
	for name, value := range sessionSettings {
		if config.RuntimeParams[name] == "" {
			config.RuntimeParams[name] = value
		}
	}
	d.db = openPool(config)
	s.db, s.database = d.db, d
	d.wire = newWire(config, opts.deaf, d.notify, s.told, s.log)
	return nil
}

// openPool returns a pool of connections, which are opened when they are needed.
func openPool(config *pgx.ConnConfig) *sql.DB {
	db := stdlib.OpenDB(*config, stdlib.OptionAfterConnect(noteIncarnation))
	db.SetMaxOpenConns(maxConnections)
	db.SetMaxIdleConns(maxConnections)
	db.SetConnMaxIdleTime(maxIdle)
	return db
}

// notify sends a notification.
func (d *postgresDatabase) notify(ctx context.Context, payload string) error {
	_, err := d.db.ExecContext(ctx, "SELECT pg_notify($1, $2)", newsChannel, payload)
	return err
}

func (d *postgresDatabase) tell(n news) { d.wire.tell(n) }

// parseURL returns the settings that a URL says, of TLS too.
func parseURL(databaseURL string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(databaseURL)
	var file *fs.PathError
	switch {
	case errors.As(err, &file): // a certificate or a key of TLS
		return nil, fmt.Errorf("TENON_DATABASE_URL cannot be used: %w", file)
	case err != nil:
		return nil, errBadURL
	}
	return config, nil
}

// readPostgres opens a database for reading only.
func readPostgres(opts Options) (*sql.DB, func(error) error, error) {
	config, err := parseURL(opts.DatabaseURL)
	if err != nil {
		return nil, nil, err
	}
	config.RuntimeParams["default_transaction_read_only"] = "on"
	return stdlib.OpenDB(*config), (&postgresDatabase{}).explain, nil
}

// postgresPlace names a database without the password of its URL.
func postgresPlace(databaseURL string) string {
	config, err := pgx.ParseConfig(databaseURL)
	if err != nil {
		return "the PostgreSQL database"
	}
	return fmt.Sprintf("the PostgreSQL database %s on %s", config.Database, config.Host)
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
	if err := migrate(ctx, db, goose.DialectPostgres, dialectMigrations{migrations, true}); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, findDelivery, "") // a table may be missing whatever the schema's version says
	return err
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

func (d *postgresDatabase) skipLocked() string { return " FOR UPDATE SKIP LOCKED" }

// Close sends what is to be told, and closes the connections.
func (d *postgresDatabase) Close() error {
	d.wire.close()
	return d.db.Close()
}

// goneTimeout is how long a transaction is tried again while the server is gone, such as for a restart.
const goneTimeout = 15 * time.Second
