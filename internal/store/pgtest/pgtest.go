// Package pgtest gives tests PostgreSQL databases of their own: on the server that TENON_TEST_DATABASE_URL names, or on
// a private one, started from an installed postgres in a temporary directory. Where there is neither, the test is
// skipped.
package pgtest

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// urlVariable names a server whose user may create databases.
const urlVariable = "TENON_TEST_DATABASE_URL"

// patience bounds the waits for the server, which takes seconds on a busy machine.
const patience = 10 * time.Minute

// shared starts the private server of all tests of this process.
var shared = newStarter()

// starter starts a server once. It does so outside of any synctest bubble, whose time would be the server's too.
type starter struct {
	wanted, done chan struct{}
	server       *Server
	err          error
}

func newStarter() *starter {
	st := &starter{wanted: make(chan struct{}, 1), done: make(chan struct{})}
	go func() {
		<-st.wanted
		st.server, st.err = startServer(false)
		close(st.done)
	}()
	return st
}

// get returns the server when it runs.
func (st *starter) get() (*Server, error) {
	select {
	case st.wanted <- struct{}{}:
	default:
	}
	<-st.done
	return st.server, st.err
}

// URL returns the URL of an empty database that nobody else uses until the test has ended.
func URL(t testing.TB) string {
	t.Helper()
	if given := os.Getenv(urlVariable); given != "" {
		return created(t, given)
	}
	skipWithoutPostgres(t)
	s, err := shared.get()
	if err != nil {
		t.Fatalf("starting PostgreSQL: %v", err)
	}
	return s.URL(t)
}

// skipWithoutPostgres skips a test where no postgres is installed.
func skipWithoutPostgres(t testing.TB) {
	t.Helper()
	if _, err := programs(); err != nil {
		t.Skipf("no PostgreSQL to test with: %v; install it, or name a server in %s", err, urlVariable)
	}
}

// created returns the URL of a new database on somebody's server, which is dropped when the test ends.
func created(t testing.TB, server string) string {
	t.Helper()
	u, name, err := create(server)
	if err != nil {
		t.Fatalf("creating a database: %v", err)
	}
	t.Cleanup(func() {
		if err := run(server, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"); err != nil {
			t.Logf("dropping a database: %v", err)
		}
	})
	return u
}

// create creates a database on the server of a URL.
func create(server string) (databaseURL, name string, err error) {
	name = "tenon_test_" + strings.ToLower(rand.Text()[:16])
	u, err := url.Parse(server)
	if err != nil || u.Scheme == "" {
		return "", "", fmt.Errorf("%s must be a URL, postgres://user:password@host:port/database", urlVariable)
	}
	u.Path = "/" + name
	return u.String(), name, run(server, "CREATE DATABASE "+name+" TEMPLATE template0 ENCODING 'UTF8'")
}

// run executes statements in the database of a URL, one after another.
func run(database string, statements ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, database)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
