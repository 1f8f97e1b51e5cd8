package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// A job has the permissions that its workflow names, and none of them writes for a fork.
func TestThePermissionsOfAJob(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct {
		job JobToken
		has map[string]string // nil if there is no such token
	}{
		{JobToken{}, map[string]string{"contents": "read", "packages": "read"}},
		{JobToken{Permissions: map[string]string{}}, map[string]string{}},
		{JobToken{Permissions: map[string]string{"pull-requests": "write", "checks": "none"}},
			map[string]string{"pull_requests": "write"}},
		{JobToken{Permissions: map[string]string{"contents": "write"}, FromFork: true},
			map[string]string{"contents": "read"}},
		{JobToken{Permissions: map[string]string{"workflows": "write"}}, nil},
		{JobToken{Permissions: map[string]string{"contents": "admin"}}, nil},
	} {
		c.job.Repo = repo
		value, err := w.NewJobToken(c.job)
		if c.has == nil {
			require.ErrorContains(t, err, "no permission")
			continue
		}
		c.has["metadata"] = "read"
		token := number(w.CheckToken(value))(t)
		require.Equal(t, c.has, token.Permissions)
		require.Equal(t, "github-actions[bot]", w.SenderOf(token).Login)
		require.Equal(t, []*entity.Repository{w.repo()}, Apps{w.core}.ReposOf(token))
	}
	require.EqualValues(t, 41898282, w.user("github-actions[bot]").ID)
	require.NoError(t, w.AllowJobsToOpenPulls(repo, true))
	require.True(t, w.core.State.TokensOf.Pulls[w.repo()])
	require.Equal(t, "github-actions", w.AddComment(w.thread(w.issue), w.user("github-actions[bot]"), "x").OtherApp)
	require.True(t, w.AddComment(w.thread(w.issue), w.SenderOf(nil), "x").ViaApp)
}

// A person's token has the person's access: whoever can read can comment.
func TestAPersonsTokenMayNoMoreThanThePerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := map[string]string{"contents": "write", "issues": "write", "pull_requests": "write"}
	for login, writes := range map[string]bool{"none": false, "triage": false, "write": true, "owner": true} {
		token := number(w.CheckToken(number(w.NewPersonalToken(login, all))(t)))(t)
		require.Equal(t, login != "none", token.Covers(w.repo()), login)
		require.Equal(t, writes, w.MayWrite(token, w.repo(), "contents"), login)
		require.True(t, w.MayWrite(token, w.repo(), "issues"))
		require.True(t, w.MayWrite(token, w.repo(), "pull_requests"))
		require.False(t, w.MayWrite(token, w.repo(), "checks"), "it was not chosen")
		require.Equal(t, login, w.SenderOf(token).Login)
	}
}

func TestTokensEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for value, life := range map[string]time.Duration{number(w.NewJobToken(JobToken{Repo: repo}))(t): 24 * time.Hour,
		number(w.NewPersonalToken("read", nil))(t): 365 * 24 * time.Hour} {
		began := w.now
		w.now = began.Add(life - time.Second)
		token := number(w.CheckToken(value))(t)
		token.Installation.Suspended = &w.now
		require.ErrorContains(t, failed(w.CheckToken(value)), "403 This installation has been suspended")
		token.Installation.Suspended = nil
		w.now = began.Add(life)
		require.ErrorContains(t, failed(w.CheckToken(value)), "401 Bad credentials")
		w.now = began
		w.EndToken(value)
		require.ErrorContains(t, failed(w.CheckToken(value)), "401 Bad credentials")
	}
	require.Regexp(t, "^ghs_[A-Z2-7]{36}$", NewTokenValue())
}

// An account has one installation, of some repositories or all; the App hears of each change.
func TestTheLifeOfAnInstallation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, w.AddRepo(Repo{Name: "acme/aaa"}))
	require.NoError(t, w.AddRepo(Repo{Name: "read/own"}))
	require.Error(t, failed(w.Install(Installation{Owner: "acme", Repos: []string{"read/own"}})), "of another owner")
	require.ErrorContains(t, w.Suspend("acme", true), "not installed")
	id := number(w.Install(Installation{Owner: "acme", Repos: []string{"app"}}))(t)
	in := w.core.State.Installations[id]
	require.Equal(t, []*entity.Repository{w.repo()}, w.Covered(in))
	require.Equal(t, map[string]string{"checks": "write", "contents": "write", "metadata": "read"}, in.Permissions)
	granted := map[string]string{"issues": "read"}
	require.Equal(t, id, number(w.Install(Installation{Owner: "ACME", Permissions: granted}))(t))
	require.Equal(t, "app", w.Covered(in)[0].Name, "the oldest first")
	require.Equal(t, "aaa", w.ReposOf(&entity.Token{Installation: in})[0].Name, "by name")
	require.Equal(t, map[string]string{"issues": "read", "metadata": "read"}, in.Permissions)
	require.NoError(t, w.AcceptPermissions("acme"))
	require.Equal(t, "write", in.Permissions["checks"])
	require.NoError(t, w.Suspend("acme", true))
	require.Nil(t, w.core.State.InstallationFor(w.repo()))
	require.NoError(t, w.Suspend("acme", false))
	require.Same(t, in, w.core.State.InstallationFor(w.repo()))
	for _, end := range []func(string) error{w.RevokeTokens, w.Uninstall} {
		w.core.State.Tokens["ghs"] = &entity.Token{Installation: in, Expires: w.now.Add(time.Hour)}
		kept := number(w.NewPersonalToken("read", nil))(t)
		require.NoError(t, end("acme"))
		require.Error(t, failed(w.CheckToken("ghs")))
		require.NoError(t, failed(w.CheckToken(kept)))
	}
	require.Nil(t, w.core.State.InstallationOf(w.user("acme")))
	require.Equal(t, []string{"app created acme", "app covers acme",
		"app new_permissions_accepted acme", "app suspend acme", "app unsuspend acme",
		"app deleted acme"}, w.told())
}
