package bottest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
)

var pushStories = []contractStory[ReposStage]{
	{"a commit is made on top of the opened one", committed},
	{"the same commit again is success", committedAgain},
	{"a branch that moved stays where it is", commitMoved},
	{"a new branch must not exist yet", commitToNew},
	{"a branch may have any name that git allows", branchNames},
	{"a commit needs a message", commitMessages},
	{"a commit whose push lost its answer is made", commitLost},
	{"a commit that the server rejects comes with its words", commitRejected},
	{"a commit that the server denies is denied", commitDenied},
	{"a commit goes to a fork", commitToFork},
	{"a fork that moved, or is gone, gets nothing", commitToForkMoved},
}

// changed is the tip of main with a file x staged.
func changed(t *testing.T, s ReposStage, data string) repo.Checkout {
	t.Helper()
	c := openMain(t, s)
	require.NoError(t, c.WriteFile("x", []byte(data)))
	return c
}

func committed(t *testing.T, s ReposStage) {
	c := openMain(t, s)
	require.NoError(t, c.Load(t.Context(), "cmd/run.sh"))
	require.NoError(t, c.WriteFile("cmd/run.sh", []byte("#!/bin/sh\nexit 0\n")))
	require.NoError(t, c.WriteFile("new/file.txt", []byte("new\n")))
	require.NoError(t, c.WriteFile("new/empty.txt", nil))
	require.NoError(t, c.Remove("docs/a/b/c.txt"))
	require.NoError(t, c.Move("cmd.txt", "cmd/x.txt"))
	made, err := c.Commit(t.Context(), commitRequest("main"))
	require.NoError(t, err)
	require.Equal(t, []string{"cmd.txt", "cmd/run.sh", "cmd/x.txt", "docs/a/b/c.txt", "new/empty.txt", "new/file.txt"},
		made.Files)
	require.Equal(t, made.SHA, s.Branch(anvil, "main"))
	got := s.Commits(anvil, "main")[0]
	require.Equal(t, Commit{SHA: made.SHA, Message: "chore: apply edits\n\nTenon-Run: abc", Author: "tenon[bot]",
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
	again, err := s.Repos().Open(t.Context(), s.Ref(anvil), mainRef, made.SHA)
	require.NoError(t, err)
	require.Equal(t, s.TreeID(anvil, made.SHA), again.Tree())
}

func committedAgain(t *testing.T, s ReposStage) {
	for _, branch := range []string{"main", "new"} {
		c := changed(t, s, branch)
		made, err := c.Commit(t.Context(), commitRequest(branch))
		require.NoError(t, err)
		again, err := c.Commit(t.Context(), commitRequest(branch))
		require.NoError(t, err)
		require.Equal(t, made, again)
		require.Equal(t, made.SHA, s.Branch(anvil, branch))
		s.SetBranch(anvil, branch, c.SHA())
		if branch == "new" {
			s.SetBranch(anvil, branch, "")
		}
		other, err := s.Repos().Open(t.Context(), s.Ref(anvil), mainRef, c.SHA())
		require.NoError(t, err)
		require.NoError(t, other.WriteFile("x", []byte(branch)))
		same, err := other.Commit(t.Context(), commitRequest(branch))
		require.NoError(t, err)
		require.Equal(t, made, same, "the same request on the same tree")
		s.SetBranch(anvil, "main", c.SHA())
	}
}

func commitMoved(t *testing.T, s ReposStage) {
	c := changed(t, s, "x")
	tip := s.Commit(anvil, "main", Files(map[string]string{"y": "y"}))
	_, err := c.Commit(t.Context(), commitRequest("main"))
	require.ErrorIs(t, err, port.ErrMoved)
	require.Equal(t, tip, s.Branch(anvil, "main"))
	s.SetBranch(anvil, "other", tip)
	c, err = s.Repos().Open(t.Context(), s.Ref(anvil), "refs/heads/other", "")
	require.NoError(t, err)
	require.NoError(t, c.WriteFile("x", []byte("x")))
	s.SetBranch(anvil, "other", "")
	_, err = c.Commit(t.Context(), commitRequest("other"))
	require.ErrorIs(t, err, port.ErrMoved, "a branch that is gone is not made again")
	require.Empty(t, s.Branch(anvil, "other"))
}

func commitToNew(t *testing.T, s ReposStage) {
	c := changed(t, s, "x")
	made, err := c.Commit(t.Context(), commitRequest("tenon/issue-7"))
	require.NoError(t, err)
	require.Equal(t, made.SHA, s.Branch(anvil, "tenon/issue-7"))
	require.Equal(t, c.SHA(), s.Branch(anvil, "main"))
	require.NoError(t, c.WriteFile("y", []byte("y")))
	_, err = c.Commit(t.Context(), commitRequest("tenon/issue-7"))
	require.ErrorIs(t, err, port.ErrMoved)
	require.Equal(t, made.SHA, s.Branch(anvil, "tenon/issue-7"))
}

func branchNames(t *testing.T, s ReposStage) {
	for _, branch := range []string{"feature/ünï-código", "a'b\"c", "percent%2Fslash", "hash#1", "@x", "a&b=c;d",
		"$(x)", "日本"} {
		made, err := changed(t, s, branch).Commit(t.Context(), commitRequest(branch))
		require.NoError(t, err, branch)
		require.Equal(t, made.SHA, s.Branch(anvil, branch))
	}
	for _, branch := range []string{"", "a..b", "a b", "a\nb", "a\x00b", "x.lock", "a~b", "-x", "a//b", "/a", "a/"} {
		_, err := changed(t, s, "x").Commit(t.Context(), commitRequest(branch))
		require.Error(t, err, "%q is not the name of a branch", branch)
	}
}

func commitMessages(t *testing.T, s ReposStage) {
	for _, message := range []string{"", " \n", "a\x00b"} {
		req := commitRequest("main")
		req.Message = message
		_, err := changed(t, s, "x").Commit(t.Context(), req)
		require.Error(t, err, "%q", message)
	}
}

func commitLost(t *testing.T, s ReposStage) {
	c := changed(t, s, "x")
	s.LosePush()
	made, err := c.Commit(t.Context(), commitRequest("main"))
	require.NoError(t, err)
	require.Equal(t, made.SHA, s.Branch(anvil, "main"))
}

func commitRejected(t *testing.T, s ReposStage) {
	s.Protect("GH006: Protected branch update failed")
	c := changed(t, s, "x")
	_, err := c.Commit(t.Context(), commitRequest("main"))
	var rejected *port.RejectedError
	require.ErrorAs(t, err, &rejected)
	require.Equal(t, "main", rejected.Branch)
	require.Contains(t, rejected.Text, "GH006: Protected branch update failed")
	require.Equal(t, c.SHA(), s.Branch(anvil, "main"))
}

func commitDenied(t *testing.T, s ReposStage) {
	s.DenyPushes()
	c := changed(t, s, "x")
	_, err := c.Commit(t.Context(), commitRequest("main"))
	require.ErrorIs(t, err, port.ErrDenied)
	require.Equal(t, c.SHA(), s.Branch(anvil, "main"))
}

// openPull opens the pull request of the fork, and stages a change.
func openPull(t *testing.T, s ReposStage) (repo.Checkout, repo.CommitRequest) {
	t.Helper()
	c, err := s.Repos().Open(t.Context(), s.Ref(anvil), forkHead, s.Branch(fork, "theirs"))
	require.NoError(t, err)
	require.NoError(t, c.WriteFile("x", []byte("x")))
	req, to := commitRequest("theirs"), s.Ref(fork)
	req.Fork = &to
	return c, req
}

func commitToFork(t *testing.T, s ReposStage) {
	c, req := openPull(t, s)
	made, err := c.Commit(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, made.SHA, s.Branch(fork, "theirs"))
	require.Equal(t, []string{c.SHA()}, s.Commits(fork, "theirs")[0].Parents)
	require.Empty(t, s.Branch(anvil, "theirs"), "the repository itself is left alone")
}

func commitToForkMoved(t *testing.T, s ReposStage) {
	c, req := openPull(t, s)
	tip := s.Commit(fork, "theirs", Files(map[string]string{"y": "y"}))
	_, err := c.Commit(t.Context(), req)
	require.ErrorIs(t, err, port.ErrMoved)
	require.Equal(t, tip, s.Branch(fork, "theirs"))
	req.Fork = &port.RepoRef{Owner: "ada", Name: "gone"}
	_, err = c.Commit(t.Context(), req)
	require.ErrorIs(t, err, port.ErrNotFound)
	req.Fork = &port.RepoRef{Owner: "ada/..", Name: "x"}
	_, err = c.Commit(t.Context(), req)
	require.Error(t, err)
}
