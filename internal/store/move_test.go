package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/pgtest"
)

// lived returns the folder of a stopped server with events in all states, runs, steps and bookings.
func lived(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	s, err := store.Open(t.Context(), store.Options{Dir: dir})
	require.NoError(t, err)
	for i, delivery := range []string{"done", "dead", "sleeping", "interrupted", "waiting"} {
		ev := threadEvent(delivery, i+1)
		ev.Comment.Body = "/tenon fix é \u0000 \U0001F600 \"\\"
		require.NoError(t, s.Submit(t.Context(), ev))
	}
	begin := func(delivery string) port.Event {
		ev := claimed(t, s, delivery)
		run, err := s.Start(t.Context(), ev)
		require.NoError(t, err)
		require.NoError(t, s.Record(t.Context(), ev, run.ID, "open", port.Step{Version: 1, Data: []byte(`{"a":"\u0000é"}`)}))
		_, err = s.Reserve(t.Context(), port.Reservation{Event: ev, Run: run.ID, Call: 1, Tokens: 500})
		require.NoError(t, err)
		return ev
	}
	done := begin("done")
	s.Ended(done, port.Ended{Run: port.RunID("done"), Person: "é\u0000\x1b", Outcome: port.EndCommitted})
	require.NoError(t, s.Complete(t.Context(), done))
	require.NoError(t, s.DeadLetter(t.Context(), begin("dead"), errors.New("no use")))
	_, err = s.Sleep(t.Context(), begin("sleeping"), store.Sleep{Wait: &port.WaitError{
		For: port.GitHubOutage, After: time.Hour, Err: errors.New("502")}})
	require.NoError(t, err)
	begin("interrupted")
	require.NoError(t, s.Uninstalled(t.Context(), 77))
	follows := threadEvent("followed", 1)
	follows.Kind, follows.Followed = port.Following, &port.Followed{Commit: "c0ffee"}
	require.NoError(t, s.Follow(t.Context(), follows))
	require.NoError(t, s.Close())
	return dir
}

// dump returns the rows of a table as text, in any order.
func dump(t *testing.T, db *sql.DB, table, columns string) (out []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "SELECT "+columns+" FROM "+table)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	names, err := rows.Columns()
	require.NoError(t, err)
	for rows.Next() {
		values, to := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			to[i] = &values[i]
		}
		require.NoError(t, rows.Scan(to...))
		out = append(out, fmt.Sprint(values...))
	}
	require.NoError(t, rows.Err())
	return out
}

func TestAllDataMovesToPostgreSQL(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	dir := lived(t)
	from, to := store.Options{Dir: dir}, store.Options{DatabaseURL: url}
	moved, err := store.MoveToPostgres(t.Context(), from, to)
	require.NoError(t, err)
	require.EqualValues(t, 6, moved["events"])
	require.EqualValues(t, 4, moved["runs"])

	before, err := sql.Open("sqlite", filepath.Join(dir, "tenon.db"))
	require.NoError(t, err)
	defer func() { _ = before.Close() }()
	after, err := sql.Open("pgx", url)
	require.NoError(t, err)
	defer func() { _ = after.Close() }()
	for table, columns := range map[string]string{
		"events": "seq, delivery, thread, installation, version, body, state, attempts, not_before, lease_token, " +
			"lease_until, error, accepted, changed, aside, waited, cancelled_in, cancelled_by, waits_for, waits_since, " +
			"gave_up, origin, deaths, held",
		"runs": "id, delivery, installation, thread, started, forgotten", "run_steps": "run, step, version, data, recorded",
		"bookings": "run, call, attempt, tokens, settled, booked, model, tokens_in, tokens_cached, tokens_out, nanos, " +
			"unpriced",
		"audit":         "seq, run, ending, at, installation, owner, repo, person, command, outcome, version, body",
		"audit_horizon": "id, kept_since", "budgets": "budget, period, used",
		"turns": "installation, aside, turn", "uninstalled": "installation, since",
		"watches": "delivery, sha, repository, thread, stopped, pending, since",
		"reports": "repository, sha, installation, count, at",
	} {
		want := dump(t, before, table, columns)
		require.NotEmpty(t, want, table)
		require.ElementsMatch(t, want, dump(t, after, table, columns), table)
	}
	var tables []string
	for _, name := range dump(t, before, "sqlite_master WHERE type = 'table'", "name") {
		if name != "goose_db_version" && name != "sqlite_sequence" {
			tables = append(tables, name)
		}
	}
	require.Len(t, moved, len(tables), "no table is forgotten: %v", tables)

	s := open(t, to)
	require.NoError(t, s.Submit(t.Context(), threadEvent("interrupted", 4)))
	require.NoError(t, s.Submit(t.Context(), threadEvent("newer", 5)))
	for _, next := range []string{"interrupted", "waiting", "newer"} {
		ev := claimed(t, s, next)
		run, err := s.Start(t.Context(), ev)
		require.NoError(t, err)
		require.Equal(t, next == "interrupted", run.Resumed)
		s.Ended(ev, port.Ended{Run: run.ID, Outcome: port.EndAnswered, Permission: port.PermissionAdmin})
		require.NoError(t, s.Complete(t.Context(), ev))
	}
	require.Len(t, dump(t, after, "audit", "seq"), 4, "it goes on behind what was moved")
}

func TestDataMovesWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	from, to := store.Options{Dir: lived(t)}, store.Options{DatabaseURL: url}
	_, err := store.MoveToPostgres(t.Context(), store.Options{Dir: t.TempDir()}, to)
	require.ErrorContains(t, err, "looking for the database of a server in the data folder")

	busy := store.Options{Dir: lived(t)}
	open(t, busy)
	_, err = store.MoveToPostgres(t.Context(), busy, to)
	require.ErrorContains(t, err, "is in use by another tenon")

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = store.MoveToPostgres(gone, from, to)
	require.Error(t, err)

	damaged := store.Options{Dir: lived(t)}
	db, err := sql.Open("sqlite", filepath.Join(damaged.Dir, "tenon.db"))
	require.NoError(t, err)
	_, err = db.Exec("UPDATE uninstalled SET since = 'yesterday'")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	_, err = store.MoveToPostgres(t.Context(), damaged, to)
	require.ErrorContains(t, err, "table uninstalled")

	_, err = store.MoveToPostgres(t.Context(), from, to)
	require.NoError(t, err, "nothing was moved before")
	_, err = store.MoveToPostgres(t.Context(), from, to)
	require.ErrorContains(t, err, "it has events, budgets or an audit already: use an empty database")
}
