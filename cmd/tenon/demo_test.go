package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// One edit fits only when it is corrected, and one is refused for good.
func TestTheDemoEndsWithACommit(t *testing.T) {
	t.Parallel()
	page := filepath.Join(t.TempDir(), "answer.html")
	code, out, errOut := tenon(t, "", "demo", "--html", page, "--timeout", patience.String())
	require.Equal(t, exitOK, code, out+errOut)
	require.Regexp(t, `(?m)^ +commit [0-9a-f]{40}$`, out, "git show of the commit")
	for _, part := range []string{"3. tenon asks again", "Edit 4, README.md: Content sequence not found in file.",
		"4 of 5 edits committed"} {
		require.Contains(t, out, part)
	}
	require.Regexp(t, `(?m)^ +failed +\.github/workflows/test\.yml`, out)

	require.Regexp(t, `^What you will see: a comment .* becomes a commit`, out, "the first line")
	require.Contains(t, out, "   │ ▸ What was committed\n", "the answer as GitHub shows it")
	require.NotContains(t, out, "127.0.0.1", "links to the simulated GitHub would be dead")
	require.NotContains(t, out, "\x1b", "no colours where there is no terminal")
	_, next, _ := strings.Cut(out, "\nTry next:\n")
	require.Contains(t, next, page)
	commands := regexp.MustCompile(`(?m)^   go run \./cmd/tenon (\S+)`).FindAllStringSubmatch(next, -1)
	require.NotEmpty(t, commands)
	for _, command := range commands {
		_, _, err := newRoot().Find(command[1:2])
		require.NoError(t, err)
	}

	html := fileText(t, page)
	require.Contains(t, html, "<summary>What was committed</summary>")
	require.Contains(t, html, "<strong>fix: greet with a comma and explain usage</strong>")
	require.NotContains(t, html, "127.0.0.1")
}

func TestADemoDoesNotRunForAPageThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	code, out, errOut := tenon(t, "", "demo", "--html", filepath.Join(t.TempDir(), "none", "answer.html"))
	require.NotEqual(t, exitOK, code)
	require.Empty(t, out)
	require.Contains(t, errOut, "there is no folder")
}

// The edit that does not fit is asked for again, and a reply from a file has no more to say.
func TestADemoOfALocalRepositoryCommitsWhatFitsAndChangesNothingThere(t *testing.T) {
	dir := workTree(t, map[string]string{"a.txt": "one\ntwo\n", "b.txt": "b\n"})
	reply := filepath.Join(t.TempDir(), "reply.md")
	require.NoError(t, os.WriteFile(reply, []byte(lineEdit("a.txt", "two", "zwei")+lineEdit("b.txt", "no such line", "x")),
		0o600))
	before := gitIn(t, dir, "rev-parse", "HEAD")

	code, out, errOut := tenon(t, "", "demo", "--repo", dir, "--reply", reply, "--comment", "/tenon fix a.txt and b.txt",
		"--json", "--timeout", patience.String())
	require.Equal(t, exitOK, code, out+errOut)
	var got struct {
		Commit, Branch, Comment string
		Results                 []struct{ Path, Status, Reason string }
		Requests                []string
	}
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Regexp(t, `^[0-9a-f]{40}$`, got.Commit)
	require.NotEmpty(t, got.Branch)
	require.Equal(t, "applied", got.Results[0].Status)
	require.Equal(t, "not-found", got.Results[1].Reason)
	require.Contains(t, got.Comment, " · 1 of 2 edits committed")
	require.Contains(t, got.Comment, "there are none left")
	require.NotEmpty(t, got.Requests)
	require.Equal(t, before, gitIn(t, dir, "rev-parse", "HEAD"))
	require.Empty(t, gitIn(t, dir, "status", "--porcelain"))
}

func TestADemoOfAnyCommandEndsWithItsAnswer(t *testing.T) {
	t.Parallel()
	for comment, want := range map[string]string{
		"/tenon help":   "• `/tenon fix [what]` changes",
		"/tenon config": "commits",
		"/tenon fxi it": "Did you mean `/tenon fix`?",
		"/tenon undo":   "undo",

		"/tenon fxi\x1b[2J &#27;[2J": `\x1b[2J`,
	} {
		code, out, errOut := tenon(t, "", "demo", "--comment", comment, "--timeout", patience.String())
		require.Equal(t, exitFailed, code, "nothing was committed: "+errOut)
		require.Contains(t, out, want)
		require.NotContains(t, out, "git show")
		require.NotContains(t, out, "\x1b")
	}
}
