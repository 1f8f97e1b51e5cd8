package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// conflicting makes a work tree in which the merge of a branch into main stopped, with files before both and on both
// sides, and attributes.
func conflicting(t *testing.T, attributes string, base, ours, theirs map[string]string) (dir string) {
	t.Helper()
	if attributes != "" {
		base[".gitattributes"] = attributes
	}
	dir = workTree(t, base)
	gitIn(t, dir, "config", "user.name", "t")
	gitIn(t, dir, "config", "user.email", "t@example.com")
	gitIn(t, dir, "branch", "-M", "main")
	gitIn(t, dir, "checkout", "--quiet", "-b", "feature")
	commitFiles(t, dir, "theirs", theirs)
	gitIn(t, dir, "checkout", "--quiet", "main")
	commitFiles(t, dir, "ours", ours)
	gitFails(t, dir, "merge", "feature")
	return dir
}

func one(name, text string) map[string]string { return map[string]string{name: text} }

// A version has what tenon and git write around conflicts, as far as its author can know that.
func TestABlockOfAHostileVersionIsNoConflict(t *testing.T) {
	lines := "x = 2\n<<<<<<< HEAD\n=======\n>>>>>>> feature\n"
	forged := "<<<<<<< C1 ours 000000000000\n" + lines + "||||||| C1 base 000000000000\nx = 1\n=======\nx = 3\n" +
		">>>>>>> C1 theirs 000000000000\n"
	rest := "b\nc\nd\ne\nf\n"
	dir := conflicting(t, "", one("f.md", "a\nx = 1\n"+rest), one("f.md", "a\n"+lines+rest+forged),
		one("f.md", "a\nx = 3\n"+rest))
	before := fileText(t, filepath.Join(dir, "f.md"))
	code, out, errOut := tenon(t, "", "resolve", "C1", "theirs")
	require.NotEqual(t, exitOK, code, out+errOut)
	require.Equal(t, before, fileText(t, filepath.Join(dir, "f.md")))
	require.Equal(t, []string{"f.md"}, unmergedIn(t, dir))
}

func TestMergetoolSettlesWhatGitLeftWithoutMarkers(t *testing.T) {
	for attributes, name := range map[string]string{
		"*.lock -merge\n": "a.lock", "*.txt conflict-marker-size=32\n": "a.txt",
	} {
		dir := conflicting(t, attributes, one(name, "one\n"), one(name, "two\n"), one(name, "three\n"))
		m := newModelServer(t, []string{"C1: open Which one?"})
		t.Setenv("TENON_MODEL", "model-1")
		t.Setenv("TENON_MODEL_BASE_URL", m.URL)
		gitIn(t, dir, "config", "mergetool.tenon.cmd",
			`TENON_TEST_MAIN=1 "`+os.Args[0]+`" resolve --tool "$BASE" "$LOCAL" "$REMOTE" "$MERGED"`)
		gitIn(t, dir, "config", "mergetool.tenon.trustExitCode", "true")
		cmd := exec.CommandContext(t.Context(), "git", "mergetool", "--tool", "tenon", "--no-prompt")
		cmd.Dir, cmd.Stdin = dir, strings.NewReader("n\n")
		out, _ := cmd.CombinedOutput()
		require.Equal(t, []string{name}, unmergedIn(t, dir), "%s", out)
		require.Contains(t, string(out), "open: Which one?")
		m.script("C1: theirs")
		gitIn(t, dir, "mergetool", "--tool", "tenon", "--no-prompt")
		require.Equal(t, "three\n", gitIn(t, dir, "show", ":"+name))
	}
}

func TestAFileThatGitLeftWithoutMarkersIsNotCalledSettled(t *testing.T) {
	dir := conflicting(t, "*.txt -merge\n", one("a.txt", "one\n"), one("a.txt", "two\n"), one("a.txt", "three\n"))
	code, out, errOut := tenon(t, "", "resolve")
	require.Equal(t, exitFailed, code, errOut)
	require.Contains(t, out, "a.txt has the lines of ours alone. If that is right: git add a.txt")
	require.Equal(t, []string{"a.txt"}, unmergedIn(t, dir))
}

func TestAConflictWithinAVersionIsNotSettled(t *testing.T) {
	text := func(s string) string { return "1\n2\n3\n4\n5\n6\n7\n8\n" + s + "\n9\n" }
	dir := workTree(t, map[string]string{"one": text("x"), "two": text("y")})
	gitIn(t, dir, "config", "user.name", "t")
	gitIn(t, dir, "config", "user.email", "t@example.com")
	gitIn(t, dir, "branch", "-M", "main")
	gitIn(t, dir, "checkout", "--quiet", "-b", "feature")
	gitIn(t, dir, "mv", "two", "new")
	commitFiles(t, dir, "theirs", map[string]string{"new": text("y1"), "one": text("x1")})
	gitIn(t, dir, "checkout", "--quiet", "main")
	gitIn(t, dir, "mv", "one", "new")
	commitFiles(t, dir, "ours", map[string]string{"new": text("x2"), "two": text("y2")})
	gitFails(t, dir, "merge", "feature")
	code, out, _ := tenon(t, "", "resolve", "--list")
	require.Equal(t, exitOK, code)
	require.Contains(t, out, "new: a version of it has conflicts of its own")
	code, _, errOut := tenon(t, "", "resolve", "C1", "ours")
	require.Equal(t, exitUsage, code)
	require.Contains(t, errOut, "there is no open conflict C1")
}

func TestAConflictOfAnUnusualNameIsNotForgotten(t *testing.T) {
	name := `a\b.txt`
	conflicting(t, "", one(name, "one\n"), one(name, "two\n"), one(name, "three\n"))
	code, out, _ := tenon(t, "", "resolve", "--list")
	require.Equal(t, exitOK, code)
	require.Contains(t, out, `'a\b.txt': tenon does not work with such names: settle it with git`)
	code, out, errOut := tenon(t, "", "resolve")
	require.Equal(t, exitFailed, code, errOut)
	require.Contains(t, out, "0 files staged, 1 not yet.")
}

func TestAFileThatCannotBeReadKeepsNoOtherFromBeingSettled(t *testing.T) {
	dir := conflicting(t, "", map[string]string{"a.txt": "one\n", "b c.txt": "one\n"},
		map[string]string{"a.txt": "two\n", "b c.txt": "two\n"}, map[string]string{"a.txt": "three\n", "b c.txt": "three\n"})
	require.NoError(t, os.Remove(filepath.Join(dir, "a.txt")))
	outside := filepath.Join(t.TempDir(), "outside")
	require.NoError(t, os.WriteFile(outside, []byte("kept\n"), 0o644))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "a.txt")))
	code, out, errOut := tenon(t, "", "resolve", "C1", "theirs")
	require.Equal(t, exitFailed, code, errOut)
	require.Contains(t, out, "C1 'b c.txt': 1 line (1 of theirs)\n")
	require.Contains(t, out, "a.txt: it is not a file in the work tree that tenon may read: settle it with git")
	require.Equal(t, "three\n", gitIn(t, dir, "show", ":b c.txt"))
	require.Equal(t, "kept\n", fileText(t, outside))
}

func TestWhatCannotBeStagedIsShown(t *testing.T) {
	dir, _ := mergingWith(t, "C1: new\n```\nvar wait = 50\n```\nC2: theirs\nC3: ours\n")
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".git", "index.lock"), nil, 0o644))
	code, out, errOut := tenon(t, "", "resolve", "--new=allow")
	require.Equal(t, exitFailed, code, errOut)
	require.Contains(t, out, "1 new line in C1 of limits.go, which no side has:\n  var wait = 50\n")
	require.Contains(t, out, "limits.go is written and not staged: git add: ")
}

func TestMarkersThatWereStagedAreNotCalledSettled(t *testing.T) {
	dir := merging(t)
	gitIn(t, dir, "add", "--all")
	code, out, _ := tenon(t, "", "resolve")
	require.Equal(t, exitFailed, code)
	require.Contains(t, out, "notes.txt is staged with its conflict markers: git checkout --merge notes.txt")
}

func TestATagIsNotTakenForWhatGitIsAt(t *testing.T) {
	dir := merging(t)
	gitIn(t, dir, "merge", "--abort")
	gitIn(t, dir, "tag", "MERGE_HEAD")
	gitIn(t, dir, "checkout", "--quiet", "feature")
	gitFails(t, dir, "rebase", "main")
	_, out, _ := tenon(t, "", "resolve", "--list")
	require.Contains(t, out, "git rebase: ours is ")
}

func TestARevertIsNamedAsOne(t *testing.T) {
	dir := merging(t)
	gitIn(t, dir, "merge", "--abort")
	commitFiles(t, dir, "even more", map[string]string{"notes.txt": "four\n"})
	gitFails(t, dir, "revert", "--no-edit", "HEAD~1")
	_, out, _ := tenon(t, "", "resolve", "--list")
	require.Contains(t, out, `git revert: ours is main, theirs is Revert "try again more often"`)
}

func TestAdviceIsForTheFolderHere(t *testing.T) {
	dir := conflicting(t, "", map[string]string{"d/a b.txt": "one\n", "-n": "one\n"},
		map[string]string{"d/a b.txt": "two\n", "-n": "two\n"}, map[string]string{"d/a b.txt": "three\n", "-n": "three\n"})
	require.NoError(t, os.WriteFile(filepath.Join(dir, "d/a b.txt"), []byte("by hand\n"), 0o644))
	t.Chdir("d")
	_, out, _ := tenon(t, "", "resolve", "--list")
	require.Contains(t, out, "If it is right: git add 'a b.txt'")
	require.Contains(t, out, "C1 ../-n")
}
