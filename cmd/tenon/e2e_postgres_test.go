package main

import (
	"regexp"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/store/pgtest"
)

// A rolling restart: the second process starts before the first one stops, on the same database.
func TestAReplicaTakesOverOnPostgreSQL(t *testing.T) {
	t.Parallel()
	database := "TENON_DATABASE_URL=" + pgtest.URL(t)
	s := newStage(t, goodReply, edit("greet.go", greetLine, betterGreet))
	s.env, s.data = append(s.env, database), t.TempDir() // no database is in the folder
	s.startProcess()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
	id := regexp.MustCompile(`run ([a-z0-9]{12})<`).FindStringSubmatch(s.answers()[0])[1]

	first := s.server
	s.startProcess()
	require.NoError(t, first.cmd.Process.Signal(syscall.SIGTERM))
	<-first.ended
	require.Zero(t, first.cmd.ProcessState.ExitCode())
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `greet.go`")), "rocket")
	require.Len(t, s.commits(), 2)
	require.NoFileExists(t, s.data+"/tenon.db")

	code, out := ran(t, []string{database}, "replay", id)
	require.Equal(t, exitOK, code, out)
	require.Contains(t, out, "Committed as ")
}

func TestADatabaseURLThatIsWrongEndsTheServerWithASentence(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for url, want := range map[string]string{
		"postgres://u:s3cret@127.0.0.1:1/tenon": "the server cannot be reached: start it, or correct TENON_DATABASE_URL",
		"mysql://u:s3cret@127.0.0.1/tenon":      "TENON_DATABASE_URL: is not the URL of a PostgreSQL database",
	} {
		log, err := s.serveOnce("TENON_DATABASE_URL=" + url)
		require.ErrorContains(t, err, want)
		require.NotContains(t, log+err.Error(), "s3cret")
	}
}
