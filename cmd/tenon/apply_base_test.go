package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const poem = "the first line\nthe second line\nthe third line\nthe fourth line\nthe fifth line\n"

// changedSince makes a work tree whose file a.txt has another text than its first commit.
func changedSince(t *testing.T, old, put string) {
	t.Helper()
	dir := workTree(t, map[string]string{"a.txt": poem, "b.txt": poem})
	require.NoError(t, os.WriteFile("a.txt", []byte(strings.Replace(poem, old, put, 1)), 0o600))
	gitIn(t, dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "--all",
		"--message", "since")
}

// The reply has lost a word of the context, which is forgiven in the version that the model saw, and in no other.
var drifted = "a.txt\n<<<<<<< SEARCH\n" +
	"the first line\nthe second lines\nthe third line\nthe fourth line\nthe fifth line\n" +
	"=======\nthe first line\nthe second lines\nthe third line\nthe 4th line\nthe fifth line\n>>>>>>> REPLACE\n"

func TestABaseMergesTheReplyWithWhatWasChangedSince(t *testing.T) {
	changedSince(t, "the first line", "the very first line")
	code, out, errOut := tenon(t, drifted, "apply", "--base", "HEAD~1")
	require.Equal(t, exitOK, code, out+errOut)
	require.Contains(t, out, " applied  a.txt:4  Merged with changes made to the file since it was shown")
	want := strings.Replace(strings.Replace(poem, "first", "very first", 1), "fourth", "4th", 1)
	require.Equal(t, want, fileText(t, "a.txt"))
}

func TestABaseShowsAConflict(t *testing.T) {
	changedSince(t, "the fourth line", "the last but one")
	code, out, _ := tenon(t, drifted, "apply", "--base", "HEAD~1")
	require.Equal(t, exitFailed, code, out)
	require.Contains(t, out,
		" failed   a.txt:4  The file changed since it was shown, in the same lines or right next to them\n")
	require.Contains(t, out, "the model saw:\n               4 | the fourth line\n")
	require.Contains(t, out, "the block wants:\n               4 | the 4th line\n")
	require.Contains(t, out, "the file has now:\n               4 | the last but one\n")
	require.Contains(t, fileText(t, "a.txt"), "the last but one")

	code, out, _ = tenon(t, drifted, "apply", "--base", "HEAD~1", "--json")
	require.Equal(t, exitFailed, code)
	var got applyJSON
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Equal(t, "conflict", got.Results[0].Reason)
	require.Equal(t, &conflictJSON{
		Base: regionJSON{4, []string{"the fourth line"}}, Wanted: regionJSON{4, []string{"the 4th line"}},
		Now: regionJSON{4, []string{"the last but one"}},
	}, got.Results[0].Conflict)
}

func TestABaseShowsAConflictWithAFileThatIsEmptyNow(t *testing.T) {
	changedSince(t, poem, "")
	code, out, _ := tenon(t, drifted, "apply", "--base", "HEAD~1")
	require.Equal(t, exitFailed, code, out)
	require.Contains(t, out, "the block wants:\n")
	require.Contains(t, out, " | the 4th line\n")
	require.Contains(t, out, "the file has now:\n")
}

func TestABlockThatDoesNotMatchTheBaseMustMatchTheFileExactly(t *testing.T) {
	changedSince(t, "the second line", "another second line")
	code, out, _ := tenon(t, lineEdit("a.txt", "another second line", "2"), "apply", "--base", "HEAD~1")
	require.Equal(t, exitOK, code, out)
	require.Contains(t, fileText(t, "a.txt"), "the first line\n2\nthe third line")
	code, out, _ = tenon(t, lineEdit("a.txt", "  the first line\n  2", "1"), "apply", "--base", "HEAD~1")
	require.Equal(t, exitFailed, code, out)
	require.Contains(t, out, "The file changed since it was shown, and the block no longer matches it exactly")
}

// What was not changed since, or is not in the commit, is edited as without a base.
func TestABaseIsOnlyForWhatWasChangedSince(t *testing.T) {
	changedSince(t, "the second line", "another second line")
	reply := strings.ReplaceAll(drifted, "a.txt", "b.txt") + "new.txt\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n"
	code, out, _ := tenon(t, reply, "apply", "--base", "HEAD~1")
	require.Equal(t, exitOK, code, out)
	require.NotContains(t, out, "Merged")
	require.Equal(t, strings.Replace(poem, "fourth", "4th", 1), fileText(t, "b.txt"))
	require.Equal(t, "new\n", fileText(t, "new.txt"))
}

func TestABaseThatIsNoCommitIsRefused(t *testing.T) {
	changedSince(t, "the second line", "another second line")
	for _, rev := range []string{"nowhere", "HEAD:a.txt", "--all"} {
		code, out, errOut := tenon(t, drifted, "apply", "--base="+rev)
		require.Equal(t, exitUsage, code, out)
		require.Contains(t, errOut, "--base: there is no commit ")
	}
	require.Contains(t, fileText(t, "a.txt"), "the fourth line")
}
