package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The model answers with a diff as git writes it: one commit edits, removes and renames, as git sees it too.
func TestADiffThatRemovesAndRenamesFilesIsCommitted(t *testing.T) {
	t.Parallel()
	s := newStage(t, "COMMIT: refactor: tidy up\n\n"+threeOps)
	s.push(threeFiles())
	s.start()
	got := s.say("/tenon fix `greet.go`, `old.go` and `sub/a.go`")
	require.Contains(t, got.answer, "✅ **refactor: tidy up** · 4 edits committed")
	require.Contains(t, got.answer, "`old.go` · The file is removed")
	require.NotContains(t, got.answer, "/old.go", "no link to a file that is gone")
	require.Contains(t, got.answer, "/lib/first.go#L4")
	require.Equal(t, "package sub\n\n// A is the first.\nconst A = 10\n", s.file("lib/first.go"))
	require.Regexp(t, `^M\tgreet\.go\nR\d+\tsub/a\.go\tlib/first\.go\nD\told\.go$`,
		s.gitAt("show", "--format=", "--name-status", "--find-renames", "speed"))

	s.done("maria", "/tenon undo")
	require.Empty(t, s.gitAt("diff", "--name-status", "speed~2", "speed"))
}
