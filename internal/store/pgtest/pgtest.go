// Package pgtest gives tests PostgreSQL databases of their own: on the server that TENON_TEST_DATABASE_URL names, or on
// a private one, started from an installed postgres in a temporary directory. Where there is neither, the test is
// skipped.
package pgtest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// urlVariable names a server whose user may create databases.
const urlVariable = "TENON_TEST_DATABASE_URL"

// shared is the private server of all tests of this process.
var shared = sync.OnceValues(func() (*Server, error) { return startServer(false) })

// URL returns the URL of a new, empty database, which is dropped when the test ends.
func URL(t testing.TB) string {
	t.Helper()
	given := os.Getenv(urlVariable)
	if given != "" {
		return create(t, given)
	}
	skipWithoutPostgres(t)
	s, err := shared()
	if err != nil {
		t.Fatalf("starting PostgreSQL: %v", err)
	}
	return create(t, s.url("postgres"))
}

// skipWithoutPostgres skips a test where no postgres is installed.
func skipWithoutPostgres(t testing.TB) {
	t.Helper()
	if _, err := programs(); err != nil {
		t.Skipf("no PostgreSQL to test with: %v; install it, or name a server in %s", err, urlVariable)
	}
}

// create creates a database on the server of a URL, and returns its URL.
func create(t testing.TB, server string) string {
	t.Helper()
	config, err := pgx.ParseConfig(server)
	if err != nil {
		t.Fatalf("%s cannot be read", urlVariable)
	}
	name := "tenon_test_" + strings.ToLower(rand.Text()[:16])
	run := func(statement string) error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		db := stdlib.OpenDB(*config)
		defer func() { _ = db.Close() }()
		return execute(ctx, db, statement)
	}
	if err := run(`CREATE DATABASE ` + name + ` TEMPLATE template0 ENCODING 'UTF8'`); err != nil {
		t.Fatalf("creating a database: %v", err)
	}
	t.Cleanup(func() {
		if err := run(`DROP DATABASE IF EXISTS ` + name + ` WITH (FORCE)`); err != nil {
			t.Logf("dropping a database: %v", err)
		}
	})
	named, err := withDatabase(server, name)
	if err != nil {
		t.Fatal(err)
	}
	return named
}

func execute(ctx context.Context, db *sql.DB, statement string) error {
	_, err := db.ExecContext(ctx, statement)
	return err
}

// withDatabase returns the URL of another database of the same server.
func withDatabase(server, name string) (string, error) {
	u, err := url.Parse(server)
	if err != nil || u.Scheme == "" {
		return "", fmt.Errorf("%s must be a URL, postgres://user:password@host:port/database", urlVariable)
	}
	u.Path = "/" + name
	return u.String(), nil
}
