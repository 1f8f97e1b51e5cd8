package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestARunIsShownAndPlayedAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t, edit("main.go", helloLine, byeLine)+edit("greet.go", badGreet, betterGreet),
		edit("greet.go", greetLine, betterGreet))
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go` and `greet.go`")), "rocket")
	id := regexp.MustCompile(`run ([a-z0-9]{12})<`).FindStringSubmatch(s.answers()[0])[1]

	var out, errOut bytes.Buffer
	require.Equal(t, exitOK, run(t.Context(), []string{"replay", id, "--data", s.data}, strings.NewReader(""), &out,
		&errOut), errOut.String())
	for _, want := range []string{"maria commented on acme/lathe#", "The model was asked (repair)",
		"model-1 answered: 1200 tokens in, 345 out", "applied  greet.go:3", "Committed as "} {
		require.Contains(t, out.String(), want)
	}

	out.Reset()
	require.Equal(t, exitOK, run(t.Context(), []string{"replay", id, "--data", s.data, "--json"}, strings.NewReader(""),
		&out, &errOut), errOut.String())
	require.Equal(t, 2, strings.Count(out.String(), "\n"))
	file := filepath.Join(t.TempDir(), "run.jsonl")
	require.NoError(t, os.WriteFile(file, out.Bytes(), 0o600))
	dir, err := s.github.RepoDir(s.repo)
	require.NoError(t, err)
	out.Reset()
	code := run(t.Context(), []string{"demo", "--repo", dir, "--replay", file, "--comment", "`main.go` and `greet.go`",
		"--json"}, strings.NewReader(""), &out, &errOut)
	require.Equal(t, exitOK, code, errOut.String())
	require.Contains(t, out.String(), " · 2 edits committed")
}

func TestTheRoundsOfARunAreShown(t *testing.T) {
	t.Parallel()
	s := newStage(t, "FIND: greet()\nNEED: *.go\nNEED: nowhere.go", "NEED: greet.go:1-3",
		edit("greet.go", greetLine, betterGreet))
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix the greeting of `main.go`")), "rocket")
	id := regexp.MustCompile(`run ([a-z0-9]{12})<`).FindStringSubmatch(s.answers()[0])[1]
	var out, errOut bytes.Buffer
	require.Equal(t, exitOK, run(t.Context(), []string{"replay", id, "--data", s.data}, strings.NewReader(""), &out,
		&errOut), errOut.String())
	require.Equal(t, 2, strings.Count(out.String(), "The model asked to be shown more"))
	text := strings.ReplaceAll(out.String(), "│ ", "")
	for _, want := range []string{
		"FIND: greet()\n   → 1 of 1 line\n", "NEED: *.go\n   → 2 names\n",
		"NEED: nowhere.go\n   → there is no such file\n", "NEED: greet.go:1-3\n   → greet.go:1-3\n",
	} {
		require.Contains(t, text, want)
	}
}

func TestARunThatIsNotThereIsNamed(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	var out, errOut bytes.Buffer
	require.Equal(t, exitUsage, run(t.Context(), []string{"replay", "nosuchrun", "--data", s.data}, strings.NewReader(""),
		&out, &errOut))
	require.Contains(t, errOut.String(), "there is no run nosuchrun in "+s.data)
	require.Equal(t, exitUsage, run(t.Context(), []string{"replay", "nosuchrun", "--data", t.TempDir()},
		strings.NewReader(""), &out, &errOut))
	require.Contains(t, errOut.String(), "looking for the database of a server")
}
