package main

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/store/pgtest"
)

// ran runs the program as a process with some variables only, and returns its exit code and all that it printed.
func ran(t *testing.T, env []string, args ...string) (code int, text string) {
	t.Helper()
	cmd := program(t, env, args...)
	out, err := cmd.CombinedOutput()
	if _, failed := err.(*exec.ExitError); err != nil && !failed { //nolint:errorlint // CombinedOutput returns it bare
		require.NoError(t, err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

func TestTheDataOfAServerMovesToPostgreSQL(t *testing.T) {
	t.Parallel()
	dir := deadLetterFolder(t)
	code, text := ran(t, nil, "migrate-data", "--data", dir)
	require.Equal(t, exitUsage, code)
	require.Contains(t, text, "TENON_DATABASE_URL is not set: it names the PostgreSQL database to move the data to")

	env := []string{"TENON_DATABASE_URL=" + pgtest.URL(t)}
	code, text = ran(t, env, "migrate-data", "--data", dir)
	require.Equal(t, exitOK, code, text)
	require.Contains(t, text, "2 events and 1 run were copied to the PostgreSQL database")
	code, text = ran(t, env, "events")
	require.Equal(t, exitOK, code, text)
	require.Contains(t, text, "dead-1")
	require.Contains(t, text, "waiting-2")
	code, text = ran(t, env, "backup", dir+"/copy")
	require.Equal(t, exitUsage, code)
	require.Contains(t, text, "use pg_dump")
	code, text = ran(t, env, "migrate-data", "--data", dir)
	require.Equal(t, exitUsage, code)
	require.Contains(t, text, "it has events, budgets or an audit already: use an empty database")
}
