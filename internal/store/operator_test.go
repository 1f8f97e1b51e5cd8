package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/storetest"
)

// eachDatabase tells a story of a store on each database, with what the store was opened with.
func eachDatabase(t *testing.T, story func(t *testing.T, s *store.Store, opts store.Options)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		opts := store.Options{Dir: storetest.Folder(t)}
		story(t, open(t, opts), opts)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		opts := store.Options{DatabaseURL: store.Schema.URL(t)}
		story(t, open(t, opts), opts)
	})
}

func attach(t *testing.T, opts store.Options) *store.Operator {
	t.Helper()
	o, err := store.Attach(t.Context(), opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, o.Close()) })
	return o
}

// states returns the events of a list, each as "delivery state".
func states(list []store.EventInfo) (out []string) {
	for _, e := range list {
		out = append(out, fmt.Sprintf("%s %s", e.Event.Delivery, e.State))
	}
	return out
}

func claimed(t *testing.T, s *store.Store, delivery string) port.Event {
	t.Helper()
	c, ok, err := s.Claim(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, delivery, c.Event.Delivery)
	return c.Event
}

func threadEvent(delivery string, thread int) port.Event {
	return port.Event{Delivery: delivery, Kind: port.IssueComment, Repo: port.RepoRef{Installation: 1, ID: 2,
		Owner: "acme", Name: "lathe"}, Thread: port.Thread{Number: thread}, Comment: port.Comment{Body: "/tenon fix"},
		Sender: port.User{ID: 3, Login: "maria"}}
}

func TestAnOperatorSeesWhatIsNotDoneBesideTheServer(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *store.Store, opts store.Options) {
		for i, delivery := range []string{"done", "dead", "sleeping", "failed", "running"} {
			require.NoError(t, s.Submit(t.Context(), threadEvent(delivery, i+1)))
		}
		require.NoError(t, s.Submit(t.Context(), threadEvent("waiting", 5)))
		require.NoError(t, s.Complete(t.Context(), claimed(t, s, "done")))
		require.NoError(t, s.DeadLetter(t.Context(), claimed(t, s, "dead"), errors.New("no use")))
		_, err := s.Sleep(t.Context(), claimed(t, s, "sleeping"), store.Sleep{Wait: &port.WaitError{
			For: port.GitHubOutage, After: time.Hour, Err: errors.New("502")}})
		require.NoError(t, err)
		require.NoError(t, s.Retry(t.Context(), claimed(t, s, "failed"), errors.New("broken"), time.Hour))
		claimed(t, s, "running")
		follows := threadEvent("followed", 6)
		follows.Kind, follows.Followed = port.Following, &port.Followed{Commit: "c0ffee"}
		require.NoError(t, s.Follow(t.Context(), follows))
		o := attach(t, opts)
		list, left, err := o.Events(t.Context(), 100, false)
		require.NoError(t, err)
		require.Equal(t, store.NotListed{Followed: 1}, left)
		require.Equal(t, []string{"running running", "sleeping sleeping", "failed sleeping", "waiting waiting",
			"dead dead letter"}, states(list))
		require.Equal(t, port.GitHubOutage, list[1].WaitsFor)
		require.False(t, list[1].Until.IsZero())
		require.Empty(t, list[2].WaitsFor)
		require.Equal(t, "no use", list[4].Error)
		require.Equal(t, "/tenon fix", list[4].Event.Comment.Body)
		list, left, err = o.Events(t.Context(), 2, false)
		require.NoError(t, err)
		require.Len(t, list, 2)
		require.Equal(t, store.NotListed{Events: 3, Followed: 1}, left)
		list, left, err = o.Events(t.Context(), 100, true)
		require.NoError(t, err)
		require.Zero(t, left)
		require.Contains(t, states(list), "followed sleeping")
		require.Len(t, list, 6)
	})
}

func TestDeadLettersAreListedNewestFirst(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *store.Store, _ store.Options) {
		for i, delivery := range []string{"a", "b", "c", "waits"} {
			require.NoError(t, s.Submit(t.Context(), threadEvent(delivery, i+1)))
			if delivery != "waits" {
				require.NoError(t, s.DeadLetter(t.Context(), claimed(t, s, delivery), errors.New("no use of "+delivery)))
			}
		}
		list, more, err := s.Operator().DeadLetters(t.Context(), 2)
		require.NoError(t, err)
		require.Equal(t, []string{"c dead letter", "b dead letter"}, states(list))
		require.Equal(t, "no use of c", list[0].Error)
		require.Equal(t, 1, more)
	})
}

func TestAnOperatorRetriesAndDropsDeadLetters(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *store.Store, opts store.Options) {
		for i, delivery := range []string{"retried", "by-its-run", "dropped"} {
			require.NoError(t, s.Submit(t.Context(), threadEvent(delivery, i+1)))
			ev := claimed(t, s, delivery)
			_, err := s.Start(t.Context(), ev)
			require.NoError(t, err)
			ev.Attempt = store.MaxAttempts
			require.NoError(t, s.DeadLetter(t.Context(), ev, errors.New("no use")))
		}
		o := attach(t, opts)
		require.NoError(t, o.Retry(t.Context(), "retried"))
		ev := claimed(t, s, "retried")
		require.Equal(t, 1, ev.Attempt, "it has all its attempts again")
		run, err := s.Start(t.Context(), ev)
		require.NoError(t, err)
		require.True(t, run.Resumed)
		var other *store.NotDeadLetterError
		require.ErrorAs(t, o.Retry(t.Context(), "retried"), &other)
		require.Equal(t, store.EventRunning, other.State)
		require.ErrorAs(t, o.Drop(t.Context(), "retried"), &other)
		require.NoError(t, s.Complete(t.Context(), ev))
		require.ErrorContains(t, o.Drop(t.Context(), "retried"), "event retried is done, and only dead letters can be")

		require.NoError(t, o.Retry(t.Context(), port.RunID("by-its-run")))
		require.NoError(t, s.Complete(t.Context(), claimed(t, s, "by-its-run")))
		require.NoError(t, o.Drop(t.Context(), "dropped"))
		require.NoError(t, s.Submit(t.Context(), threadEvent("dropped", 3)))
		_, ok, err := s.Claim(t.Context())
		require.NoError(t, err)
		require.False(t, ok, "a redelivery does not bring it back")
		require.ErrorIs(t, o.Retry(t.Context(), "nowhere"), port.ErrNotFound)
		require.ErrorIs(t, o.Drop(t.Context(), "' OR 1=1 --"), port.ErrNotFound)
	})
}

func TestWhatHasLostItsSourcesIsNotRetried(t *testing.T) {
	t.Parallel()
	opts := store.Options{Dir: storetest.Folder(t)}
	at := time.Now()
	opts.Now = func() time.Time { return at }
	s := open(t, opts)
	require.NoError(t, s.Submit(t.Context(), threadEvent("old", 1)))
	ev := claimed(t, s, "old")
	run, err := s.Start(t.Context(), ev)
	require.NoError(t, err)
	require.NoError(t, s.Record(t.Context(), ev, run.ID, "open", port.Step{Version: 1, Data: []byte(`{}`)}))
	require.NoError(t, s.DeadLetter(t.Context(), ev, errors.New("no use")))
	at = at.AddDate(0, 0, 31)
	_, err = (&store.Keeper{Store: s, Forget: func(_ string, step port.Step) port.Step { return step }}).Pass(t.Context())
	require.NoError(t, err)
	o := attach(t, opts)
	require.ErrorContains(t, o.Retry(t.Context(), "old"), "have been deleted since, so that it cannot go on: drop it")
	require.NoError(t, o.Drop(t.Context(), "old"))
}

func TestAnOperatorNeedsTheDatabaseOfAServer(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	_, err := store.Attach(t.Context(), store.Options{Dir: empty})
	require.ErrorContains(t, err, "looking for the database of a server in the data folder "+empty)
	entries, err := os.ReadDir(empty)
	require.NoError(t, err)
	require.Empty(t, entries, "nothing is created")

	dir := storetest.Folder(t)
	open(t, store.Options{Dir: dir})
	db, err := sql.Open("sqlite", filepath.Join(dir, "tenon.db"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	_, err = db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (9000, 1)")
	require.NoError(t, err)
	_, err = store.Attach(t.Context(), store.Options{Dir: dir})
	require.ErrorContains(t, err, "the database has schema 9000, and this program knows ")
	require.ErrorContains(t, err, "use the same version of tenon as the server")
}

func TestABackupOfAServerAtWorkIsOneMoment(t *testing.T) {
	t.Parallel()
	opts := store.Options{Dir: storetest.Folder(t)}
	s := open(t, opts)
	accept := func(i int) error { return s.Submit(context.Background(), threadEvent(fmt.Sprint("before-", i), i+1)) }
	for i := range 200 {
		require.NoError(t, accept(i))
	}
	var writers sync.WaitGroup
	done := make(chan struct{})
	writers.Go(func() {
		for i := 200; ; i++ {
			select {
			case <-done:
				return
			default:
			}
			if err := accept(i); err != nil {
				t.Error(err)
			}
		}
	})
	restored := t.TempDir()
	file := filepath.Join(restored, "tenon.db")
	require.NoError(t, store.Backup(t.Context(), opts, file))
	close(done)
	writers.Wait()
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	entries, err := os.ReadDir(restored)
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing else is left")

	copied := open(t, store.Options{Dir: restored})
	stats, err := copied.Stats(t.Context())
	require.NoError(t, err)
	require.GreaterOrEqual(t, stats.Ready, 200)
	claimed(t, copied, "before-0")
}

func TestABackupReplacesNothing(t *testing.T) {
	t.Parallel()
	opts := store.Options{Dir: storetest.Folder(t)}
	open(t, opts)
	dir := t.TempDir()
	file := filepath.Join(dir, "precious")
	require.NoError(t, os.WriteFile(file, []byte("precious"), 0o600))
	require.ErrorContains(t, store.Backup(t.Context(), opts, file), "exists already: name a new file")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "precious", string(text))
	require.Error(t, store.Backup(t.Context(), opts, filepath.Join(dir, "nowhere", "file")))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	require.Error(t, store.Backup(gone, opts, filepath.Join(dir, "file")))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "a backup that failed leaves nothing")
	require.ErrorIs(t, store.Backup(t.Context(), store.Options{DatabaseURL: "postgres://x/y"}, file), store.ErrNoBackup)
}

// A folder may be named from the working directory, as the default ./data is.
func TestTheFolderOfAServerMayBeARelativePath(t *testing.T) { //nolint:paralleltest // it changes the working directory
	dir := t.TempDir()
	s := open(t, store.Options{Dir: dir})
	require.NoError(t, s.Submit(t.Context(), threadEvent("a", 1)))
	t.Chdir(filepath.Dir(dir))
	relative := filepath.Base(dir)
	list, _, err := attach(t, store.Options{Dir: relative}).Events(t.Context(), 10, true)
	require.NoError(t, err)
	require.Equal(t, []string{"a waiting"}, states(list))
	file := filepath.Join(t.TempDir(), "backup.db")
	require.NoError(t, store.Backup(t.Context(), store.Options{Dir: relative}, file))
	_, _, err = store.FindRun(t.Context(), store.Options{Dir: relative}, "none")
	require.ErrorIs(t, err, port.ErrNotFound)
}
