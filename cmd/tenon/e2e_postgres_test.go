package main

import (
	"os"
	"os/exec"
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
	s.env = append(s.env, database)
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
	id := regexp.MustCompile(`run ([a-z0-9]{12})<`).FindStringSubmatch(s.answers()[0])[1]

	first, ended := s.server, s.ended
	s.start()
	require.NoError(t, first.Process.Signal(syscall.SIGTERM))
	<-ended
	require.Zero(t, first.ProcessState.ExitCode())
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `greet.go`")), "rocket")
	require.Len(t, s.commits(), 2)
	require.NoFileExists(t, s.data+"/tenon.db")

	replay := exec.Command(os.Args[0], "replay", id)
	replay.Env = []string{"TENON_TEST_MAIN=1", database}
	out, err := replay.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "Committed as ")
}

func TestADatabaseURLThatIsWrongEndsTheServerWithASentence(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for url, want := range map[string]string{
		"postgres://u:s3cret@127.0.0.1:1/tenon": "the server cannot be reached: start it, or correct TENON_DATABASE_URL",
		"mysql://u:s3cret@127.0.0.1/tenon":      "TENON_DATABASE_URL: is not the URL of a PostgreSQL database",
	} {
		out, code := s.serveOnce("TENON_DATABASE_URL=" + url)
		require.Equal(t, exitUsage, code, out)
		require.Contains(t, out, want)
		require.NotContains(t, out, "s3cret")
	}
}

// serveOnce runs a server that cannot start, and returns what it wrote and its exit code.
func (s *stage) serveOnce(env ...string) (out string, code int) {
	s.t.Helper()
	cmd := s.serve()
	cmd.Env = append(cmd.Env, env...)
	text, err := cmd.CombinedOutput()
	require.Error(s.t, err)
	return string(text), cmd.ProcessState.ExitCode()
}
