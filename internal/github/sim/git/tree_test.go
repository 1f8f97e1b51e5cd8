package git_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// paths returns the modes and paths of all entries of a tree that are no folders.
func (s *story) paths(tree string) []string {
	s.t.Helper()
	all, err := s.repo.TreeRecursive(tree)
	require.NoError(s.t, err)
	list := []string{}
	for _, e := range all {
		if e.Kind() != git.KindTree {
			list = append(list, e.Mode+" "+e.Path)
		}
	}
	return list
}

func TestATreeIsMadeOfABaseAndChanges(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	base := s.commit(map[string]string{"a.go": "a\n", "a/b": "b\n", "a/c/d": "d\n", "z": "z\n"})
	blob, err := s.repo.WriteBlob([]byte("new\n"))
	require.NoError(t, err)
	file := func(path string) git.Entry { return git.Entry{Path: path, Mode: git.ModeFile, SHA: blob} }
	sub, err := s.repo.At(base, "a")
	require.NoError(t, err)
	for _, test := range []struct {
		name    string
		changes []git.Entry
		want    []string
	}{
		{"nothing", nil, []string{"100644 a.go", "100644 a/b", "100644 a/c/d", "100644 z"}},
		{"a new file", []git.Entry{file("a/c/e")},
			[]string{"100644 a.go", "100644 a/b", "100644 a/c/d", "100644 a/c/e", "100644 z"}},
		{"a removed folder", []git.Entry{{Path: "a/c"}}, []string{"100644 a.go", "100644 a/b", "100644 z"}},
		{"the last file of a folder", []git.Entry{{Path: "a/b"}, {Path: "a/c/d"}}, []string{"100644 a.go", "100644 z"}},
		{"a file in place of a folder", []git.Entry{file("a")}, []string{"100644 a", "100644 a.go", "100644 z"}},
		{"a folder in place of a file", []git.Entry{file("z/y")},
			[]string{"100644 a.go", "100644 a/b", "100644 a/c/d", "100644 z/y"}},
		{"another folder's tree", []git.Entry{{Path: "z", Mode: git.ModeTree, SHA: sub.SHA}, {Path: "z/b"}},
			[]string{"100644 a.go", "100644 a/b", "100644 a/c/d", "100644 z/c/d"}},
		{"modes", []git.Entry{{Path: "s", Mode: git.ModeSubmodule, SHA: base},
			{Path: "x", Mode: git.ModeExecutable, SHA: blob}, {Path: "l", Mode: git.ModeLink, SHA: blob}, {Path: "a"},
			{Path: "z"}},
			[]string{"100644 a.go", "120000 l", "160000 s", "100755 x"}},
		{"everything removed", []git.Entry{{Path: "a"}, {Path: "a.go"}, {Path: "z"}}, []string{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			tree, err := s.repo.WriteTree(base, test.changes)
			require.NoError(t, err)
			require.Equal(t, test.want, s.paths(tree))
		})
	}
	for _, path := range []string{"b", "a/x", "z/y", "a/c/d/e"} {
		_, err := s.repo.WriteTree(base, []git.Entry{{Path: path}})
		require.ErrorIs(t, err, git.ErrNotFound, path)
	}
}

func TestAPathOfACommitIsRead(t *testing.T) {
	t.Parallel()
	inBoth(t, func(t *testing.T, s *story) {
		id := s.commitFiles("maria", map[string]git.File{"a/b": {Content: "b\n"},
			"link": {Content: "a/b", Mode: git.ModeLink}})
		data, err := s.repo.File(id, "a/b")
		require.NoError(t, err)
		require.Equal(t, "b\n", string(data))
		e, err := s.repo.At(id, "link")
		require.NoError(t, err)
		require.Equal(t, git.ModeLink, e.Mode)
		require.False(t, e.IsFile())
		for _, path := range []string{"a", "x", "a/x", "a/b/c", ""} {
			_, err := s.repo.File(id, path)
			require.ErrorIs(t, err, git.ErrNotFound, path)
		}
		_, err = s.repo.File("0123456789012345678901234567890123456789", "a")
		require.ErrorIs(t, err, git.ErrNotFound)
		list, err := s.repo.Tree(id)
		require.NoError(t, err)
		require.Len(t, list, 2)
		require.EqualValues(t, 3, list[1].Size)
		below, err := s.repo.Folder(id, "a")
		require.NoError(t, err)
		require.Equal(t, "a/b", below[0].Path)
	})
}
