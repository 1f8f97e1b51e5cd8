package git_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

const lines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n"

func TestAMergeMakesTheChangesOfBoth(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	base := s.commit(map[string]string{"both": lines, "ours": "o\n", "theirs": "t\n", "gone": "g\n", "d/e": "e\n"})
	ours := s.commit(map[string]string{"both": "one\n" + lines[2:], "ours": "O\n"}, base)
	theirs := s.commit(map[string]string{"both": lines[:16] + "nine\n", "theirs": "T\n", "gone": "-", "new/file": "n\n",
		"d/e": "-", "d": "now a file\n"}, base)
	id, err := s.repo.MergeCommit(ours, theirs, git.Commit{Author: signature("maria", 9), Committer: signature("maria", 9),
		Message: "Merge\n"})
	require.NoError(t, err)
	require.Equal(t, []string{"100644 both", "100644 d", "100644 new/file", "100644 ours", "100644 theirs"}, s.paths(id))
	both, err := s.repo.File(id, "both")
	require.NoError(t, err)
	require.Equal(t, "one\n"+lines[2:16]+"nine\n", string(both))
	c, err := s.repo.Commit(id)
	require.NoError(t, err)
	require.Equal(t, []string{ours, theirs}, c.Parents)
}

func TestAConflictNamesThePath(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	base := s.commit(map[string]string{"a/b": lines, "x": "x\n", "d/e": "e\n", "bin": "\x00"})
	change := func(path, content, mode string) string {
		file := git.File{Content: content, Mode: mode, Deleted: content == "-"}
		return s.commitFiles("maria", map[string]git.File{path: file}, base)
	}
	for _, test := range []struct{ name, ours, theirs, path string }{
		{"the same line", change("a/b", "one\n"+lines[2:], ""), change("a/b", "eins\n"+lines[2:], ""), "a/b"},
		{"removed and changed", change("x", "-", ""), change("x", "y\n", ""), "x"},
		{"changed and removed", change("x", "y\n", ""), change("x", "-", ""), "x"},
		{"added twice", change("new", "1\n", ""), change("new", "2\n", ""), "new"},
		{"a file in a changed file", change("x", "y\n", ""), change("x/y", "y\n", ""), "x"},
		{"a file in a new file", change("n", "y\n", ""), change("n/y", "y\n", ""), "n/y"},
		{"a file in place of a folder with a new file", change("d/f", "f\n", ""),
			s.commit(map[string]string{"d/e": "-", "d": "d\n"}, base), "d"},
		{"other modes", change("x", "x\n", git.ModeExecutable), change("x", "x\n", git.ModeLink), "x"},
		{"binary", change("bin", "\x00\x01", ""), change("bin", "\x00\x02", ""), "bin"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := s.repo.Merge(test.ours, test.theirs)
			var conflict *git.ConflictError
			require.ErrorAs(t, err, &conflict)
			require.Equal(t, test.path, conflict.Path)
		})
	}
	same := change("x", "y\n", "")
	merged, err := s.repo.Merge(same, s.commit(map[string]string{"x": "y\n"}, base))
	require.NoError(t, err)
	c, err := s.repo.Commit(same)
	require.NoError(t, err)
	require.Equal(t, c.Tree, merged)
	executable, err := s.repo.Merge(same, change("x", "x\n", git.ModeExecutable))
	require.NoError(t, err)
	e, err := s.repo.At(executable, "x")
	require.NoError(t, err)
	require.Equal(t, git.ModeExecutable, e.Mode)
	text, err := s.repo.File(executable, "x")
	require.NoError(t, err)
	require.Equal(t, "y\n", string(text))
}
