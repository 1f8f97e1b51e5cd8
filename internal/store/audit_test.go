package store

import (
	"database/sql"
	"io/fs"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store/pgtest"
)

// stores opens a store on a new database of each engine.
var stores = map[string]func(*testing.T) *Store{
	"SQLite":     func(t *testing.T) *Store { t.Helper(); return openDir(t, folder(t)) },
	"PostgreSQL": func(t *testing.T) *Store { t.Helper(); return openURL(t, Schema.URL(t)) },
}

func TestTheDatabaseRefusesToChangeTheAudit(t *testing.T) {
	t.Parallel()
	for engine, open := range stores {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			require.NoError(t, s.Submit(t.Context(), testEvent("a")))
			c, _, err := s.Claim(t.Context())
			require.NoError(t, err)
			s.Ended(c.Event, port.Ended{Run: "r", Person: "maria", Outcome: port.EndCommitted, Permission: port.PermissionAdmin})
			require.NoError(t, s.Complete(t.Context(), c.Event))
			statements := []string{
				"UPDATE audit SET person = 'nobody'", "UPDATE audit SET at = 0", "DELETE FROM audit",
				"INSERT INTO audit SELECT * FROM audit",
			}
			if engine == "SQLite" {
				statements = append(statements,
					"INSERT OR REPLACE INTO audit SELECT * FROM audit",
					"REPLACE INTO audit SELECT 99, run, ending, at, installation, owner, repo, 'nobody', command, outcome, "+
						"version, body FROM audit")
			} else {
				statements = append(statements, "TRUNCATE audit", "TRUNCATE audit, events CASCADE")
			}
			for _, statement := range statements {
				_, err := s.db.Exec(statement)
				require.Error(t, err, statement)
			}
			var people string
			require.NoError(t, s.db.QueryRow("SELECT min(person) || count(*) FROM audit").Scan(&people))
			require.Equal(t, "maria1", people)
		})
	}
}

// before is the version of the schema before there was an audit.
const before = 12

// populated brings a database to an older schema, with an event that was being handled and had asked a model, and one
// that waits.
func populated(t *testing.T, db *sql.DB, dialect goose.Dialect, files fs.FS) {
	t.Helper()
	sub, err := fs.Sub(files, "migrations")
	require.NoError(t, err)
	p, err := goose.NewProvider(dialect, db, sub, goose.WithDisableGlobalRegistry(true))
	require.NoError(t, err)
	_, err = p.UpTo(t.Context(), before)
	require.NoError(t, err)
	for _, statement := range []string{
		`INSERT INTO events (delivery, thread, installation, version, body, state, attempts, not_before, lease_token,
			lease_until, error, accepted, changed) VALUES ('a', '2#3', 1, 1,
			'{"delivery":"a","repo":{"installation":1,"id":2},"thread":{"number":3}}', 'working', 1, 0, 'x', 1, '', 1, 1)`,
		`INSERT INTO events (delivery, thread, installation, version, body, state, attempts, not_before, lease_token,
			lease_until, error, accepted, changed) VALUES ('b', '2#4', 1, 1,
			'{"delivery":"b","repo":{"installation":1,"id":2},"thread":{"number":4}}', 'ready', 0, 0, '', 0, '', 1, 1)`,
		`INSERT INTO runs (id, delivery, installation, thread, started) VALUES ('oldid', 'a', 1, '2#3', 1)`,
		`INSERT INTO bookings (run, call, attempt, tokens, settled, booked) VALUES ('oldid', 1, 1, 500, 1, 1)`,
	} {
		_, err = db.Exec(statement)
		require.NoError(t, err)
	}
}

// olderSQLite opens an SQLite database that was written by a version without an audit.
func olderSQLite(t *testing.T) *Store {
	t.Helper()
	dir := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, databaseFile))
	require.NoError(t, err)
	_, err = db.Exec("PRAGMA application_id = " + strconv.Itoa(applicationID))
	require.NoError(t, err)
	populated(t, db, goose.DialectSQLite3, dialectMigrations{migrations, false})
	require.NoError(t, db.Close())
	return openDir(t, dir)
}

func TestADatabaseWithoutAnAuditGetsOne(t *testing.T) {
	t.Parallel()
	for engine, older := range map[string]func(t *testing.T) *Store{
		"SQLite": olderSQLite,
		"PostgreSQL": func(t *testing.T) *Store {
			t.Helper()
			url := pgtest.URL(t)
			config, err := pgx.ParseConfig(url)
			require.NoError(t, err)
			db := openPool(config)
			populated(t, db, goose.DialectPostgres, dialectMigrations{migrations, true})
			require.NoError(t, db.Close())
			return openURL(t, url)
		},
	} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := older(t)
			c, ok, err := s.Claim(t.Context())
			require.NoError(t, err)
			require.True(t, ok)
			require.Equal(t, "a", c.Event.Delivery)
			s.Ended(c.Event, port.Ended{Run: "oldid", Outcome: port.EndAnswered})
			require.NoError(t, s.Complete(t.Context(), c.Event))
			var all []port.Ended
			err = s.Audit(t.Context(), AuditFilter{}, func(e port.Ended) error { all = append(all, e); return nil })
			require.NoError(t, err)
			require.Len(t, all, 1)
			require.Equal(t, []port.ModelUse{{Calls: 1, Reserved: 500, Unpriced: true}}, all[0].Models,
				"nothing says of which model these tokens were")
			require.Equal(t, "b", nameOf(next(t, s)))
		})
	}
}

func TestAnEntryOfALaterProgramIsNotMisread(t *testing.T) {
	t.Parallel()
	s := openDir(t, folder(t))
	_, err := s.db.Exec(`INSERT INTO audit (run, ending, at, installation, owner, repo, person, command, outcome, version,
		body) VALUES ('r', 1, 1, 1, '', '', '', '', '', 2, '{}')`)
	require.NoError(t, err)
	err = s.Audit(t.Context(), AuditFilter{}, func(port.Ended) error { return nil })
	require.ErrorContains(t, err, "the record of entry 1 of the audit has version 2, this program knows 1 to 1")
}
