package simhttp_test

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // the trailer of a pack
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
)

// rawGit sends one git request without git.
func (w *world) rawGit(method, path, token string, body []byte) reply {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.GitURL()+path, bytes.NewReader(body))
	require.NoError(w.t, err)
	if token != "" {
		req.SetBasicAuth("x-access-token", token)
	}
	if service, isPost := strings.CutPrefix(path, repo+".git/"); isPost && method == "POST" {
		req.Header.Set("Content-Type", "application/x-"+service+"-request")
	}
	return w.send(req)
}

// move requests the move of a ref with any old id, with an empty pack.
func (w *world) move(ref, from, to string) reply {
	w.t.Helper()
	line := fmt.Sprintf("%s %s %s\x00 report-status", from, to, ref)
	pack := []byte("PACK\x00\x00\x00\x02\x00\x00\x00\x00")
	sum := sha1.Sum(pack) //nolint:gosec // as above
	body := append(fmt.Appendf(nil, "%04x%s0000", len(line)+4, line), append(pack, sum[:]...)...)
	return w.rawGit("POST", repo+".git/git-receive-pack", w.token, body)
}

// Git's errors are plain text: 401 asks for basic auth, 404 is "Repository not found.", 403 says which access is
// missing.
func TestWhatGitIsToldBeforeAnythingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	require.NoError(t, w.AddUser("bob"))
	require.NoError(t, w.AddRepo(sim.Repo{Name: "bob/open", Public: true, Files: map[string]string{"x": "x\n"}}))
	read := w.newToken(permissions(map[string]string{"contents": "read"}))
	for _, c := range []struct {
		path, token string
		status      int
		text        string
	}{
		{repo + ".git/info/refs?service=git-upload-pack", "", 401, "Authentication required"},
		{"acme/nothing.git/info/refs?service=git-upload-pack", "", 401, "Authentication required"},
		{repo + ".git/info/refs?service=git-upload-pack", "ghs_wrong", 401, "Invalid username or token"},
		{"acme/nothing.git/info/refs?service=git-upload-pack", w.token, 404, "Repository not found."},
		{repo + ".git/info/refs?service=git-receive-pack", read, 403, "Write access to repository not granted."},
		{repo + ".git/info/refs?service=git-else", w.token, 403, "dumb-http"},
		{"bob/open.git/info/refs?service=git-upload-pack", "", 200, "refs/heads/main"},
		{"bob/open.git/info/refs?service=git-receive-pack", "", 401, "Authentication required"},
		{"bob/open.git/info/refs?service=git-receive-pack", w.token, 403, "denied to tenon[bot]"},
	} {
		r := w.rawGit("GET", c.path, c.token, nil)
		require.Equal(t, c.status, r.status, "%s: %s", c.path, r.text)
		require.Contains(t, r.text, c.text)
		if c.status == 401 {
			require.Equal(t, `Basic realm="GitHub"`, r.header.Get("WWW-Authenticate"))
		}
	}
}

// A push contains the old commit of the branch: with another one nothing is moved, with the right one the branch can
// even move back.
func TestAPushIsACompareAndSwap(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	commits, err := w.Commits(repo, "feature")
	require.NoError(t, err)
	tip, parent := commits[0].SHA, commits[0].Parents[0]
	const ref = "refs/heads/feature"
	r := w.move(ref, parent, tip)
	require.Equal(t, 200, r.status)
	require.Contains(t, r.text, "ng "+ref, "it is not where it was said to be")
	require.Contains(t, w.move("refs/heads/new", tip, parent).text, "ng refs/heads/new", "nor is it there at all")
	require.Contains(t, w.move(ref, strings.Repeat("0", 40), parent).text, "ng "+ref, "nor absent")
	require.Equal(t, tip, w.head())
	require.Contains(t, w.move(ref, tip, strings.Repeat("a", 40)).text, "ng "+ref, "a commit that nobody brought")
	require.Contains(t, w.move("refs/pull/1/head", tip, parent).text, "ng refs/pull/1/head deny updating a hidden ref")
	require.Contains(t, w.move(ref, tip, parent).text, "ok "+ref, "that is what a forced push is")
	require.Equal(t, parent, w.head())
}

// A pull request that merged its base shows only its own changes.
func TestAPullRequestThatTakesInItsBase(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	_, err := w.Push(repo, "main", map[string]string{"elsewhere": "x\n"}, "On the base\n")
	require.NoError(t, err)
	clone := w.clone("feature")
	out, err := git(t, clone, "merge", "--quiet", "--no-edit", "origin/main")
	require.NoError(t, err, out)
	out, err = git(t, clone, "push", "--quiet", "origin", "feature")
	require.NoError(t, err, out)
	require.Len(t, w.as("GET", fmt.Sprintf("repos/%s/pulls/%d/files", repo, w.pull), "").list(), 1)
	require.Len(t, w.as("GET", fmt.Sprintf("repos/%s/pulls/%d/commits", repo, w.pull), "").list(), 2)
}
