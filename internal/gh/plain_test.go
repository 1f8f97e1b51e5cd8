package gh_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh"
	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// usual are the permissions that a workflow for this program names.
func usual() map[string]string {
	return map[string]string{"contents": "write", "issues": "write", "pull-requests": "write", "checks": "write",
		"statuses": "read", "actions": "read"}
}

// with returns a client with a plain token, and the repository as events of GitHub Actions name it: without an
// installation.
func (w *world) with(t *testing.T, token string) (*gh.Client, port.RepoRef) {
	t.Helper()
	c, err := gh.New(gh.Options{Token: token, APIURL: w.APIURL(), Now: w.clock.Now, Sleep: w.clock.Sleep})
	require.NoError(t, err)
	repo := w.repo
	repo.Installation = 0
	return c, repo
}

func (w *world) job(t *testing.T, permissions map[string]string) (*gh.Client, port.RepoRef) {
	t.Helper()
	token, err := w.NewJobToken(sim.JobToken{Repo: w.repo.String(), Permissions: permissions})
	require.NoError(t, err)
	return w.with(t, token)
}

func TestAJobOfGitHubActionsAnswersAndCommits(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	w := newWorld(t)
	c, repo := w.job(t, usual())
	me, err := c.Account(ctx)
	require.NoError(t, err)
	require.Equal(t, port.User{ID: 41898282, Login: "github-actions[bot]", Bot: true}, me)
	may, err := c.Permission(ctx, repo, "mona")
	require.NoError(t, err)
	require.Equal(t, port.PermissionWrite, may)

	said, err := c.Post(ctx, repo, conversation(w.pull), "at it <!-- mark -->")
	require.NoError(t, err)
	found, ok, err := c.FindComment(ctx, repo, conversation(w.pull), "mark", time.Time{})
	require.NoError(t, err)
	require.True(t, ok, "its own comment")
	require.Equal(t, "github-actions[bot]", found.Author.Login)
	require.NoError(t, c.Edit(ctx, repo, w.pull, said, "done"))
	require.NoError(t, c.React(ctx, repo, said, port.ReactionRocket))

	for _, mode := range []string{"100644", "100755"} { // by one request, and in steps
		_, err = c.Upload(ctx, repo, w.onBranch(t, "feature/x", port.Change{Path: "run" + mode, Mode: mode,
			Data: []byte("go\n")}))
		require.NoError(t, err)
	}
	commits, err := w.Commits(w.repo.String(), "feature/x")
	require.NoError(t, err)
	for _, made := range commits[:2] {
		require.Equal(t, "github-actions[bot]", made.Author)
		require.True(t, made.Verified)
	}
}

func TestAJobsCheckRunIsToldFromTheJobsOfItsApp(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	w := newWorld(t)
	c, repo := w.job(t, usual())
	pull, err := c.PullRequest(ctx, repo, w.pull)
	require.NoError(t, err)
	id, err := c.CreateCheck(ctx, repo, port.Check{Name: port.CheckName, SHA: pull.Head.SHA, Status: "in_progress"})
	require.NoError(t, err)
	require.NoError(t, c.UpdateCheck(ctx, repo, id, port.Check{Status: "completed", Conclusion: "success"}))
	ci := w.CI(w.repo.String(), pull.Head.SHA)
	require.NoError(t, ci.Starts("build", "tenon"))
	checks, err := c.CommitChecks(ctx, repo, pull.Head.SHA)
	require.NoError(t, err)
	require.Len(t, checks.Checks, 2, "a job may have the name of the check run")

	token, err := c.Token(ctx, repo, false)
	require.NoError(t, err)
	part, err := gh.New(gh.Options{Token: token, APIURL: w.APIURL(), WorkflowRun: checks.Checks[0].WorkflowRun})
	require.NoError(t, err)
	checks, err = part.CommitChecks(ctx, repo, pull.Head.SHA)
	require.NoError(t, err)
	require.Empty(t, checks.Checks, "nobody waits for a job that waits for them")
}

func TestWhatAJobMayNotReadOfCIIsNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, repo := w.job(t, map[string]string{"contents": "read", "pull-requests": "read"})
	pull, err := c.PullRequest(t.Context(), repo, w.pull)
	require.NoError(t, err)
	checks, err := c.CommitChecks(t.Context(), repo, pull.Head.SHA)
	require.NoError(t, err)
	require.Equal(t, []string{"checks: read", "statuses: read"}, checks.Missing)
}

func TestATokenOfAPersonActsAsThatPerson(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	w := newWorld(t)
	token, err := w.NewPersonalToken("mona", map[string]string{"contents": "write", "issues": "write",
		"pull_requests": "write"})
	require.NoError(t, err)
	c, repo := w.with(t, token)
	me, err := c.Account(ctx)
	require.NoError(t, err)
	require.Equal(t, "mona", me.Login)
	require.False(t, me.Bot)
	_, err = c.Post(ctx, repo, conversation(w.pull), "at it <!-- mark -->")
	require.NoError(t, err)
	found, ok, err := c.FindComment(ctx, repo, conversation(w.pull), "mark", time.Time{})
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "mona", found.Author.Login)
	_, err = c.CreateCheck(ctx, repo, port.Check{Name: port.CheckName, SHA: w.tip(t, "feature/x").SHA})
	require.ErrorIs(t, err, port.ErrDenied, "check runs are made by Apps")
}

func TestATokenThatGitHubDoesNotAcceptIsRefusedForGood(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	w := newWorld(t)
	c, repo := w.job(t, usual())
	token, err := c.Token(ctx, repo, true)
	require.NoError(t, err)
	w.EndToken(token)
	for _, ask := range []func() error{
		func() error { return c.Identify(ctx) },
		func() error { _, err := c.PullRequest(ctx, repo, w.pull); return err },
	} {
		err := ask()
		require.ErrorIs(t, err, port.ErrDenied)
		require.ErrorContains(t, err, "GitHub does not accept the token: it expired, was revoked, or is for another server")
		var wait *port.WaitError
		require.NotErrorAs(t, err, &wait, "it would be refused again")
		require.NotContains(t, err.Error(), token)
	}
	require.Len(t, w.Requests(), 1, "it is not sent twice")
}

func TestWithoutAnAppNothingIsAskedInItsName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, _ := w.job(t, usual())
	_, err := c.App(t.Context())
	require.ErrorContains(t, err, "this needs a GitHub App, and there is only a token")
	_, _, err = c.Installations(t.Context())
	require.ErrorContains(t, err, "this needs a GitHub App")
	require.Empty(t, w.Requests())
}

func TestATokenWithASpaceIsNoToken(t *testing.T) {
	t.Parallel()
	for _, token := range []string{"ghs_x\n", " ghs_x", "ghs_ä"} {
		_, err := gh.New(gh.Options{Token: token})
		require.ErrorContains(t, err, "it must be the token alone")
		require.NotContains(t, err.Error(), "ghs")
	}
}

func TestARefusalNamesTheLineThatTheWorkflowLacks(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	w := newWorld(t)
	c, repo := w.job(t, map[string]string{"contents": "read", "pull-requests": "read"})
	change := w.onBranch(t, "feature/x", port.Change{Path: "a", Mode: "100644", Data: []byte("a\n")})
	inSteps := w.onBranch(t, "feature/x", port.Change{Path: "a", Mode: "100755", Data: []byte("a\n")})
	for what, c := range map[string]struct {
		do    func() error
		lacks []string
	}{
		"post": {func() error {
			_, err := c.Post(ctx, repo, conversation(w.pull), "x")
			return err
		}, []string{"issues: write"}},
		"commit":   {func() error { _, err := c.Upload(ctx, repo, change); return err }, []string{"contents: write"}},
		"in steps": {func() error { _, err := c.Upload(ctx, repo, inSteps); return err }, []string{"contents: write"}},
		"check": {func() error {
			_, err := c.CreateCheck(ctx, repo, port.Check{Name: port.CheckName, SHA: change.Parent})
			return err
		}, []string{"checks: write"}},
		"log": {func() error { _, err := c.FailedJobs(ctx, repo, 1); return err }, []string{"actions: read"}},
	} {
		err := c.do()
		var denied *port.TokenError
		require.ErrorAs(t, err, &denied, what)
		require.Equal(t, c.lacks, denied.Lacks, what)
		require.Equal(t, port.JobToken, denied.Kind)
		require.ErrorIs(t, err, port.ErrDenied)
		require.ErrorContains(t, err, "the token of this job lacks a permission: add `"+c.lacks[0]+
			"` to `permissions:` of the workflow")
	}
}

func TestAJobCannotChangeWorkflowsAndItsRefusalSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, repo := w.job(t, usual())
	for _, mode := range []string{"100644", "100755"} {
		_, err := c.Upload(t.Context(), repo, w.onBranch(t, "feature/x", port.Change{Path: ".github/workflows/ci.yml",
			Mode: mode, Data: []byte("on: push\n")}))
		var denied *port.TokenError
		require.ErrorAs(t, err, &denied)
		require.Equal(t, port.WorkflowFiles, denied.Limit)
		require.ErrorIs(t, err, port.ErrDenied)
	}
}

func TestAJobOpensPullRequestsOnlyWhereTheRepositoryAllowsIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, repo := w.job(t, usual())
	require.NoError(t, w.Branch(w.repo.String(), "tenon/issue-7", "feature/x"))
	pull := port.NewPull{Title: "Add it", Head: "tenon/issue-7", Base: "main", Draft: true}
	_, err := c.CreatePull(t.Context(), repo, pull)
	var denied *port.TokenError
	require.ErrorAs(t, err, &denied)
	require.Equal(t, port.NewPulls, denied.Limit)
	require.ErrorContains(t, err, "Settings > Actions > General")
	require.NoError(t, w.AllowJobsToOpenPulls(w.repo.String(), true))
	made, err := c.CreatePull(t.Context(), repo, pull)
	require.NoError(t, err)
	require.Equal(t, "github-actions[bot]", made.Author.Login)
}

func TestTheJobsOfARepositoryShareItsThousandRequests(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	w := newWorld(t)
	first, repo := w.job(t, usual())
	other, _ := w.job(t, usual())
	for name, c := range map[string]*gh.Client{"first": first, "other": other} {
		limit, err := c.RateLimit(ctx, 0)
		require.NoError(t, err, name)
		require.Equal(t, 1000, limit.Limit, name)
	}
	_, err := first.Issue(ctx, repo, w.pull)
	require.NoError(t, err)
	limit, err := other.RateLimit(ctx, 0)
	require.NoError(t, err)
	require.Equal(t, 999, limit.Left)
	w.FailNext(func(*http.Request) bool { return true }, 1, simhttp.PrimaryLimit(403, w.clock.Now().Add(time.Hour)))
	_, err = first.Issue(ctx, repo, w.pull)
	var wait *port.WaitError
	require.ErrorAs(t, err, &wait)
	require.Equal(t, port.GitHubLimit, wait.For)
}
