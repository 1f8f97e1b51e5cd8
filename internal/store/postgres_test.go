package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store/pgtest"
)

func openURL(t *testing.T, databaseURL string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{DatabaseURL: databaseURL})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// withSettings adds options to the URL of a database.
func withSettings(t *testing.T, databaseURL string, pairs ...string) string {
	t.Helper()
	u, err := url.Parse(databaseURL)
	require.NoError(t, err)
	q := u.Query()
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	u.RawQuery = q.Encode()
	return u.String()
}

func TestATransactionIsTriedAgainAfterAConflict(t *testing.T) {
	t.Parallel()
	s := openURL(t, Schema.URL(t))
	for name, failure := range map[string]error{
		"serialization failure": &pgconn.PgError{Code: "40001"},
		"deadlock":              &pgconn.PgError{Code: "40P01"},
		"two claims":            &pgconn.PgError{Code: "23505", ConstraintName: "events_one_in_work"},
		"broken connection":     io.ErrUnexpectedEOF,
		"server shuts down":     &pgconn.PgError{Code: "57P01"},
		"an event is busy":      fmt.Errorf("%w: claiming", errBusy),
	} {
		calls := 0
		require.NoError(t, s.write(t.Context(), "trying", func(tx tx) error {
			if calls++; calls < 3 {
				return failure
			}
			return nil
		}), name)
		require.Equal(t, 3, calls, name)
	}
	for name, failure := range map[string]error{
		"another unique index": &pgconn.PgError{Code: "23505", ConstraintName: "runs_pkey"},
		"a lost lease":         port.ErrLeaseLost,
	} {
		calls := 0
		require.ErrorIs(t, s.write(t.Context(), "trying", func(tx) error { calls++; return failure }), failure, name)
		require.Equal(t, 1, calls, name)
	}
	calls := 0
	require.Error(t, s.write(t.Context(), "trying", func(tx) error { calls++; return &pgconn.PgError{Code: "40001"} }))
	require.Equal(t, maxConflicts+1, calls)
}

// breaker is a connection to a server that breaks around a commit, once.
type breaker struct {
	net.Conn
	mu     *sync.Mutex
	before *bool // break before the commit is sent; else before its answer is read
	broken *int  // how often it broke
	dead   bool
}

func (b *breaker) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if *b.broken == 0 && bytes.HasPrefix(p, []byte("Q")) && bytes.Contains(p, []byte("commit\x00")) {
		*b.broken++
		b.dead = true
		if *b.before {
			_ = b.Close()
			return 0, net.ErrClosed
		}
	}
	return b.Conn.Write(p)
}

func (b *breaker) Read(p []byte) (int, error) {
	b.mu.Lock()
	dead := b.dead
	b.mu.Unlock()
	if !dead {
		return b.Conn.Read(p)
	}
	n, err := b.Conn.Read(p) // the server has committed by the time that it answers
	_ = b.Close()
	if n > 0 || err == nil {
		err = io.ErrUnexpectedEOF
	}
	return 0, err
}

func TestACommitWhoseAnswerIsLostIsDoneOnce(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]bool{"it was made": false, "it was not": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			databaseURL := Schema.URL(t)
			s := openURL(t, databaseURL)
			config, err := pgx.ParseConfig(databaseURL)
			require.NoError(t, err)
			var mu sync.Mutex
			broken := 0
			dial := config.DialFunc
			config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
				conn, err := dial(ctx, network, address)
				return &breaker{Conn: conn, mu: &mu, before: &before, broken: &broken}, err
			}
			d := &postgresDatabase{db: openPool(config), gone: goneTimeout}
			t.Cleanup(func() { _ = d.db.Close() })
			runs := 0
			require.NoError(t, d.transact(t.Context(), func(tx tx) error {
				runs++
				_, err := tx.Exec(`INSERT INTO pulse (id, beat) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET beat = pulse.beat + 1`)
				return err
			}))
			require.Equal(t, 1, broken)
			require.Equal(t, map[bool]int{false: 1, true: 2}[before], runs)
			var beat int
			require.NoError(t, s.db.QueryRow("SELECT beat FROM pulse").Scan(&beat))
			require.Equal(t, 1, beat)
		})
	}
}

// A process that stopped in the middle of a transaction keeps others waiting for as long as the server lets it.
func TestAStalledProcessBlocksNobodyForLong(t *testing.T) {
	t.Parallel()
	databaseURL := Schema.URL(t)
	s := openURL(t, databaseURL)
	require.NoError(t, s.Submit(t.Context(), testEvent("a")))
	stalled := openURL(t, databaseURL)
	d := stalled.database.(*postgresDatabase)
	err := d.attempt(t.Context(), d.beginClaim, func(tx tx) error {
		_, err := tx.Exec("SET LOCAL idle_in_transaction_session_timeout = '200ms'") // from here on
		require.NoError(t, err)
		_, ok, err := s.Claim(t.Context()) // waits until the server ends the other transaction
		require.NoError(t, err)
		require.True(t, ok)
		_, err = tx.Exec("SELECT 1")
		return err
	})
	require.True(t, isGone(err), "%v", err)
}

func TestASessionHasItsSettingsUnlessTheURLSaysOthers(t *testing.T) {
	t.Parallel()
	databaseURL := Schema.URL(t)
	s, other := openURL(t, databaseURL), openURL(t, withSettings(t, databaseURL, "lock_timeout", "7s"))
	setting := func(s *Store, name string) (value string) {
		require.NoError(t, s.db.QueryRow("SELECT current_setting($1)", name).Scan(&value))
		return value
	}
	for name, want := range sessionSettings {
		require.Equal(t, want, setting(s, name), name)
	}
	require.Contains(t, sessionSettings, "idle_in_transaction_session_timeout", "no process keeps others waiting for long")
	require.Equal(t, "7s", setting(other, "lock_timeout"))
}

func TestAServerThatIsTooOldIsRefused(t *testing.T) {
	t.Parallel()
	s := openURL(t, Schema.URL(t))
	conn, err := s.db.Conn(t.Context())
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	require.NoError(t, checkServer(t.Context(), conn, oldestPostgres))
	require.ErrorContains(t, checkServer(t.Context(), conn, 990000), "upgrade it to 99 or later")
}

func TestADatabaseThatCannotBeUsedIsRefusedWithASentence(t *testing.T) {
	t.Parallel()
	good := pgtest.URL(t)
	admin := openURL(t, good)
	role := "poor_" + strings.TrimPrefix(place(t, good), "tenon_test_")
	_, err := admin.db.Exec("CREATE ROLE " + role + " LOGIN")
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = admin.db.Exec("DROP ROLE " + role) })
	for name, c := range map[string]struct{ url, want string }{
		"no server": {"postgres://tenon@127.0.0.1:1/tenon",
			"cannot be reached: start it, or correct TENON_DATABASE_URL"},
		"no TLS":             {withSettings(t, overTCP(t), "sslmode", "require"), "no TLS connection can be made: set up"},
		"an unknown setting": {withSettings(t, good, "statment_timeout", "1s"), "the server refuses a setting: correct"},
		"no such database":   {otherDatabase(t, good, "nowhere"), "no such database: create it"},
		"no such user":       {asUser(t, good, "nobody_at_all"), "refuses the user"},
		"too few rights":     {asUser(t, pgtest.URL(t), role), "lacks a right: make it the owner"},
		"read only":          {withSettings(t, pgtest.URL(t), "default_transaction_read_only", "on"), "name the primary"},
		"not a URL":          {"postgres://u:" + "s3cret" + "@h:port/x", "TENON_DATABASE_URL cannot be read: write it as"},
		"no certificate": {"postgres://tenon@127.0.0.1/tenon?sslmode=verify-full&sslrootcert=/nowhere.pem",
			"TENON_DATABASE_URL cannot be used: "},
		"another program's": {prepared(t, "CREATE TABLE events (id INTEGER)"), "tables of another program"},
		"a newer tenon": {prepared(t, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9000, true)"),
			"written by a newer tenon (schema 9000"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Open(t.Context(), Options{DatabaseURL: c.url})
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "s3cret")
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

// overTCP returns the URL of a server that has no TLS, as PostgreSQL's packages for some systems are set up.
func overTCP(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = io.ReadFull(conn, make([]byte, 8)) // SSLRequest
			_, _ = conn.Write([]byte("N"))
			_ = conn.Close()
		}
	}()
	return "postgres://tenon:s3cret@" + l.Addr().String() + "/tenon"
}

func TestADatabaseWithAnotherEncodingIsRefused(t *testing.T) {
	t.Parallel()
	databaseURL := pgtest.URL(t)
	s := openURL(t, databaseURL)
	name := "ascii_" + place(t, databaseURL)
	_, err := s.db.Exec("CREATE DATABASE " + name + " TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'")
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = s.db.Exec("DROP DATABASE " + name + " WITH (FORCE)") })
	_, err = Open(t.Context(), Options{DatabaseURL: otherDatabase(t, databaseURL, name)})
	require.ErrorContains(t, err, "stores text as SQL_ASCII: create one with ENCODING 'UTF8'")
}

// prepared returns the URL of a database in which a statement was executed, after the migrations if it needs them.
func prepared(t *testing.T, statement string) string {
	t.Helper()
	databaseURL := pgtest.URL(t)
	if strings.Contains(statement, "goose") {
		require.NoError(t, openURL(t, databaseURL).Close())
	}
	config, err := pgx.ParseConfig(databaseURL)
	require.NoError(t, err)
	db := openPool(config)
	defer func() { _ = db.Close() }()
	_, err = db.Exec(statement)
	require.NoError(t, err)
	return databaseURL
}

// place returns the name of the database of a URL.
func place(t *testing.T, databaseURL string) string {
	t.Helper()
	u, err := url.Parse(databaseURL)
	require.NoError(t, err)
	return strings.TrimPrefix(u.Path, "/")
}

func otherDatabase(t *testing.T, databaseURL, name string) string {
	t.Helper()
	u, err := url.Parse(databaseURL)
	require.NoError(t, err)
	u.Path = "/" + name
	return u.String()
}

func asUser(t *testing.T, databaseURL, name string) string {
	t.Helper()
	u, err := url.Parse(databaseURL)
	require.NoError(t, err)
	u.User = url.User(name)
	return u.String()
}

func TestAnErrorOfAServerThatIsGoneAsksToWait(t *testing.T) {
	t.Parallel()
	d := &postgresDatabase{}
	var wait *port.WaitError
	require.ErrorAs(t, d.explain(io.ErrUnexpectedEOF), &wait)
	require.Equal(t, port.DatabaseOutage, wait.For)
	for _, err := range []error{errors.New("x"), sql.ErrNoRows, port.ErrLeaseLost, &pgconn.PgError{Code: "42601"}} {
		require.Equal(t, err, d.explain(err))
	}
}

func TestNewsIsToldOnceForManyEvents(t *testing.T) {
	t.Parallel()
	sent := make(chan string, 10)
	hold := make(chan bool)
	w := newWire(nil, true, func(_ context.Context, payload string) error {
		sent <- payload
		<-hold
		return nil
	}, nil, nil)
	w.tell(newsReady)
	first := <-sent
	for range 100 {
		w.tell(newsReady)
	}
	close(hold)
	w.close()
	require.Equal(t, w.self+" ready", first)
	require.Len(t, sent, 1)
}

// newsOf is a database that remembers what it is to tell.
type newsOf struct {
	database
	told []news
}

func (d *newsOf) tell(n news) { d.told = append(d.told, n) }

func TestNothingIsToldOfRunsThatNobodyCanWatch(t *testing.T) {
	t.Parallel()
	d := &newsOf{}
	s := &Store{database: d}
	s.tellRun("a")
	s.attemptEnded(port.Event{Delivery: "b"})
	s.told(t.Context(), newsRun+"c")
	require.Empty(t, d.told)

	var changed []string
	s.OnRunChanged(func(run string) { changed = append(changed, run) })
	s.tellRun("a")
	s.attemptEnded(port.Event{Delivery: "b", Kind: port.Following})
	s.attemptEnded(port.Event{Delivery: "b"})
	s.told(t.Context(), newsRun+"c")
	require.Equal(t, []news{"run a", newsRun + news(port.RunID("b"))}, d.told)
	require.Equal(t, []string{port.RunID("b"), "c"}, changed)
}
