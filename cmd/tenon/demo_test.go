package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// One edit fits only when it is corrected, and one is refused for good.
func TestTheDemoEndsWithACommit(t *testing.T) {
	t.Parallel()
	code, out, errOut := tenon(t, "", "demo", "--timeout", patience.String())
	require.Equal(t, exitOK, code, out+errOut)
	require.Regexp(t, `(?m)^ +commit [0-9a-f]{40}$`, out, "git show of the commit")
	for _, part := range []string{"3. tenon asks again", "Edit 4, README.md: Content sequence not found in file.",
		"Applied 4, failed 1, skipped 0 of 5 edits"} {
		require.Contains(t, out, part)
	}
	require.Regexp(t, `(?m)^ +failed +\.github/workflows/test\.yml`, out)
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
	require.Contains(t, got.Comment, "Applied 1, failed 1")
	require.Contains(t, got.Comment, "there is no answer left")
	require.NotEmpty(t, got.Requests)
	require.Equal(t, before, gitIn(t, dir, "rev-parse", "HEAD"))
	require.Empty(t, gitIn(t, dir, "status", "--porcelain"))
}

func TestADemoOfAnyCommandEndsWithItsAnswer(t *testing.T) {
	t.Parallel()
	for comment, want := range map[string]string{
		"/tenon help":   "| `/tenon fix ",
		"/tenon config": "commits",
		"/tenon fxi it": "Did you mean `/tenon fix`?",
		"/tenon undo":   "undo",
	} {
		code, out, errOut := tenon(t, "", "demo", "--comment", comment, "--timeout", patience.String())
		require.Equal(t, exitFailed, code, "nothing was committed: "+errOut)
		require.Contains(t, out, want)
		require.NotContains(t, out, "git show")
	}
}
