package patch

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/block"
)

func lines(s string) []string { return strings.Split(strings.TrimSuffix(s, "\n"), "\n") }

// onlyHunk returns the block of the only piece of a diff.
func onlyHunk(t *testing.T, diff string) block.Block {
	t.Helper()
	pieces, _ := Unified(lines(diff), true)
	require.Len(t, pieces, 1, diff)
	require.Empty(t, pieces[0].Problem, diff)
	return pieces[0].Block
}

func TestTheNamesOfADiffAreReadAsGitAndOthersWriteThem(t *testing.T) {
	t.Parallel()
	for head, want := range map[string][]string{
		"--- a/x.go\n+++ b/x.go":                                     {"x.go"},
		"--- x.go\n+++ x.go":                                         {"x.go"},
		"--- i/x.go\n+++ w/x.go":                                     {"x.go"},
		"--- a/x.go\n+++ a/x.go":                                     {"a/x.go"},
		"--- a/x.go\t2024-01-01\n+++ b/x.go\t2024-01-02":             {"x.go"},
		"--- `x.go`\n+++ `x.go`":                                     {"x.go"},
		`--- "a/\303\251.go"` + "\n" + `+++ "b/\303\251.go"`:         {"é.go"},
		"--- a/my file.go\n+++ b/my file.go":                         {"my file.go"},
		"diff --git a/my file.go b/my file.go\nindex 1..2 100644":    {"my file.go"},
		"--- /dev/null\n+++ b/x.go":                                  {"x.go", "b/x.go"},
		"--- a/x.go\n+++ b/y.go":                                     {"x.go", "y.go"},
		"Index: x.go\n=====\n--- x.go\t(one)\n+++ x.go\t(two)":       {"x.go"},
		"diff --git a/x.go b/y.go\nrename from x.go\nrename to y.go": {"x.go", "y.go"},
	} {
		pieces, _ := Unified(lines(head+"\n@@ -1 +1 @@\n-a\n+b\n"), true)
		require.NotEmpty(t, pieces, head)
		require.Equal(t, want, pieces[0].Block.Candidates, head)
	}
}

func TestTheHeaderOfAHunkMayHaveNumbersAScopeOrNothing(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]struct {
		at    int
		scope []string
	}{
		"@@ -12,3 +12,4 @@":                 {12, nil},
		"@@ -12 +12 @@":                     {12, nil},
		"@@ -12,3 +12,4 @@ func Other() {":  {12, nil},
		"@@ -12,3 +12,4":                    {12, nil},
		"@@":                                {0, nil},
		"@@ @@":                             {0, nil},
		"@@ ... @@":                         {0, nil},
		"@@ -x,y +x,y @@":                   {0, []string{"-x,y +x,y"}},
		"@@ class Cart:":                    {0, []string{"class Cart:"}},
		"@@ class Cart: @@":                 {0, []string{"class Cart:"}},
		"@@ class Cart:\n@@     def add():": {0, []string{"class Cart:", "def add():"}},
	} {
		b := onlyHunk(t, "--- a/x\n+++ b/x\n"+header+"\n-a\n+b\n")
		require.Equal(t, want.at, b.At, header)
		require.Equal(t, want.scope, b.Scope, header)
	}
}

func TestTheLinesOfAScopeAreBounded(t *testing.T) {
	t.Parallel()
	b := onlyHunk(t, "--- a/x\n+++ b/x\n"+strings.Repeat("@@ class A:\n", 1000)+"-a\n+b\n")
	require.Len(t, b.Scope, maxScope)
}

func TestALineOfContextMayHaveLostItsSpace(t *testing.T) {
	t.Parallel()
	in := func(file ...string) func(string) bool {
		return func(s string) bool {
			for _, line := range file {
				if line == s {
					return true
				}
			}
			return false
		}
	}
	find, replace := Halves([]string{" a", "-b", "+c", "", "d"}, in("a", "b", "d"))
	require.Equal(t, []string{"a", "b", "", "d"}, find)
	require.Equal(t, []string{"a", "c", "", "d"}, replace)
	find, _ = Halves([]string{"    a", "-b"}, in("    a", "b"))
	require.Equal(t, []string{"    a", "b"}, find, "the file has the line with all its spaces")
	find, _ = Halves([]string{"    a", "-b"}, in("b"))
	require.Equal(t, []string{"   a", "b"}, find, "the file has neither")
}

func TestTheLineEndingAtTheEndIsThatOfTheNewLines(t *testing.T) {
	t.Parallel()
	const no = "\\ No newline at end of file\n"
	for hunk, want := range map[string]block.Ending{
		"-a\n+b\n":                block.EndingKept,
		"-a\n" + no + "+b\n":      block.Ended,
		"-a\n+b\n" + no:           block.Unended,
		"-a\n" + no + "+b\n" + no: block.Unended,
		"-a\n+b\n c\n" + no:       block.Unended,
	} {
		require.Equal(t, want, onlyHunk(t, "--- a/x\n+++ b/x\n@@ -1 +1 @@\n"+hunk).Ending, hunk)
	}
}

func TestADiffWithoutAFenceEndsBeforeOtherText(t *testing.T) {
	t.Parallel()
	const diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n"
	for text, end := range map[string]int{
		diff + "\nDone.\n": 6,
		diff + "\n\n":      6,
		diff + diff:        12,
		strings.ReplaceAll(diff, ",2", ",9") + "\nDone.\n\nBye.\n": 7,
		diff + "-- \n2.40.0\n": 8,
	} {
		pieces, got := Unified(lines(text), false)
		require.NotEmpty(t, pieces)
		require.Empty(t, pieces[0].Problem)
		require.Equal(t, []string{"a", "c"}, pieces[0].Block.Find, text)
		require.LessOrEqual(t, got, end, text)
	}
}

func TestAPatchIsReadFileByFile(t *testing.T) {
	t.Parallel()
	pieces, end, closed := Envelope(lines("*** Begin Patch\n*** Add File: n\n+a\n*** Delete File: o\n" +
		"*** Update File: x\n*** Move to: y\n@@\n-a\n+b\n*** End of File\n*** End Patch\nmore\n"))
	require.True(t, closed)
	require.Equal(t, 11, end)
	require.Len(t, pieces, 4)
	require.True(t, pieces[0].Block.Create)
	require.True(t, pieces[1].Block.Remove)
	require.Equal(t, []string{"x", "y"}, pieces[2].Block.Candidates)
	require.Equal(t, "y", pieces[3].Block.MoveTo)
	require.Equal(t, pieces[2].From, pieces[3].From, "they share their lines")
	require.Equal(t, pieces[2].To, pieces[3].To)
}

func TestWhatIsNoUnifiedDiffIsTold(t *testing.T) {
	t.Parallel()
	const other = "is in a form that is not read: only unified diffs are"
	const noPlace = "has neither a removed line nor a line of context, so that its place is unknown"
	for text, problem := range map[string]string{
		"4c4\n< a\n---\n> b\n": other,
		"*** x\n--- x\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n": other,
		"--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n- a\n++b\n":                    "is the diff of a merge, which is not read",
		"--- a/x\n+++ b/x\n":                                    "names x and changes nothing",
		"--- a/x\n+++ b/x\n@@ -1,0 +2 @@\n+a\n":                 noPlace,
		"diff --git a/x b/y\ncopy from x\ncopy to y\n":          "copies a file, which is not read",
		"diff --git a/x b/x\nBinary files a/x and b/x differ\n": "changes a binary file, which is not read",
	} {
		pieces, _ := Unified(lines(text), true)
		require.Len(t, pieces, 1, text)
		require.Equal(t, problem, pieces[0].Problem, text)
	}
}
