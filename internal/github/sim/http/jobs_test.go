package simhttp_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

func (w *world) job(in sim.JobToken) string {
	w.t.Helper()
	in.Repo = repo
	token, err := w.NewJobToken(in)
	require.NoError(w.t, err)
	return token
}

func (w *world) say(token string) reply {
	return w.call("POST", fmt.Sprintf("repos/%s/issues/%d/comments", repo, w.issue), token, `{"body":"hi"}`)
}

func TestAJobMayWhatItsWorkflowNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	token := w.job(sim.JobToken{Permissions: map[string]string{"issues": "write"}})
	said := w.say(token)
	require.Equal(t, 201, said.status)
	require.Equal(t, "github-actions[bot]", said.object()["user"].(map[string]any)["login"])
	require.Equal(t, "github-actions", said.object()["performed_via_github_app"].(map[string]any)["slug"])
	require.Equal(t, "1000", said.header.Get("X-RateLimit-Limit"), "an hour, in a repository")

	no := w.call("GET", "repos/"+repo+"/commits/main", token, "")
	require.Equal(t, 403, no.status)
	require.Equal(t, "Resource not accessible by integration", no.object()["message"])
	require.Equal(t, "contents=read", no.header.Get("X-Accepted-GitHub-Permissions"))
	require.Equal(t, 403, w.call("GET", "user", token, "").status)
	require.Equal(t, 401, w.call("GET", "app", token, "").status)
	for _, permissions := range []map[string]string{{"workflows": "write"}, {"pull_requests": "read"},
		{"issues": "admin"}} {
		_, err := w.NewJobToken(sim.JobToken{Repo: repo, Permissions: permissions})
		require.ErrorContains(t, err, "a workflow has no permission", permissions)
	}
}

func TestAJobForAForkAndOneThatNamesNothingOnlyRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.Equal(t, 403, w.say(w.job(sim.JobToken{FromFork: true, Permissions: map[string]string{"issues": "write"}})).
		status)
	usual := w.job(sim.JobToken{})
	require.Equal(t, 403, w.say(usual).status)
	require.Equal(t, 200, w.call("GET", "repos/"+repo+"/commits/main", usual, "").status)
}

func TestTheTokenOfAJobEndsWithIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	may := sim.JobToken{Permissions: map[string]string{"issues": "write"}}
	ended, late := w.job(may), w.job(may)
	w.EndToken(ended)
	require.Equal(t, 401, w.say(ended).status)
	require.Equal(t, 201, w.say(late).status)
	w.clock.forward(24 * time.Hour)
	require.Equal(t, 401, w.say(late).status)
}

func TestAJobPushesToItsRepositoryAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	require.NoError(t, w.AddUser("bob"))
	clone, _ := w.forked("bob")
	token := w.job(sim.JobToken{Permissions: map[string]string{"contents": "write"}})
	out, err := git(t, clone, "push", w.remote(token, "bob/app"), "HEAD:refs/heads/idea")
	require.Error(t, err)
	require.Contains(t, out, "Repository not found", "it is private")
	out, err = git(t, clone, "push", w.remote(token, repo), "HEAD:refs/heads/mine")
	require.NoError(t, err, out)
	commitFile(t, clone, ".github/workflows/ci.yml", "on: push\n")
	out, err = git(t, clone, "push", w.remote(token, repo), "HEAD:refs/heads/mine")
	require.Error(t, err)
	require.Contains(t, out, "workflow")
}

func TestATokenOfAPersonMayNoMoreThanThePerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := map[string]string{"contents": "write", "issues": "write"}
	theirs, err := w.NewPersonalToken("alice", all)
	require.NoError(t, err)
	said := w.say(theirs)
	require.Equal(t, 201, said.status)
	require.Equal(t, "alice", said.object()["user"].(map[string]any)["login"])
	none, err := w.NewPersonalToken("stranger", all)
	require.NoError(t, err)
	require.Equal(t, 404, w.say(none).status, "the repository is private")
	require.NoError(t, w.SetRole(repo, "stranger", entity.RoleRead))
	require.Equal(t, 201, w.say(none).status)
	no := w.call("POST", "repos/"+repo+"/git/blobs", none, `{"content":"x"}`)
	require.Equal(t, 403, no.status)
	require.Equal(t, "Resource not accessible by personal access token", no.object()["message"])
}
