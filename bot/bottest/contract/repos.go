package contract

import (
	"context"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// ReposStage is a git server on which the contract of repo.Repos is played, with the repository acme/anvil, of which
// main has one commit with AnvilFiles. There is a fork of it, ada/anvil, whose branch theirs has one commit more, of
// fork.txt; it is refs/pull/7/head of acme/anvil, and may be pushed to. There is the empty repository acme/empty.
type ReposStage interface {
	Repos() repo.Repos
	Ref(repo string) port.RepoRef
	// Commit adds a commit to a branch and returns it.
	Commit(repo, branch string, files map[string]bottest.File) (sha string)
	// Branch is where a branch points; empty when there is none.
	Branch(repo, branch string) string
	// SetBranch lets a branch point at a commit by force; an empty one deletes the branch.
	SetBranch(repo, branch, sha string)
	TreeID(repo, sha string) string
	BlobID(repo, sha, path string) string
	File(repo, branch, path string) (data string, ok bool)
	Mode(repo, branch, path string) string
	Commits(repo, branch string) []bottest.Commit
	// Protect has the server reject pushes to main of acme/anvil in these words.
	Protect(words string)
	// DenyPushes has the server deny all pushes to acme/anvil.
	DenyPushes()
	// LosePush has the answer to the next push get lost.
	LosePush()
}

// AnvilFiles are the files of acme/anvil.
var AnvilFiles = map[string]bottest.File{
	"README.md":      {Data: "# anvil\n"},
	"cmd/main.go":    {Data: "package main\n"},
	"cmd/run.sh":     {Mode: git.ModeExecutable, Data: "#!/bin/sh\n"},
	"cmd-line.txt":   {Data: "sorts before the folder cmd\n"},
	"cmd.txt":        {Data: "and so does this\n"},
	"docs/a/b/c.txt": {Data: "deep\n"},
	"docs/link":      {Mode: git.ModeLink, Data: "a/b/c.txt"},
	"link":           {Mode: git.ModeLink, Data: "README.md"},
	"vendored":       {Mode: git.ModeSubmodule, Data: "1234567890123456789012345678901234567890"},
}

const (
	anvil    = "acme/anvil"
	fork     = "ada/anvil"
	mainRef  = "refs/heads/main"
	forkHead = "refs/pull/7/head"
)

// openMain opens the tip of main.
func openMain(t *testing.T, s ReposStage) repo.Checkout {
	return must(s.Repos().Open(t.Context(), s.Ref(anvil), mainRef, ""))(t)
}

// read returns a file that is loaded.
func read(t *testing.T, c repo.Checkout, name string) string {
	return string(must(c.ReadFile(name))(t))
}

var openStories = []story[ReposStage]{
	{"a commit is opened with its tree", func(t *testing.T, s ReposStage) {
		c := openMain(t, s)
		require.Equal(t, s.Branch(anvil, "main"), c.SHA())
		require.Equal(t, s.TreeID(anvil, c.SHA()), c.Tree())
		files := must(c.Files())(t)
		require.Equal(t, []string{"README.md", "cmd-line.txt", "cmd.txt", "cmd/main.go", "cmd/run.sh", "docs/a/b/c.txt"},
			files)
		for name, want := range map[string]engine.Kind{
			"README.md": engine.File, "cmd": engine.Folder, "docs/a/b": engine.Folder, "link": engine.Symlink,
			"vendored": engine.Submodule,
			"nothing":  engine.Absent, "cmd/nothing": engine.Absent, "README.md/x": engine.Absent, "link/x": engine.Absent,
			"vendored/x": engine.Absent,
		} {
			require.Equal(t, want, must(c.Kind(name))(t), name)
		}
		for folder, want := range map[string][]string{"docs": {"docs/link"}, "docs/a": nil, "cmd": nil, "README.md": nil,
			"link": nil, "nothing": nil, "": {"docs/link", "link", "vendored"}} {
			links := must(c.Links(folder))(t)
			require.Equal(t, len(want), len(links), folder)
			require.Subset(t, links, want)
		}
	}},
	{"a ref is opened where it points now, a commit where it is", func(t *testing.T, s ReposStage) {
		first := s.Branch(anvil, "main")
		second := s.Commit(anvil, "main", bottest.Files(map[string]string{"new.txt": "new\n"}))
		ref := s.Ref(anvil)
		for _, c := range []struct{ name, sha, want string }{
			{mainRef, "", second}, {"HEAD", "", second}, {mainRef, first, first}, {mainRef, second, second},
			{forkHead, "", s.Branch(fork, "theirs")}, {forkHead, s.Branch(fork, "theirs"), s.Branch(fork, "theirs")},
		} {
			got := must(s.Repos().Open(t.Context(), ref, c.name, c.sha, "README.md", "nothing"))(t)
			require.Equal(t, c.want, got.SHA(), c)
		}
		s.SetBranch(anvil, "main", first)
		got := must(s.Repos().Open(t.Context(), ref, mainRef, second))(t, "GitHub keeps what a push by force dropped")
		require.Equal(t, second, got.SHA())
		require.Equal(t, first, openMain(t, s).SHA())
	}},
	{"what does not exist is not found", func(t *testing.T, s ReposStage) {
		for what, c := range map[string]struct{ repo, name, sha string }{
			"the repository": {"acme/nothing", mainRef, ""}, "the ref": {anvil, "refs/heads/nothing", ""},
			"the commit": {anvil, mainRef, strings.Repeat("1", 40)},
		} {
			ref := s.Ref(anvil)
			ref.Owner, ref.Name, _ = strings.Cut(c.repo, "/")
			require.ErrorIs(t, errorOf(s.Repos().Open(t.Context(), ref, c.name, c.sha)), port.ErrNotFound, what)
		}
		for _, name := range []string{"", "a b", "refs/heads/a..b", "refs/heads/\x00"} {
			require.Error(t, errorOf(s.Repos().Open(t.Context(), s.Ref(anvil), name, "")), "%q is no name of a ref", name)
		}
	}},
	{"an empty repository says so", func(t *testing.T, s ReposStage) {
		for _, name := range []string{mainRef, "HEAD"} {
			_, err := s.Repos().Open(t.Context(), s.Ref("acme/empty"), name, "")
			require.ErrorIs(t, err, port.ErrEmpty)
			var user *port.UserError
			require.ErrorAs(t, err, &user)
			require.Contains(t, user.Text, "This repository is empty")
		}
	}},
	{"files are read when they were loaded", func(t *testing.T, s ReposStage) {
		c := openMain(t, s)
		_, err := c.ReadFile("README.md")
		require.Error(t, err)
		require.NotErrorIs(t, err, fs.ErrNotExist)
		require.NoError(t, c.Load(t.Context(), "README.md", "cmd/run.sh", "nothing", "link", "vendored", "cmd", "README.md"))
		require.NoError(t, c.Load(t.Context()))
		for name, want := range map[string]string{"README.md": "# anvil\n", "cmd/run.sh": "#!/bin/sh\n"} {
			require.Equal(t, want, read(t, c, name))
		}
		for _, name := range []string{"nothing", "link", "vendored", "cmd"} {
			require.ErrorIs(t, errorOf(c.ReadFile(name)), fs.ErrNotExist, name)
		}
	}},
	{"a file that is too large is named", func(t *testing.T, s ReposStage) {
		large := strings.Repeat("0123456789abcdef", 1<<20) + "x"
		s.Commit(anvil, "main", bottest.Files(map[string]string{"large.bin": large}))
		c := openMain(t, s)
		require.NoError(t, c.Load(t.Context(), "large.bin", "README.md"))
		_, err := c.ReadFile("large.bin")
		require.ErrorIs(t, err, engine.ErrTooLarge)
		var user *port.UserError
		require.ErrorAs(t, err, &user)
		require.Contains(t, user.Text,
			"`\"large.bin\"` is larger than 16777216 bytes; tenon does not work on files of that size.")
		must(c.ReadFile("README.md"))(t)
	}},
	{"nothing is opened or loaded when the context has ended", func(t *testing.T, s ReposStage) {
		c := openMain(t, s)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		s.Commit(anvil, "main", bottest.Files(map[string]string{"new.txt": "new\n"}))
		require.ErrorIs(t, errorOf(s.Repos().Open(ctx, s.Ref(anvil), mainRef, "")), context.Canceled)
		require.ErrorIs(t, c.Load(ctx, "README.md"), context.Canceled)
		require.NoError(t, c.WriteFile("x", nil))
		require.ErrorIs(t, errorOf(c.Commit(ctx, commitRequest("new"))), context.Canceled)
		require.Empty(t, s.Branch(anvil, "new"))
	}},
	{"refs are read where they point now", func(t *testing.T, s ReposStage) {
		second := s.Commit(anvil, "main", bottest.Files(map[string]string{"new.txt": "new\n"}))
		names := []string{mainRef, "HEAD", forkHead, "refs/heads/mai", "refs/heads/nothing"}
		got := must(s.Repos().Tips(t.Context(), s.Ref(anvil), names...))(t)
		require.Equal(t, map[string]string{mainRef: second, "HEAD": second, forkHead: s.Branch(fork, "theirs")}, got)
		got = must(s.Repos().Tips(t.Context(), s.Ref("acme/empty"), mainRef, "HEAD"))(t)
		require.Empty(t, got)
		nothing := s.Ref(anvil)
		nothing.Name = "nothing"
		require.ErrorIs(t, errorOf(s.Repos().Tips(t.Context(), nothing, mainRef)), port.ErrNotFound)
		for _, name := range []string{"", "a b", "refs/heads/a..b", "refs/heads/\x00"} {
			require.Error(t, errorOf(s.Repos().Tips(t.Context(), s.Ref(anvil), mainRef, name)), "%q is no name of a ref", name)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, errorOf(s.Repos().Tips(ctx, s.Ref(anvil), mainRef)), context.Canceled)
	}},
	{"a fork is read with the credentials for the repository that it was forked from", func(t *testing.T, s ReposStage) {
		forks, at, theirs := s.Repos().ForksOf(s.Ref(anvil)), s.Ref(fork), "refs/heads/theirs"
		tip := s.Commit(fork, "theirs", bottest.Files(map[string]string{"fork.txt": "later\n"}))
		require.Equal(t, map[string]string{theirs: tip}, must(forks.Tips(t.Context(), at, theirs))(t))
		c := must(forks.Open(t.Context(), at, theirs, tip))(t)
		require.NoError(t, c.Load(t.Context(), "fork.txt"))
		require.Equal(t, "later\n", read(t, c, "fork.txt"))
		require.NoError(t, c.WriteFile("fork.txt", []byte("latest\n")))
		req := commitRequest("theirs")
		req.Fork = &at
		require.Equal(t, must(c.Commit(t.Context(), req))(t).SHA, s.Branch(fork, "theirs"))
		at.Name = "nothing"
		require.ErrorIs(t, errorOf(forks.Tips(t.Context(), at, theirs)), port.ErrNotFound)
		require.ErrorIs(t, errorOf(forks.Open(t.Context(), at, theirs, "")), port.ErrNotFound)
	}},
}

var stagedStories = []story[ReposStage]{
	{"what may not be written is refused", func(t *testing.T, s ReposStage) {
		c := openMain(t, s)
		for _, name := range []string{
			"link", "vendored", "cmd", "link/x", "vendored/x", "README.md/x", "../x", "a/../x", ".git/config", "a/.GIT/x",
			"git~1/x", ".git./x",
			".g\u200cit/x", "", "/x", "a//b", "a/", "a\x00b", strings.Repeat("x", 5000), strings.Repeat("x/", 300) + "x",
		} {
			require.Error(t, c.WriteFile(name, []byte("x")), "%.40q", name)
			require.Error(t, c.Move("cmd/main.go", name), "%.40q", name)
		}
		require.Error(t, c.WriteFile("README.md", []byte("x")), "it was not loaded")
		require.Error(t, c.Move("cmd/main.go", "README.md"), "something is there")
		require.Empty(t, must(c.Changes())(t))
	}},
	// A pointer has a first line that says so, and less than 1,024 bytes.
	{"a pointer of Git LFS is not written", func(t *testing.T, s ReposStage) {
		const line = "version https://git-lfs.github.com/spec/v1\n"
		files := map[string]string{"short": line, "usual": line + "oid sha256:4d7a\nsize 12345\n",
			"longest":  line + strings.Repeat("x", 1023-len(line)),
			"too long": line + strings.Repeat("x", 1024-len(line)), "not first": "x\n" + line,
			"older": "version https://hawser.github.com/spec/v1\noid sha256:4d7a\nsize 1\n"}
		s.Commit(anvil, "main", bottest.Files(files))
		c := openMain(t, s)
		for name := range files {
			require.NoError(t, c.Load(t.Context(), name))
			err := c.WriteFile(name, []byte("x"))
			if name == "too long" || name == "not first" {
				require.NoError(t, err, name)
				continue
			}
			var user *port.UserError
			require.ErrorAs(t, err, &user, name)
			require.Equal(t, "`\""+name+"\"` is stored in Git LFS; tenon does not edit such files.", user.Text)
		}
	}},
	{"files are removed and moved, with the folders that are empty then", func(t *testing.T, s ReposStage) {
		c := openMain(t, s)
		require.NoError(t, c.Remove("docs/a/b/c.txt"))
		for name, want := range map[string]engine.Kind{"docs/a/b/c.txt": engine.Absent, "docs/a": engine.Absent,
			"docs": engine.Folder} {
			require.Equal(t, want, must(c.Kind(name))(t), name)
		}
		require.NoError(t, c.Move("cmd/run.sh", "bin/run.sh"))
		require.NoError(t, c.Move("bin/run.sh", "bin/run.sh"))
		require.True(t, must(c.Executable("bin/run.sh"))(t))
		files := must(c.Files())(t)
		require.Equal(t, []string{"README.md", "bin/run.sh", "cmd-line.txt", "cmd.txt", "cmd/main.go"}, files)
		for _, name := range []string{"cmd", "link", "vendored", "nothing"} {
			require.ErrorIs(t, c.Remove(name), fs.ErrNotExist, name)
			require.ErrorIs(t, c.Move(name, "x"), fs.ErrNotExist, name)
		}
	}},
	{"the mode of a file is staged", func(t *testing.T, s ReposStage) {
		c := openMain(t, s)
		for name, was := range map[string]bool{"cmd/run.sh": true, "cmd/main.go": false} {
			require.Equal(t, was, must(c.Executable(name))(t), name)
			require.NoError(t, c.SetExecutable(name, !was))
		}
		for _, name := range []string{"cmd", "link", "nothing"} {
			require.Error(t, errorOf(c.Executable(name)), name)
			require.Error(t, c.SetExecutable(name, true), name)
		}
		made := must(c.Commit(t.Context(), commitRequest("main")))(t)
		require.Equal(t, []string{"cmd/main.go", "cmd/run.sh"}, made.Files)
		require.Equal(t, "100755", s.Mode(anvil, "main", "cmd/main.go"))
		require.Equal(t, "100644", s.Mode(anvil, "main", "cmd/run.sh"))
	}},
	{"what differs from the commit is listed", func(t *testing.T, s ReposStage) {
		c := openMain(t, s)
		require.NoError(t, c.Load(t.Context(), "cmd/run.sh"))
		require.NoError(t, c.WriteFile("cmd/run.sh", []byte("#!/bin/sh\nexit 0\n")))
		require.NoError(t, c.WriteFile("new/empty.txt", nil))
		require.NoError(t, c.Move("cmd.txt", "cmd/x.txt"))
		require.NoError(t, c.SetExecutable("README.md", true))
		require.NoError(t, c.Remove("docs/a/b/c.txt"))
		changes := must(c.Changes())(t)
		at := c.SHA()
		require.Equal(t, []port.Change{
			{Path: "README.md", Mode: "100755", Blob: s.BlobID(anvil, at, "README.md"),
				OldMode: "100644", OldBlob: s.BlobID(anvil, at, "README.md")},
			{Path: "cmd.txt"},
			{Path: "cmd/run.sh", Mode: "100755", Data: []byte("#!/bin/sh\nexit 0\n"),
				Blob:    blobID("#!/bin/sh\nexit 0\n"),
				OldMode: "100755", OldBlob: s.BlobID(anvil, at, "cmd/run.sh")},
			{Path: "cmd/x.txt", Mode: "100644", Blob: s.BlobID(anvil, at, "cmd.txt")},
			{Path: "docs/a/b/c.txt"},
			{Path: "new/empty.txt", Mode: "100644", Data: []byte{}, Blob: "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"},
		}, changes)
		require.True(t, changes[1].Removed())
		require.Equal(t, s.TreeID(anvil, at), c.Tree(), "of the commit that was opened")
		require.Equal(t, "#!/bin/sh\nexit 0\n", read(t, c, "cmd/run.sh"))
	}},
	{"writing what is there changes nothing", func(t *testing.T, s ReposStage) {
		c := openMain(t, s)
		require.NoError(t, c.Load(t.Context(), "README.md"))
		require.NoError(t, c.WriteFile("README.md", []byte("other")))
		require.NoError(t, c.WriteFile("README.md", []byte("# anvil\n")))
		require.NoError(t, c.WriteFile("new", []byte("other")))
		require.NoError(t, c.Remove("new"))
		require.Empty(t, must(c.Changes())(t))
		require.Error(t, errorOf(c.Commit(t.Context(), commitRequest("main"))))
	}},
}

// commitRequest is a commit by the app to a branch.
func commitRequest(branch string) repo.CommitRequest {
	who := repo.Signature{Name: "tenon[bot]", Email: "1+tenon[bot]@users.noreply.github.com",
		When: time.Unix(1_700_000_100, 5)}
	return repo.CommitRequest{Branch: branch, Message: "chore: apply edits\n\nTenon-Run: abc", Author: who, Committer: who}
}
