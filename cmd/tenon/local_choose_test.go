package main

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/localrepo"
)

// twoFittingEdits are edits of which the second does not fit.
var twoFittingEdits = []record.Result{
	{Path: "a.txt", Status: record.StatusApplied, Line: 1, Diff: "-a\n+b\n"},
	{Path: "b.txt", Status: record.StatusFailed},
	{Path: "c.txt", Status: record.StatusApplied, Line: 3, Marks: []string{"a line ends in \x1b[2J"}},
}

func TestEachEditThatFitsIsAskedAbout(t *testing.T) {
	t.Parallel()
	for answers, want := range map[string][]int{
		"y\ny\n": {1, 3}, "n\nyes\n": {3}, "diff\ny\nno\n": {1}, "a\n": {1, 3}, "q\n": nil, "y\nq\n": {1},
		"what\nN\nN\n": nil,
	} {
		var out strings.Builder
		numbers, err := chooser{strings.NewReader(answers), &out}.choose(t.Context(), twoFittingEdits)
		require.NoError(t, err)
		require.Equal(t, want, numbers, answers)
		require.NotContains(t, out.String(), "\x1b[2J")
		require.Equal(t, strings.Contains(answers, "diff"), strings.Contains(out.String(), "-a\n+b\n"))
	}
	_, err := chooser{strings.NewReader("y\n"), new(strings.Builder)}.choose(t.Context(), twoFittingEdits)
	require.ErrorIs(t, err, errNotAsked)
}

func TestAPersonWhoInterruptsIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	in, _ := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := chooser{in, new(strings.Builder)}.choose(ctx, twoFittingEdits)
	require.ErrorIs(t, err, errInterrupted)
}

func TestAPreviewMakesWhatIsChosen(t *testing.T) {
	const two = "main.go\n<<<<<<< SEARCH\n\tprintln(\"hello\")\n=======\n\tprintln(\"goodbye\")\n>>>>>>> REPLACE\n" +
		"\na.txt\n<<<<<<< SEARCH\nthe letter a\n=======\nthe letter b\n>>>>>>> REPLACE\n"
	dir, _ := asking(t, map[string]string{"main.go": helloGo, "a.txt": "the letter a\n"}, two)
	settings, err := config.LoadLocal(config.Source{})
	require.NoError(t, err)
	for _, answers := range []string{"n\nn\n", "n\ny\n"} {
		tree, err := openLocal(t.Context(), localrepo.Options{Task: "change both"})
		require.NoError(t, err)
		var out, errOut strings.Builder
		l := local{tree: tree, models: settings.Models, progress: newProgress("fix", "model-1", &out, &errOut),
			choose: chooser{strings.NewReader(answers), &errOut}.choose}
		done, err := l.carryOut(t.Context(), localCommand("preview", "change main.go and a.txt", "", nil))
		require.NoError(t, err)
		require.NoError(t, done.print(&out, &errOut, false), out.String()+errOut.String())
		require.NoError(t, tree.Close())
		if answers == "n\nn\n" {
			require.Contains(t, errOut.String(), "no edit was chosen")
			require.Empty(t, gitIn(t, dir, "status", "--short"))
			continue
		}
		require.Contains(t, out.String(), "Applied 1, failed 0, skipped 0 of 1 edit; 1 file changed and staged.")
		require.Contains(t, errOut.String(), "you did not choose 1 edit")
		require.Equal(t, "M  a.txt\n", gitIn(t, dir, "status", "--short"))
	}
}

func TestAPreviewNeedsATerminal(t *testing.T) {
	asking(t, map[string]string{"main.go": helloGo}, goodbyeReply)
	code, _, errOut := tenon(t, "", "fix", "--preview", "say goodbye")
	require.Equal(t, exitUsage, code)
	require.Contains(t, errOut, "there is no terminal to ask")
}

func TestWhoeverChoosesSeesWhichFilesAreRemovedAndRenamed(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	_, err := chooser{strings.NewReader("y\ny\n"), &out}.choose(t.Context(), []record.Result{
		{Path: "a.txt", Status: record.StatusApplied, Removed: 3, Detail: "The file is removed"},
		{Path: "c.txt", Status: record.StatusApplied, Line: 1, Detail: "b.txt is renamed to c.txt"},
	})
	require.NoError(t, err)
	require.Contains(t, out.String(), "Edit 1/2 a.txt +0 −3 \n    The file is removed\n")
	require.Contains(t, out.String(), "c.txt:1 +0 −0 \n    b.txt is renamed to c.txt\n")
}
