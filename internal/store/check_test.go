package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store/pgtest"
)

// damage overwrites the first page of a table or an index in the file of a database, and returns how to undo that.
func damage(t *testing.T, s *Store, dir, name string) (repair func()) {
	t.Helper()
	var page, size, busy, log, moved int64
	require.NoError(t, s.db.QueryRow("SELECT rootpage FROM sqlite_master WHERE name = $1", name).Scan(&page))
	require.NoError(t, s.db.QueryRow("PRAGMA page_size").Scan(&size))
	require.NoError(t, s.db.QueryRow("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &log, &moved))
	file := filepath.Join(dir, databaseFile)
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	write := func(page []byte, at int64) {
		f, err := os.OpenFile(file, os.O_WRONLY, 0)
		require.NoError(t, err)
		_, err = f.WriteAt(page, at)
		require.NoError(t, errors.Join(err, f.Close()))
		_, err = s.db.Exec("PRAGMA shrink_memory") // as if the page had not been read before
		require.NoError(t, err)
	}
	at := (page - 1) * size
	write(bytes.Repeat([]byte{0xa5}, int(size)), at)
	return func() { write(whole[at:at+size], at) }
}

// acceptPath are the table and the indexes into which each event is inserted.
var acceptPath = []string{"events", "sqlite_autoindex_events_1", "events_by_origin", "events_ready_by_thread"}

func TestADatabaseThatIsDamagedWhereEventsAreInsertedIsNotReady(t *testing.T) {
	t.Parallel()
	for _, name := range acceptPath {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := openDir(t, dir)
			require.NoError(t, s.Submit(t.Context(), testEvent("a")))
			require.NoError(t, s.Ping(t.Context()))
			repair := damage(t, s, dir, name)
			ev := testEvent("b")
			ev.Kind, ev.Comment = port.IssueComment, port.Comment{ID: 1, Updated: time.Now()}
			require.Error(t, s.Submit(t.Context(), ev))
			err := s.Ping(t.Context())
			require.ErrorContains(t, err, dir+" is damaged: restore it from a backup")
			require.Equal(t, "the database in the data folder is damaged: restore it from a backup, or start with an empty "+
				"data folder if there is none", Advice(err))
			_, _, err = s.BeginSweep(t.Context(), true)
			require.ErrorContains(t, err, "is damaged", "what is asked for would be refused")
			repair()
			require.NoError(t, s.Ping(t.Context()))
		})
	}
}

func TestADatabaseWithoutItsTableIsNotReady(t *testing.T) {
	t.Parallel()
	s := openDir(t, folder(t))
	_, err := s.db.Exec("ALTER TABLE events RENAME TO gone")
	require.NoError(t, err)
	require.ErrorContains(t, s.Ping(t.Context()), "no such table: events")
	_, err = s.db.Exec("ALTER TABLE gone RENAME TO events")
	require.NoError(t, err)
	require.NoError(t, s.Ping(t.Context()))
}

func TestAPostgresDatabaseWithoutItsTableIsNotReadyAndNotOpened(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := openURL(t, url)
	require.NoError(t, s.Ping(t.Context()))
	_, err := s.db.Exec("DROP TABLE events CASCADE")
	require.NoError(t, err)
	err = s.Ping(t.Context())
	require.ErrorContains(t, err, `relation "events" does not exist`)
	require.Equal(t, "a table is missing: give tenon a database of its own, or restore a backup", Advice(err))
	_, err = Open(t.Context(), Options{DatabaseURL: url})
	require.ErrorContains(t, err, "a table is missing: give tenon a database of its own, or restore a backup")
}

// A probe a second must leave nothing behind.
func TestAProbeLeavesNoEvent(t *testing.T) {
	t.Parallel()
	s := openDir(t, folder(t))
	for range 3 {
		require.NoError(t, s.Ping(t.Context()))
	}
	st, err := s.Stats(t.Context())
	require.NoError(t, err)
	require.Equal(t, Stats{}, st)
	require.NoError(t, s.Submit(t.Context(), testEvent("a")))
	var seq int
	require.NoError(t, s.db.QueryRow("SELECT seq FROM events").Scan(&seq))
	require.Equal(t, 1, seq)
}

// Whatever is damaged, a start tells of it, also if it does not wait until all has been read.
func TestAStartFindsDamage(t *testing.T) {
	t.Parallel()
	for i, name := range []string{"sqlite_autoindex_events_1", "run_steps", "turns", "audit"} {
		for _, unwaited := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, unwaited: %v", name, unwaited), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				s := openDir(t, dir)
				damage(t, s, dir, name)
				require.NoError(t, s.db.Close()) // as of a process that died
				require.NoError(t, s.Close())
				s, err := Open(t.Context(), Options{Dir: dir, unwaited: unwaited})
				if !unwaited {
					require.ErrorContains(t, err, "is damaged: restore it from a backup")
					return
				}
				if i == 0 && err != nil { // the start itself may read it
					require.ErrorContains(t, err, "is damaged: restore it from a backup")
					return
				}
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, s.Close()) })
				s.database.(*sqliteDatabase).checkup.running.Wait()
				require.ErrorContains(t, s.Ping(t.Context()), "is damaged: restore it from a backup")
			})
		}
	}
}
