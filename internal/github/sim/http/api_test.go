package simhttp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
)

// The App requests itself, its installations and its webhook.
func TestTheAppAndItsInstallations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, w.AddUser("bob"))
	require.NoError(t, w.AddRepo(sim.Repo{Name: "bob/one", Files: map[string]string{"x": "x\n"}}))
	require.NoError(t, w.AddRepo(sim.Repo{Name: "bob/two"}))
	_, err := w.Install(sim.Installation{Owner: "bob", Repos: []string{"bob/elsewhere"}})
	require.Error(t, err)
	id, err := w.Install(sim.Installation{Owner: "bob", Repos: []string{"one"}})
	require.NoError(t, err)
	jwt := w.jwt(nil)
	require.Equal(t, w.Slug(), w.call("GET", "app", jwt, "").object()["slug"])
	require.Len(t, w.call("GET", "app/installations", jwt, "").list(), 2)
	one := w.call("GET", fmt.Sprintf("app/installations/%d", id), jwt, "")
	require.Equal(t, "selected", one.object()["repository_selection"])
	require.Equal(t, id, w.call("GET", "repos/bob/one/installation", jwt, "").id())
	w.refused(w.call("GET", "repos/bob/two/installation", jwt, ""), 404, "Not Found")
	w.refused(w.call("GET", "app/installations/1", jwt, ""), 404, "Not Found")
	require.NoError(t, w.Suspend("bob", true))
	require.NotNil(t, w.call("GET", fmt.Sprintf("app/installations/%d", id), jwt, "").object()["suspended_at"])
	w.SetHookURL("http://127.0.0.1:1/webhook")
	require.Equal(t, w.HookURL(), w.call("GET", "app/hook/config", jwt, "").object()["url"])
}

// Logins are case-insensitive, and not everybody who can read is a collaborator.
func TestUsersAndCollaborators(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, w.AddBot("other[bot]"))
	require.Error(t, w.AddBot("other"), "a bot's login says so")
	require.Error(t, w.AddUser("-x"))
	require.Error(t, w.AddUser("acme"), "an organisation is no person")
	require.Equal(t, "alice", w.as("GET", "users/ALICE", "").object()["login"])
	require.Equal(t, "Bot", w.as("GET", "users/other%5Bbot%5D", "").object()["type"])
	w.refused(w.as("GET", "users/nobody", ""), 404, "Not Found")
	require.Equal(t, 204, w.as("GET", "repos/"+repo+"/collaborators/alice", "").status)
	w.refused(w.as("GET", "repos/"+repo+"/collaborators/stranger", ""), 404, "Not Found")
}

// An issue and a pull request in the API, from opening to closing.
func TestThreadsThroughTheirLife(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	issue := func(n int) map[string]any {
		return w.as("GET", fmt.Sprintf("repos/%s/issues/%d", repo, n), "").object()
	}
	require.Nil(t, issue(w.issue)["pull_request"])
	require.NotNil(t, issue(w.pull)["pull_request"], "a pull request is an issue too")
	require.NoError(t, w.SetOpen(repo, w.issue, false))
	require.Equal(t, "closed", issue(w.issue)["state"])
	require.Equal(t, "completed", issue(w.issue)["state_reason"])
	require.NoError(t, w.SetOpen(repo, w.issue, true))
	require.Nil(t, issue(w.issue)["closed_at"])
	require.NoError(t, w.SetMergeable(repo, w.pull, nil, "unknown"))
	require.Nil(t, w.as("GET", fmt.Sprintf("repos/%s/pulls/%d", repo, w.pull), "").object()["mergeable"])
	require.NoError(t, w.DeleteBranch(repo, "feature"))
	require.Error(t, w.DeleteBranch(repo, "feature"))
	require.Equal(t, "closed", issue(w.pull)["state"])

	comment, err := w.Comment("alice", repo, w.issue, "mine")
	require.NoError(t, err)
	require.ErrorContains(t, w.EditComment("stranger", comment, "not mine"), "permission")
	require.NoError(t, w.DeleteComment("alice", comment))
	require.Empty(t, w.as("GET", fmt.Sprintf("repos/%s/issues/%d/comments", repo, w.issue), "").list())
}

// A review comment is edited and deleted like any other.
func TestAReviewCommentIsEditedAndDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, err := w.ReviewComment("alice", repo, w.pull, sim.Place{Path: "a.txt", Line: 20}, "hm")
	require.NoError(t, err)
	_, err = w.ReplyTo("alice", repo, w.pull, first, "well")
	require.NoError(t, err)
	_, err = w.ReplyTo("alice", repo, w.pull, 1, "where?")
	require.Error(t, err)
	theirs := fmt.Sprintf("repos/%s/pulls/comments/%d", repo, first)
	w.refused(w.as("PATCH", theirs, body("mine")), 403, "not accessible by integration")
	w.refused(w.as("DELETE", theirs, ""), 403, "not accessible by integration")
	require.Equal(t, "20", fmt.Sprint(w.as("GET", theirs, "").object()["line"]))
	_, err = w.Push(repo, "feature", map[string]string{"a.txt": fileA("changed again")}, "Change the line\n")
	require.NoError(t, err)
	require.Nil(t, w.as("GET", theirs, "").object()["line"], "it is outdated")
	require.ErrorContains(t, w.DeleteReviewComment("stranger", first), "no read permission")
	require.NoError(t, w.DeleteReviewComment("alice", first))
	w.refused(w.as("GET", theirs, ""), 404, "Not Found")

	own := w.as("POST", fmt.Sprintf("repos/%s/pulls/%d/comments", repo, w.pull),
		fmt.Sprintf(`{"body":"b","path":"a.txt","commit_id":%q,"line":20}`, w.head())).id()
	path := fmt.Sprintf("repos/%s/pulls/comments/%d", repo, own)
	w.refused(w.as("PATCH", path, body(strings.Repeat("x", 65537))), 422, "maximum is 65536 characters")
	w.refused(w.as("PATCH", path, body("")), 422, "blank")
	require.Equal(t, "new", w.as("PATCH", path, body("new")).object()["body"])
	require.Equal(t, 204, w.as("DELETE", path, "").status)
	w.refused(w.as("GET", path, ""), 404, "Not Found")
}

// A blob is returned unchanged.
func TestABlobComesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sha := w.as("POST", "repos/"+repo+"/git/blobs", `{"content":"héllo\n"}`).sha()
	o := w.as("GET", "repos/"+repo+"/git/blobs/"+sha, "").object()
	require.Equal(t, "aMOpbGxvCg==\n", o["content"])
	require.Equal(t, "base64", o["encoding"])
	require.Equal(t, "7", fmt.Sprint(o["size"]))
}
