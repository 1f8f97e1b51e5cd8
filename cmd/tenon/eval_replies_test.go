package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// measuringBlocks returns the code of a language on the page on measuring.
func measuringBlocks(t *testing.T, language string) (code []string) {
	t.Helper()
	for _, b := range blocksOf(fileText(t, "../../docs/measuring.md")) {
		if b.language == language {
			code = append(code, b.code)
		}
	}
	require.NotEmpty(t, code)
	return code
}

// someCases writes the cases of the page on measuring, and one as an archive, and returns their folder.
func someCases(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	require.NoError(t, os.Mkdir(folder+"/hand", 0o755))
	require.NoError(t, os.WriteFile(folder+"/cases.jsonl", []byte(measuringBlocks(t, "json")[0]), 0o600))
	require.NoError(t, os.WriteFile(folder+"/hand/rename.txtar", []byte("A file that is renamed.\n"+
		"-- reply --\n"+lineEdit("new.txt", "one", "two")+"-- before/old.txt --\none\n-- after/new.txt --\ntwo\n"), 0o600))
	return folder
}

func evalRepliesOf(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errOut := tenon(t, "", append([]string{"eval", "replies"}, args...)...)
	require.Equal(t, exitOK, code, errOut)
	require.Empty(t, errOut)
	return out
}

func TestThePageOnMeasuringShowsWhatItsCasesGive(t *testing.T) {
	t.Parallel()
	require.Equal(t, measuringBlocks(t, "text")[0], evalRepliesOf(t, filepath.Join(someCases(t), "cases.jsonl")))
}

func TestEvalRepliesMeasuresAFolder(t *testing.T) {
	t.Parallel()
	folder := someCases(t)
	lines := strings.Split(strings.TrimSpace(evalRepliesOf(t, folder)), "\n")
	require.Equal(t, "replies=5 equal=2 line_ends=0 refused=2 other=1 read=0", lines[len(lines)-1])
	require.True(t, slices.ContainsFunc(lines, func(line string) bool {
		return strings.HasPrefix(strings.TrimSpace(line), "txtar ")
	}))
	require.Equal(t, "greet-2: not-found\nhand/rename: file-not-found\n", evalRepliesOf(t, folder, "--only", "refused"))
	require.Equal(t, "greet-3: greet.py\n", evalRepliesOf(t, folder, "--only", "other"))
	require.Equal(t, "greet-1\nprose-1\n", evalRepliesOf(t, folder, "--only", "equal"))
	require.Contains(t, evalRepliesOf(t, folder, "--form", "prose"), "\nreplies=1 equal=1 ")
}

// The keys are a contract with programs.
func TestEvalRepliesPrintsWhatBecameOfEachCase(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.TrimSpace(evalRepliesOf(t, someCases(t), "--json")), "\n")
	require.Len(t, lines, 5)
	require.JSONEq(t, `{"id": "greet-1", "form": "diff", "variant": "", "class": "equal", "blocks": 1, `+
		`"formats": ["diff"], "levels": [1], "problems": []}`, lines[0])
	require.JSONEq(t, `{"id": "greet-3", "form": "diff", "variant": "", "class": "other", "blocks": 1, `+
		`"formats": ["diff"], "levels": [1], "problems": [], "differ": ["greet.py"]}`, lines[2])
	other := evalRepliesOf(t, someCases(t), "--json", "--only", "other")
	require.Equal(t, lines[2]+"\n", other)
}

func TestEvalRepliesShowsACase(t *testing.T) {
	t.Parallel()
	folder := someCases(t)
	require.Equal(t, `greet-3: other
block 1 (diff): greet.py: applied, line 1, level 1
--- expected/greet.py
+++ got/greet.py
@@ -1 +1 @@
-print('Hi')
+print('Hey')
`, evalRepliesOf(t, folder, "--show", "greet-3"))
	out := evalRepliesOf(t, folder, "--show", "hand/rename")
	require.Contains(t, out, "hand/rename: refused: file-not-found\nblock 1 (diff): new.txt: failed, file-not-found: ")
	require.Contains(t, out, "--- expected/new.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-two\n")
	require.Contains(t, out, "--- /dev/null\n+++ got/old.txt\n@@ -0,0 +1 @@\n+one\n")
}

func TestEvalRepliesSaysWhatItLacks(t *testing.T) {
	t.Parallel()
	folder, wrong := someCases(t), filepath.Join(t.TempDir(), "wrong.jsonl")
	require.NoError(t, os.WriteFile(wrong, []byte("\n{}\n"), 0o600))
	for want, args := range map[string][]string{
		"name a file with cases":                                 {},
		"reading the cases: stat no.jsonl: ":                     {"no.jsonl"},
		wrong + `: wrong.jsonl: line 2: a case needs an "id"`:    {wrong},
		"--only must be equal, line-ends, refused or other":      {folder, "--only", "wrong"},
		`has no case "greet-9"`:                                  {folder, "--show", "greet-9"},
		`has no cases of the form "udiff"`:                       {folder, "--form", "udiff"},
		"has no cases; they are in files named *.jsonl and *.tx": {t.TempDir()},
		"[json show]": {folder, "--json", "--show", "greet-1"},
	} {
		code, out, errOut := tenon(t, "", append([]string{"eval", "replies"}, args...)...)
		require.Equal(t, exitUsage, code, want)
		require.Empty(t, out, want)
		require.Contains(t, errOut, want)
	}
}
