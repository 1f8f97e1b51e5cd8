package simhttp_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
)

// In memory, the API has all repositories and forks, and git none.
func TestRepositoriesInMemoryAreServedWithoutGit(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("PATH", "")
	w := newWorld(t)
	fork, err := w.Fork(repo, "alice")
	require.NoError(t, err)
	_, err = w.Push(fork, "idea", map[string]string{"a.txt": "forked\n"}, "An idea\n")
	require.NoError(t, err)
	n, err := w.OpenPull(sim.Pull{As: "alice", Repo: repo, Title: "An idea", Head: "alice:idea"})
	require.NoError(t, err)
	require.NoError(t, w.Merge(repo, n))
	merged, err := w.File(repo, "main", "a.txt")
	require.NoError(t, err)
	require.Equal(t, "forked\n", string(merged))
	require.Error(t, w.Merge(repo, w.pull), "both changed the same lines")

	r := w.rawGit("GET", repo+".git/info/refs?service=git-upload-pack", w.token, nil)
	require.Equal(t, http.StatusNotImplemented, r.status)
	require.Contains(t, r.text, "in memory")
	_, err = w.RepoDir(repo)
	require.ErrorContains(t, err, "in memory")
	require.ErrorContains(t, w.AddRepo(sim.Repo{Name: "acme/copy", From: t.TempDir()}), "in memory")
	files, err := os.ReadDir(os.TempDir())
	require.NoError(t, err)
	require.Empty(t, files)
}
