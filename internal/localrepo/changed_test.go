package localrepo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func TestTheChangesOfThePersonAreThoseSinceTheLastCommit(t *testing.T) {
	t.Parallel()
	dir := workTree(t, map[string]string{"a.txt": "one\ntwo\n", "gone.txt": "x\n", "same.txt": "x\n", "run.sh": "true\n",
		"old.bin": "a\x00b", ".gitignore": "*.log\n", "with \"quotes\".txt": "x\n", "filtered.big": "x\n"})
	put(t, dir, "a.txt", "one\nzwei\n")
	git(t, dir, "add", "a.txt")
	git(t, dir, "config", "filter.evil.clean", "touch ran; cat")
	git(t, dir, "config", "diff.external", "touch ran; cat")
	put(t, dir, ".git/info/attributes", "*.big filter=evil\n")
	put(t, dir, "a.txt", "one\nzwo\n")
	put(t, dir, "old.bin", "a\x00c")
	put(t, dir, "filtered.big", "y\n")
	put(t, dir, "with \"quotes\".txt", "diff --git a/same.txt b/same.txt\n")
	put(t, dir, "new.txt", "new\nfile")
	put(t, dir, "x.log", "noise\n")
	put(t, dir, "big.txt", strings.Repeat("x", maxPatch+1))
	require.NoError(t, os.Chmod(filepath.Join(dir, "run.sh"), 0o755))
	require.NoError(t, os.Remove(filepath.Join(dir, "gone.txt")))

	changed, err := opened(t, dir, Options{}).Changed(t.Context())
	require.NoError(t, err)
	require.Equal(t, []port.ChangedFile{
		{Path: "a.txt", Patch: "@@ -1,2 +1,2 @@\n one\n-two\n+zwo"},
		{Path: "filtered.big", Patch: "@@ -1 +1 @@\n-x\n+y"},
		{Path: "gone.txt", Patch: "@@ -1 +0,0 @@\n-x"},
		{Path: "old.bin"},
		{Path: "run.sh"},
		{Path: "with \"quotes\".txt", Patch: "@@ -1 +1 @@\n-x\n+diff --git a/same.txt b/same.txt"},
		{Path: "big.txt"},
		{Path: "new.txt", Patch: "@@ -0,0 +1,2 @@\n+new\n+file\n\\ No newline at end of file"},
	}, changed)
	require.NoFileExists(t, filepath.Join(dir, "ran"))
}

func TestManyNewFilesAreNotWhatThePersonIsAt(t *testing.T) {
	t.Parallel()
	dir := workTree(t, map[string]string{"a.txt": "one\n"})
	put(t, dir, "a.txt", "two\n")
	for i := range maxUntracked + 1 {
		put(t, dir, fmt.Sprintf("new%d.txt", i), "x\n")
	}
	changed, err := opened(t, dir, Options{}).Changed(t.Context())
	require.NoError(t, err)
	require.Len(t, changed, 1)
}
