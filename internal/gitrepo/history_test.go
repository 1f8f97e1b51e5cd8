package gitrepo_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

// strict are the settings of a repository that checks what is pushed as strictly as git can.
const strict = "[receive]\n\tfsckObjects = true\n\tunpackLimit = 1\n"

// parted is a pull request from a fork, whose base has gone on since.
type parted struct {
	*world
	fork         *gittest.Repo
	common, base string
	tokens       func() []string
	checkout     repo.Checkout
}

// part has a base go on, commit by commit, after a fork's branch parted from it. The fork's repository has no object
// that was made in the base since.
func part(t *testing.T, limits gitrepo.Limits, base ...map[string]string) *parted {
	t.Helper()
	w, fork, tokens := forked(t, limits, strict)
	w.tip = fork.Commit("patch-1", gittest.Files(map[string]string{"cmd/main.go": "package main // theirs\n"}))
	w.repo.Take(fork, "refs/heads/patch-1", "refs/pull/7/head")
	p := &parted{world: w, fork: fork, common: w.repo.Ref("refs/heads/main"), tokens: tokens}
	for _, files := range base {
		p.base = w.repo.Commit("main", gittest.Files(files))
	}
	var err error
	p.checkout, err = p.repos.Open(t.Context(), acme, "refs/pull/7/head", p.tip)
	require.NoError(t, err)
	return p
}

// stage stages what main has at paths.
func (p *parted) stage(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		out := strings.Fields(p.repo.Git("ls-tree", p.base, path))
		require.Len(t, out, 4)
		require.NoError(t, p.checkout.Put(path, strings.TrimLeft(out[0], "0"), out[2]))
	}
}

func (p *parted) request() repo.CommitRequest {
	req := forkRequest()
	req.Merge, req.Common = p.base, p.common
	return req
}

// requireMerged requires that the fork's branch is what git's merge of both makes.
func (p *parted) requireMerged(t *testing.T, made repo.Commit) {
	t.Helper()
	require.Equal(t, made.SHA, p.fork.Ref("refs/heads/patch-1"))
	require.Equal(t, p.tip+" "+p.base, p.fork.Git("log", "-1", "--format=%P", made.SHA))
	require.Equal(t, p.repo.Git("merge-tree", "--write-tree", p.tip, p.base), p.fork.Git("rev-parse", made.SHA+"^{tree}"))
	require.Equal(t, p.repo.Git("rev-list", p.base), p.fork.Git("rev-list", p.base))
	p.fork.Fsck()
}

// text is a text of so many lines, of which one is different.
func text(lines, different int) string {
	var b strings.Builder
	for i := range lines {
		b.WriteString("line ")
		if i == different {
			b.WriteString("that is different ")
		}
		b.WriteString(strings.Repeat("x", i%7) + "\n")
	}
	return b.String()
}

func TestAMergeReachesAForkWithWhatItLacksOfItsBase(t *testing.T) {
	t.Parallel()
	p := part(t, gitrepo.Limits{},
		map[string]string{"long.txt": text(500, 1), "new/a/b.txt": "b\n"},
		map[string]string{"long.txt": text(500, 400), "new/c.txt": "c\n"},
		map[string]string{"long.txt": text(500, 200), "README.md": "# another anvil\n"})
	p.stage(t, "long.txt", "new/a/b.txt", "new/c.txt", "README.md")
	before := len(p.tokens())
	p.server.Requests()
	made, err := p.checkout.Commit(t.Context(), p.request())
	require.NoError(t, err)
	require.Equal(t, []string{"POST /acme/anvil.git/git-upload-pack", "POST /ada/anvil-1.git/git-receive-pack"},
		p.server.Requests())
	require.Equal(t, []string{"acme/anvil write=false", "acme/anvil write=true"}, p.tokens()[before:])
	p.requireMerged(t, made)

	again, err := p.checkout.Commit(t.Context(), p.request())
	require.NoError(t, err)
	require.Equal(t, made, again)
}

// A pack must not have an object twice, not even one that the base had for a while.
func TestAMergeThatMakesWhatItsBaseHadOnceReachesAFork(t *testing.T) {
	t.Parallel()
	p := part(t, gitrepo.Limits{},
		map[string]string{"cmd/main.go": "package main // theirs\n", "cmd/new.go": "package main\n"},
		map[string]string{"cmd/main.go": "package main\n"})
	p.stage(t, "cmd/new.go")
	made, err := p.checkout.Commit(t.Context(), p.request())
	require.NoError(t, err)
	require.Equal(t, p.repo.Git("rev-parse", p.base+"^:cmd"), p.fork.Git("rev-parse", made.SHA+":cmd"))
	p.fork.Fsck()
}

func TestAForkThatLacksTooMuchOfItsBaseGetsNothing(t *testing.T) {
	t.Parallel()
	noise := make([]byte, 100_000)
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	for name, limits := range map[string]gitrepo.Limits{
		"compressed": {PackBytes: 50_000}, "unpacked": {InflatedBytes: 50_000}, "objects": {Objects: 14},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := part(t, limits, map[string]string{"noise": string(noise), "more/a/b/c": "", "more/b/c": ""},
				map[string]string{"noise": "", "more/b/d": "d\n"}, map[string]string{"noise": "1", "later/a/b": "later\n"})
			p.stage(t, "noise")
			p.server.Requests()
			_, err := p.checkout.Commit(t.Context(), p.request())
			require.ErrorIs(t, err, repo.ErrTooMuchHistory)
			require.ErrorContains(t, err, "too large for tenon")
			require.Equal(t, p.tip, p.fork.Ref("refs/heads/patch-1"))
			require.NotContains(t, p.server.Requests(), "POST /ada/anvil-1.git/git-receive-pack")
		})
	}
}

func TestAMergeIntoAForkThatMovedChangesNothing(t *testing.T) {
	t.Parallel()
	p := part(t, gitrepo.Limits{}, map[string]string{"later.txt": "later\n"})
	p.stage(t, "later.txt")
	other := p.fork.Commit("patch-1", gittest.Files(map[string]string{"y": "y"}))
	_, err := p.checkout.Commit(t.Context(), p.request())
	require.ErrorIs(t, err, port.ErrMoved)
	require.Equal(t, other, p.fork.Ref("refs/heads/patch-1"))
}

// A commit of which the fork lacks more than is sent leads nowhere, and git refuses it.
func TestAForkThatLacksTheCommonCommitGetsNothing(t *testing.T) {
	t.Parallel()
	p := part(t, gitrepo.Limits{}, map[string]string{"a.txt": "a\n"},
		map[string]string{"b.txt": "b\n"})
	p.stage(t, "b.txt")
	req := p.request()
	req.Common = p.repo.Git("rev-parse", p.base+"^")
	_, err := p.checkout.Commit(t.Context(), req)
	require.Error(t, err)
	require.Equal(t, p.tip, p.fork.Ref("refs/heads/patch-1"))
	for _, wrong := range []string{"", "main"} {
		req.Common = wrong
		_, err = p.checkout.Commit(t.Context(), req)
		require.ErrorContains(t, err, "is not an object's name")
	}
}

func TestABaseThatIsNotThereIsNoForkThatIsGone(t *testing.T) {
	t.Parallel()
	p := part(t, gitrepo.Limits{}, map[string]string{"a.txt": "a\n"})
	req := p.request()
	req.Merge = strings.Repeat("12", 20)
	_, err := p.checkout.Commit(t.Context(), req)
	require.Error(t, err)
	require.NotErrorIs(t, err, port.ErrNotFound)
}

func TestAServerWithoutProtocolV2MergesIntoNoFork(t *testing.T) {
	t.Parallel()
	p := part(t, gitrepo.Limits{}, map[string]string{"a.txt": "a\n"})
	p.server.Wrap(dropV2)
	p.repos = gitrepo.New(gitrepo.Options{BaseURL: p.server.URL})
	c, err := p.repos.Open(t.Context(), acme, "refs/pull/7/head", p.tip)
	require.NoError(t, err)
	_, err = c.Commit(t.Context(), p.request())
	var user *port.UserError
	require.ErrorAs(t, err, &user)
	require.Contains(t, user.Text, "does not speak protocol v2")
}
