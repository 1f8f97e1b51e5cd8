package contract

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// pinned and repinned are commits of submodules.
const pinned, repinned = "1234567890123456789012345678901234567890", "2234567890123456789012345678901234567890"

// theirFiles are the changes of a commit of main after that with AnvilFiles.
var theirFiles = map[string]bottest.File{
	"README.md":           {Data: "# the anvil\n"},
	"cmd/main.go":         {Gone: true},
	"cmd/run.sh":          {Data: "#!/bin/sh\n"},
	"docs/link":           {Mode: git.ModeLink, Data: "a/b/d.txt"},
	"docs/a/b/d":          {Data: "theirs\n"},
	"cmd.txt":             {Mode: git.ModeLink, Data: "README.md"},
	"link":                {Gone: true},
	"vendored":            {Mode: git.ModeSubmodule, Data: repinned},
	"cmd-line.txt":        {Gone: true},
	"cmd-line.txt/folder": {Data: "a file is a folder now\n"},
}

// parted returns the checkouts of the first commit of main, and of a later one with theirFiles.
func parted(t *testing.T, s ReposStage) (before, theirs repo.Checkout) {
	before = openMain(t, s)
	s.Commit(anvil, "main", theirFiles)
	return before, openMain(t, s)
}

// acrossStories are about two commits of a repository.
var acrossStories = []story[ReposStage]{
	{"what differs from another commit is listed", func(t *testing.T, s ReposStage) {
		before, theirs := parted(t, s)
		was := func(path string) string { return s.BlobID(anvil, before.SHA(), path) }
		is := func(path string) string { return s.BlobID(anvil, theirs.SHA(), path) }
		const file, program, link, module = port.ModeFile, port.ModeExecutable, port.ModeLink, port.ModeSubmodule
		require.Equal(t, []port.Change{
			{Path: "README.md", Mode: file, Blob: is("README.md"), OldMode: file, OldBlob: was("README.md")},
			{Path: "cmd-line.txt", OldMode: file, OldBlob: was("cmd-line.txt")},
			{Path: "cmd-line.txt/folder", Mode: file, Blob: is("cmd-line.txt/folder")},
			{Path: "cmd.txt", Mode: link, Blob: is("cmd.txt"), OldMode: file, OldBlob: was("cmd.txt")},
			{Path: "cmd/main.go", OldMode: file, OldBlob: was("cmd/main.go")},
			{Path: "cmd/run.sh", Mode: file, Blob: is("cmd/run.sh"), OldMode: program, OldBlob: was("cmd/run.sh")},
			{Path: "docs/a/b/d", Mode: file, Blob: is("docs/a/b/d")},
			{Path: "docs/link", Mode: link, Blob: is("docs/link"), OldMode: link, OldBlob: was("docs/link")},
			{Path: "link", OldMode: link, OldBlob: was("link")},
			{Path: "vendored", Mode: module, Blob: repinned, OldMode: module, OldBlob: pinned},
		}, must(theirs.ChangesSince(before))(t))
		require.Empty(t, must(theirs.ChangesSince(theirs))(t))
		require.Empty(t, must(before.ChangesSince(openAt(t, s, before.SHA())))(t))
		require.Len(t, must(before.ChangesSince(theirs))(t), 10)
	}},
	{"what is staged differs from another commit", func(t *testing.T, s ReposStage) {
		before, theirs := parted(t, s)
		require.NoError(t, theirs.Load(t.Context(), "README.md", "cmd/run.sh"))
		require.NoError(t, theirs.WriteFile("README.md", []byte("# anvil\n")))
		require.NoError(t, theirs.WriteFile("new.txt", []byte("quite new\n")))
		changes := must(theirs.ChangesSince(before))(t)
		require.NotEqual(t, "README.md", changes[0].Path, "it is as it was")
		var data []string
		for _, c := range changes {
			if c.Data != nil {
				data = append(data, c.Path+" "+string(c.Data))
			}
		}
		require.Equal(t, []string{"new.txt quite new\n"}, data, "others are named by their blobs, loaded or not")
	}},
	{"what another commit has is staged", func(t *testing.T, s ReposStage) {
		ours, theirs := parted(t, s)
		stageAll(t, ours, must(theirs.ChangesSince(ours))(t))
		require.Empty(t, must(theirs.ChangesSince(ours))(t))
		for name, want := range map[string]engine.Kind{"README.md": engine.File, "cmd-line.txt": engine.Folder,
			"cmd.txt": engine.Symlink, "link": engine.Absent, "vendored": engine.Submodule} {
			require.Equal(t, want, must(ours.Kind(name))(t), name)
		}
		require.Len(t, must(ours.Changes())(t), 10)
		require.NoError(t, ours.Load(t.Context(), "docs/a/b/d"))
		require.Equal(t, "theirs\n", read(t, ours, "docs/a/b/d"), "it can be loaded")
	}},
	{"what cannot be in a tree is not staged", func(t *testing.T, s ReposStage) {
		c := openMain(t, s)
		blob := s.BlobID(anvil, c.SHA(), "README.md")
		for _, name := range []string{"", ".git/config", "a/../x", "/x", "a\x00b", "link/x", "README.md/x", "cmd"} {
			require.Error(t, c.Put(name, port.ModeFile, blob), "%.40q", name)
		}
		for _, mode := range []string{"040000", "755", "x"} {
			require.Error(t, c.Put("x", mode, blob), mode)
		}
		for _, id := range []string{"", "main", blob[:20]} {
			require.Error(t, c.Put("x", port.ModeFile, id), id)
		}
		require.ErrorIs(t, c.Put("nothing", "", ""), fs.ErrNotExist)
		require.Error(t, c.Put("cmd", "", ""), "it is a folder")
		require.Empty(t, must(c.Changes())(t))
	}},
	{"a merge is a commit with two parents", func(t *testing.T, s ReposStage) {
		before, theirs := parted(t, s)
		s.SetBranch(anvil, "ours", before.SHA())
		s.Commit(anvil, "ours", bottest.Files(map[string]string{"ours.txt": "ours\n"}))
		ours := must(s.Repos().Open(t.Context(), s.Ref(anvil), "refs/heads/ours", ""))(t)
		stageAll(t, ours, must(theirs.ChangesSince(before))(t))
		req := commitRequest("ours")
		req.Merge = theirs.SHA()
		made := must(ours.Commit(t.Context(), req))(t)
		require.Equal(t, made.SHA, s.Branch(anvil, "ours"))
		require.Equal(t, []string{ours.SHA(), theirs.SHA()}, s.Commits(anvil, "ours")[0].Parents)
		require.Equal(t, port.ModeLink, s.Mode(anvil, "ours", "docs/link"))
		require.Equal(t, port.ModeSubmodule, s.Mode(anvil, "ours", "vendored"))
		data, _ := s.File(anvil, "ours", "cmd-line.txt/folder")
		require.Equal(t, "a file is a folder now\n", data)
		data, _ = s.File(anvil, "ours", "ours.txt")
		require.Equal(t, "ours\n", data)
		again := must(s.Repos().Open(t.Context(), s.Ref(anvil), "refs/heads/ours", ""))(t)
		require.Equal(t, s.TreeID(anvil, made.SHA), again.Tree())
		require.Len(t, must(again.ChangesSince(theirs))(t), 1)

		require.Error(t, errorOf(again.Commit(t.Context(), commitRequest("ours"))), "nothing is changed")
		req.Merge = s.Commit(anvil, "main", bottest.Files(map[string]string{"later.txt": "later\n"}))
		made = must(again.Commit(t.Context(), req))(t, "a merge need not change anything")
		require.Equal(t, again.Tree(), s.TreeID(anvil, made.SHA))
		require.Equal(t, []string{again.SHA(), req.Merge}, s.Commits(anvil, "ours")[0].Parents)
	}},
}

// openAt opens a commit of main.
func openAt(t *testing.T, s ReposStage, sha string) repo.Checkout {
	return must(s.Repos().Open(t.Context(), s.Ref(anvil), mainRef, sha))(t)
}

// stageAll stages changes by what they name, removals first.
func stageAll(t *testing.T, c repo.Checkout, changes []port.Change) {
	for _, removed := range []bool{true, false} {
		for _, change := range changes {
			if change.Removed() == removed {
				require.NoError(t, c.Put(change.Path, change.Mode, change.Blob), strings.TrimSpace(change.Path))
			}
		}
	}
}
