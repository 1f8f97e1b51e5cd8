package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func testEvent(delivery string) port.Event {
	return port.Event{Delivery: delivery, Repo: port.RepoRef{Installation: 1, ID: 2}, Thread: port.Thread{Number: 3}}
}

func openDir(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{Dir: dir})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// emptySQLite returns the file of an SQLite database of the present schema, as that of the package storetest, which
// imports this one.
var emptySQLite = sync.OnceValues(func() (data []byte, err error) {
	dir, err := os.MkdirTemp("", "tenon-store-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s, err := Open(context.Background(), Options{Dir: dir})
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, databaseFile))
})

// folder returns a temporary folder with a copy of that file.
func folder(t *testing.T) string {
	t.Helper()
	data, err := emptySQLite()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, databaseFile), data, 0o600))
	return dir
}

func TestCommitsAreDurable(t *testing.T) {
	t.Parallel()
	s := openDir(t, t.TempDir())
	for pragma, want := range map[string]string{
		"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "application_id": strconv.Itoa(applicationID),
	} {
		var got string
		require.NoError(t, s.db.QueryRow("PRAGMA "+pragma).Scan(&got))
		require.Equal(t, want, got, pragma)
	}
}

func TestFolderOfAnyName(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a b%20?x=1#é&", "deep")
	s := openDir(t, dir)
	require.NoError(t, s.Submit(t.Context(), testEvent("a")))
	require.FileExists(t, filepath.Join(dir, databaseFile))
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm()) // it contains people's source
}

func TestRestartTakesOverAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openDir(t, dir)
	require.NoError(t, s.Submit(t.Context(), testEvent("a")))
	dead, ok, err := s.Claim(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
	require.NoError(t, s.Close())

	s = openDir(t, dir)
	c, ok, err := s.Claim(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, 1, c.Event.Attempt, "a death is no failure")
	require.ErrorIs(t, s.Complete(t.Context(), dead.Event), port.ErrLeaseLost)
}

func TestSecondProcessIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openDir(t, dir)
	_, err := Open(t.Context(), Options{Dir: dir})
	require.EqualError(t, err, "the data folder "+dir+" is in use by another tenon (process "+strconv.Itoa(os.Getpid())+
		"): stop that one, or give this one a folder of its own with TENON_DATA_DIR")
	require.NoError(t, s.Submit(t.Context(), testEvent("a"))) // the first is not disturbed
	require.NoError(t, s.Close())
	openDir(t, dir)
}

func TestClosedStoreRefuses(t *testing.T) {
	t.Parallel()
	s := openDir(t, folder(t))
	require.NoError(t, s.Ping(t.Context()))
	require.NoError(t, s.Close())
	require.ErrorIs(t, s.Submit(t.Context(), testEvent("a")), ErrClosed)
	require.Error(t, s.Ping(t.Context()))
}

func TestFolderThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for dir, want := range map[string]string{
		"":                         "no data folder is given",
		file:                       "the data folder " + file + " cannot be written: make it a folder",
		filepath.Join(file, "sub"): "cannot be written",
	} {
		_, err := Open(t.Context(), Options{Dir: dir})
		require.ErrorContains(t, err, want)
	}
}

func TestDatabaseFileThatIsAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, databaseFile), 0o700))
	_, err := Open(t.Context(), Options{Dir: dir})
	require.ErrorContains(t, err, "cannot be written: let the user that runs tenon write the folder")
}

func TestForeignDatabaseIsLeftAlone(t *testing.T) {
	t.Parallel()
	for name, statement := range map[string]string{
		"tables of another": "CREATE TABLE notes (id INTEGER)",
		"mark of another":   "PRAGMA application_id = 42",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, databaseFile)
			db, err := sql.Open("sqlite", path)
			require.NoError(t, err)
			_, err = db.Exec(statement)
			require.NoError(t, err)
			require.NoError(t, db.Close())
			before, err := os.ReadFile(path)
			require.NoError(t, err)

			_, err = Open(t.Context(), Options{Dir: dir})
			require.ErrorContains(t, err, "another program: use an empty data folder")
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, before, after)
		})
	}
}

func TestNewerDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openDir(t, dir)
	_, err := s.db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (9000, 1)")
	require.NoError(t, err)
	require.NoError(t, s.Close())
	for range 2 { // and the folder is free again
		_, err = Open(t.Context(), Options{Dir: dir})
		require.ErrorContains(t, err,
			"written by a newer tenon (schema 9000, this program knows ")
	}
}

func TestADatabaseOfAnOlderProgramIsUpgraded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, databaseFile))
	require.NoError(t, err)
	_, err = db.Exec("PRAGMA application_id = " + strconv.Itoa(applicationID))
	require.NoError(t, err)
	files, err := fs.Sub(migrations, "migrations")
	require.NoError(t, err)
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true))
	require.NoError(t, err)
	_, err = p.UpTo(t.Context(), 2)
	require.NoError(t, err)
	for _, statement := range []string{
		`INSERT INTO events VALUES (1, 'a', '2#3', 1, 1,
			'{"delivery":"a","repo":{"installation":1,"id":2},"thread":{"number":3}}', 'working', 1, 0, 'x', 1, '', 1, 1)`,
		`INSERT INTO runs VALUES ('oldid', 'a', 1, '2#3', 1)`,
		`INSERT INTO bookings VALUES ('oldid', 1, 500, 0, 1)`,
		`INSERT INTO turns VALUES (1, 5)`,
	} {
		_, err = db.Exec(statement)
		require.NoError(t, err)
	}
	require.NoError(t, db.Close())

	s := openDir(t, dir)
	require.NoError(t, s.Submit(t.Context(), testEvent("b")))
	c, ok, err := s.Claim(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "a", c.Event.Delivery)
	require.Equal(t, 1, c.Event.Attempt, "a death is no failure")
	run, err := s.Start(t.Context(), c.Event)
	require.NoError(t, err)
	require.Equal(t, "oldid", run.ID)
	_, err = s.Reserve(t.Context(), port.Reservation{Event: c.Event, Run: run.ID, Call: 1, Tokens: 500, RunTokens: 999})
	require.Equal(t, &port.OverCommand{Needs: 1000, Limit: 999}, errors.Unwrap(err), "its booking is there")
	booked, err := s.Reserve(t.Context(), port.Reservation{Event: c.Event, Run: run.ID, Call: 1, Tokens: 500})
	require.NoError(t, err)
	require.Equal(t, 2, booked.Attempt)
	require.NoError(t, s.Complete(t.Context(), c.Event))
	_, ok, err = s.Claim(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
}

func TestADatabaseIsDamagedWhereItsVersionIs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openDir(t, dir)
	var page, size int64
	require.NoError(t, s.db.QueryRow("SELECT rootpage FROM sqlite_master WHERE name = 'goose_db_version'").Scan(&page))
	require.NoError(t, s.db.QueryRow("PRAGMA page_size").Scan(&size))
	require.NoError(t, s.Close())
	file, err := os.OpenFile(filepath.Join(dir, databaseFile), os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteAt(bytes.Repeat([]byte{0xa5}, int(size)), (page-1)*size)
	require.NoError(t, errors.Join(err, file.Close()))
	_, err = Open(t.Context(), Options{Dir: dir})
	require.ErrorContains(t, err, "is damaged: restore it from a backup")
}

func TestDamagedDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]struct {
		from int
		want string
	}{
		"no database at all": {0, "is not a database"},
		"damaged inside":     {100, "is damaged: restore it from a backup"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, openDir(t, dir).Close())
			path := filepath.Join(dir, databaseFile)
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			for i := damage.from; i < len(data); i++ {
				data[i] = 0xa5
			}
			require.NoError(t, os.WriteFile(path, data, 0o600))
			_, err = Open(t.Context(), Options{Dir: dir})
			require.ErrorContains(t, err, damage.want)
		})
	}
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	s := openDir(t, folder(t))
	require.NoError(t, s.Submit(t.Context(), testEvent("before")))
	var pages int
	require.NoError(t, s.db.QueryRow("PRAGMA page_count").Scan(&pages))
	_, err := s.db.Exec("PRAGMA max_page_count = " + strconv.Itoa(pages+1))
	require.NoError(t, err)
	large := testEvent("large")
	large.Comment.Body = strings.Repeat("x", 100_000)
	require.ErrorContains(t, s.Submit(t.Context(), large), "is full: free some space")

	_, err = s.db.Exec("PRAGMA max_page_count = 1000000") // somebody made room
	require.NoError(t, err)
	require.NoError(t, s.Submit(t.Context(), large))
	st, err := s.Stats(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, st.Ready)
}

func TestReadOnlyDatabase(t *testing.T) {
	t.Parallel()
	s := openDir(t, folder(t))
	_, err := s.db.Exec("PRAGMA query_only = ON") // as a file system that was remounted read-only
	require.NoError(t, err)
	require.ErrorContains(t, s.Submit(t.Context(), testEvent("a")), "cannot be written: let the user that runs tenon")
	require.ErrorContains(t, s.Ping(t.Context()), "cannot be written") // reading would work
	_, _, err = s.Claim(t.Context())
	require.Error(t, err)
	_, err = s.db.Exec("PRAGMA query_only = OFF")
	require.NoError(t, err)
	require.NoError(t, s.Ping(t.Context()))
}

func TestTooManyPendingSubmissionsAreRefused(t *testing.T) {
	t.Parallel()
	s := openDir(t, folder(t))
	s.submissions.mu.Lock()
	s.submissions.bytes = maxPending
	s.submissions.mu.Unlock()
	require.ErrorContains(t, s.Submit(t.Context(), testEvent("a")), "too many deliveries wait")
	s.submissions.finish([]*submission{{row: row{body: strings.Repeat("x", 1000)}}})
	require.NoError(t, s.Submit(t.Context(), testEvent("a")))
}

// The index is the last safeguard: even a wrong statement cannot lease two events of a thread.
func TestTheDatabaseGuardsTheThread(t *testing.T) {
	t.Parallel()
	s := openDir(t, folder(t))
	require.NoError(t, s.Submit(t.Context(), testEvent("a")))
	require.NoError(t, s.Submit(t.Context(), testEvent("b")))
	_, err := s.db.Exec("UPDATE events SET state = 'working'")
	require.ErrorContains(t, err, "UNIQUE")
}

func TestErrorsOfOthersAreNotExplained(t *testing.T) {
	t.Parallel()
	err := errors.New("x")
	require.Equal(t, err, (&sqliteDatabase{}).explain(err))
}

// The process that looked for missing deliveries is dead when the folder can be opened.
func TestASweepOfADeadProcessIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openDir(t, dir)
	_, ok, err := s.BeginSweep(t.Context(), true)
	require.NoError(t, err)
	require.True(t, ok)
	require.NoError(t, s.Close())
	_, ok, err = openDir(t, dir).BeginSweep(t.Context(), true)
	require.NoError(t, err)
	require.True(t, ok)
}
