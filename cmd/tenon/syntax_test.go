package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	unbrokenGo = "package a\n\nfunc f() {\n\tg()\n}\n"
	brokenGo   = "package a\n\nfunc f() {\n\tif true {\n\t\tg()\n}\n"
)

func TestApplyChecksTheSyntaxWhenItIsTold(t *testing.T) {
	reply := lineEdit("a.go", "\tg()", "\tif true {\n\t\tg()") + lineEdit("b.txt", "one", "eins")
	for name, c := range map[string]struct {
		args    []string
		code    int
		goFile  string
		says    []string
		changed string
	}{
		"not told": {[]string{"apply"}, exitOK, brokenGo, []string{"Applied 2, failed 0"}, "a.go\nb.txt\n"},
		"off":      {[]string{"apply", "--syntax=off"}, exitOK, brokenGo, nil, "a.go\nb.txt\n"},
		"refuse": {[]string{"apply", "--syntax"}, exitFailed, unbrokenGo, []string{
			" failed   a.go:4   After this edit a.go does not parse: line 6: ",
			"\n          the file after its edits:\n", "     4 | \tif true {\n",
			"Applied 1, failed 1, skipped 0 of 2 edits; 1 file changed and staged.",
		}, "b.txt\n"},
		"warn": {[]string{"apply", "--syntax=warn"}, exitFailed, brokenGo, []string{
			" applied  a.go:4", "\n          does not parse: line 6: ", "Applied 2, failed 0",
		}, "a.go\nb.txt\n"},
		"a dry run": {[]string{"apply", "--syntax", "--dry-run"}, exitFailed, unbrokenGo, []string{
			"does not parse", "1 file would change, nothing was written",
		}, ""},
	} {
		dir := workTree(t, map[string]string{"a.go": unbrokenGo, "b.txt": "one\n"})
		code, out, errOut := tenon(t, reply, c.args...)
		require.Equal(t, c.code, code, name+out+errOut)
		require.Equal(t, c.goFile, fileText(t, "a.go"), name)
		for _, text := range c.says {
			require.Contains(t, out, text, name)
		}
		require.Equal(t, c.changed, gitIn(t, dir, "diff", "--cached", "--name-only"), name)
	}
}

func TestApplyTakesTheReplyBehindSyntax(t *testing.T) {
	workTree(t, map[string]string{"a.go": unbrokenGo})
	require.NoError(t, os.WriteFile("reply.md", []byte(lineEdit("a.go", "\tg()", "\th()")), 0o600))
	code, out, errOut := tenon(t, "", "apply", "--syntax", "reply.md")
	require.Equal(t, exitOK, code, out+errOut)
	require.Contains(t, fileText(t, "a.go"), "h()")
}

func TestApplyTellsProgramsWhatDoesNotParse(t *testing.T) {
	workTree(t, map[string]string{"a.go": unbrokenGo})
	code, out, _ := tenon(t, lineEdit("a.go", "\tg()", "\tif true {\n\t\tg()"), "apply", "--syntax", "--json")
	require.Equal(t, exitFailed, code)
	var answer applyJSON
	require.NoError(t, json.Unmarshal([]byte(out), &answer))
	require.Equal(t, "syntax-error", answer.Results[0].Reason)
	require.Equal(t, 6, answer.Results[0].Syntax[0].Line)
	require.NotEmpty(t, answer.Results[0].Syntax[0].Message)
	require.Empty(t, answer.Changed)
}

func TestApplyKnowsThreeValuesOfSyntax(t *testing.T) {
	workTree(t, map[string]string{"a.go": unbrokenGo})
	code, _, errOut := tenon(t, "", "apply", "--syntax=maybe")
	require.Equal(t, exitUsage, code)
	require.Contains(t, errOut, "write refuse, warn or off after an equals sign: --syntax=warn")
}

// The problems of a file are printed once, and not for each of its blocks.
func TestAFileThatDoesNotParseIsToldOfOnce(t *testing.T) {
	workTree(t, map[string]string{"a.go": unbrokenGo})
	reply := lineEdit("a.go", "\tg()", "\tif true {\n\t\tg()") + lineEdit("a.go", "package a", "package b")
	_, out, _ := tenon(t, reply, "apply", "--syntax")
	require.Contains(t, out, "failed 2")
	require.Equal(t, 1, strings.Count(out, "the file after its edits"))
}

func TestWhatAParserSaysCannotCommandTheTerminal(t *testing.T) {
	workTree(t, map[string]string{"a.json": "{}\n"})
	_, out, _ := tenon(t, lineEdit("a.json", "{}", "{\"\x1b[2J\" 1"), "apply", "--syntax")
	require.Contains(t, out, "does not parse")
	require.NotContains(t, out, "\x1b")
}

func TestBatchChecksTheSyntaxWhenItIsTold(t *testing.T) {
	t.Parallel()
	const request = `{"id":1,"files":{"a.json":"[1]\n"},` +
		`"reply":"a.json\n<<<<<<< SEARCH\n[1]\n=======\n[1,]\n>>>>>>> REPLACE\n"}`
	code, answers := batch(t, request)
	require.Equal(t, exitOK, code)
	require.NotContains(t, answers[0], "syntax")

	code, answers = batchWith(t, []string{"--syntax"}, request, `{"id":2,"files":{},"reply":""}`)
	require.Equal(t, exitFailed, code)
	require.Contains(t, answers[0], `"files":{},"results":[{"path":"a.json","status":"failed","reason":"syntax-error"`)
	require.Contains(t, answers[0], `"syntax":[{"line":1,"message":"`)
	require.NotContains(t, answers[1], "syntax")

	code, answers = batchWith(t, []string{"--syntax=warn"}, request)
	require.Equal(t, exitFailed, code)
	require.Contains(t, answers[0], `"files":{"a.json":"[1,]\n"},"results":[{"path":"a.json","status":"applied"`)
	require.Contains(t, answers[0], `"syntax":[{"line":1,"message":"`)
}

func TestApplySaysWhichFilesWereNotChecked(t *testing.T) {
	large := strings.Repeat("# "+strings.Repeat("long ", 20)+"\n", 3000)
	workTree(t, map[string]string{
		"a.go": unbrokenGo, "large.py": "one = 1\ntwo = 2\n" + large, "chart.yaml": "a: {{ b }}\nc: 1\n", "b.txt": "one\n",
	})
	reply := lineEdit("large.py", "one = 1", "one = (") + lineEdit("large.py", "two = 2", "two = 3") +
		lineEdit("chart.yaml", "c: 1", "c: [") + lineEdit("b.txt", "one", "eins") + lineEdit("a.go", "\tg()", "\th()")
	code, out, errOut := tenon(t, reply, "apply", "--syntax", "--dry-run")
	require.Equal(t, exitOK, code, out+errOut)
	require.Equal(t, 1, strings.Count(out, "warning: large.py was not checked for syntax (too large)\n"))
	require.Contains(t, out,
		"warning: chart.yaml was not checked for syntax (a template, or not in the language of its name)\n")
	require.Equal(t, 2, strings.Count(out, "not checked"), "there is no parser for text")

	_, out, _ = tenon(t, reply, "apply", "--syntax", "--dry-run", "--json")
	var answer applyJSON
	require.NoError(t, json.Unmarshal([]byte(out), &answer))
	var reasons []string
	for _, r := range answer.Results {
		reasons = append(reasons, r.Unchecked)
	}
	require.Equal(t, []string{"size", "size", "undecided", "no-parser", ""}, reasons)
	_, out, _ = tenon(t, reply, "apply", "--dry-run", "--json")
	require.NotContains(t, out, "unchecked", "nothing was to be checked")
}
