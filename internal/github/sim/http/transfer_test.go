package simhttp_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
)

// unfollowed sends a request and follows no redirect.
func (w *world) unfollowed(method, path, token, body string) reply {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.APIURL()+path, strings.NewReader(body))
	require.NoError(w.t, err)
	req.Header.Set("User-Agent", "sim")
	req.Header.Set("Authorization", "Bearer "+token)
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return w.sendBy(&client, req)
}

// redirected requires a redirect to a path of the API.
func (w *world) redirected(r reply, status int, to string) {
	w.t.Helper()
	require.Equal(w.t, status, r.status, r.text)
	require.Equal(w.t, w.APIURL()+to, r.header.Get("Location"))
	require.Equal(w.t, w.APIURL()+to, r.object()["url"])
}

// A renamed repository is found by its id, and its old name redirects there: 301, or 307 to keep the method.
func TestARenamedRepository(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	id := w.as("GET", "repos/"+repo, "").id()
	old := w.remote(w.token, repo)
	w.clone("feature")
	require.NoError(t, w.RenameRepo(repo, "new"))
	byID := fmt.Sprintf("repositories/%d", id)
	require.Equal(t, "acme/new", w.as("GET", byID, "").object()["full_name"])
	require.Equal(t, 200, w.as("GET", byID+"/issues/2/comments?per_page=1", "").status)
	w.redirected(w.unfollowed("GET", "repos/"+repo, w.token, ""), 301, byID)
	w.redirected(w.unfollowed("GET", "repos/"+repo+"/contents/dir/b.txt?ref=feature", w.token, ""), 301,
		byID+"/contents/dir/b.txt?ref=feature")
	w.redirected(w.unfollowed("POST", "repos/"+repo+"/issues/2/comments", w.token, `{"body":"b"}`), 307,
		byID+"/issues/2/comments")
	r := w.as("POST", "repos/"+repo+"/issues/2/comments", `{"body":"b"}`)
	require.Equal(t, 201, r.status, r.text)
	require.Contains(t, r.object()["html_url"], "/acme/new/issues/2")
	narrow := w.newToken(map[string]any{"repositories": []string{"new"},
		"permissions": map[string]string{"issues": "read"}})
	w.refused(w.call("POST", byID+"/issues/2/comments", narrow, `{"body":"b"}`), 403, "not accessible by integration")
	w.refused(w.as("GET", "repositories/1", ""), 404, "Not Found")
	data := w.succeeds(w.ask(w.token, `{repository(owner:"acme",name:"app"){nameWithOwner}}`, nil))
	require.Equal(t, "acme/new", data["repository"].(map[string]any)["nameWithOwner"])
	w.fails(w.ask(w.token, `{repository(owner:"acme",name:"app",followRenames:false){id}}`, nil), "NOT_FOUND",
		"Could not resolve")

	dir := filepath.Join(t.TempDir(), "clone")
	out, err := git(t, t.TempDir(), "clone", "--branch", "feature", old, dir)
	require.NoError(t, err, out)
	require.Contains(t, out, "redirecting to")
	commitFile(t, dir, "x", "x\n")
	out, err = git(t, dir, "push", "origin", "feature")
	require.NoError(t, err, out)

	require.NoError(t, w.AddRepo(sim.Repo{Name: repo, Files: map[string]string{"x": "x\n"}}))
	require.NotEqual(t, id, w.as("GET", "repos/"+repo, "").id(), "the name was taken again")
	require.ErrorContains(t, w.RenameRepo(repo, "new"), "exists already")
}

// A repository of a new owner is not found by the installation of the old one.
func TestARepositoryThatChangedHands(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	require.NoError(t, w.AddUser("bob"))
	id := w.as("GET", "repos/"+repo, "").id()
	require.NoError(t, w.RenameRepo(repo, "bob/app"))
	w.refused(w.as("GET", "repos/"+repo, ""), 404, "Not Found")
	w.refused(w.as("GET", fmt.Sprintf("repositories/%d", id), ""), 404, "Not Found")
	out, err := git(t, t.TempDir(), "ls-remote", w.remote(w.token, repo))
	require.Error(t, err)
	require.Contains(t, out, "not found")
}

// "If the issue was transferred to another repository, the API returns a 301 Moved Permanently status"; its comments
// are transferred too.
func TestAnIssueIsTransferred(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, w.AddRepo(sim.Repo{Name: "acme/other", Files: map[string]string{"x": "x\n"}}))
	comment, err := w.Comment("alice", repo, w.issue, "hello")
	require.NoError(t, err)
	own := w.token
	narrow := w.newToken(map[string]any{"repositories": []string{"app"}})
	_, err = w.TransferIssue(repo, w.pull, "other")
	require.ErrorContains(t, err, "cannot transfer")
	in := w.subscribe()
	n, err := w.TransferIssue(repo, w.issue, "other")
	require.NoError(t, err)
	require.Equal(t, 1, n)
	w.WaitDeliveries()
	require.Len(t, in.bodies, 2)

	other := w.as("GET", "repos/acme/other", "").id()
	path := fmt.Sprintf("repos/%s/issues/%d", repo, w.issue)
	w.redirected(w.unfollowed("GET", path, own, ""), 301, fmt.Sprintf("repositories/%d/issues/1", other))
	w.redirected(w.unfollowed("POST", path+"/comments", own, `{"body":"b"}`), 301,
		fmt.Sprintf("repositories/%d/issues/1/comments", other))
	w.refused(w.unfollowed("GET", path, narrow, ""), 404, "Not Found")
	require.Equal(t, "A bug", w.as("GET", path, "").object()["title"])
	w.refused(w.as("GET", fmt.Sprintf("repos/%s/issues/comments/%d", repo, comment), ""), 404, "Not Found")
	require.Equal(t, "hello", w.as("GET", fmt.Sprintf("repos/acme/other/issues/comments/%d", comment),
		"").object()["body"])
	require.Len(t, w.as("GET", "repos/"+repo+"/issues", "").list(), 1, "the pull request")
	_, err = w.Comment("alice", repo, w.issue, "too late")
	require.Error(t, err)
}
