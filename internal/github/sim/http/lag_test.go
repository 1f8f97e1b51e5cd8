package simhttp_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/http/hook"
)

// pullHead is the head of a pull request by the API.
func (w *world) pullHead(number string) any {
	w.t.Helper()
	return w.as("GET", "repos/"+repo+"/pulls/"+number, "").object()["head"].(map[string]any)["sha"]
}

// lsRemote is what git shows of a repository's refs.
func (w *world) lsRemote(name, refs string) string {
	w.t.Helper()
	out, err := git(w.t, w.t.TempDir(), "ls-remote", w.remote(w.token, name), refs)
	require.NoError(w.t, err, out)
	return out
}

func TestWhatIsDerivedFromABranchLagsBehindAPush(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	before := w.pullHead("1")
	require.NoError(t, w.Lag(repo, true))
	w.subscribe()
	pushed, err := w.Push(repo, "feature", map[string]string{"x": "x\n"}, "Late\n")
	require.NoError(t, err)
	newest := func(rev string) any {
		return w.as("GET", "repos/"+repo+"/commits?sha="+rev, "").list()[0].(map[string]any)["sha"]
	}

	synchronized := func() []hook.Delivery {
		return slices.DeleteFunc(w.Deliveries(), func(d hook.Delivery) bool { return d.Event != "pull_request" })
	}

	require.Contains(t, w.lsRemote(repo, "refs/heads/feature"), pushed, "git shows the branch as it is")
	require.Equal(t, before, w.pullHead("1"))
	require.NotContains(t, w.lsRemote(repo, "refs/pull/1/head"), pushed)
	require.Equal(t, before, newest("feature"))
	require.Equal(t, before, newest(before.(string)), "what was there is known")
	w.refused(w.as("GET", "repos/"+repo+"/commits?sha="+pushed, ""), 404, "Not Found")
	require.Empty(t, synchronized())

	require.NoError(t, w.Lag(repo, false))
	require.Equal(t, pushed, w.pullHead("1"))
	require.Contains(t, w.lsRemote(repo, "refs/pull/1/head"), pushed)
	require.Equal(t, pushed, newest("feature"))
	require.Equal(t, pushed, newest(pushed))
	require.Len(t, synchronized(), 1)
	require.Error(t, w.Lag("acme/nothing", true))
}

func TestAPullRequestFromAForkLagsBehindTheFork(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	require.NoError(t, w.AddUser("bob"))
	w.forked("bob")
	before := w.pullHead("3")
	require.NoError(t, w.Lag(repo, true))
	pushed, err := w.PushFiles("bob/app", "idea", map[string]sim.File{"z": {Content: "z\n"}}, "Late\n")
	require.NoError(t, err)
	commits, err := w.Commits("bob/app", "idea")
	require.NoError(t, err)
	require.Equal(t, pushed, commits[0].SHA)
	require.Equal(t, before, w.pullHead("3"))
	require.NotContains(t, w.lsRemote(repo, "refs/pull/3/head"), pushed)
	require.NoError(t, w.Lag(repo, false))
	require.Equal(t, pushed, w.pullHead("3"))
	require.Contains(t, w.lsRemote(repo, "refs/pull/3/head"), pushed)
}

func TestTokensOfAnInstallationAreRevoked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, w.RevokeTokens("acme"))
	w.refused(w.as("GET", "repos/"+repo, ""), 401, "Bad credentials")
	w.token = w.newToken(nil)
	require.Equal(t, 200, w.as("GET", "repos/"+repo, "").status)
	require.Error(t, w.RevokeTokens("nobody"))
}
