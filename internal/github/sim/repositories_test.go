package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

func TestNamesThatGitHubAllows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	long := "a2345678901234567890123456789012345678"
	for login, allowed := range map[string]bool{"a": true, "A-1": true, long + "9": true, long + "90": false, "-a": false,
		"a-": false, "a--b": false, "a_b": false, "": false, "read": true, "acme": false} {
		require.Equal(t, allowed, w.AddUser(login) == nil, login)
	}
	require.Error(t, w.AddOrg("read"), "it is a person's")
	require.Error(t, w.AddBot("ci"))
	for name, allowed := range map[string]bool{"acme/a.b_c-D": true, "acme/.github": true, "acme/x.git": false,
		"acme/..": false, "acme/a b": false, "acme/": false, "acme/APP": false, "nobody/app": false} {
		require.Equal(t, allowed, w.AddRepo(Repo{Name: name}) == nil, name)
	}
	for branch, allowed := range map[string]bool{"a/b": true, "-a": false, "a..b": false, "a b": false} {
		require.Equal(t, allowed, w.Branch(repo, branch, "feature") == nil, branch)
	}
	account := number(w.Account("READ"))(t)
	require.Equal(t, "read", account.Login)
}

// A new name redirects from the old one; with a new owner the installation of the old one ends there.
func TestARepositoryGetsANewName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := number(w.Install(Installation{Owner: "acme"}))(t)
	r := w.repo()
	require.Equal(t, id, number(w.Repo(repo))(t).Installation)
	w.told()
	require.NoError(t, w.RenameRepo(repo, "new"))
	require.Equal(t, []string{"repository renamed owner"}, w.told())
	require.Same(t, r, w.core.State.FormerRepo("ACME/App"))
	require.Error(t, failed(w.Repo(repo)))
	require.NoError(t, w.AddRepo(Repo{Name: repo}), "the name is free")
	require.ErrorContains(t, w.RenameRepo(repo, "new"), "exists already")
	require.NoError(t, w.RenameRepo("acme/new", "read/new"))
	require.Empty(t, w.told())
	moved := number(w.Repo("read/new"))(t)
	require.Equal(t, []any{r.ID, "read", int64(0)}, []any{moved.ID, moved.Owner, moved.Installation})
	require.Equal(t, entity.RoleAdmin, r.RoleOf(w.user("read")))
	require.NoError(t, w.DeleteRepo("read/new"))
	require.Nil(t, w.core.State.FormerRepo("acme/new"))
}

// An archived repository is read-only for everybody.
func TestAnArchivedRepositoryIsReadOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, w.Archive(repo, true))
	for name, act := range map[string]func() error{
		"a push":    func() error { return failed(w.Push(repo, "new", map[string]string{"b": "b\n"}, "More\n")) },
		"a branch":  func() error { return w.Branch(repo, "new", "") },
		"a move":    func() error { return w.SetBranch(repo, "feature", w.repo().Git.Branch("main")) },
		"a removal": func() error { return w.DeleteBranch(repo, "feature") },
		"a merge":   func() error { return w.Merge(repo, w.pull) },
		"closing":   func() error { return w.SetOpen(repo, w.pull, false) },
		"a lock":    func() error { return w.Lock(repo, w.issue, true) },
		"deleting":  func() error { return w.DeleteIssue(repo, w.issue) },
	} {
		require.ErrorContains(t, act(), "archived and read-only", name)
	}
	require.NoError(t, failed(w.Comments(repo, w.issue)), "it can be read")
	require.NoError(t, w.Archive(repo, false))
	require.NoError(t, w.Merge(repo, w.pull))
}

// What a token of a fork's base may push to.
func TestWhatAForkLends(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := w.core.State.Installations[number(w.Install(Installation{Owner: "acme"}))(t)]
	token := &entity.Token{Installation: in}
	fork := number(w.Fork(repo, "read"))(t)
	require.NoError(t, failed(w.Push(fork, "idea", map[string]string{"b": "b\n"}, "An idea\n")))
	n := w.opened(Pull{As: "read", Repo: repo, Title: "An idea", Head: "read:idea"})
	r := number(w.core.State.Repo(fork))(t)
	lent := []string{"refs/heads/idea"}
	require.Equal(t, lent, w.EditableBranches(r, token))
	require.Empty(t, w.EditableBranches(r, &entity.Token{Installation: in, Kind: entity.JobToken}))
	require.Empty(t, w.EditableBranches(r, &entity.Token{Installation: in, Repos: map[int64]bool{r.ID: true}}))
	require.Empty(t, w.EditableBranches(w.repo(), token), "it is no fork")
	for name, set := range map[string]func(yes bool) error{
		"the author": func(yes bool) error { return w.AllowEdits(repo, n, yes) },
		"the fork":   func(yes bool) error { return w.RefuseMaintainers(fork, !yes) },
		"closed":     func(yes bool) error { return w.SetOpen(repo, n, yes) },
	} {
		require.NoError(t, set(false))
		require.Empty(t, w.EditableBranches(r, token), name)
		require.NoError(t, set(true))
		require.Equal(t, lent, w.EditableBranches(r, token), name)
	}
	require.ErrorContains(t, w.AllowEdits(repo, w.pull, true), "no pull request from a fork")
	require.NoError(t, w.AddOrg("guild", "read"))
	require.NoError(t, failed(w.Fork(repo, "guild")))
	require.NoError(t, failed(w.Push("guild/app", "idea", map[string]string{"c": "c\n"}, "An idea\n")))
	n = w.opened(Pull{As: "read", Repo: repo, Title: "An idea", Head: "guild:idea"})
	require.False(t, w.thread(n).Pull.CanModify)
	require.ErrorContains(t, w.AllowEdits(repo, n, true), "people only")
}
