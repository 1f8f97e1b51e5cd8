package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

func TestWhatCannotBePulled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, w.Branch(repo, "same", ""))
	w.push("free", text("free"))
	g := w.repo().Git
	tree := number(g.WriteFiles("", map[string]File{"x": {Content: "x\n"}}))(t)
	root := number(g.WriteCommit(git.Commit{Tree: tree, Author: HubSignature(w.now), Committer: HubSignature(w.now)}))(t)
	require.NoError(t, w.SetBranch(repo, "root", root))
	require.NoError(t, w.NoDrafts(repo))
	for _, c := range []struct {
		in  Pull
		why string // "" if it can be
	}{
		{Pull{Head: "none"}, "head"}, {Pull{Head: "nobody:free"}, "head"}, {Pull{Head: "free", Base: "none"}, "base"},
		{Pull{Head: "same"}, "No commits between main and same"}, {Pull{Head: "root"}, "no history in common with main"},
		{Pull{Head: "free", Draft: true}, "Draft pull requests are not supported"},
		{Pull{Head: "feature"}, "already exists for acme:feature"}, {Pull{Head: "feature", Base: "free"}, ""},
		{Pull{Head: "free", As: "none"}, "no read permission"}, {Pull{Head: "ACME:free"}, ""},
	} {
		if c.in.Repo, c.in.Title = repo, "t"; c.in.As == "" {
			c.in.As = "read"
		}
		_, err := w.OpenPull(c.in)
		if c.why == "" {
			require.NoError(t, err, c.in)
			continue
		}
		require.ErrorContains(t, err, c.why)
	}
	require.NoError(t, w.SetOpen(repo, w.pull, false))
	require.Equal(t, 5, w.opened(Pull{As: "read", Repo: repo, Title: "again", Head: "feature"}), "the old one is closed")
	require.Len(t, number(w.Pulls(repo))(t), 4)
}

// A pull request has the commit of its branch, also below refs/pull, and goes with it.
func TestAPullRequestFollowsItsBranch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.thread(w.pull).Pull
	old := p.HeadSHA
	sha := w.push("feature", text("pushed"))
	require.Equal(t, []string{"pull synchronize owner"}, w.told())
	require.Equal(t, []string{sha, sha}, []string{p.HeadSHA, w.repo().Git.Ref("refs/pull/1/head")})
	require.Equal(t, 2, w.CountCommits(w.thread(w.pull)))
	require.Equal(t, 1, number(w.PullFiles(w.thread(w.pull)))(t)[0].Additions)
	require.NoError(t, w.SetOpen(repo, w.pull, false))
	w.push("feature", text("later"))
	require.Equal(t, sha, p.HeadSHA, "a closed one stays")
	require.NoError(t, w.SetOpen(repo, w.pull, true))
	require.Equal(t, w.repo().Git.Branch("feature"), p.HeadSHA)
	require.Equal(t, []string{"pull closed owner", "pull reopened owner", "pull synchronize owner"},
		w.told())

	require.NoError(t, w.DeleteBranch(repo, "feature"))
	require.Equal(t, []string{"pull closed owner"}, w.told())
	refused := func(why string) {
		t.Helper()
		require.ErrorContains(t, w.SetOpen(repo, w.pull, true), why)
	}
	refused("The feature branch has been deleted.")
	require.NoError(t, w.SetBranch(repo, "feature", old))
	refused("force-pushed or recreated")
	w.opened(Pull{As: "read", Repo: repo, Title: "t", Head: "feature"})
	refused("already an open pull request from acme:feature to main")
	require.Error(t, w.DeleteBranch(repo, "none"))
}

// A merge keeps later commits of the base, and closes the pull request as merged.
func TestAMerge(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, failed(w.Push(repo, "main", map[string]string{"meanwhile": "m\n"}, "Meanwhile\n")))
	w.push("other", text("other"))
	other := w.opened(Pull{As: "read", Repo: repo, Title: "t", Head: "other"})
	p, base := w.thread(w.pull).Pull, w.repo().Git.Branch("main")
	w.told()
	require.NoError(t, w.Merge(repo, w.pull))
	require.Equal(t, []string{"pull closed owner"}, w.told())
	merged := number(w.Commits(repo, "main"))(t)[0]
	require.Equal(t, []string{base, p.HeadSHA}, merged.Parents)
	require.Equal(t, []any{merged.SHA, "owner", "Merge pull request #1 from acme:feature"},
		[]any{p.MergeSHA, p.MergedBy.Login, merged.Message})
	require.Equal(t, text("changed"), string(number(w.File(repo, "main", "a.txt"))(t)))
	require.Equal(t, "m\n", string(number(w.File(repo, "main", "meanwhile"))(t)))
	require.NotNil(t, p.Merged)
	require.ErrorContains(t, w.Merge(repo, w.pull), "no open pull request")
	require.ErrorContains(t, w.SetOpen(repo, w.pull, true), "cannot be reopened")
	require.Error(t, w.Merge(repo, other), "both changed line 20")
	require.True(t, w.thread(other).Open)
	require.ErrorContains(t, w.SetMergeable(repo, w.issue, nil, "dirty"), "no pull request")
	require.NoError(t, w.SetMergeable(repo, other, nil, "dirty"))
	require.Equal(t, "dirty", w.thread(other).Pull.MergeableState)
}

// What is derived from branches is late while GitHub has not caught up; that of a fork's branches too.
func TestGitHubFallsBehindItsBranches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	fork := number(w.Fork(repo, "read"))(t)
	require.NoError(t, failed(w.Push(fork, "idea", map[string]string{"b": "b\n"}, "An idea\n")))
	n := w.opened(Pull{As: "read", Repo: repo, Title: "An idea", Head: "read:idea"})
	own, forked := w.thread(w.pull).Pull, w.thread(n).Pull
	ownSHA, forkedSHA := own.HeadSHA, forked.HeadSHA
	require.NoError(t, w.Lag(repo, true))
	w.told()
	sha := w.push("feature", text("late"))
	late := number(w.Push(fork, "idea", map[string]string{"b": "late\n"}, "Late\n"))(t)
	require.Equal(t, []string{ownSHA, forkedSHA}, []string{own.HeadSHA, forked.HeadSHA})
	require.Equal(t, ownSHA, w.repo().Git.Ref("refs/pull/1/head"))
	require.Equal(t, sha, w.repo().Git.Branch("feature"), "git is as it is")
	require.Equal(t, ownSHA, w.repo().Lag.Branches["feature"])
	require.Empty(t, w.told())
	require.NoError(t, w.Branch(repo, "next", ""))
	n = w.opened(Pull{As: "read", Repo: repo, Title: "t", Head: "feature", Base: "next"})
	require.True(t, w.repo().Lag.Opened[w.thread(n)])
	began := false
	w.repo().Lag.Dispatched = append(w.repo().Lag.Dispatched, func() { began = true })
	w.told()
	require.NoError(t, w.Lag(repo, false))
	require.Equal(t, []string{sha, late}, []string{own.HeadSHA, forked.HeadSHA})
	require.Len(t, w.told(), 2)
	require.True(t, began)
	require.NoError(t, w.Lag(repo, false), "it has caught up")
}
