package simhttp_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Concurrent requests lose nothing, and see no partial effects.
func TestEightAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	const n = 8
	clones := make([]string, n)
	for i := range clones {
		clones[i] = w.clone("feature")
		commitFile(t, clones[i], fmt.Sprintf("file%d", i), "x\n")
	}
	errs := make([]error, 2*n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			_, errs[i] = git(t, clones[i], "push", "--quiet", "origin", fmt.Sprintf("HEAD:refs/heads/work%d", i))
		})
		wg.Go(func() {
			errs[n+i] = w.post(fmt.Sprintf("repos/%s/issues/%d/comments", repo, w.pull), body(fmt.Sprint(i)))
		})
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.Len(t, w.as("GET", "repos/"+repo+"/git/matching-refs/heads/work", "").list(), n)
	comments, err := w.Comments(repo, w.pull)
	require.NoError(t, err)
	require.Len(t, comments, n)
	dir, err := w.RepoDir(repo)
	require.NoError(t, err)
	out, err := git(t, dir, "fsck", "--strict")
	require.NoError(t, err, out)
}

// post sends a request from any goroutine.
func (w *world) post(path, body string) error {
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.APIURL()+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+w.token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusCreated {
		return fmt.Errorf("status %d", res.StatusCode)
	}
	return nil
}

// The server can be closed during requests, and removes its temporary folder.
func TestCloseWithGitInWork(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	dir, err := w.RepoDir(repo)
	require.NoError(t, err)
	var wg sync.WaitGroup
	home := t.TempDir()
	wg.Go(func() { _, _ = git(t, home, "ls-remote", w.remote(w.token, repo)) }) // served or cut off, it ends
	require.NoError(t, w.Close())
	wg.Wait()
	_, err = os.Stat(dir)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.Error(t, w.post("repos/"+repo+"/issues/1/comments", body("x")))
}
