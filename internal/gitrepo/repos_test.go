package gitrepo_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

// acme is the repository of most tests.
var acme = port.RepoRef{Owner: "acme", Name: "anvil"}

// world is a server with one repository and a client for it.
type world struct {
	server *gittest.Server
	repo   *gittest.Repo
	repos  *gitrepo.Repos
	tip    string
}

func newWorld(t *testing.T, o gitrepo.Options) *world {
	t.Helper()
	w := &world{server: gittest.New(t)}
	w.repo = w.server.Create(t, "acme/anvil")
	w.tip = w.repo.Commit("main", map[string]gittest.File{
		"README.md":      {Data: "# anvil\n"},
		"cmd/main.go":    {Data: "package main\n"},
		"cmd/run.sh":     {Mode: "100755", Data: "#!/bin/sh\n"},
		"cmd-line.txt":   {Data: "sorts before the folder cmd\n"},
		"cmd.txt":        {Data: "and so does this\n"},
		"docs/a/b/c.txt": {Data: "deep\n"},
		"link":           {Mode: "120000", Data: "README.md"},
		"vendored":       {Mode: "160000", Data: "1234567890123456789012345678901234567890"},
	})
	o.BaseURL = w.server.URL
	w.repos = gitrepo.New(o)
	return w
}

func (w *world) open(t *testing.T) *gitrepo.Checkout {
	t.Helper()
	c, err := w.repos.Open(t.Context(), acme, "refs/heads/main", w.tip)
	require.NoError(t, err)
	return c.(*gitrepo.Checkout)
}

func request(branch string) repo.CommitRequest {
	when := time.Unix(1_700_000_100, 5)
	who := repo.Signature{Name: "tenon[bot]", Email: "1+tenon[bot]@users.noreply.github.com", When: when}
	return repo.CommitRequest{Branch: branch, Message: "chore: apply edits\n\nTenon-Run: abc", Author: who, Committer: who}
}

func TestOpenShowsTheTreeOfTheCommit(t *testing.T) {
	t.Parallel()
	c := newWorld(t, gitrepo.Options{}).open(t)
	files, err := c.Files()
	require.NoError(t, err)
	require.Equal(t, []string{"README.md", "cmd-line.txt", "cmd.txt", "cmd/main.go", "cmd/run.sh", "docs/a/b/c.txt"},
		files)
	for name, kind := range map[string]engine.Kind{
		"README.md": engine.File, "cmd": engine.Folder, "docs/a/b": engine.Folder, "link": engine.Symlink,
		"vendored": engine.Submodule,
		"nothing":  engine.Absent, "cmd/nothing": engine.Absent, "README.md/x": engine.Absent, "link/x": engine.Absent,
	} {
		got, err := c.Kind(name)
		require.NoError(t, err)
		require.Equal(t, kind, got, name)
	}
}

func TestLoadBringsFilesInOneRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	c := w.open(t)
	_, err := c.ReadFile("README.md")
	require.ErrorIs(t, err, gitrepo.ErrNotLoaded)
	w.server.Requests()
	require.NoError(t, c.Load(t.Context(), "README.md", "cmd/run.sh", "nothing", "link", "cmd", "README.md"))
	require.Len(t, w.server.Requests(), 1)
	data, err := c.ReadFile("README.md")
	require.NoError(t, err)
	require.Equal(t, "# anvil\n", string(data))
	require.NoError(t, c.Load(t.Context(), "cmd/run.sh"))
	require.Empty(t, w.server.Requests())
}

func TestACommitOfEditsANewFileARemovalAndAMove(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	c := w.open(t)
	require.NoError(t, c.Load(context.Background(), "cmd/run.sh"))
	_, err := c.Files()
	require.NoError(t, err)
	require.NoError(t, c.WriteFile("cmd/run.sh", []byte("#!/bin/sh\nexit 0\n")))
	require.NoError(t, c.WriteFile("new/folder/file.txt", []byte("new\n")))
	require.NoError(t, c.WriteFile("new/empty.txt", nil))
	require.NoError(t, c.Remove("docs/a/b/c.txt"))
	require.NoError(t, c.Move("cmd.txt", "cmd/x.txt"))
	kind, err := c.Kind("docs")
	require.NoError(t, err)
	require.Equal(t, engine.Absent, kind, "an emptied folder vanishes")

	files, err := c.Files()
	require.NoError(t, err)
	require.Equal(t, []string{"README.md", "cmd-line.txt", "cmd/main.go", "cmd/run.sh", "cmd/x.txt", "new/empty.txt",
		"new/folder/file.txt"}, files)

	w.server.Requests()
	made, err := c.Commit(t.Context(), request("main"))
	require.NoError(t, err)
	require.Equal(t, []string{"POST /acme/anvil.git/git-receive-pack"}, w.server.Requests())
	require.Equal(t, []string{"cmd.txt", "cmd/run.sh", "cmd/x.txt", "docs/a/b/c.txt", "new/empty.txt",
		"new/folder/file.txt"}, made.Files)
	require.Equal(t, made.SHA, w.repo.Ref("refs/heads/main"))
	require.Equal(t, w.tip, w.repo.Git("rev-parse", "main^"))
	require.Equal(t, "D\tcmd.txt\nM\tcmd/run.sh\nA\tcmd/x.txt\n"+
		"D\tdocs/a/b/c.txt\nA\tnew/empty.txt\nA\tnew/folder/file.txt",
		w.repo.Git("diff", "--name-status", "--no-renames", "main^", "main"))
	require.Equal(t, "100755", w.repo.Git("ls-tree", "--format=%(objectmode)", "main", "cmd/run.sh"), "modes are kept")
	require.Equal(t, "chore: apply edits\n\nTenon-Run: abc", w.repo.Git("log", "-1", "--format=%B", "main")[:34])
	require.Equal(t, "tenon[bot] <1+tenon[bot]@users.noreply.github.com> 1700000100", w.repo.Git("log", "-1",
		"--format=%an <%ae> %at", "main"))
	w.repo.Fsck()
}

func TestAMovedTipIsErrMovedAndNothingHappens(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	c := w.open(t)
	require.NoError(t, c.WriteFile("x", []byte("x")))
	other := w.repo.Commit("main", gittest.Files(map[string]string{"y": "y"}))
	_, err := c.Commit(t.Context(), request("main"))
	require.ErrorIs(t, err, port.ErrMoved)
	require.Equal(t, other, w.repo.Ref("refs/heads/main"))
}

func TestANewBranchMustNotExist(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	c := w.open(t)
	require.NoError(t, c.WriteFile("x", []byte("x")))
	made, err := c.Commit(t.Context(), request("tenon/issue-7"))
	require.NoError(t, err)
	require.Equal(t, made.SHA, w.repo.Ref("refs/heads/tenon/issue-7"))
	require.Equal(t, w.tip, w.repo.Ref("refs/heads/main"))

	again, err := c.Commit(t.Context(), request("tenon/issue-7"))
	require.NoError(t, err, "the same commit is already there")
	require.Equal(t, made, again)

	require.NoError(t, c.WriteFile("x2", []byte("x")))
	_, err = c.Commit(t.Context(), request("tenon/issue-7"))
	require.ErrorIs(t, err, port.ErrMoved)
	w.repo.Fsck()
}
