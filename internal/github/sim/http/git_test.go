package simhttp_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Git over HTTP accepts a token as the password: 401 without one, 404 without access, 403 without the permission.
func TestGitWantsAToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	dir := t.TempDir()
	read := w.newToken(permissions(map[string]string{"contents": "read"}))
	issues := w.newToken(permissions(map[string]string{"issues": "write"}))
	refs := func(token, name string) string {
		out, err := git(t, dir, "ls-remote", w.remote(token, name))
		if err == nil {
			require.Contains(t, out, "refs/heads/main")
		}
		return out
	}
	require.Contains(t, refs("", repo), "terminal prompts disabled", "asked for a password")
	require.Contains(t, refs("ghs_wrong", repo), "Authentication failed")
	require.Contains(t, refs(w.token, "acme/nothing"), "not found")
	require.Contains(t, refs(issues, repo), "403")
	require.Contains(t, refs(read, repo), "refs/pull/1/head", "pull requests have refs")
	require.Contains(t, refs(read, "ACME/App"), "refs/heads/main", "names have no case")

	clone := w.clone("feature")
	commitFile(t, clone, "x", "x\n")
	out, err := git(t, clone, "push", w.remote(read, repo), "feature")
	require.Error(t, err)
	require.Contains(t, out, "Write access to repository not granted")
	require.NoError(t, w.Archive(repo, true))
	out, err = git(t, clone, "push", w.remote(w.token, repo), "feature")
	require.Error(t, err)
	require.Contains(t, out, "archived so it is read-only")
}

// Protocol v2, filters and any reachable commit, as on GitHub; the old dumb protocol is off.
func TestGitFetchesAsFromGitHub(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	dir := filepath.Join(t.TempDir(), "c")
	out, err := git(t, t.TempDir(), "-c", "protocol.version=2", "clone", "--quiet", "--depth=1", "--filter=blob:none",
		"--no-checkout", w.remote(w.token, repo), dir)
	require.NoError(t, err, out)
	require.NotContains(t, out, "filtering not recognized")
	commits, err := w.Commits(repo, "feature")
	require.NoError(t, err)
	out, err = git(t, dir, "fetch", "--quiet", "--depth=1", "origin", commits[0].SHA)
	require.NoError(t, err, out)

	req, err := http.NewRequestWithContext(t.Context(), "GET", w.GitURL()+repo+".git/info/refs", nil)
	require.NoError(t, err)
	req.SetBasicAuth("x-access-token", w.token)
	require.Equal(t, 403, w.send(req).status)
}

// A push moves the pull request; one that is not a fast-forward is rejected, and refs/pull cannot be pushed.
func TestAPushMovesThePullRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	clone := w.clone("feature")
	commitFile(t, clone, "x", "x\n")
	out, err := git(t, clone, "push", "origin", "feature")
	require.NoError(t, err, out)
	commits, err := w.Commits(repo, "feature")
	require.NoError(t, err)
	pull := w.as("GET", "repos/"+repo+"/pulls/1", "").object()
	require.Equal(t, commits[0].SHA, pull["head"].(map[string]any)["sha"])
	require.Equal(t, commits[0].SHA, w.as("GET", "repos/"+repo+"/git/ref/pull/1/head",
		"").object()["object"].(map[string]any)["sha"])

	_, err = w.Push(repo, "feature", map[string]string{"y": "y\n"}, "Meanwhile\n")
	require.NoError(t, err)
	commitFile(t, clone, "z", "z\n")
	out, err = git(t, clone, "push", "origin", "feature")
	require.Error(t, err)
	require.Contains(t, out, "[rejected]")

	out, err = git(t, clone, "push", "origin", "HEAD:refs/pull/1/head")
	require.Error(t, err)
	require.Contains(t, out, "deny updating a hidden ref")
}

// "GH006: Protected branch update failed", and beside the ref "protected branch hook declined". Other refs of the same
// push are taken.
func TestAProtectedBranchRefusesAPushInGitHubsWords(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	require.NoError(t, w.Protect(repo, "feature", "Changes must be made through a pull request."))
	clone := w.clone("feature")
	commitFile(t, clone, "x", "x\n")
	out, err := git(t, clone, "push", "origin", "feature", "HEAD:refs/heads/other")
	require.Error(t, err)
	require.Contains(t, out, "remote: error: GH006: Protected branch update failed for refs/heads/feature.")
	require.Contains(t, out, "Changes must be made through a pull request.")
	require.Contains(t, out, "(protected branch hook declined)")
	require.Contains(t, out, "[new branch]")
	commits, err := w.Commits(repo, "feature")
	require.NoError(t, err)
	require.Len(t, commits, 2, "nothing moved")

	require.NoError(t, w.Rule(repo, "feature", "Commits must have verified signatures."))
	out, err = git(t, clone, "push", "origin", "feature")
	require.Error(t, err)
	require.Contains(t, out, "remote: error: GH013: Repository rule violations found for refs/heads/feature.")
	require.Contains(t, out, "remote: - Commits must have verified signatures.")
	require.Contains(t, out, "(push declined due to repository rule violations)")
}

// "refusing to allow a GitHub App to create or update workflow … without `workflows` permission", also in a new
// branch.
func TestAnAppCannotTouchWorkflows(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	clone := w.clone("feature")
	commitFile(t, clone, ".github/workflows/ci.yml", "on: push\n")
	for _, to := range []string{"feature", "HEAD:refs/heads/new"} {
		out, err := git(t, clone, "push", "origin", to)
		require.Error(t, err)
		require.Contains(t, out, "refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` "+
			"without `workflows` permission")
	}
}

// "GH002: Sorry, branch or tag names consisting of 40 hex characters are not allowed."
func TestABranchIsNotNamedLikeACommit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	out, err := git(t, w.clone("feature"), "push", "origin", "HEAD:refs/heads/"+strings.Repeat("a1", 20))
	require.Error(t, err)
	require.Contains(t, out, "GH002")
}

// A fork's branch is in refs/pull of its base; the App may not push to a fork on which it is not installed.
func TestAPullRequestFromAFork(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	require.NoError(t, w.AddUser("bob"))
	require.NoError(t, w.SetRole(repo, "bob", entity.RoleRead))
	fork, err := w.Fork(repo, "bob")
	require.NoError(t, err)
	sha, err := w.Push(fork, "idea", map[string]string{"x": "x\n"}, "An idea\n")
	require.NoError(t, err)
	n, err := w.OpenPull(sim.Pull{As: "bob", Repo: repo, Title: "An idea", Head: "bob:idea"})
	require.NoError(t, err)
	out, err := git(t, t.TempDir(), "ls-remote", w.remote(w.token, repo), "refs/pull/*")
	require.NoError(t, err)
	require.Contains(t, out, sha+"\trefs/pull/3/head")
	pull := w.as("GET", "repos/"+repo+"/pulls/3", "").object()
	require.Equal(t, true, pull["maintainer_can_modify"])
	require.Equal(t, "bob/app", pull["head"].(map[string]any)["repo"].(map[string]any)["full_name"])
	require.NoError(t, w.AllowEdits(repo, n, false))
	out, err = git(t, w.clone("feature"), "push", w.remote(w.token, fork), "HEAD:idea")
	require.Error(t, err)
	require.Contains(t, out, "not found", "a private fork is not there")

	require.NoError(t, w.DeleteRepo(fork))
	require.Nil(t, w.as("GET", "repos/"+repo+"/pulls/3", "").object()["head"].(map[string]any)["repo"])
	require.Equal(t, 3, n)
}

// Deleting a pull request's branch closes it.
func TestABranchThatGoesClosesItsPullRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	out, err := git(t, w.clone("feature"), "push", "origin", ":feature")
	require.NoError(t, err, out)
	pull := w.as("GET", "repos/"+repo+"/pulls/1", "").object()
	require.Equal(t, "closed", pull["state"])
	require.Equal(t, false, pull["merged"])
}

// A local repository is copied, and not changed.
func TestACopyOfALocalRepository(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	dir := t.TempDir()
	_, err := git(t, dir, "init", "--quiet", "--initial-branch=trunk")
	require.NoError(t, err)
	require.Error(t, w.AddRepo(sim.Repo{Name: "acme/empty", From: dir}), "no commit yet")
	commitFile(t, dir, "file", "content\n")
	before, err := git(t, dir, "for-each-ref")
	require.NoError(t, err)
	require.NoError(t, w.AddRepo(sim.Repo{Name: "acme/copy", From: dir}))
	_, err = w.Push("acme/copy", "trunk", map[string]string{"file": "changed\n"}, "Change\n")
	require.NoError(t, err)
	require.Equal(t, "trunk", w.as("GET", "repos/acme/copy", "").object()["default_branch"])
	after, err := git(t, dir, "for-each-ref")
	require.NoError(t, err)
	require.Equal(t, before, after)
	out, err := git(t, dir, "status", "--porcelain")
	require.NoError(t, err)
	require.Empty(t, out)
	data, err := w.File("acme/copy", "trunk", "file")
	require.NoError(t, err)
	require.Equal(t, "changed\n", string(data))
}
