package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const limitsGo = "package limits\n\nvar wait = 1\n\n// Retries is how often a call is made again.\nvar Retries = 1\n"

// merging makes a work tree in which the merge of a branch into main stopped at two conflicts of limits.go and one of
// notes.txt.
func merging(t *testing.T) (dir string) {
	t.Helper()
	dir = workTree(t, map[string]string{"limits.go": limitsGo, "notes.txt": "one\n", "same.txt": "same\n"})
	gitIn(t, dir, "config", "user.name", "t")
	gitIn(t, dir, "config", "user.email", "t@example.com")
	gitIn(t, dir, "branch", "-M", "main")
	gitIn(t, dir, "checkout", "--quiet", "-b", "feature")
	commitFiles(t, dir, "wait longer", map[string]string{"notes.txt": "two\n", "same.txt": "same\nmore\n",
		"limits.go": strings.NewReplacer("wait = 1", "wait = 20", "Retries = 1", "Retries = 2").Replace(limitsGo)})
	gitIn(t, dir, "checkout", "--quiet", "main")
	commitFiles(t, dir, "try again more often", map[string]string{"notes.txt": "three\n",
		"limits.go": strings.NewReplacer("wait = 1", "wait = 30", "Retries = 1", "Retries = 3").Replace(limitsGo)})
	require.Contains(t, gitFails(t, dir, "merge", "feature"), "CONFLICT")
	return dir
}

func commitFiles(t *testing.T, dir, message string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	gitIn(t, dir, "add", "--all")
	gitIn(t, dir, "commit", "--quiet", "--message", message)
}

// gitFails runs git, which must fail, and returns what it said.
func gitFails(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.Error(t, err, "git %v: %s", args, out)
	return string(out)
}

// unmergedIn returns the names of the files whose conflicts are not settled for git.
func unmergedIn(t *testing.T, dir string) []string {
	t.Helper()
	return strings.Fields(gitIn(t, dir, "diff", "--name-only", "--diff-filter=U"))
}

func TestConflictsAreSettledByHandWithoutAModel(t *testing.T) {
	dir := merging(t)
	code, out, errOut := tenon(t, "", "resolve", "--list")
	require.Equal(t, exitOK, code, errOut)
	require.Contains(t, out, "git merge: ours is main, theirs is ")
	for _, want := range []string{"C1 limits.go", "C2 limits.go", "C3 notes.txt", "o1   var wait = 30",
		"t1   var wait = 20", "b1   var wait = 1",
		"3 open conflicts. Settle one with, for example: tenon resolve C1 theirs"} {
		require.Contains(t, out, want)
	}
	code, out, errOut = tenon(t, "", "resolve", "C2", "theirs")
	require.Equal(t, exitFailed, code, errOut)
	require.Contains(t, out, "C1 limits.go: open\nC2 limits.go: 1 line (1 of theirs)\nC3 notes.txt: open\n")
	require.Contains(t, out, "0 files staged, 2 not yet.")
	text := fileText(t, filepath.Join(dir, "limits.go"))
	require.Regexp(t, "<<<<<<< C1 ours ([0-9a-f]+)\nvar wait = 30\n\\|{7} C1 base [0-9a-f]+\nvar wait = 1\n=======\n"+
		"var wait = 20\n>>>>>>> C1 theirs", text)
	require.Contains(t, text, "made again.\nvar Retries = 2\n")

	code, out, errOut = tenon(t, "", "resolve", "C3:", "lines", "t1", "o1", "C1", "ours")
	require.Equal(t, exitOK, code, errOut)
	require.Contains(t, out, "C1 limits.go: 1 line (1 of ours)\nC3 notes.txt: 2 lines (1 of ours, 1 of theirs)\n")
	require.Contains(t, out, "All conflicts are settled; 2 files staged. Go on with: git merge --continue")
	require.Equal(t, strings.NewReplacer("wait = 1", "wait = 30", "Retries = 1", "Retries = 2").Replace(limitsGo),
		gitIn(t, dir, "show", ":limits.go"))
	require.Equal(t, "two\nthree\n", gitIn(t, dir, "show", ":notes.txt"))
	require.Equal(t, "same\nmore\n", fileText(t, filepath.Join(dir, "same.txt")))
	require.Empty(t, unmergedIn(t, dir))
	require.Contains(t, gitIn(t, dir, "log", "-1", "--format=%s"), "try again more often", "nothing is committed")
	code, out, _ = tenon(t, "", "resolve")
	require.Equal(t, exitOK, code)
	require.Equal(t, "All conflicts are settled. Go on with: git merge --continue\n", out)
}

func TestAChoiceThatCannotBeMadeChangesNothing(t *testing.T) {
	dir := merging(t)
	before := fileText(t, filepath.Join(dir, "notes.txt"))
	for args, want := range map[string]string{
		"C3 both":             `"both" is no choice. Choose ours, theirs, base, none`,
		"C3 ours C3 theirs":   "C3 has two answers",
		"C9 ours":             "there is no open conflict C9",
		"C3 lines o2":         "the side does not have these lines: o2 of 1",
		"C3 new":              "edit the file, then git add it",
		"C3":                  `"" is no choice`,
		"C3 ours C1 anything": `"anything" is no choice`,
		"same.txt":            "same.txt has no conflicts",
		"missing.txt":         "missing.txt has no conflicts",
		"--new=maybe C3 ours": "must be allow, show or refuse",
		"--tool a b":          "--tool takes four files",
	} {
		code, _, errOut := tenon(t, "", append([]string{"resolve"}, strings.Fields(args)...)...)
		require.Equal(t, exitUsage, code, args)
		require.Contains(t, errOut, want, args)
		require.Equal(t, before, fileText(t, filepath.Join(dir, "notes.txt")), args)
	}
	code, _, errOut := tenon(t, "", "resolve")
	require.Equal(t, exitUsage, code)
	require.Contains(t, errOut, "no language model is configured")
	require.Contains(t, errOut, "or settle each conflict by hand; tenon resolve --list shows them")
}

// mergingWith makes a merge with conflicts, and a model with replies.
func mergingWith(t *testing.T, replies ...string) (dir string, m *modelServer) {
	t.Helper()
	dir = merging(t)
	m = newModelServer(t, replies)
	t.Setenv("TENON_MODEL", "model-1")
	t.Setenv("TENON_MODEL_BASE_URL", m.URL)
	return dir, m
}

func TestAModelSettlesConflictsByChoosing(t *testing.T) {
	dir, m := mergingWith(t, "Both want longer waits.\n\nC1: ours\nC2: theirs\nC3: theirs, ours\n")
	code, out, errOut := tenon(t, "", "resolve")
	require.Equal(t, exitOK, code, out+errOut)
	require.Contains(t, out, "C3 notes.txt: 2 lines (1 of ours, 1 of theirs)\n")
	require.Equal(t, "two\nthree\n", gitIn(t, dir, "show", ":notes.txt"))
	require.Len(t, m.asked, 1)
	for _, want := range []string{"- try again more often", "- wait longer", "o1| var wait = 30", "t1| var wait = 20",
		"b1| one", "+var Retries = 2", "Answer each of these conflicts, each on a line of its own: C1, C2, C3."} {
		require.Contains(t, m.asked[0], want)
	}
}

func TestOnlyTheNamedFilesAreAskedAbout(t *testing.T) {
	dir, m := mergingWith(t, "C3: ours\n")
	code, out, errOut := tenon(t, "", "resolve", "notes.txt")
	require.Equal(t, exitOK, code, out+errOut)
	require.Contains(t, out, "1 file staged. There are conflicts in 1 other file.")
	require.NotContains(t, m.asked[0], "limits.go")
	require.Equal(t, []string{"limits.go"}, unmergedIn(t, dir))
	m.script("C1: ours\nC2: base\n")
	code, _, errOut = tenon(t, "", "resolve")
	require.Equal(t, exitOK, code, errOut)
	require.NotContains(t, m.asked[1], "notes.txt")
}

func TestAnAnswerThatCannotBeUsedGoesBackOnce(t *testing.T) {
	dir, m := mergingWith(t, "C1: ours\nC2: both\n", "C2: ours\nC3: open Is it two or three?\nC1: theirs\n")
	code, out, errOut := tenon(t, "", "resolve")
	require.Equal(t, exitFailed, code, errOut)
	require.Contains(t, m.asked[1], "- C2: \"both\" is no choice.\n- C3 has no answer.\n")
	require.Contains(t, m.asked[1], "Answer C2, C3 again")
	require.Contains(t, out, "C3 notes.txt: open: Is it two or three?\n")
	require.Equal(t, []string{"notes.txt"}, unmergedIn(t, dir))
	require.Contains(t, gitIn(t, dir, "show", ":limits.go"), "wait = 30", "what was not asked for does not count")
}

func TestAResultThatNeitherSideBrokeGoesBackOnceAndIsNotStaged(t *testing.T) {
	broken := "C1: ours\nC2: new\n```\nvar Retries = (\n```\nC3: ours\n"
	dir, m := mergingWith(t, broken, "C1: ours\nC2: ours\n")
	code, out, errOut := tenon(t, "", "resolve")
	require.Equal(t, exitOK, code, out+errOut)
	require.Contains(t, m.asked[1], "With your answers, limits.go would be broken")
	require.Contains(t, m.asked[1], "Answer C1, C2 again")
	require.Contains(t, gitIn(t, dir, "show", ":limits.go"), "Retries = 3")

	dir, _ = mergingWith(t, broken, broken)
	code, out, errOut = tenon(t, "", "resolve", "--new=allow")
	require.Equal(t, exitFailed, code, out+errOut)
	require.Contains(t, out, "limits.go is written and not staged: line ")
	require.Equal(t, []string{"limits.go"}, unmergedIn(t, dir))
}

func TestNewLinesAreShownBeforeTheyAreStaged(t *testing.T) {
	reply := "C1: new\n```\nvar wait = 50\n```\nC2: theirs\nC3: ours\n"
	for flag, want := range map[string]struct {
		code     int
		unmerged []string
		text     string
	}{
		"--new=show":   {exitFailed, []string{"limits.go"}, "wait = 50"},
		"--new=allow":  {exitOK, []string{}, "wait = 50"},
		"--new=refuse": {exitFailed, []string{"limits.go"}, "<<<<<<< C1"},
	} {
		dir, _ := mergingWith(t, reply)
		code, out, errOut := tenon(t, "", "resolve", flag)
		require.Equal(t, want.code, code, out+errOut)
		require.True(t, strings.HasPrefix(out, "1 new line in C1 of limits.go, which no side has:\n  var wait = 50\n"), out)
		require.Equal(t, want.unmerged, unmergedIn(t, dir), flag)
		require.Contains(t, fileText(t, filepath.Join(dir, "limits.go")), want.text, flag)
	}
}

func TestWhatWasSettledBeforeTheModelFailedIsKept(t *testing.T) {
	dir, _ := mergingWith(t, noMark)
	code, out, errOut := tenon(t, "", "resolve")
	require.Equal(t, exitFailed, code, out)
	require.Contains(t, errOut, "asking the model")
	require.Contains(t, fileText(t, filepath.Join(dir, "limits.go")), "<<<<<<< HEAD", "nothing was written")
}

func TestAFileThatWasChangedWithinAConflictIsLeftAlone(t *testing.T) {
	dir := merging(t)
	name := filepath.Join(dir, "notes.txt")
	edited := strings.Replace(fileText(t, name), "three", "three and more", 1)
	require.NoError(t, os.WriteFile(name, []byte(edited), 0o644))
	code, out, errOut := tenon(t, "", "resolve", "C1", "ours", "C2", "ours")
	require.Equal(t, exitFailed, code, errOut)
	require.Contains(t, out, "notes.txt is not as git's merge leaves it, so it is left alone: settle its conflicts in an "+
		"editor, then: git add notes.txt")
	require.Equal(t, edited, fileText(t, name))
	require.NoError(t, os.WriteFile(name, []byte("by hand\n"), 0o644))
	code, out, _ = tenon(t, "", "resolve", "--list")
	require.Equal(t, exitOK, code)
	require.Contains(t, out, "notes.txt is not as git's merge leaves it, and has no conflict markers. If it is right: "+
		"git add notes.txt")
}

func TestAFileThatChangesWhileTheModelChoosesIsNotOverwritten(t *testing.T) {
	dir, m := mergingWith(t, "C1: ours\nC2: ours\nC3: theirs\n")
	name := filepath.Join(dir, "notes.txt")
	m.before = func() { require.NoError(t, os.WriteFile(name, []byte("by hand\n"), 0o644)) }
	code, out, errOut := tenon(t, "", "resolve")
	require.Equal(t, exitFailed, code, errOut)
	require.Contains(t, out, "notes.txt was not written: it changed meanwhile. Run the command again.")
	require.Equal(t, "by hand\n", fileText(t, name))
	require.Equal(t, []string{"notes.txt"}, unmergedIn(t, dir), "the other file is staged")
}

func TestConflictsThatAreNotOfLinesAreExplained(t *testing.T) {
	dir := workTree(t, map[string]string{"gone.txt": "one\n", "kept.txt": "one\n", "image": "\x00one",
		"text.txt": "one\n", "go.sum": "one\n"})
	gitIn(t, dir, "config", "user.name", "t")
	gitIn(t, dir, "config", "user.email", "t@example.com")
	gitIn(t, dir, "branch", "-M", "main")
	gitIn(t, dir, "checkout", "--quiet", "-b", "feature")
	require.NoError(t, os.Remove(filepath.Join(dir, "gone.txt")))
	commitFiles(t, dir, "theirs", map[string]string{"kept.txt": "two\n", "image": "\x00two", "text.txt": "two\n",
		"go.sum": "two\n"})
	gitIn(t, dir, "checkout", "--quiet", "main")
	require.NoError(t, os.Remove(filepath.Join(dir, "kept.txt")))
	commitFiles(t, dir, "ours", map[string]string{"gone.txt": "three\n", "image": "\x00three", "text.txt": "three\n",
		"go.sum": "three\n"})
	gitFails(t, dir, "merge", "feature")
	code, out, errOut := tenon(t, "", "resolve", "C1", "ours")
	require.Equal(t, exitFailed, code, errOut)
	require.Contains(t, out, "gone.txt: theirs deletes the file and ours changes it: keep it with git add")
	require.Contains(t, out, "kept.txt: ours deletes the file and theirs changes it: keep it with git add")
	require.Contains(t, out, "image: it is binary, so there are no lines to choose")
	require.Contains(t, out, "go.sum: it is generated: take a side with git checkout --ours or --theirs, then write it "+
		"again, for example by go mod tidy, and git add it")
	require.Contains(t, out, "1 file staged, 4 not yet.")
}

func TestARebaseIsSettledCommitByCommit(t *testing.T) {
	dir := merging(t)
	gitIn(t, dir, "merge", "--abort")
	gitIn(t, dir, "checkout", "--quiet", "feature")
	gitFails(t, dir, "rebase", "main")
	_, out, _ := tenon(t, "", "resolve", "--list")
	require.Contains(t, out, "git rebase: ours is ")
	require.Contains(t, out, " wait longer\n")
	code, out, errOut := tenon(t, "", "resolve", "C1", "theirs", "C2", "theirs", "C3", "theirs")
	require.Equal(t, exitOK, code, errOut)
	require.Contains(t, out, "Go on with: git rebase --continue")
	gitIn(t, dir, "-c", "core.editor=true", "rebase", "--continue")
	require.Contains(t, fileText(t, filepath.Join(dir, "limits.go")), "wait = 20")
}

func TestGitMergetoolUsesIt(t *testing.T) {
	dir, _ := mergingWith(t, "C1: theirs\nC2: ours\n", "C1: new\n```\nfour\n```\n")
	gitIn(t, dir, "config", "mergetool.tenon.cmd",
		`TENON_TEST_MAIN=1 "`+os.Args[0]+`" resolve --tool "$BASE" "$LOCAL" "$REMOTE" "$MERGED"`)
	gitIn(t, dir, "config", "mergetool.tenon.trustExitCode", "true")
	cmd := exec.CommandContext(t.Context(), "git", "mergetool", "--tool", "tenon", "--no-prompt")
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader("n\nn\n")
	out, _ := cmd.CombinedOutput()
	require.Equal(t, []string{"notes.txt"}, unmergedIn(t, dir), "%s", out)
	require.Contains(t, string(out), "1 new line in C1 of notes.txt, which no side has:\n  four\nTake them? [y/N]")
	require.Contains(t, gitIn(t, dir, "show", ":limits.go"), "wait = 20")
	require.Contains(t, fileText(t, filepath.Join(dir, "notes.txt")), "<<<<<<< HEAD")
}
