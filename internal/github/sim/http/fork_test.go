package simhttp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// forked opens a pull request from a fork's branch, and returns a clone of that branch and its number.
func (w *world) forked(owner string) (clone string, number int) {
	w.t.Helper()
	require.NoError(w.t, w.SetRole(repo, "alice", entity.RoleWrite))
	fork, err := w.Fork(repo, owner)
	require.NoError(w.t, err)
	_, err = w.Push(fork, "idea", map[string]string{"x": "x\n"}, "An idea\n")
	require.NoError(w.t, err)
	number, err = w.OpenPull(sim.Pull{As: "alice", Repo: repo, Title: "An idea", Head: owner + ":idea"})
	require.NoError(w.t, err)
	clone = w.clone("main")
	out, err := git(w.t, clone, "fetch", "--quiet", "origin", "refs/pull/3/head")
	require.NoError(w.t, err, out)
	out, err = git(w.t, clone, "checkout", "--quiet", "FETCH_HEAD")
	require.NoError(w.t, err, out)
	commitFile(w.t, clone, "y", "y\n")
	return clone, number
}

// "Allow edits from maintainers": a token of the base pushes to the branch of the pull request, and to no other.
func TestAForkLendsItsBranch(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	require.NoError(t, w.AddUser("bob"))
	clone, n := w.forked("bob")
	fork := "bob/app"
	push := func(token, to string) (string, error) {
		return git(t, clone, "push", w.remote(token, fork), "HEAD:refs/heads/"+to)
	}
	out, err := push(w.token, "other")
	require.Error(t, err)
	require.Contains(t, out, "permission denied")
	out, err = push(w.newToken(permissions(map[string]string{"contents": "read"})), "idea")
	require.Error(t, err)
	require.Contains(t, out, "403")
	require.NoError(t, w.RefuseMaintainers(fork, true))
	_, err = push(w.token, "idea")
	require.Error(t, err)
	require.NoError(t, w.RefuseMaintainers(fork, false))
	require.NoError(t, w.AllowEdits(repo, n, false))
	_, err = push(w.token, "idea")
	require.Error(t, err)
	require.NoError(t, w.AllowEdits(repo, n, true))
	require.NoError(t, w.SetOpen(repo, n, false))
	_, err = push(w.token, "idea")
	require.Error(t, err, "a closed pull request lends nothing")
	require.NoError(t, w.SetOpen(repo, n, true))
	in := w.subscribe()
	out, err = push(w.token, "idea")
	require.NoError(t, err, out)
	w.WaitDeliveries()
	delivered := in.lastOf(t, "pull_request")
	require.Equal(t, "synchronize", delivered["action"])

	head := w.as("GET", "repos/"+repo+"/pulls/3", "").object()["head"].(map[string]any)["sha"].(string)
	r := w.as("POST", "repos/"+repo+"/check-runs",
		checkBody(head, `,"external_id":"run-1","actions":[{"label":"Undo","description":"d","identifier":"undo"}]`))
	require.Equal(t, 201, r.status, r.text)
	require.NoError(t, w.PressButton("alice", r.id(), "undo"))
	delivered = in.lastOf(t, "check_run")
	require.Equal(t, map[string]any{"identifier": "undo"}, delivered["requested_action"])
	run := delivered["check_run"].(map[string]any)
	require.Equal(t, "run-1", run["external_id"])
	require.Equal(t, head, run["head_sha"])
	require.Empty(t, run["pull_requests"], "a fork's pull requests are not named")
}

// "… on pull requests from user-owned forks": an organisation's fork allows none.
func TestAnOrganisationsForkLendsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	require.NoError(t, w.AddOrg("guild", "alice"))
	clone, n := w.forked("guild")
	require.Equal(t, false, w.as("GET", "repos/"+repo+"/pulls/3", "").object()["maintainer_can_modify"])
	_, err := git(t, clone, "push", w.remote(w.token, "guild/app"), "HEAD:refs/heads/idea")
	require.Error(t, err)
	require.ErrorContains(t, w.AllowEdits(repo, n, true), "people only")
}
