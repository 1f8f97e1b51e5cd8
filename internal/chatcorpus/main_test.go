package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

func TestRunMakesACaseOfACommitAndOneOfAnExplanation(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	r := gittest.New(t).Create(t, "ada/sums")
	r.Commit("main", gittest.Files(map[string]string{
		"a.go": "x\n", "dir/a.go": "other\n", "b.go": "b\r\n", "c.go": "c\n", "unnamed.go": "u\n",
	}))
	commit := r.Commit("main", gittest.Files(map[string]string{"a.go": "y\n", "n.go": "new\n"}))
	wrong := r.Commit("main", gittest.Files(map[string]string{"b.go": "something else\n"}))
	history := "# aider chat started at 2025-01-02 03:04:05\n\n#### Change it  \n\n" +
		"a.go\n```go\n" + block("x\n", "y\n") + "\nn.go\n```go\n" + block("", "new\n") + "\nSee c.go.\n\n" +
		"> Applied edit to n.go  \n> Applied edit to a.go  \n> Commit " + commit[:7] + " change it  \n" +
		"\n#### And b  \n\nb.go\n```go\n" + block("b\n", "z\n") +
		"\n> Applied edit to b.go  \n> Commit " + wrong[:7] + " change b  \n" +
		"\n#### How does it run?  \n\nLike this, with c.go:\n\n```\ngo run .\n```\n\n> Tokens: 1 sent, 1 received.  \n"
	r.Commit("main", gittest.Files(map[string]string{".aider.chat.history.md": history}))
	r.Commit("main", gittest.Files(map[string]string{".aider.chat.history.md": "# aider chat started at 2025\n"}))
	require.NoError(t, os.Mkdir(filepath.Join(root, "ada+sums"), 0o700))
	require.NoError(t, os.Symlink(r.Dir, filepath.Join(root, "ada+sums", "repo")))
	list := filepath.Join(root, "list.txt")
	require.NoError(t, os.WriteFile(list, []byte("ada/sums "+r.Ref("refs/heads/main")+"\n"), 0o600))

	var out strings.Builder
	require.NoError(t, run(t.Context(), list, root, root, &out))
	require.Contains(t, out.String(), "       1       0       0  certain\n")
	require.Contains(t, out.String(), "       1       0       0  the rule gives something else\n")

	part := "held.jsonl"
	if isDev("ada/sums") {
		part = "dev.jsonl"
	}
	cases := readCases(t, filepath.Join(root, part))
	require.Len(t, cases, 1)
	require.Equal(t, "ada/sums@"+commit[:12], cases[0].ID)
	require.Equal(t, "bytes", cases[0].Equal)
	require.Equal(t, map[string]string{"a.go": "x\n", "dir/a.go": "other\n", "c.go": "c\n"}, cases[0].Files)
	y, n := "y\n", "new\n"
	require.Equal(t, map[string]*string{"a.go": &y, "n.go": &n}, cases[0].Expect)

	prose := readCases(t, filepath.Join(root, "prosereplies.jsonl"))
	require.Len(t, prose, 1)
	require.Equal(t, "ada/sums@"+wrong[:12], prose[0].ID)
	require.Equal(t, map[string]string{"c.go": "c\n"}, prose[0].Files)
	require.Empty(t, prose[0].Expect)
}

func readCases(t *testing.T, name string) []testCase {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	var cases []testCase
	for line := range strings.Lines(string(data)) {
		var c testCase
		require.NoError(t, json.Unmarshal([]byte(line), &c))
		cases = append(cases, c)
	}
	return cases
}

func TestCompareTellsLineEndingsApart(t *testing.T) {
	t.Parallel()
	text := "a.go\n```go\n" + block("x\n", "y\n")
	for want, expect := range map[string]string{"bytes": "y\r\nz\r\n", "endings": "y\nz\n", "": "y\n"} {
		c := &testCase{
			Form: formBlocks, Reply: text,
			Files: map[string]string{"a.go": "x\r\nz\r\n"}, Expect: map[string]*string{"a.go": &expect},
		}
		equal, err := compare(c, nil)
		require.NoError(t, err)
		require.Equal(t, want, equal)
	}
}
