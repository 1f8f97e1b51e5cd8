package bot_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
)

// threeOps edits greet.go, removes old.go, and renames a.go and edits it.
const threeOps = "COMMIT: refactor: move a\n\n```diff\n" + `diff --git a/digits.txt b/digits.txt
--- a/digits.txt
+++ b/digits.txt
@@ -1,3 +1,3 @@
 one
-two
+2
 three
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt
+++ /dev/null
@@ -1,2 +0,0 @@
-nobody
-reads this
diff --git a/sub/run.sh b/bin/start.sh
similarity index 60%
rename from sub/run.sh
rename to bin/start.sh
--- a/sub/run.sh
+++ b/bin/start.sh
@@ -1,3 +1,3 @@
 #!/bin/sh
 # starts it
-exec run
+exec run --now
` + "```\n"

func opsFiles() map[string]string {
	return map[string]string{
		"digits.txt": "one\ntwo\nthree\n", "old.txt": "nobody\nreads this\n",
		"sub/run.sh": "#!/bin/sh\n# starts it\nexec run\n",
	}
}

const fixOps = "/tenon fix `digits.txt`, `old.txt` and `sub/run.sh`"

// isOpsDone requires that the branch has what threeOps makes of its files, or what was there before.
func (s *story) isOpsDone(done bool) {
	s.t.Helper()
	for _, name := range []string{"old.txt", "sub/run.sh"} {
		data, ok := s.Repo.File("speed", name)
		require.Equal(s.t, !done, ok, name)
		if ok {
			require.Equal(s.t, opsFiles()[name], data)
		}
	}
	moved, ok := s.Repo.File("speed", "bin/start.sh")
	require.Equal(s.t, done, ok)
	if done {
		require.Equal(s.t, "#!/bin/sh\n# starts it\nexec run --now\n", moved)
		require.Equal(s.t, "one\n2\nthree\n", s.File("speed", "digits.txt"))
	}
}

func TestADiffEditsRemovesAndRenamesFilesInOneCommit(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeOps)
	s.push(opsFiles())
	got := s.say(fixOps)
	require.Equal(t, "rocket", got.verdict, got.answer)
	s.isOpsDone(true)
	require.Len(t, s.Commits("speed"), 1)
	require.Contains(t, got.answer, "\n`old.txt` · The file is removed\n\n```diff\n-nobody\n-reads this\n```\n")
	require.Contains(t, got.answer, "\n`sub/run.sh` is renamed to `bin/start.sh`\n")
	require.NotContains(t, got.answer, "/old.txt", "no link to a file that is gone")
	require.NotContains(t, got.answer, "sub/run.sh#L")
	require.Contains(t, got.answer, "bin/start.sh#L")

	undo := s.say("/tenon undo")
	require.Equal(t, "rocket", undo.verdict, undo.answer)
	s.isOpsDone(false)
	require.Equal(t, "one\ntwo\nthree\n", s.File("speed", "digits.txt"))
}

func TestRemovedAndRenamedFilesArePreviewedAndCommittedByTheirBoxes(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeOps)
	s.push(opsFiles())
	c := s.preview("/tenon preview `digits.txt`, `old.txt` and `sub/run.sh`")
	require.Contains(t, box(c, 2), "`old.txt` · −2 · The file is removed")
	require.Contains(t, box(c, 4), "is renamed to")
	s.isOpsDone(false)
	s.tick("maria", c, 1, 2, 3, 4)
	s.isOpsDone(true)
}

func TestARenameAloneIsCommittedByItsBox(t *testing.T) {
	t.Parallel()
	s := newStory(t, "```diff\ndiff --git a/old.txt b/new.txt\nsimilarity index 100%\nrename from old.txt\n"+
		"rename to new.txt\n```\n")
	s.push(opsFiles())
	c := s.preview("/tenon preview `old.txt`")
	s.tick("maria", c, 1)
	require.Equal(t, opsFiles()["old.txt"], s.File("speed", "new.txt"))
	_, ok := s.Repo.File("speed", "old.txt")
	require.False(t, ok)
}

// A file gets no name that its reader does not see as what it is, and none that is protected.
func TestNoFileIsRenamedToANameThatNoNewFileMayHave(t *testing.T) {
	t.Parallel()
	for name, reason := range map[string]string{
		"ru\u200bn.sh":             "invisible",
		".github/workflows/ci.yml": "protect",
		"../run.sh":                "",
		"digits.txt":               "exists",
	} {
		reply := "*** Begin Patch\n*** Update File: sub/run.sh\n*** Move to: " + name + "\n*** End Patch\n"
		s := newStory(t, reply, reply, reply, reply)
		s.push(opsFiles())
		before := s.tree()
		got := s.say(fixOps)
		require.Equal(t, "confused", got.verdict, "%q: %s", name, got.answer)
		require.Contains(t, got.answer, reason)
		require.Equal(t, before, s.tree(), name)
	}
}

func TestProtectedFilesAreNeitherRemovedNorRenamed(t *testing.T) {
	t.Parallel()
	for _, op := range []string{
		"*** Delete File: .env\n", "*** Update File: .env\n*** Move to: env.txt\n",
		"*** Delete File: deploy/x\n", "*** Update File: deploy/x\n*** Move to: x\n",
	} {
		reply := "*** Begin Patch\n" + op + "*** End Patch\n"
		s := newStory(t, reply, reply, reply, reply)
		s.settings("protected: [deploy/]\n")
		s.push(map[string]string{".env": "x\n", "deploy/x": "x\n"})
		before := s.tree()
		got := s.say("/tenon fix `main.go`")
		require.Equal(t, "confused", got.verdict, "%s: %s", op, got.answer)
		require.Equal(t, before, s.tree(), op)
	}
}

// What cannot be suggested on the lines of a diff is counted, and in the patch.
func TestRemovedAndRenamedFilesOfAForkAreInThePatch(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeOps)
	fork := s.fromFork("stranger")
	fork.Push("theirs", opsFiles())
	s.pull.RefuseEdits()
	got := s.say(fixOps)
	require.Contains(t, got.answer, "1 of the 4 changes is a suggestion on the diff")
	require.Contains(t, got.answer, "deleted file mode 100644\n--- a/old.txt\n+++ /dev/null")
	require.Contains(t, got.answer, "--- /dev/null\n+++ b/bin/start.sh")
}

// The model saw the first and the last lines of a file, and writes these as the whole file.
func TestAFileOfWhichTheModelSawPartsIsNotReplacedAsAWhole(t *testing.T) {
	t.Parallel()
	var big strings.Builder
	for range 40 {
		big.WriteString("func unrelated() {\n" + strings.Repeat("\tstep()\n", 200) + "}\n\n")
	}
	whole := "big.go\n```go\npackage main\n\n" + strings.ReplaceAll(big.String(), "step()", "stop()") + "```\n"
	s := newStory(t, whole, whole, whole, whole)
	s.settings("limits:\n  code: 2000\n")
	s.push(map[string]string{"big.go": "package main\n\n" + big.String()})
	before := s.tree()
	got := s.say("/tenon fix `big.go`")
	require.Equal(t, "confused", got.verdict, got.answer)
	require.Equal(t, before, s.tree())
	require.Contains(t, got.answer, "this file")
	questions := s.Model.Questions()
	require.Greater(t, len(questions), 1)
	require.Contains(t, questions[len(questions)-1], "it has to say which lines it replaces")
}

// Nobody knows what the author of a pasted block saw.
func TestAWholeFileThatIsPastedReplacesTheFile(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.push(opsFiles())
	got := s.say("/tenon apply\n\ndigits.txt\n```text\none\n2\nthree\n```\n")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, "one\n2\nthree\n", s.File("speed", "digits.txt"))
	require.Equal(t, bottest.LatheFiles["main.go"], s.File("speed", "main.go"))
}
