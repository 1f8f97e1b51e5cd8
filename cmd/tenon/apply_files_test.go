package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

// threeFiles are the files that threeOps edits, removes and renames.
func threeFiles() map[string]string {
	return map[string]string{
		"greet.go": "package main\n\nfunc greet() string { return \"Hello\" }\n",
		"old.go":   "package main\n\n// nothing uses this\n",
		"sub/a.go": "package sub\n\n// A is the first.\nconst A = 1\n",
	}
}

// threeOps edits one file, removes one and renames one.
const threeOps = "```diff\n" + `diff --git a/greet.go b/greet.go
--- a/greet.go
+++ b/greet.go
@@ -1,3 +1,3 @@
 package main
 
-func greet() string { return "Hello" }
+func greet() string { return "Hello, world" }
diff --git a/old.go b/old.go
deleted file mode 100644
--- a/old.go
+++ /dev/null
@@ -1,3 +0,0 @@
-package main
-
-// nothing uses this
diff --git a/sub/a.go b/lib/first.go
similarity index 70%
rename from sub/a.go
rename to lib/first.go
--- a/sub/a.go
+++ b/lib/first.go
@@ -1,4 +1,4 @@
 package sub
 
 // A is the first.
-const A = 1
+const A = 10
` + "```\n"

func TestApplyRemovesAndRenamesFiles(t *testing.T) {
	dir := workTree(t, threeFiles())
	require.NoError(t, os.Chmod("sub/a.go", 0o755))
	code, out, errOut := tenon(t, threeOps, "apply")
	require.Equal(t, exitOK, code, out+errOut)
	require.Contains(t, out, "--- a/old.go\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-package main\n")
	require.Contains(t, out, "rename from sub/a.go\nrename to lib/first.go\n--- a/sub/a.go\n+++ b/lib/first.go\n@@")
	require.NotContains(t, out, "--- /dev/null")
	require.Contains(t, out, "sub/a.go is renamed to lib/first.go")
	require.Contains(t, out, "4 files changed and staged.")
	require.Equal(t, "M  greet.go\nR  sub/a.go -> lib/first.go\nD  old.go\n", gitIn(t, dir, "status", "--porcelain"))
	require.NoDirExists(t, "sub")
	info, err := os.Stat("lib/first.go")
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o755), info.Mode().Perm())
}

func TestRemovedAndRenamedFilesInJSON(t *testing.T) {
	dir := workTree(t, threeFiles())
	code, out, _ := tenon(t, threeOps, "apply", "--json", "--dry-run")
	require.Equal(t, exitOK, code, out)
	var got applyJSON
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Equal(t, []string{"greet.go", "lib/first.go", "old.go", "sub/a.go"}, got.Changed)
	require.Equal(t, []string{"old.go", "sub/a.go"}, got.Removed)
	require.Equal(t, []renameJSON{{"sub/a.go", "lib/first.go"}}, got.Renamed)
	require.Empty(t, gitIn(t, dir, "status", "--porcelain"))
}

func TestAPatchIsApplied(t *testing.T) {
	dir := workTree(t, threeFiles())
	code, out, errOut := tenon(t, `*** Begin Patch
*** Update File: greet.go
@@ func greet
-func greet() string { return "Hello" }
+func greet() string { return "Hello, world" }
*** Delete File: old.go
*** Update File: sub/a.go
*** Move to: lib/first.go
@@
-const A = 1
+const A = 10
*** End Patch
`, "apply")
	require.Equal(t, exitOK, code, out+errOut)
	require.Equal(t, "M  greet.go\nR  sub/a.go -> lib/first.go\nD  old.go\n", gitIn(t, dir, "status", "--porcelain"))
	require.Equal(t, "package sub\n\n// A is the first.\nconst A = 10\n", fileText(t, "lib/first.go"))
}

func TestAWholeFileIsMergedWithWhatChangedSince(t *testing.T) {
	start := "package main\n\nfunc greet() string { return \"Hello\" }\n\n// a\n// b\n// c\n// d\n\nfunc main() {}\n"
	dir := workTree(t, map[string]string{"greet.go": start})
	since := strings.ReplaceAll(start, "func main() {}", "func main() { greet() }")
	require.NoError(t, os.WriteFile("greet.go", []byte(since), 0o644))
	gitIn(t, dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "--all", "--message", "2")
	code, out, errOut := tenon(t, "greet.go\n```go\n"+strings.ReplaceAll(start, "Hello", "Hi")+"```\n",
		"apply", "--base", "HEAD~1")
	require.Equal(t, exitOK, code, out+errOut)
	require.Equal(t, strings.ReplaceAll(since, "Hello", "Hi"), fileText(t, "greet.go"))
}

// A file is saved in an editor between reading and writing.
func TestWhatChangedMeanwhileIsNeitherRemovedNorRenamed(t *testing.T) {
	t.Parallel()
	for _, change := range []func(o *overlay) error{
		func(o *overlay) error { return o.Remove("a") },
		func(o *overlay) error { return o.Move("a", "b") },
	} {
		below := engine.MemTree{"a": []byte("1")}
		over := newOverlay(below)
		_, err := over.ReadFile("a")
		require.NoError(t, err)
		require.NoError(t, change(over))
		_, err = over.ReadFile("a")
		require.ErrorIs(t, err, os.ErrNotExist)
		below["a"] = []byte("saved meanwhile")
		done, err := over.flush([]string{"a", "b"}[:len(over.after)])
		require.ErrorIs(t, err, errEdited)
		require.Empty(t, done)
		require.Equal(t, engine.MemTree{"a": []byte("saved meanwhile")}, below)
	}
}

func TestNothingIsRenamedToWhatWasMadeMeanwhile(t *testing.T) {
	t.Parallel()
	below := engine.MemTree{"a": []byte("1")}
	over := newOverlay(below)
	require.NoError(t, over.Move("a", "sub/b"))
	files, err := over.Files()
	require.NoError(t, err)
	require.Equal(t, []string{"sub/b"}, files)
	below["sub/b"] = []byte("made meanwhile")
	_, err = over.flush([]string{"a", "sub/b"})
	require.ErrorIs(t, err, errEdited)
	delete(below, "sub/b")
	done, err := over.flush([]string{"a", "sub/b"})
	require.NoError(t, err)
	require.Equal(t, []string{"a", "sub/b"}, done)
	require.Equal(t, engine.MemTree{"sub/b": []byte("1")}, below)
}

func TestBatchTellsRemovedFiles(t *testing.T) {
	t.Parallel()
	files, err := json.Marshal(threeFiles())
	require.NoError(t, err)
	reply, err := json.Marshal(threeOps)
	require.NoError(t, err)
	_, answers := batch(t, `{"id":1,"files":`+string(files)+`,"reply":`+string(reply)+`}`)
	var got batchAnswer
	require.NoError(t, json.Unmarshal([]byte(answers[0]), &got))
	require.Len(t, got.Files, 4)
	require.Nil(t, got.Files["old.go"])
	require.Nil(t, got.Files["sub/a.go"])
	require.Contains(t, *got.Files["lib/first.go"], "const A = 10")
}

func TestAFileWithOtherLinesIsShownAsAnotherFile(t *testing.T) {
	t.Parallel()
	d := applied{
		changed: []string{"a", "b", "empty", filepath.Join("c", "d")},
		before:  map[string][]byte{"a": []byte("1\n2\n3\n"), "empty": {}},
		after:   map[string][]byte{"b": []byte("4\n5\n6\n"), "c/d": []byte("1\n2\n4\n"), "empty": nil},
	}
	require.Equal(t, map[string]string{"c/d": "a"}, d.renamed())
}

func TestUndoRestoresRemovedAndRenamedFiles(t *testing.T) {
	dir, _ := asking(t, threeFiles(), threeOps)
	require.NoError(t, os.Chmod("sub/a.go", 0o755))
	gitIn(t, dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "--all", "--message", "mode")
	code, out, errOut := tenon(t, "", "fix", "tidy up", "greet.go", "old.go", "sub/a.go")
	require.Equal(t, exitOK, code, out+errOut)
	require.Contains(t, out, "rename from sub/a.go\nrename to lib/first.go\n")
	require.Regexp(t, `old\.go +The file is removed`, out)
	require.Equal(t, "M  greet.go\nR  sub/a.go -> lib/first.go\nD  old.go\n", gitIn(t, dir, "status", "--porcelain"))

	code, out, errOut = tenon(t, "", "undo")
	require.Equal(t, exitOK, code, out+errOut)
	require.Contains(t, out, "rename from lib/first.go\nrename to sub/a.go\n")
	require.Contains(t, out, "--- /dev/null\n+++ b/old.go\n")
	require.Empty(t, gitIn(t, dir, "status", "--porcelain"))
	require.NoDirExists(t, "lib")
}
