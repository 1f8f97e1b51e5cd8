package main

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// realGit runs git in a folder, without the configuration of whoever runs the test, and returns its output.
func realGit(t *testing.T, dir string, input []byte, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(input)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=G", "GIT_AUTHOR_EMAIL=g@example.com", "GIT_COMMITTER_NAME=G",
		"GIT_COMMITTER_EMAIL=g@example.com"}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "git %v: %s", args, out)
	return strings.TrimSpace(string(out))
}

// pushed returns the pack that the next push to a branch has.
func (s *stage) pushed() (pack func() []byte) {
	var last atomic.Pointer[[]byte]
	s.github.Gate(func(now simhttp.Stage, r *http.Request) {
		if now == simhttp.BeforeEffect && r.Method == http.MethodPost && isPush(r) {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			last.Store(&body)
		}
	})
	return func() []byte {
		s.t.Helper()
		s.github.Gate(nil)
		require.NotNil(s.t, last.Load())
		return (*last.Load())[bytes.Index(*last.Load(), []byte("PACK")):]
	}
}

// The simulated GitHub keeps the objects of a fork where those of its base are. What is pushed must be all that a fork
// needs that has none of them, and what git merges there by hand.
func TestAMergeReachesTheBranchOfAForkAsGitMakesIt(t *testing.T) {
	t.Parallel()
	const fork, long = "stranger/lathe", "one\ntwo\nthree\nfour\nfive\nsix\n"
	for command, reply := range map[string]string{"/tenon update": "", "/tenon resolve": "C1: theirs\n"} {
		s := newStage(t, reply)
		s.pushTo("main", map[string]string{"both.txt": long, "wait.txt": "wait\n"})
		s.fromFork(sim.Pull{})
		theirs := map[string]string{"both.txt": strings.Replace(long, "one", "1", 1)}
		if reply != "" {
			theirs["wait.txt"] = "wait 1\n"
		}
		tip, err := s.github.Push(fork, "theirs", theirs, "Theirs\n")
		require.NoError(t, err)
		at, err := s.github.RepoDir(fork)
		require.NoError(t, err)
		alone, work := filepath.Join(t.TempDir(), "alone.git"), filepath.Join(t.TempDir(), "work")
		realGit(t, at, nil, "clone", "--quiet", "--bare", "--no-local", "--single-branch", "--branch=theirs", at, alone)
		realGit(t, at, nil, "clone", "--quiet", alone, work)
		s.pushTo("main", map[string]string{"both.txt": strings.Replace(long, "six", "6", 1), "deep/er/a.txt": "a\n"})
		main := s.pushTo("main", map[string]string{"deep/er/b.txt": "b\n", "wait.txt": "wait 2\n"})
		s.start()

		pack := s.pushed()
		got := s.say(command)
		require.Equal(t, "rocket", got.verdict, got.answer)
		list, err := s.github.Commits(fork, "theirs")
		require.NoError(t, err)
		merge := list[0].SHA
		require.Equal(t, []string{tip, main}, list[0].Parents)
		realGit(t, alone, pack(), "index-pack", "--strict", "--stdin")
		realGit(t, alone, nil, "update-ref", "refs/heads/theirs", merge, tip)
		realGit(t, alone, nil, "fsck", "--strict")
		base, err := s.github.RepoDir(s.repo)
		require.NoError(t, err)
		realGit(t, work, nil, "pull", "--quiet", "--no-rebase", "-Xtheirs", base, "main")
		require.Equal(t, realGit(t, work, nil, "log", "-1", "--format=%T %P"),
			realGit(t, alone, nil, "log", "-1", "--format=%T %P", merge))
		require.Equal(t, "confused", s.say(command).verdict, "it is up to date")
		require.Equal(t, "rocket", s.say("/tenon undo").verdict)
		require.Equal(t, realGit(t, alone, nil, "rev-parse", tip+"^{tree}"),
			realGit(t, at, nil, "rev-parse", "theirs^{tree}"))
	}
}

// Apps may not push commits that change workflows, not even those of the base.
func TestABaseWithWorkflowsThatAForkLacksIsLeftToPeople(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.fromFork(sim.Pull{})
	s.pushTo("main", map[string]string{".github/workflows/ci.yml": "on: push\n"})
	s.start()
	got := s.say("/tenon update")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "The base branch has workflows that the fork does not have")
	require.Contains(t, got.answer, "give `git pull --no-rebase "+s.github.GitURL()+"acme/lathe main`")
}
