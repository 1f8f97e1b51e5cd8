package gitrepo_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

var ada = port.RepoRef{Owner: "ada", Name: "anvil-1"}

// forked returns a world with a pull request from a branch of ada's fork, and the function that lists the tokens used.
// settings are added to those of the fork.
func forked(t *testing.T, limits gitrepo.Limits, settings ...string) (w *world, fork *gittest.Repo,
	tokens func() []string) {
	t.Helper()
	w = newWorld(t, gitrepo.Options{})
	fork = w.server.Create(t, ada.String(), settings...)
	fork.Take(w.repo, "refs/heads/main", "refs/heads/patch-1")
	w.tip = fork.Commit("patch-1", gittest.Files(map[string]string{"fork.txt": "from a fork\n"}))
	w.repo.Take(fork, "refs/heads/patch-1", "refs/pull/7/head")
	var mu sync.Mutex
	var asked []string
	w.repos = gitrepo.New(gitrepo.Options{BaseURL: w.server.URL, Limits: limits,
		Token: func(_ context.Context, repo port.RepoRef, write bool) (string, error) {
			mu.Lock()
			defer mu.Unlock()
			asked = append(asked, fmt.Sprintf("%s write=%v", repo, write))
			return "secret", nil
		}})
	return w, fork, func() []string { return asked }
}

func (w *world) openPull(t *testing.T) repo.Checkout {
	t.Helper()
	c, err := w.repos.Open(t.Context(), acme, "refs/pull/7/head", w.tip)
	require.NoError(t, err)
	require.NoError(t, c.WriteFile("x", []byte("x")))
	return c
}

func forkRequest() repo.CommitRequest {
	req := request("patch-1")
	req.Fork = &ada
	return req
}

func TestACommitGoesToTheForkWithTheTokenOfTheRepository(t *testing.T) {
	t.Parallel()
	w, fork, tokens := forked(t, gitrepo.Limits{})
	c := w.openPull(t)
	w.server.Requests()
	made, err := c.Commit(t.Context(), forkRequest())
	require.NoError(t, err)
	require.Equal(t, []string{"POST /ada/anvil-1.git/git-receive-pack"}, w.server.Requests())
	require.Equal(t, made.SHA, fork.Ref("refs/heads/patch-1"))
	require.Equal(t, w.tip, fork.Git("rev-parse", "patch-1^"))
	require.Empty(t, w.repo.Ref("refs/heads/patch-1"), "the repository itself is left alone")
	require.Contains(t, tokens(), "acme/anvil write=true")
	for _, token := range tokens() {
		require.NotContains(t, token, "ada")
	}
	fork.Fsck()
}

func TestAForkThatMovedIsErrMovedAndNothingHappens(t *testing.T) {
	t.Parallel()
	w, fork, _ := forked(t, gitrepo.Limits{})
	c := w.openPull(t)
	other := fork.Commit("patch-1", gittest.Files(map[string]string{"y": "y"}))
	_, err := c.Commit(t.Context(), forkRequest())
	require.ErrorIs(t, err, port.ErrMoved)
	require.Equal(t, other, fork.Ref("refs/heads/patch-1"))

	fork.Git("update-ref", "-d", "refs/heads/patch-1")
	_, err = c.Commit(t.Context(), forkRequest())
	require.ErrorIs(t, err, port.ErrMoved, "its branch is gone")
	require.Empty(t, fork.Ref("refs/heads/patch-1"))
}

func TestAForkThatIsNotThereOrHasAnOddName(t *testing.T) {
	t.Parallel()
	w, _, _ := forked(t, gitrepo.Limits{})
	c := w.openPull(t)
	req := forkRequest()
	req.Fork = &port.RepoRef{Owner: "ada", Name: "gone"}
	_, err := c.Commit(t.Context(), req)
	require.ErrorIs(t, err, port.ErrNotFound)
	req.Fork = &port.RepoRef{Owner: "ada/..", Name: "x"}
	_, err = c.Commit(t.Context(), req)
	require.ErrorContains(t, err, "not the name of a repository")
}

func TestTheModeOfAFileIsStaged(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	c := w.open(t)
	for name, was := range map[string]bool{"cmd/run.sh": true, "cmd/main.go": false} {
		yes, err := c.Executable(name)
		require.NoError(t, err)
		require.Equal(t, was, yes, name)
		require.NoError(t, c.SetExecutable(name, !was))
	}
	require.Error(t, c.SetExecutable("cmd", true))
	_, err := c.Executable("link")
	require.Error(t, err)
	changes, err := c.Changes()
	require.NoError(t, err)
	require.Len(t, changes, 2)
	require.Equal(t, "100755", changes[0].Mode)
	require.Nil(t, changes[0].Data, "it was not loaded")
	require.Equal(t, w.repo.Git("rev-parse", "main:cmd/main.go"), changes[0].Blob)
	require.Equal(t, w.repo.Git("rev-parse", "main^{tree}"), c.Tree())
	_, err = c.Commit(t.Context(), request("main"))
	require.NoError(t, err)
	require.Equal(t, "100755", w.repo.Git("ls-tree", "--format=%(objectmode)", "main", "cmd/main.go"))
	require.Equal(t, "100644", w.repo.Git("ls-tree", "--format=%(objectmode)", "main", "cmd/run.sh"))
	w.repo.Fsck()
}
