package gh_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/github/sim"
)

const (
	pubNode = "GET /repositories/700"
	sibling = "GET /repos/octo-org/.github"
)

func TestARepositoryIsFoundByItsID(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newFakeAPI(t)
	c := d.client(t)
	d.on(pubNode, ok(`{"id":700,"node_id":"R_700","name":"new-joint","full_name":"new-org/new-joint","owner":{"login":`+
		`"new-org"},"default_branch":"trunk","archived":true}`))
	got, err := c.Repository(ctx, joint)
	require.NoError(t, err)
	require.Equal(t, port.RepoRef{Installation: 55, ID: 700, NodeID: "R_700", Owner: "new-org", Name: "new-joint",
		DefaultBranch: "trunk", Archived: true}, got)
	d.on(pubNode, refusal(404, "Not Found"))
	_, err = c.Repository(ctx, joint)
	require.ErrorIs(t, err, port.ErrNotFound)

	d = newFakeAPI(t)
	d.on(mintPath, refusal(422,
		"There is at least one repository that does not exist or is not accessible to the parent installation."))
	_, err = d.client(t).Repository(ctx, joint)
	require.ErrorIs(t, err, port.ErrNotFound, "it is no longer part of the installation")
	require.NotErrorIs(t, err, port.ErrDenied)
}

func TestASiblingIsFoundByItsName(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newFakeAPI(t)
	c := d.client(t)
	d.on(mintPath, response{status: 201, body: `{"token":"ghs_secret1","expires_at":"2026-11-20T13:00:00Z",` +
		`"repositories":[{"id":900,"node_id":"R_900","name":".github","owner":{"login":"octo-org"},` +
		`"default_branch":"main"}]}`})
	got, err := c.Sibling(ctx, joint, ".github")
	require.NoError(t, err)
	require.Equal(t, port.RepoRef{Installation: 55, ID: 900, NodeID: "R_900", Owner: "octo-org", Name: ".github",
		DefaultBranch: "main"}, got)
	require.JSONEq(t, `{"repositories":[".github"],"permissions":{"metadata":"read","contents":"read","issues":"read",`+
		`"pull_requests":"read"}}`, d.calls(mintPath)[0].body)
	token, err := c.Token(ctx, got, false)
	require.NoError(t, err)
	require.Equal(t, "ghs_secret1", token, "the token is kept")
	require.Len(t, d.got, 1)

	for _, odd := range []string{"", "..", "a/b"} {
		_, err := c.Sibling(ctx, joint, odd)
		require.ErrorContains(t, err, "not the name of a repository")
	}
	_, err = c.Sibling(ctx, port.RepoRef{}, ".github")
	require.Error(t, err)
	require.Len(t, d.got, 1)
}

func TestASiblingThatIsNotInTheInstallation(t *testing.T) {
	t.Parallel()
	absent := refusal(422,
		"There is at least one repository that does not exist or is not accessible to the parent installation.")
	own := response{status: 201, body: `{"token":"ghs_secret1","expires_at":"2026-11-20T13:00:00Z"}`}
	for name, c := range map[string]struct {
		there response
		is    error
		says  string
	}{
		"is public": {ok(`{"id":900,"full_name":"octo-org/.github"}`), port.ErrDenied,
			"octo-org/.github is not part of the installation"},
		"is private or none": {refusal(404, "Not Found"), port.ErrNotFound, "looking for octo-org/.github"},
		"had that name before": {ok(`{"id":900,"full_name":"octo-org/elsewhere"}`), port.ErrNotFound,
			"looking for octo-org/.github"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newFakeAPI(t)
			d.on(mintPath, absent, own)
			d.on(sibling, c.there)
			_, err := d.client(t).Sibling(context.Background(), joint, ".github")
			require.ErrorIs(t, err, c.is)
			require.ErrorContains(t, err, c.says)
			require.Equal(t, "Bearer ghs_secret1", d.calls(sibling)[0].auth)
			d.noSecrets(t, err)
		})
	}
	d := newFakeAPI(t)
	d.on(mintPath, refusal(404, "Not Found"))
	_, err := d.client(t).Sibling(context.Background(), joint, ".github")
	require.ErrorIs(t, err, port.ErrNotFound)
	require.ErrorContains(t, err, "no longer installed")
	d.on(mintPath, response{status: 201, body: `{"token":"ghs_secret1","repositories":[]}`})
	_, err = d.client(t).Sibling(context.Background(), joint, ".github")
	require.ErrorContains(t, err, "names 0 repositories")
}

func TestTheOrganisationsRepositoryInTheTown(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	_, err := w.app.Sibling(ctx, w.repo, ".github")
	require.ErrorIs(t, err, port.ErrNotFound)
	require.NoError(t, w.AddRepo(sim.Repo{Name: "octo-org/.github", Public: true,
		Files: map[string]string{"tenon.yml": "x"}}))
	found, err := w.app.Sibling(ctx, w.repo, ".github")
	require.NoError(t, err)
	require.Equal(t, "octo-org/.github", found.String())
	_, err = w.app.Repository(ctx, found)
	require.NoError(t, err)
	_, err = w.Install(sim.Installation{Owner: "octo-org", Repos: []string{"hello-joint"}})
	require.NoError(t, err)
	_, err = w.app.Sibling(ctx, w.repo, ".github")
	require.ErrorIs(t, err, port.ErrDenied)
}

func TestAPermissionThatWasNotGrantedSpoilsNothingElse(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	_, err := w.Install(sim.Installation{Owner: "octo-org", Permissions: map[string]string{"metadata": "read",
		"contents": "write", "pull_requests": "write", "issues": "write"}})
	require.NoError(t, err)
	_, err = w.app.CreateCheck(ctx, w.repo, port.Check{Name: "tenon", SHA: w.tip(t, "feature/x").SHA,
		Status: "queued"})
	require.ErrorIs(t, err, port.ErrDenied)
	require.ErrorContains(t, err, "for checking")
	_, err = w.app.Post(ctx, w.repo, conversation(w.pull), "x")
	require.NoError(t, err)
}
