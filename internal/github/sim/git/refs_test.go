package git_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// inBoth tells a story in memory and in a folder.
func inBoth(t *testing.T, tell func(t *testing.T, s *story)) {
	t.Run("memory", func(t *testing.T) { t.Parallel(); tell(t, newStory(t)) })
	t.Run("folder", func(t *testing.T) { t.Parallel(); tell(t, inFolder(t)) })
}

func TestARefMovesOnlyFromWhereItIsExpected(t *testing.T) {
	t.Parallel()
	inBoth(t, func(t *testing.T, s *story) {
		first := s.commit(map[string]string{"a": "1\n"})
		second := s.commit(map[string]string{"a": "2\n"}, first)
		const name = "refs/heads/topic"

		require.Empty(t, s.repo.Ref(name))
		require.ErrorIs(t, s.repo.Update(git.Update{Name: name, From: first, To: second}), git.ErrMoved)
		require.NoError(t, s.repo.Update(git.Update{Name: name, To: first}))
		require.ErrorIs(t, s.repo.Update(git.Update{Name: name, To: second}), git.ErrMoved)
		require.NoError(t, s.repo.Update(git.Update{Name: name, From: first, To: second}))
		require.Equal(t, second, s.repo.Branch("topic"))
		require.ErrorIs(t, s.repo.Update(git.Update{Name: name, From: first}), git.ErrMoved)
		require.NoError(t, s.repo.Update(git.Update{Name: name, From: second}))
		require.Empty(t, s.repo.Ref(name))
	})
}

func TestAllRefsOfAnUpdateMoveOrNone(t *testing.T) {
	t.Parallel()
	inBoth(t, func(t *testing.T, s *story) {
		first := s.commit(map[string]string{"a": "1\n"})
		second := s.commit(map[string]string{"a": "2\n"}, first)
		require.NoError(t, s.repo.Update(git.Update{Name: "refs/heads/a", To: first},
			git.Update{Name: "refs/heads/b", To: first}))

		require.ErrorIs(t, s.repo.Update(git.Update{Name: "refs/heads/a", From: first, To: second},
			git.Update{Name: "refs/heads/b", From: second, To: first}), git.ErrMoved)
		require.Equal(t, first, s.repo.Branch("a"))
		require.NoError(t, s.repo.Update(git.Update{Name: "refs/heads/a", From: first, To: second},
			git.Update{Name: "refs/heads/b", From: first}))
		branches, err := s.repo.Branches()
		require.NoError(t, err)
		require.Equal(t, map[string]string{"a": second}, branches)
	})
}

func TestARefIsNoFolderOfOthers(t *testing.T) {
	t.Parallel()
	inBoth(t, func(t *testing.T, s *story) {
		id := s.commit(map[string]string{"a": "1\n"})
		require.NoError(t, s.repo.SetBranch("topic/one", id))
		require.Error(t, s.repo.SetBranch("topic", id))
		require.Error(t, s.repo.SetBranch("topic/one/two", id))
		require.NoError(t, s.repo.SetRef("refs/heads/topic/one", ""))
		require.NoError(t, s.repo.SetBranch("topic", id))
	})
}

func TestARefPointsToAnObjectThatIsThere(t *testing.T) {
	t.Parallel()
	inBoth(t, func(t *testing.T, s *story) {
		commit := s.commit(map[string]string{"a": "1\n"})
		blob, err := s.repo.WriteBlob([]byte("text"))
		require.NoError(t, err)
		const missing = "0123456789012345678901234567890123456789"
		require.ErrorIs(t, s.repo.SetBranch("main", missing), git.ErrNotFound)
		require.Error(t, s.repo.SetBranch("main", blob))
		require.NoError(t, s.repo.SetRef("refs/tags/v1", blob))
		require.NoError(t, s.repo.SetBranch("main", commit))
		require.Equal(t, commit, s.repo.Ref("HEAD"))
		require.NoError(t, s.repo.SetHead("other"))
		require.Equal(t, "other", s.repo.Head())
		require.Empty(t, s.repo.Ref("HEAD"))
		require.Empty(t, s.repo.Resolve("refs/tags/v1"), "a blob is no commit")
	})
}

func TestTheNameOfARefIsAsGitAllowsIt(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"refs/heads/main", "refs/heads/a/b", "refs/heads/größe", "refs/heads/a@b",
		"refs/heads/@", "refs/heads/-x", "refs/pull/1/head"} {
		require.True(t, git.ValidRef(name), name)
	}
	for _, name := range []string{"", "main", "refs/heads", "refs/heads/", "refs/heads/a..b", "refs/heads/a b",
		"refs/heads/a~b", "refs/heads/a^", "refs/heads/a:b", "refs/heads/.a", "refs/heads/a/.b", "refs/heads/a.lock",
		"refs/heads/a.lock/b", "refs/heads/a.", "refs/heads/a@{b", "refs/heads//a", `refs/heads/a\b`, "refs/heads/a\x7f",
		"refs/heads/*"} {
		require.False(t, git.ValidRef(name), name)
	}
}

func TestAForkHasItsOwnRefsAndTheSameObjects(t *testing.T) {
	t.Parallel()
	inBoth(t, func(t *testing.T, s *story) {
		first := s.commit(map[string]string{"a": "1\n"})
		require.NoError(t, s.repo.SetBranch("main", first))
		require.NoError(t, s.repo.SetRef("refs/pull/1/head", first))
		fork, err := s.repo.Fork(filepath.Join(t.TempDir(), "fork.git"))
		require.NoError(t, err)

		refs, err := fork.Refs("")
		require.NoError(t, err)
		require.Equal(t, []git.Ref{{Name: "refs/heads/main", SHA: first}}, refs)
		require.Equal(t, "main", fork.Head())
		inFork := &story{t: t, repo: fork, now: s.now}
		second := inFork.commit(map[string]string{"a": "2\n"}, first)
		require.NoError(t, fork.SetBranch("main", second))
		require.Equal(t, first, s.repo.Branch("main"))
		require.Equal(t, []string{second, first}, s.log(second, git.Filter{}))
	})
}
