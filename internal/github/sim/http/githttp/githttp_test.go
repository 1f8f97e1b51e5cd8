package githttp

import (
	"bytes"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/http/hook"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
	"github.com/tenon-bot/tenon/internal/github/sim/http/transport"
)

// newDoor returns the door to a private repository and a public one, on the first of which the App is installed with
// the permission to write contents.
func newDoor(t *testing.T) (Door, *entity.Token) {
	t.Helper()
	core := &entity.Core{Clock: time.Now, Memory: true, Log: slog.New(slog.DiscardHandler), Ctx: t.Context(),
		Base: "https://github.example", App: &entity.App{Slug: "tenon", Permissions: map[string]string{"contents": "write"}}}
	acts, work := sim.ActsOf(core), &sync.WaitGroup{}
	core.Events = hook.EventsOf(hook.New(core, work, time.Minute), acts)
	core.State.Init()
	acts.MakeBot()
	for _, login := range []string{"acme", "bob"} {
		require.NoError(t, acts.AddUser(login))
		require.NoError(t, acts.AddRepo(sim.Repo{Name: login + "/app", Public: login == "bob",
			Files: map[string]string{"a": "a\n"}}))
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
	sha, err := g.WriteCommit(git.Commit{Tree: tree, Parents: []string{parent}, Author: who, Committer: who, Message: name})
	require.NoError(t, err)
	return sha
}

// Without a process, git is told the same: 401 without valid credentials, 404 for what cannot be known, 403 for a
// missing permission.
func TestWhoMayFetchAndPush(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		repo, token string
		granted     string // contents of the token
		fetch, push int    // 0: allowed
	}{
		"the App": {"acme/app", "ghs", "write", 0, 0}, "who reads": {"acme/app", "ghs", "read", 0, 403},
		"who may not": {"acme/app", "ghs", "", 403, 403}, "nobody": {"acme/app", "", "", 401, 401},
		"a forged token": {"acme/app", "x", "", 401, 401}, "not there": {"acme/none", "ghs", "write", 404, 404},
		"nobody, not there": {"acme/none", "", "", 401, 401}, "public": {"bob/app", "", "", 0, 401},
		"public, the App": {"bob/app", "ghs", "write", 0, 403}, "an old name": {"acme/old", "ghs", "write", 0, 0},
	} {
		door, token := newDoor(t)
		if c.repo == "acme/old" {
			require.NoError(t, door.acts.RenameRepo("acme/app", "old"))
			require.NoError(t, door.acts.RenameRepo("acme/old", "new"))
		}
		token.Permissions["contents"] = c.granted
		_, fetched := door.Fetch(c.repo, c.token)
		pushed := door.Receive(c.repo, c.token, git.Update{Name: "refs/heads/x"})
		for err, status := range map[error]int{fetched: c.fetch, pushed: c.push} {
			if status == 0 {
				require.NoError(t, err, name)
				continue
			}
			var no *GitRefusal
			require.ErrorAs(t, err, &no, name)
			require.Equal(t, status, no.Status, name)
			require.Equal(t, status == 404, no.NotFound())
		}
	}
}

func TestAPushWithoutAProcess(t *testing.T) {
	t.Parallel()
	door, token := newDoor(t)
	g, err := door.Fetch("acme/app", "ghs")
	require.NoError(t, err)
	const ref = "refs/heads/main"
	tip := g.Ref(ref)
	next := commitOn(t, g, tip, "b")
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

// The reasons of the hook replace git's own in its report, with a side band and without.
func TestAReportHasGitHubsReasons(t *testing.T) {
	t.Parallel()
	packets := func(lines ...string) string {
		var b bytes.Buffer
		for _, l := range lines {
			writePacket(&b, []byte(l))
		}
		return b.String() + "0000"
	}
	report := func(reason string) string {
		return packets("unpack ok\n", "ng refs/heads/a "+reason+"\n", "ok refs/heads/b\n")
	}
	const before, after = "hook declined", "protected branch hook declined"
	for sent, want := range map[string]string{report(before): report(after),
		packets("\x02remote: no\n", "\x01"+report(before)): packets("\x02remote: no\n", "\x01"+report(after))} {
		a := transport.NewRecorder(200)
		a.Header().Set("Content-Length", "9")
		a.Body.WriteString(sent)
		rewriteReport(a, nil)
		require.Equal(t, sent, a.Body.String())
		rewriteReport(a, map[string]string{"refs/heads/a": after})
		require.Equal(t, want, a.Body.String())
		require.Empty(t, a.Header().Get("Content-Length"))
	}
}
