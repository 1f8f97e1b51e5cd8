package engine

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each way to go on after a file was removed or renamed is an edit or a refusal, and never an error of the tree.
func TestEditsOfFilesThatWereRemovedOrRenamedBefore(t *testing.T) {
	t.Parallel()
	header := func(a, b, more string) string { return fmt.Sprintf("diff --git a/%s b/%s\n%s", a, b, more) }
	rename := func(a, b string) string { return header(a, b, "rename from "+a+"\nrename to "+b+"\n") }
	remove := func(a string) string {
		return header(a, a, "deleted file mode 100644\n--- a/"+a+"\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one\n")
	}
	edit := func(a string) string { return header(a, a, "--- a/"+a+"\n+++ b/"+a+"\n@@ -1,1 +1,1 @@\n-one\n+two\n") }
	create := func(a string) string {
		return header(a, a, "new file mode 100644\n--- /dev/null\n+++ b/"+a+"\n@@ -0,0 +1,1 @@\n+new\n")
	}
	for name, tc := range map[string]struct {
		reply   string
		reason  Reason // of the last block
		want    MemTree
		changed []string
	}{
		"edited by its new name": {rename("a", "b") + edit("b"), "", MemTree{"b": []byte("two\n")}, []string{"a", "b"}},
		"edited by its old name": {rename("a", "b") + edit("a"), "", MemTree{"b": []byte("two\n")}, []string{"a", "b"}},
		"renamed twice": {rename("a", "b") + rename("a", "c"), FileNotFound, MemTree{"b": []byte("one\n")},
			[]string{"a", "b"}},
		"renamed on": {rename("a", "b") + rename("b", "c"), FileNotFound, MemTree{"b": []byte("one\n")},
			[]string{"a", "b"}},
		"renamed and removed": {rename("a", "b") + remove("b"), FileNotFound, MemTree{"b": []byte("one\n")},
			[]string{"a", "b"}},
		"renamed and made again": {rename("a", "b") + create("b"), FileExists, MemTree{"b": []byte("one\n")},
			[]string{"a", "b"}},
		"removed and renamed":    {remove("a") + rename("a", "b"), FileNotFound, MemTree{}, []string{"a"}},
		"removed and edited":     {remove("a") + edit("a"), NotFound, MemTree{}, []string{"a"}},
		"removed and made again": {remove("a") + create("a"), "", MemTree{"a": []byte("new\n")}, []string{"a"}},
	} {
		tree := MemTree{"a": []byte("one\n")}
		out, err := Apply(tree, Parse("```diff\n"+tc.reply+"```\n", ParseOptions{}).Blocks, Options{})
		require.NoError(t, err, name)
		require.Len(t, out.Results, 2, name)
		require.Equal(t, tc.reason, out.Results[1].Reason, "%s: %s", name, out.Results[1].Detail)
		require.Equal(t, tc.want, tree, name)
		require.Equal(t, tc.changed, out.Changed, name)
	}
}

func TestARenameIsExaminedByItsNewName(t *testing.T) {
	t.Parallel()
	var asked []string
	reply := "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-one\n+two\n*** End Patch\n"
	refuse := func(name string) Options {
		return Options{Examine: func(_ int, path string, e *Edit) Verdict {
			asked = append(asked, fmt.Sprintf("%s %q %q", path, e.Removed, e.Added))
			if path == name {
				return Verdict{Reason: Unusual, Detail: "no"}
			}
			return Verdict{Marks: []string{"seen"}}
		}}
	}
	tree := MemTree{"a": []byte("one\n")}
	out, err := Apply(tree, Parse(reply, ParseOptions{}).Blocks, refuse("b"))
	require.NoError(t, err)
	require.Equal(t, []string{`a ["one"] ["two"]`, `b [] []`}, asked)
	require.Equal(t, Unusual, out.Results[1].Reason)
	require.Equal(t, MemTree{"a": []byte("two\n")}, tree)

	tree = MemTree{"a": []byte("one\n")}
	out, err = Apply(tree, Parse(reply, ParseOptions{}).Blocks, refuse(""))
	require.NoError(t, err)
	require.Equal(t, []string{"seen"}, out.Results[1].Marks)
	require.Equal(t, "a", out.Results[0].From)
	require.Equal(t, MemTree{"b": []byte("two\n")}, tree)
}

// A file that its edits break keeps its name too.
func TestAFileThatIsRefusedIsNotRenamed(t *testing.T) {
	t.Parallel()
	tree := MemTree{"a": []byte("one\n")}
	reply := "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-one\n+two\n*** End Patch\n"
	out, err := Apply(tree, Parse(reply, ParseOptions{}).Blocks, Options{
		Verify: func(string, []byte, []byte) Verification {
			return Verification{Problems: []FileProblem{{Line: 1, Message: "no", Syntax: true}}}
		},
	})
	require.NoError(t, err)
	require.Empty(t, out.Changed)
	for _, r := range out.Results {
		require.Equal(t, SyntaxError, r.Reason)
		require.Equal(t, "a", r.Path)
	}
	require.Equal(t, MemTree{"a": []byte("one\n")}, tree)
}
