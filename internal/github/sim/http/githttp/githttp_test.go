package githttp

import (
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/http/form"
	"github.com/tenon-bot/tenon/internal/github/sim/http/hook"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

// newDoor returns the door to two private repositories, on the first of which the App is installed with the permission
// to write contents.
func newDoor(t *testing.T) (Door, *entity.Token) {
	t.Helper()
	core := &entity.Core{Clock: time.Now, Memory: true, Log: slog.New(slog.DiscardHandler), Ctx: t.Context(),
		Base: "https://github.example", App: &entity.App{Slug: "tenon", Permissions: map[string]string{"contents": "write"}}}
	acts, work := sim.ActsOf(core), &sync.WaitGroup{}
	core.Events = hook.EventsOf(hook.New(core, form.New(core), work, time.Minute), acts)
	core.State.Init()
	acts.MakeBot()
	for _, login := range []string{"acme", "bob"} {
		require.NoError(t, acts.AddUser(login))
		require.NoError(t, acts.AddRepo(sim.Repo{Name: login + "/app", Files: map[string]string{"a": "a\n"}}))
	}
	id, err := acts.Install(sim.Installation{Owner: "acme"})
	require.NoError(t, err)
	token := &entity.Token{Installation: core.State.Installations[id], Expires: time.Now().Add(time.Hour),
		Permissions: map[string]string{"contents": "write"}}
	core.State.Tokens["ghs"] = token
	return New(core, acts, &traffic.Watch{}, work), token
}

// commitOn returns a commit of one more file, which no ref has.
func commitOn(t *testing.T, g *git.Repository, parent, name string) string {
	t.Helper()
	tree, err := g.WriteFiles(parent, map[string]git.File{name: {Content: name + "\n"}})
	require.NoError(t, err)
	who := sim.HubSignature(time.Unix(0, 0))
	sha, err := g.WriteCommit(git.Commit{Tree: tree, Parents: []string{parent}, Author: who, Committer: who})
	require.NoError(t, err)
	return sha
}

func TestAPushWithoutAProcess(t *testing.T) {
	t.Parallel()
	door, token := newDoor(t)
	g, err := door.Fetch("acme/app", "ghs")
	require.NoError(t, err)
	const ref = "refs/heads/main"
	tip := g.Ref(ref)
	next := commitOn(t, g, tip, "b")
	for token, status := range map[string]int{"": 401, "x": 401, "ghs": 404} {
		_, err := door.Fetch("bob/app", token)
		var no *GitRefusal
		require.ErrorAs(t, err, &no)
		require.Equal(t, status, no.Status, token)
	}
	push := func(from, to string) error {
		return door.Receive("acme/app", "ghs", git.Update{Name: ref, From: from, To: to})
	}
	require.ErrorIs(t, push(next, next+"0"), git.ErrMoved)
	require.NoError(t, push(tip, next))
	require.NoError(t, push(tip, next), "it is there already")
	workflow := commitOn(t, g, next, ".github/workflows/ci.yml")
	var no *PushRefusal
	require.ErrorAs(t, push(next, workflow), &no)
	require.Contains(t, no.Error(), "create or update workflow `.github/workflows/ci.yml` without `workflows` permission")
	token.Permissions["workflows"] = "write"
	require.NoError(t, door.acts.Protect("acme/app", "main", "Reviews."))
	require.ErrorAs(t, push(next, workflow), &no)
	require.Contains(t, no.Error(), "GH006")
	require.NoError(t, door.acts.Protect("acme/app", "main", ""))
	require.NoError(t, door.acts.Archive("acme/app", true))
	require.ErrorContains(t, push(next, workflow), "archived so it is read-only")
	require.NoError(t, door.acts.Archive("acme/app", false))
	require.NoError(t, push(next, workflow))
	stray := commitOn(t, g, workflow, "c")
	for _, late := range []bool{false, true} {
		require.NoError(t, door.acts.Lag("acme/app", late))
		serves, err := door.Serves("acme/app", stray)
		require.NoError(t, err)
		require.Equal(t, !late, serves, "no ref leads there")
	}
}
