package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func block(search, replace string) string {
	return "<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n```\n"
}

func TestApplyReply(t *testing.T) {
	t.Parallel()
	type files = map[string]string
	for _, test := range []struct {
		name, text string
		before     files
		after      files // no result, if it is nil
		chat       []string
	}{{
		name:   "a block replaces the first place that is equal",
		text:   "a.go\n```go\n" + block("x\n", "y\n"),
		before: files{"a.go": "x\nx\n"},
		after:  files{"a.go": "y\nx\n"},
	}, {
		name:   "a block matches with another common indentation",
		text:   "a.go\n```go\n" + block("if x {\n  y\n", "if z {\n\n  y\n"),
		before: files{"a.go": "\tif x {\n\t  y\n\t}\n"},
		after:  files{"a.go": "\tif z {\n\n\t  y\n\t}\n"},
	}, {
		name:   "a block whose lines are indented differently does not match",
		text:   "a.go\n```go\n" + block("if x {\ny\n", "z\n"),
		before: files{"a.go": "if x {\n\ty\n"},
	}, {
		name:   "dots leave out lines",
		text:   "a.go\n```go\n" + block("one\n...\nfour\n", "1\n...\n4\n"),
		before: files{"a.go": "one\ntwo\nthree\nfour\n"},
		after:  files{"a.go": "1\ntwo\nthree\n4\n"},
	}, {
		name:  "an empty search text makes a file",
		text:  "**new.go**\n```go\n" + block("", "x\n"),
		after: files{"new.go": "x\n"},
	}, {
		name:   "an empty search text appends",
		text:   "a.go\n```go\n" + block("", "y\n"),
		before: files{"a.go": "x"},
		after:  files{"a.go": "x\ny\n"},
	}, {
		name:   "a name inside the fence, and the old marks",
		text:   "```go\na.go\n<<<<<<< ORIGINAL\nx\n=======\ny\n>>>>>>> UPDATED\n```\n",
		before: files{"a.go": "x\n"},
		after:  files{"a.go": "y\n"},
	}, {
		name:   "a block without a name belongs to the file before it",
		text:   "`a.go`:\n```go\n" + block("x\n", "y\n") + "\n\n\n" + block("z\n", ""),
		before: files{"a.go": "x\nz\n"},
		after:  files{"a.go": "y\n"},
	}, {
		name:   "a base name means a file of the chat",
		text:   "a.go\n```go\n" + block("x\n", "y\n"),
		before: files{"dir/a.go": "x\n"},
		after:  files{"dir/a.go": "y\n"},
		chat:   []string{"dir/a.go"},
	}, {
		name:   "a name with backslashes and a fence of another kind",
		text:   "dir\\a.go\n<source>go\n" + block("x\n", "y\n"),
		before: files{"dir/a.go": "x\n"},
		after:  files{"dir/a.go": "y\n"},
	}, {
		name:   "a block that does not match",
		text:   "a.go\n```go\n" + block("y\n", "z\n"),
		before: files{"a.go": "x\n"},
	}, {
		name: "a block without an end",
		text: "a.go\n```go\n<<<<<<< SEARCH\nx\n=======\ny\n",
	}, {
		name:   "a whole file below its name",
		text:   "Here:\n\na.go\n```go\nx\n```\n\nNext:\n\ndir/b.go\n```\ny\n```\n",
		before: files{"a.go": "old\n"},
		after:  files{"a.go": "x\n", "dir/b.go": "y\n"},
	}, {
		name:   "a whole file between other marks",
		text:   "README.md\n<source>\n```\nx\n```\n</source>\n",
		before: files{},
		after:  files{"README.md": "```\nx\n```\n"},
	}, {
		name:   "a whole file that the text mentions",
		text:   "I change `a.go`.\n\n```go\nx\n```\n",
		before: files{"a.go": "old\n", "b.go": "old\n"},
		after:  files{"a.go": "x\n", "b.go": "old\n"},
		chat:   []string{"a.go", "b.go"},
	}, {
		name:   "the hunks of a diff",
		text:   "```diff\n--- a/a.go\n+++ b/a.go\n@@ ... @@\n one line\n-x\n+y\n@@ ... @@\n-z\n```\n",
		before: files{"a.go": "one line\nx\nz\n"},
		after:  files{"a.go": "one line\ny\n"},
	}, {
		name:   "a diff that makes a file",
		text:   "```diff\n--- /dev/null\n+++ b/a.go\n@@ -0,0 +1 @@\n+x\n```\n",
		before: files{},
		after:  files{"a.go": "x\n"},
	}, {
		name:   "a hunk with a line about the change that is not in the file",
		text:   "```diff\n--- a.go\n+++ a.go\n@@ @@\n wrong\n-x is here\n+y\n```\n",
		before: files{"a.go": "right\nx is here\n"},
		after:  files{"a.go": "right\ny\n"},
	}, {
		name:   "a hunk whose changes are apart in the file",
		text:   "```diff\n--- a.go\n+++ a.go\n@@ @@\n-the first line\n+1\n kept\n-the last line\n+9\n```\n",
		before: files{"a.go": "the first line\nkept\nbetween\nthe last line\n"},
		after:  files{"a.go": "1\nkept\nbetween\n9\n"},
	}} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			before := test.before
			if before == nil {
				before = files{}
			}
			after, err := applyReply(formOf(test.text), test.text, before, test.chat)
			if test.after == nil {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, test.after, after)
		})
	}
}

func TestFormOf(t *testing.T) {
	t.Parallel()
	require.Equal(t, formBlocks, formOf("a.go\n```\n"+block("x\n", "y\n")))
	require.Equal(t, formUdiff, formOf("```diff\n--- a\n+++ a\n```"))
	require.Equal(t, formWhole, formOf("a.go\n```\nx\n```"))
}

func TestRelative(t *testing.T) {
	t.Parallel()
	known := func(name string) bool { return name == "dir/a.go" }
	require.Equal(t, "a.go", relative("./a.go", known))
	require.Equal(t, "dir/a.go", relative("/home/me/project/dir/a.go", known))
	require.Equal(t, "dir/a.go", relative("D:/project/dir/a.go", known))
	require.Equal(t, "/etc/other", relative("/etc/other", known))
}

func TestNameStyle(t *testing.T) {
	t.Parallel()
	for style, text := range map[string]string{
		"above plain":             "a.go\n```go\n" + block("", ""),
		"above backslashes plain": "d\\a.go\n```go\n" + block("", ""),
		"above ticks":             "`a.go`\n```go\n" + block("", ""),
		"above bold":              "**a.go**\n```go\n" + block("", ""),
		"above heading":           "### a.go\n```go\n" + block("", ""),
		"above colon":             "a.go:\n```go\n" + block("", ""),
		"inside plain":            "```go\na.go\n" + block("", ""),
		"nowhere":                 "Text.\n\n```go\n" + block("", ""),
	} {
		require.Equal(t, style, nameStyle(formBlocks, text))
	}
	require.Equal(t, "above plain", nameStyle(formWhole, "a.go\n```\nx\n```"))
	require.Empty(t, nameStyle(formUdiff, "```diff\n"))
}
