package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/testdata"
)

// workTree makes a git work tree with the given files, committed, and goes to its folder.
func workTree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	gitIn(t, dir, "init", "--quiet", "--template=")
	gitIn(t, dir, "add", "--all")
	gitIn(t, dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "maintenance.auto=false", "commit",
		"--quiet", "--message", "start")
	t.Chdir(dir)
	return dir
}

func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "git %v: %s", args, out)
	return string(out)
}

// tenon runs one command line in the current folder, a reply on its standard input.
func tenon(t *testing.T, reply string, args ...string) (code int, out, errOut string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(reply), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// lineEdit is a block that replaces one line.
func lineEdit(path, find, put string) string {
	return testdata.Block(path, find+"\n", put+"\n")
}

func fileText(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}

// The specification's case auto_stage.
func TestApplyStagesWhatTheReplySays(t *testing.T) {
	dir := workTree(t, map[string]string{"a.txt": "one\nfmt.Println(\"a long enough line\")\nthree\n", "sub/b.txt": "b\n",
		"dirty.txt": "x\n"})
	require.NoError(t, os.WriteFile("dirty.txt", []byte("my own work\n"), 0o644))
	t.Chdir("sub") // paths stay relative to the top

	reply := lineEdit("a.txt", `fmt.Println("a long enough line")`, `fmt.Println("another line, and much longer than `+
		`the first one was")`) + "new/c.txt\n<<<<<<< SEARCH\n=======\nfresh\n>>>>>>> REPLACE\n"
	code, out, errOut := tenon(t, reply, "apply")
	require.Equal(t, exitOK, code, out+errOut)
	require.Contains(t, out,
		"-fmt.Println(\"a long enough line\")\n+fmt.Println(\"another line, and much longer than the first one was\")\n")
	require.Contains(t, out, "--- /dev/null\n+++ b/new/c.txt\n")
	require.Contains(t, out, " applied  a.txt:2")
	require.True(t, strings.HasSuffix(out, "\nApplied 2, failed 0, skipped 0 of 2 edits; 2 files changed and staged.\n"),
		out)
	require.NotContains(t, out, "\x1b", "colour is for terminals")
	require.Equal(t, "one\nfmt.Println(\"another line, and much longer than the first one was\")\nthree\n",
		fileText(t, filepath.Join(dir, "a.txt")))
	require.Equal(t, "a.txt\nnew/c.txt\n", gitIn(t, dir, "diff", "--cached", "--name-only"))

	code, out, _ = tenon(t, reply, "apply")
	require.Equal(t, exitOK, code, "what is there already is no failure: %s", out)
	require.Contains(t, out, "Applied 0, failed 0, skipped 2 of 2 edits; no file changed.")
}

func TestApplyFromAFileSaysWhatFailed(t *testing.T) {
	dir := workTree(t, map[string]string{"a.txt": "one\ntwo\nthree\n"})
	reply := filepath.Join(t.TempDir(), "reply.md")
	require.NoError(t, os.WriteFile(reply,
		[]byte(lineEdit("a.txt", "two\nvier", "zwei")+lineEdit("a.txt", "one", "eins")+"```bash\ngit rm old.txt\n```\n"),
		0o644))

	code, out, _ := tenon(t, "", "apply", reply)
	require.Equal(t, exitFailed, code)
	require.Regexp(t, `(?m)^ failed   a\.txt:3  .*not found`, out)
	require.Contains(t, out, "the block at line 2 of the reply")
	require.Contains(t, out, "3 | three\n")
	require.Contains(t, out, "block | vier\n")
	require.Contains(t, out, " skipped  a.txt    Previous edit to this file failed")
	require.Contains(t, out, "none of it was run):\n    git rm old.txt\n")
	require.Contains(t, out, "Applied 0, failed 1, skipped 1 of 2 edits; no file changed.")
	require.Empty(t, gitIn(t, dir, "status", "--porcelain"))
}

// The specification's case dry_run_no_write, on a real work tree.
func TestApplyDryRunWritesNothing(t *testing.T) {
	dir := workTree(t, map[string]string{"a.txt": "one\n"})
	code, out, _ := tenon(t, lineEdit("a.txt", "one", "eins"), "apply", "--dry-run")
	require.Equal(t, exitOK, code)
	require.Contains(t, out, "-one\n+eins\n")
	require.Contains(t, out, "Would apply 1, failed 0, skipped 0 of 1 edit; 1 file would change, nothing was written.")
	require.Empty(t, gitIn(t, dir, "status", "--porcelain"))
}

func TestApplyAsJSON(t *testing.T) {
	workTree(t, map[string]string{"a.txt": "one\ntwo\n"})
	code, out, _ := tenon(t, lineEdit("a.txt", "two", "zwei")+lineEdit("no.txt", "x", "y"), "apply", "--json")
	require.Equal(t, exitFailed, code)
	var answer applyJSON
	require.NoError(t, json.Unmarshal([]byte(out), &answer))
	require.Equal(t, []string{"a.txt"}, answer.Changed)
	require.True(t, answer.Staged)
	require.Equal(t, resultJSON{Path: "a.txt", Status: "applied", Line: 2, Level: 1}, answer.Results[0])
	require.Equal(t, "failed", answer.Results[1].Status)
	require.Equal(t, "file-not-found", answer.Results[1].Reason)
	require.Contains(t, answer.Results[1].Detail, "no.txt")
	require.Contains(t, out, `"suggestions": []`, "lists are never null")
}

func TestApplyWithoutABlockIsNoSuccess(t *testing.T) {
	workTree(t, map[string]string{"a.txt": "one\n"})
	code, out, _ := tenon(t, "I would rather not.\n", "apply")
	require.Equal(t, exitFailed, code)
	require.Contains(t, out, "There is no edit block in the reply")

	code, out, _ = tenon(t, lineEdit("a.txt", "one", "eins")+"a.txt\n<<<<<<< SEARCH\neins\n=======\nzw", "apply")
	require.Equal(t, exitFailed, code, "a reply that was cut off is not all applied")
	require.Contains(t, out, "error: reply line 9: Reply was cut off")
	require.Contains(t, out, "Applied 1, failed 0")
}

func TestApplyOutsideAWorkTreeSaysWhatToDo(t *testing.T) {
	t.Chdir(t.TempDir())
	code, out, errOut := tenon(t, lineEdit("a.txt", "one", "eins"), "apply")
	require.Equal(t, exitUsage, code)
	require.Empty(t, out)
	require.Contains(t, errOut, "not in a git work tree; go to a git repository, or make one with: git init")

	workTree(t, map[string]string{"a.txt": "one\n"})
	code, _, errOut = tenon(t, "", "apply", "nowhere.md")
	require.Equal(t, exitUsage, code)
	require.Contains(t, errOut, "reading the reply: open nowhere.md")
}

func TestApplyToAnIgnoredFileSaysThatItIsNotStaged(t *testing.T) {
	dir := workTree(t, map[string]string{".gitignore": "*.log\n"})
	code, out, errOut := tenon(t, "x.log\n<<<<<<< SEARCH\n=======\nfresh\n>>>>>>> REPLACE\n", "apply")
	require.Equal(t, exitFailed, code)
	require.Contains(t, out, "1 file changed, not staged.")
	require.Contains(t, errOut, "the files were changed but not staged: git add: ")
	require.FileExists(t, filepath.Join(dir, "x.log"))
}

func TestApplyRunsNoFilterAndLeavesTheFileToBeStaged(t *testing.T) {
	dir := workTree(t, map[string]string{"a.txt": "one\n", "b.psd": "one\n"})
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".gitattributes"), []byte("*.psd filter=lfs\n"), 0o644))
	gitIn(t, dir, "config", "filter.lfs.clean", "touch ran; cat")
	code, out, errOut := tenon(t, lineEdit("a.txt", "one", "eins")+lineEdit("b.psd", "one", "eins"), "apply")
	require.Equal(t, exitOK, code)
	require.Contains(t, out, "2 files changed, not all staged.")
	require.Contains(t, errOut, `not all files were staged: git would run the filter "lfs", and tenon runs no programs `+
		"of a repository; stage it by git add: b.psd")
	require.Equal(t, "eins\n", fileText(t, "b.psd"))
	require.Equal(t, "a.txt\n", gitIn(t, dir, "-c", "filter.lfs.clean=", "diff", "--cached", "--name-only"))
	require.NoFileExists(t, filepath.Join(dir, "ran"))
}

func TestApplyWithoutGitInstalled(t *testing.T) {
	workTree(t, map[string]string{"a.txt": "one\n"})
	t.Setenv("PATH", t.TempDir())
	code, out, errOut := tenon(t, lineEdit("a.txt", "one", "eins"), "apply")
	require.Equal(t, exitOK, code)
	require.Contains(t, out, "1 file changed, not staged.")
	require.Contains(t, errOut, "not staged: git is not installed")
	require.Equal(t, "eins\n", fileText(t, "a.txt"))
}

func TestApplyToALinkTouchesNothing(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(outside, []byte("one\n"), 0o644))
	dir := workTree(t, map[string]string{"a.txt": "one\n"})
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "link.txt")))
	code, out, _ := tenon(t, lineEdit("link.txt", "one", "eins")+lineEdit(".git/config", "[core]", "[evil]"), "apply",
		"--json")
	require.Equal(t, exitFailed, code)
	require.Equal(t, 2, strings.Count(out, `"reason": "unsafe-path"`), out)
	require.Equal(t, "one\n", fileText(t, outside))
}

func TestApplyEscapesWhatHostileTextCouldDoToATerminal(t *testing.T) {
	workTree(t, map[string]string{"a.txt": "one\x1b]0;owned\x07\n"})
	code, out, errOut := tenon(t,
		lineEdit("a.txt", "one\x1b]0;owned\x07", "\u202eeins\x1b[2J")+lineEdit("b\u200b\x1b[8m.txt", "x", "y"), "apply")
	require.Equal(t, exitFailed, code)
	require.NotContains(t, out+errOut, "\x1b")
	require.NotContains(t, out, "\u202e")
	require.Contains(t, out, `-one\x1b]0;owned\x07`)
	require.Contains(t, out, `+\u202eeins\x1b[2J`)
}

func TestFilesWithBarsAndBackticksInTheirNamesAreEditedInEveryFormat(t *testing.T) {
	for _, path := range []string{"docs/a|b.txt", "we`ird.txt", "docs/`a`|b.txt"} {
		dir := workTree(t, map[string]string{path: "one\ntwo\n"})
		for _, format := range engine.Formats() {
			reply, err := engine.Print([]engine.Block{{
				Format: format.ParsesAs, Path: path, Find: []string{"one", "two"}, Replace: []string{"one", "2"},
				Anchor: []string{"one"}, Old: []string{"two"}, New: []string{"2"},
			}})
			require.NoError(t, err)
			code, out, errOut := tenon(t, reply, "apply")
			require.Zero(t, code, "%s: %s%s", format.Name, out, errOut)
			require.Equal(t, "one\n2\n", fileText(t, filepath.Join(dir, path)))
			require.Contains(t, out, path+":2")
			gitIn(t, dir, "reset", "--quiet", "--hard")
		}
	}
}

func TestAnAmbiguousEditNamesItsPlaces(t *testing.T) {
	workTree(t, map[string]string{"a.txt": strings.Repeat("zero\n", 25)})
	code, out, _ := tenon(t, lineEdit("a.txt", "zero", "one"), "apply")
	require.Equal(t, 1, code)
	require.Contains(t, out, "it matches at lines 1, 2, 3")
	require.Contains(t, out, ", 19, 20 and 5 more")
	code, out, _ = tenon(t, lineEdit("a.txt", "zero", "one"), "apply", "--json")
	require.Equal(t, 1, code)
	var answer struct {
		Results []struct {
			Lines []int `json:"match_lines"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &answer))
	require.Len(t, answer.Results[0].Lines, 20)
}
