package contract

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

var pushStories = []story[ReposStage]{
	{"a commit is made on top of the opened one", func(t *testing.T, s ReposStage) {
		c := openMain(t, s)
		require.NoError(t, c.Load(t.Context(), "cmd/run.sh"))
		require.NoError(t, c.WriteFile("cmd/run.sh", []byte("#!/bin/sh\nexit 0\n")))
		require.NoError(t, c.WriteFile("new/file.txt", []byte("new\n")))
		require.NoError(t, c.WriteFile("new/empty.txt", nil))
		require.NoError(t, c.Remove("docs/a/b/c.txt"))
		require.NoError(t, c.Move("cmd.txt", "cmd/x.txt"))
		made := must(c.Commit(t.Context(), commitRequest("main")))(t)
		require.Equal(t, []string{"cmd.txt", "cmd/run.sh", "cmd/x.txt", "docs/a/b/c.txt", "new/empty.txt", "new/file.txt"},
			made.Files)
		require.Equal(t, made.SHA, s.Branch(anvil, "main"))
		got := s.Commits(anvil, "main")[0]
		require.Equal(t, bottest.Commit{SHA: made.SHA, Message: "chore: apply edits\n\nTenon-Run: abc", Author: "tenon[bot]",
			Parents: []string{c.SHA()}}, got)
		for name, want := range map[string]string{"cmd/run.sh": "#!/bin/sh\nexit 0\n", "new/file.txt": "new\n",
			"new/empty.txt": "", "cmd/x.txt": "and so does this\n"} {
			data, ok := s.File(anvil, "main", name)
			require.True(t, ok, name)
			require.Equal(t, want, data)
		}
		require.Equal(t, "100755", s.Mode(anvil, "main", "cmd/run.sh"))
		_, ok := s.File(anvil, "main", "docs/a/b/c.txt")
		require.False(t, ok)
		again := must(s.Repos().Open(t.Context(), s.Ref(anvil), mainRef, made.SHA))(t)
		require.Equal(t, s.TreeID(anvil, made.SHA), again.Tree())
	}},
	{"the same commit again is success", func(t *testing.T, s ReposStage) {
		for _, branch := range []string{"main", "new"} {
			c := changed(t, s, branch)
			made := must(c.Commit(t.Context(), commitRequest(branch)))(t)
			require.Equal(t, made, must(c.Commit(t.Context(), commitRequest(branch)))(t))
			require.Equal(t, made.SHA, s.Branch(anvil, branch))
			s.SetBranch(anvil, branch, c.SHA())
			if branch == "new" {
				s.SetBranch(anvil, branch, "")
			}
			other := must(s.Repos().Open(t.Context(), s.Ref(anvil), mainRef, c.SHA()))(t)
			require.NoError(t, other.WriteFile("x", []byte(branch)))
			same := must(other.Commit(t.Context(), commitRequest(branch)))(t)
			require.Equal(t, made, same, "the same request on the same tree")
			s.SetBranch(anvil, "main", c.SHA())
		}
	}},
	{"a branch that moved stays where it is", func(t *testing.T, s ReposStage) {
		c := changed(t, s, "x")
		tip := s.Commit(anvil, "main", bottest.Files(map[string]string{"y": "y"}))
		require.ErrorIs(t, errorOf(c.Commit(t.Context(), commitRequest("main"))), port.ErrMoved)
		require.Equal(t, tip, s.Branch(anvil, "main"))
		s.SetBranch(anvil, "other", tip)
		c = must(s.Repos().Open(t.Context(), s.Ref(anvil), "refs/heads/other", ""))(t)
		require.NoError(t, c.WriteFile("x", []byte("x")))
		s.SetBranch(anvil, "other", "")
		_, err := c.Commit(t.Context(), commitRequest("other"))
		require.ErrorIs(t, err, port.ErrMoved, "a branch that is gone is not made again")
		require.Empty(t, s.Branch(anvil, "other"))
	}},
	{"a new branch must not exist yet", func(t *testing.T, s ReposStage) {
		c := changed(t, s, "x")
		made := must(c.Commit(t.Context(), commitRequest("tenon/issue-7")))(t)
		require.Equal(t, made.SHA, s.Branch(anvil, "tenon/issue-7"))
		require.Equal(t, c.SHA(), s.Branch(anvil, "main"))
		require.NoError(t, c.WriteFile("y", []byte("y")))
		require.ErrorIs(t, errorOf(c.Commit(t.Context(), commitRequest("tenon/issue-7"))), port.ErrMoved)
		require.Equal(t, made.SHA, s.Branch(anvil, "tenon/issue-7"))
	}},
	{"a branch may have any name that git allows", func(t *testing.T, s ReposStage) {
		for _, branch := range []string{"feature/ünï-código", "a'b\"c", "percent%2Fslash", "hash#1", "@x", "a&b=c;d",
			"$(x)", "日本"} {
			made := must(changed(t, s, branch).Commit(t.Context(), commitRequest(branch)))(t, branch)
			require.Equal(t, made.SHA, s.Branch(anvil, branch))
		}
		for _, branch := range []string{"", "a..b", "a b", "a\nb", "a\x00b", "x.lock", "a~b", "-x", "a//b", "/a", "a/"} {
			_, err := changed(t, s, "x").Commit(t.Context(), commitRequest(branch))
			require.Error(t, err, "%q is not the name of a branch", branch)
		}
	}},
	{"a commit needs a message", func(t *testing.T, s ReposStage) {
		for _, message := range []string{"", " \n", "a\x00b"} {
			req := commitRequest("main")
			req.Message = message
			require.Error(t, errorOf(changed(t, s, "x").Commit(t.Context(), req)), "%q", message)
		}
	}},
	{"a commit whose push lost its answer is made", func(t *testing.T, s ReposStage) {
		c := changed(t, s, "x")
		s.LosePush()
		require.Equal(t, must(c.Commit(t.Context(), commitRequest("main")))(t).SHA, s.Branch(anvil, "main"))
	}},
	{"a commit that the server rejects comes with its words", func(t *testing.T, s ReposStage) {
		s.Protect("GH006: Protected branch update failed")
		c := changed(t, s, "x")
		_, err := c.Commit(t.Context(), commitRequest("main"))
		var rejected *port.RejectedError
		require.ErrorAs(t, err, &rejected)
		require.Equal(t, "main", rejected.Branch)
		require.Contains(t, rejected.Text, "GH006: Protected branch update failed")
		require.Equal(t, c.SHA(), s.Branch(anvil, "main"))
	}},
	{"a commit that the server denies is denied", func(t *testing.T, s ReposStage) {
		s.DenyPushes()
		c := changed(t, s, "x")
		require.ErrorIs(t, errorOf(c.Commit(t.Context(), commitRequest("main"))), port.ErrDenied)
		require.Equal(t, c.SHA(), s.Branch(anvil, "main"))
	}},
	{"a commit goes to a fork", func(t *testing.T, s ReposStage) {
		c, req := openPull(t, s)
		require.Equal(t, must(c.Commit(t.Context(), req))(t).SHA, s.Branch(fork, "theirs"))
		require.Equal(t, []string{c.SHA()}, s.Commits(fork, "theirs")[0].Parents)
		require.Empty(t, s.Branch(anvil, "theirs"), "the repository itself is left alone")
	}},
	{"a merge goes to a fork with what it lacks of the base", func(t *testing.T, s ReposStage) {
		common := s.Branch(anvil, "main")
		s.Commit(anvil, "main", bottest.Files(map[string]string{"later.txt": "0\n"}))
		base := s.Commit(anvil, "main", bottest.Files(map[string]string{"later.txt": "later\n"}))
		c, req := openPull(t, s)
		require.NoError(t, c.Put("later.txt", git.ModeFile, s.BlobID(anvil, base, "later.txt")))
		req.Merge = base
		require.Error(t, errorOf(c.Commit(t.Context(), req)), "nobody knows what it lacks")
		req.Common = common
		made := must(c.Commit(t.Context(), req))(t)
		require.Equal(t, made.SHA, s.Branch(fork, "theirs"))
		commits := s.Commits(fork, "theirs")
		require.Equal(t, []string{c.SHA(), base}, commits[0].Parents)
		require.Subset(t, shas(commits), shas(s.Commits(anvil, "main")))
		data, ok := s.File(fork, "theirs", "later.txt")
		require.True(t, ok)
		require.Equal(t, "later\n", data)
	}},
	{"a fork that moved, or is gone, gets nothing", func(t *testing.T, s ReposStage) {
		c, req := openPull(t, s)
		tip := s.Commit(fork, "theirs", bottest.Files(map[string]string{"y": "y"}))
		require.ErrorIs(t, errorOf(c.Commit(t.Context(), req)), port.ErrMoved)
		require.Equal(t, tip, s.Branch(fork, "theirs"))
		req.Fork = &port.RepoRef{Owner: "ada", Name: "gone"}
		require.ErrorIs(t, errorOf(c.Commit(t.Context(), req)), port.ErrNotFound)
		req.Fork = &port.RepoRef{Owner: "ada/..", Name: "x"}
		require.Error(t, errorOf(c.Commit(t.Context(), req)))
	}},
}

func shas(commits []bottest.Commit) (list []string) {
	for _, c := range commits {
		list = append(list, c.SHA)
	}
	return list
}

// changed is the tip of main with a file x staged.
func changed(t *testing.T, s ReposStage, data string) repo.Checkout {
	c := openMain(t, s)
	require.NoError(t, c.WriteFile("x", []byte(data)))
	return c
}

// openPull opens the pull request of the fork, and stages a change.
func openPull(t *testing.T, s ReposStage) (repo.Checkout, repo.CommitRequest) {
	c := must(s.Repos().Open(t.Context(), s.Ref(anvil), forkHead, s.Branch(fork, "theirs")))(t)
	require.NoError(t, c.WriteFile("x", []byte("x")))
	req, to := commitRequest("theirs"), s.Ref(fork)
	req.Fork = &to
	return c, req
}
