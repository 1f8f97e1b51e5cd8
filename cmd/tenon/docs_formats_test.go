package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

// formatsPage is docs/formats.md.
func formatsPage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/formats.md")
	require.NoError(t, err)
	return string(text)
}

var (
	anExample = regexp.MustCompile("(?ms)^````text\n(.*?)^````$")
	aFile     = regexp.MustCompile("(?ms)to a file `([^`]*)`:\n\n```python\n(.*?)^```$")
)

// Every example of the page is read and applied to the files of the page.
func TestThePageOnFormatsHasExamplesThatApply(t *testing.T) {
	t.Parallel()
	page := formatsPage(t)
	seen := map[engine.Format]bool{}
	examples := anExample.FindAllStringSubmatch(page, -1)
	require.Len(t, examples, strings.Count(page, "\n````text\n"))
	for _, m := range examples {
		tree := engine.MemTree{}
		for _, f := range aFile.FindAllStringSubmatch(page, -1) {
			tree[f[1]] = []byte(f[2])
		}
		require.Len(t, tree, 2)
		reply := engine.Parse(m[1], engine.ParseOptions{})
		require.Empty(t, reply.Problems, m[1])
		require.NotEmpty(t, reply.Blocks, m[1])
		out, err := engine.Apply(tree, reply.Blocks, engine.Options{})
		require.NoError(t, err)
		require.NotEmpty(t, out.Changed)
		for _, r := range out.Results {
			require.Equal(t, engine.Applied, r.Status, "%s\n%s", r.Detail, m[1])
			seen[r.Block.Format] = true
		}
	}
	for _, f := range engine.Formats() {
		require.True(t, seen[f.ParsesAs], f.Name)
		require.Contains(t, page, "`"+string(f.ParsesAs)+"`")
	}
	require.True(t, seen[engine.FormatXML] && seen[engine.FormatJSON])
}

const (
	notRead = "not-read"
	aText   = "text" // nothing is read, and nothing is told
	aShell  = "a suggested command"
)

// notReadCases are replies for each line of the section "What is not read", by its words in italics.
var notReadCases = map[string][]struct{ reply, want string }{
	"Context diffs": {
		{"```diff\n*** a.py\n--- a.py\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n```\n", notRead},
		{"```diff\n1c1\n< a\n---\n> b\n```\n", notRead},
	},
	"Ed scripts":      {{"```diff\n1c\nb\n.\n```\n", notRead}, {"1c\nb\n.\nw\n", aText}},
	"Diffs of merges": {{"```diff\n--- a/a.py\n+++ b/a.py\n@@@ -1 -1 +1 @@@\n- a\n -c\n++b\n```\n", notRead}},
	"Binary patches": {
		{"```diff\ndiff --git a/a.py b/a.py\nGIT binary patch\nliteral 3\nKcmZQzU|?i;0ssI2\n\n```\n", notRead},
	},
	"Copies":           {{"```diff\ndiff --git a/a.py b/b.py\ncopy from a.py\ncopy to b.py\n```\n", notRead}},
	"Changes of modes": {{"```diff\ndiff --git a/a.py b/a.py\nold mode 100644\nnew mode 100755\n```\n", notRead}},
	"Inserts at a line number": {
		{"<insert_content>\n<path>a.py</path>\n<line>1</line>\n<content>\nx\n</content>\n</insert_content>\n", notRead},
		{"```json\n{\"command\": \"insert\", \"path\": \"a.py\", \"insert_line\": 1, \"new_str\": \"x\"}\n```\n", notRead},
	},
	"Regular expressions": {
		{"```json\n{\"path\": \"a.py\", \"old_string\": \"a+\", \"new_string\": \"b\", \"use_regex\": true}\n```\n", notRead},
		{"```json\n{\"path\": \"a\", \"old_string\": \"A\", \"new_string\": \"b\", \"ignore_case\": true}\n```\n", notRead},
	},
	"Patches in a JSON string": {
		{"```json\n[\"apply_patch\", {\"input\": \"*** Begin Patch\\n*** Delete File: a\\n*** End Patch\"}]\n```\n", notRead},
	},
	"JSON Patch":            {{"```json\n[{\"op\": \"replace\", \"path\": \"/a\", \"value\": \"b\"}]\n```\n", aText}},
	"Edits as YAML":         {{"```yaml\npath: a.py\nold_string: a\nnew_string: b\n```\n", aText}},
	"Suggestions of GitHub": {{"a.py\n```suggestion\nb\n```\n", notRead}, {"```suggestion\nb\n```\n", notRead}},
	"Code with a path in a text about something else": {
		{"# Tool\n\nSee [the site](https://example.com).\n\na.py\n```python\nb\n```\n", notRead},
		{"## Why\n\nIt was wrong.\n\n`a.py`:\n\n```python\nb\n```\n", notRead},
	},
	"Code with a path and a line number": {
		{"a.py:1\n```python\nb\n```\n", notRead}, {"In `a.py`, line 1:\n```python\nb\n```\n", notRead},
	},
	"Code without a path": {{"```python\nb\n```\n", aText}},
	"Merge conflicts":     {{"a.py\n\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n", aText}},
	"Diffs in shell commands": {
		{"```sh\ngit apply <<'EOF'\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+b\nEOF\n```\n", aShell},
		{"```sh\ncat > a.py <<'EOF'\nb\nEOF\n```\n", aShell},
	},
	"Elements with the path as an attribute": {
		{"<file path=\"a.py\">\nb\n</file>\n", aText}, {"<delete_file>\n<path>a.py</path>\n</delete_file>\n", aText},
	},
}

func TestThePageOnFormatsSaysWhatIsNotRead(t *testing.T) {
	t.Parallel()
	_, section, _ := strings.Cut(formatsPage(t), "\n## What is not read\n")
	lines := regexp.MustCompile(`(?m)^- \*([^*]*)\*`).FindAllStringSubmatch(section, -1)
	require.Len(t, lines, len(notReadCases))
	for _, line := range lines {
		require.NotEmpty(t, notReadCases[line[1]], line[1])
		for _, c := range notReadCases[line[1]] {
			reply := engine.Parse(c.reply, engine.ParseOptions{})
			require.Empty(t, reply.Blocks, c.reply)
			isNotRead := func(p engine.Problem) bool { return p.Kind == engine.ProblemNotRead }
			require.Equal(t, c.want == notRead, slices.ContainsFunc(reply.Problems, isNotRead), c.reply)
			require.Equal(t, c.want == aShell, len(reply.Suggestions) > 0, c.reply)
			if c.want != notRead {
				require.Empty(t, reply.Problems, c.reply)
			}
		}
	}
}
