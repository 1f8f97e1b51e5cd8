package gh_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh"
	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// world is a simulated GitHub with one repository, one pull request, and the App installed.
type world struct {
	*simhttp.Server
	app   *gh.Client
	clock *clock
	repo  port.RepoRef
	pull  int
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return newWorldOf(t, simhttp.Options{Memory: true})
}

func newWorldOf(t *testing.T, options simhttp.Options) *world {
	t.Helper()
	w := &world{clock: &clock{now: time.Now()}}
	options.Key, options.Now = appKey(), w.clock.Now
	var err error
	w.Server, err = simhttp.New(options)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	require.NoError(t, w.Start())
	require.NoError(t, w.AddOrg("octo-org"))
	require.NoError(t, w.AddUser("mona"))
	require.NoError(t, w.AddUser("stranger"))
	require.NoError(t, w.AddRepo(sim.Repo{Name: "octo-org/hello-joint", Files: map[string]string{"README.md": "hello\n",
		"old.txt": "old\n"}}))
	require.NoError(t, w.SetRole("octo-org/hello-joint", "mona", entity.RoleWrite))
	require.NoError(t, w.Branch("octo-org/hello-joint", "feature/x", ""))
	_, err = w.Push("octo-org/hello-joint", "feature/x", map[string]string{"server/start.go": "package server\n"},
		"add the server\n\nTenon-Run: abc")
	require.NoError(t, err)
	w.pull, err = w.OpenPull(sim.Pull{As: "mona", Repo: "octo-org/hello-joint", Title: "Add the server",
		Head: "feature/x"})
	require.NoError(t, err)
	installation, err := w.Install(sim.Installation{Owner: "octo-org"})
	require.NoError(t, err)
	w.repo = port.RepoRef{
		Installation: installation, ID: w.repoID(t, installation), Owner: "octo-org", Name: "hello-joint",
		DefaultBranch: "main",
	}
	w.app, err = gh.New(gh.Options{AppID: w.AppID(), PrivateKey: w.PrivateKeyPEM(), APIURL: w.APIURL(), Now: w.clock.Now,
		Sleep: w.clock.Sleep})
	require.NoError(t, err)
	w.ForgetRequests()
	return w
}

// nodeID returns the repository's id in GraphQL.
func (w *world) nodeID(t *testing.T) string {
	t.Helper()
	got, err := w.app.Repository(context.Background(), w.repo)
	require.NoError(t, err)
	return got.NodeID
}

// repoID requests the repository's id without the tested client.
func (w *world) repoID(t *testing.T, installation int64) int64 {
	t.Helper()
	tr, err := ghinstallation.New(http.DefaultTransport, w.AppID(), installation, w.PrivateKeyPEM())
	require.NoError(t, err)
	tr.BaseURL = w.APIURL()
	resp, err := (&http.Client{Transport: tr}).Get(w.APIURL() + "repos/octo-org/hello-joint")
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	var repo struct{ ID int64 }
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&repo))
	require.NotZero(t, repo.ID)
	return repo.ID
}

func TestARunsQuestionsAndAnswers(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	slug, err := w.app.Slug(ctx)
	require.NoError(t, err)
	require.Equal(t, "tenon", slug)

	may, err := w.app.Permission(ctx, w.repo, "mona")
	require.NoError(t, err)
	require.Equal(t, port.PermissionWrite, may)
	may, err = w.app.Permission(ctx, w.repo, "stranger")
	require.NoError(t, err)
	require.Equal(t, port.PermissionNone, may)
	_, err = w.app.Permission(ctx, w.repo, "nobody")
	require.ErrorIs(t, err, port.ErrNotFound)

	pr, err := w.app.PullRequest(ctx, w.repo, w.pull)
	require.NoError(t, err)
	require.Equal(t, w.repo, pr.Head.Repo)
	require.Equal(t, "feature/x", pr.Head.Branch)
	require.Equal(t, "main", pr.Base)
	require.Equal(t, "open", pr.State)
	files, err := w.app.ChangedFiles(ctx, w.repo, w.pull)
	require.NoError(t, err)
	require.Equal(t, []port.ChangedFile{{Path: "server/start.go", Patch: "@@ -0,0 +1 @@\n+package server"}}, files)

	sha, found, err := w.app.FindCommit(ctx, w.repo, pr.Head.SHA, "Tenon-Run: abc")
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, pr.Head.SHA, sha)
	_, found, err = w.app.FindCommit(ctx, w.repo, pr.Head.SHA, "Tenon-Run: xyz")
	require.NoError(t, err)
	require.False(t, found)
	_, _, err = w.app.FindCommit(ctx, w.repo, strings.Repeat("1", 40), "Tenon-Run: abc")
	require.ErrorIs(t, err, port.ErrNotFound)

	start := w.clock.Now()
	_, found, err = w.app.FindComment(ctx, w.repo, conversation(w.pull), marker, start)
	require.NoError(t, err)
	require.False(t, found)
	made, err := w.app.Post(ctx, w.repo, conversation(w.pull), "done "+marker)
	require.NoError(t, err)
	require.Equal(t, "tenon[bot]", made.Author.Login)
	again, found, err := w.app.FindComment(ctx, w.repo, conversation(w.pull), marker, start)
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, made, again)
	require.NoError(t, w.app.React(ctx, w.repo, made, port.ReactionEyes))
	require.NoError(t, w.app.React(ctx, w.repo, made, port.ReactionEyes), "twice is once")
}

func TestAnHourLaterTheTokensAreNew(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	_, err := w.app.PullRequest(ctx, w.repo, w.pull)
	require.NoError(t, err)
	w.clock.advance(2 * time.Hour)
	_, err = w.app.PullRequest(ctx, w.repo, w.pull)
	require.NoError(t, err)
	for _, r := range w.Requests() {
		require.Less(t, r.Status, 400, r.Path)
	}
}

func TestTheFakesLimitsAreHeeded(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, status := range []int{403, 429} {
		w := newWorld(t)
		isPull := func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/pulls/1") }
		w.FailNext(isPull, 1, simhttp.SecondaryLimit(status, 2*time.Second))
		_, err := w.app.PullRequest(ctx, w.repo, w.pull)
		require.NoError(t, err)
		w.FailNext(isPull, 1, simhttp.SecondaryLimit(status, 0))
		_, err = w.app.PullRequest(ctx, w.repo, w.pull)
		var later timed
		require.ErrorAs(t, err, &later)
		require.Equal(t, time.Minute, later.RetryAfter())
		w.clock.advance(time.Minute)
		w.FailNext(isPull, 1, simhttp.PrimaryLimit(status, w.clock.Now().Add(10*time.Minute)))
		_, err = w.app.PullRequest(ctx, w.repo, w.pull)
		require.ErrorAs(t, err, &later)
		require.InDelta(t, 10*time.Minute, later.RetryAfter(), float64(2*time.Second))
	}
}

func TestAnAppThatIsSuspendedOrGoneIsTold(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	_, err := w.app.PullRequest(ctx, w.repo, w.pull)
	require.NoError(t, err)
	require.NoError(t, w.Suspend("octo-org", true))
	_, err = w.app.PullRequest(ctx, w.repo, w.pull)
	require.ErrorIs(t, err, port.ErrDenied)
	require.ErrorContains(t, err, "suspended")
	require.NoError(t, w.Suspend("octo-org", false))
	require.NoError(t, w.Uninstall("octo-org"))
	_, err = w.app.PullRequest(ctx, w.repo, w.pull)
	require.ErrorIs(t, err, port.ErrNotFound)
	require.ErrorContains(t, err, "no longer installed")
}

func TestATokenGivesGitNoMoreThanTheStepNeeds(t *testing.T) {
	t.Parallel()
	w := newWorldOf(t, simhttp.Options{})
	token := func(write bool) string {
		value, err := w.app.Token(context.Background(), w.repo, write)
		require.NoError(t, err)
		return value
	}
	ask := func(service, token string) int {
		req, err := http.NewRequest(http.MethodGet, w.GitURL()+"octo-org/hello-joint.git/info/refs?service="+service, nil)
		require.NoError(t, err)
		req.SetBasicAuth("x-access-token", token)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return resp.StatusCode
	}
	require.Equal(t, http.StatusOK, ask("git-upload-pack", token(false)))
	require.Equal(t, http.StatusOK, ask("git-receive-pack", token(true)))
	require.Equal(t, http.StatusForbidden, ask("git-receive-pack", token(false)))
}

func TestAThreadHasTheAppsReply(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	const name = "octo-org/hello-joint"
	w := newWorld(t)
	start := w.clock.Now()
	place := sim.Place{Path: "server/start.go", Line: 1}
	first, err := w.ReviewComment("mona", name, w.pull, place, "/tenon fix this")
	require.NoError(t, err)
	second, err := w.ReplyTo("mona", name, w.pull, first, "@tenon and this")
	require.NoError(t, err)
	elsewhere, err := w.ReviewComment("mona", name, w.pull, place, "another thread")
	require.NoError(t, err)

	asked := port.Comment{Kind: port.ReviewComment, ID: second, InReplyTo: first}
	made, err := w.app.Post(ctx, w.repo, inThreadOf(w.pull, &asked), "done "+marker)
	require.NoError(t, err)
	require.Equal(t, first, made.InReplyTo)
	require.NoError(t, w.app.React(ctx, w.repo, asked, port.ReactionRocket))
	reactions, err := w.Reactions(sim.ReviewComment, second)
	require.NoError(t, err)
	require.Len(t, reactions, 1)

	found, is, err := w.app.FindComment(ctx, w.repo, inThreadOf(w.pull, &asked), marker, start)
	require.NoError(t, err)
	require.True(t, is)
	require.Equal(t, made.ID, found.ID)
	_, is, err = w.app.FindComment(ctx, w.repo, inThreadOf(w.pull, &port.Comment{Kind: port.ReviewComment, ID: elsewhere}),
		marker, start)
	require.NoError(t, err)
	require.False(t, is, "another thread")
	_, is, err = w.app.FindComment(ctx, w.repo, conversation(w.pull), marker, start)
	require.NoError(t, err)
	require.False(t, is, "the conversation")
}

func TestAMarkerThatSomebodyCopiedDoesNotCount(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	for range 120 {
		_, err := w.Comment("mona", "octo-org/hello-joint", w.pull, "> done "+marker)
		require.NoError(t, err)
	}
	_, found, err := w.app.FindComment(ctx, w.repo, conversation(w.pull), marker, time.Time{})
	require.NoError(t, err)
	require.False(t, found)
	made, err := w.app.Post(ctx, w.repo, conversation(w.pull), marker)
	require.NoError(t, err)
	again, found, err := w.app.FindComment(ctx, w.repo, conversation(w.pull), marker, time.Time{})
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, made, again)
}
