package git_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// history makes commits on two branches and merges them:
//
//	1 - 2 - 4 - 5 (merge of 3)
//	  \ 3 ----/
func (s *story) history() (commits [6]string) {
	one := s.commit(map[string]string{"a": "1\n", "docs/x": "x\n"})
	two := s.commit(map[string]string{"a": "2\n"}, one)
	three := s.commitFiles("pablo", map[string]git.File{"docs/x": {Content: "y\n"}}, one)
	four := s.commit(map[string]string{"b": "4\n"}, two)
	five := s.commit(map[string]string{"docs/x": "y\n"}, four, three)
	return [6]string{"", one, two, three, four, five}
}

func TestTheHistoryIsListedNewestFirst(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	c := s.history()
	require.Equal(t, []string{c[5], c[4], c[3], c[2], c[1]}, s.log(c[5], git.Filter{}))
	require.Equal(t, []string{c[5], c[4]}, s.log(c[5], git.Filter{Max: 2}))
	require.Equal(t, []string{c[3]}, s.log(c[5], git.Filter{Author: "pablo@example.com"}))
	require.Equal(t, []string{c[5], c[4], c[3]}, s.log(c[5], git.Filter{Since: at(3)}))
	require.Equal(t, []string{c[3], c[2], c[1]}, s.log(c[5], git.Filter{Until: at(3)}))
	require.Equal(t, []string{c[2], c[1]}, s.log(c[5], git.Filter{Path: "a"}))
	require.Equal(t, []string{c[3], c[1]}, s.log(c[5], git.Filter{Path: "docs"}), "a merge with one side's is passed over")
	require.Empty(t, s.log(c[5], git.Filter{Path: "absent"}))
}

func TestCommitsBehindOthersAreLeftOut(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	c := s.history()
	require.Equal(t, []string{c[5], c[4], c[2]}, s.log(c[5], git.Filter{Not: []string{c[3]}}))
	require.Equal(t, []string{c[3]}, s.log(c[3], git.Filter{Not: []string{c[4]}}))
	require.Equal(t, []string{c[5]}, s.log(c[5], git.Filter{Not: []string{c[4]}, Max: 1}))
	require.Empty(t, s.log(c[2], git.Filter{Not: []string{c[5]}}))
}

func TestCommitsOfTheSameSecondAreLeftOutToo(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	id, base := s.commit(map[string]string{"a": "0\n"}), ""
	for i := range 30 {
		s.now = 0
		id = s.commit(map[string]string{"a": string(rune('a' + i))}, id)
		if i == 10 {
			base = id
		}
	}
	s.now = 0
	side := s.commit(map[string]string{"b": "b\n"}, base)
	require.Equal(t, []string{side}, s.log(side, git.Filter{Not: []string{id}}))
}

func TestAnAncestorIsACommitOfTheHistory(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	c := s.history()
	require.True(t, s.repo.IsAncestor(c[1], c[5]))
	require.True(t, s.repo.IsAncestor(c[3], c[5]))
	require.True(t, s.repo.IsAncestor(c[3], c[3]))
	require.False(t, s.repo.IsAncestor(c[3], c[4]))
	require.False(t, s.repo.IsAncestor(c[5], c[1]))
}

func TestTheMergeBaseIsTheNewestCommonCommit(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	c := s.history()
	unrelated := s.commit(map[string]string{"z": "z\n"})
	for _, of := range []struct{ a, b, base string }{{c[3], c[4], c[1]}, {c[5], c[3], c[3]}, {c[2], c[4], c[2]},
		{c[2], unrelated, ""}} {
		base, err := s.repo.MergeBase(of.a, of.b)
		require.NoError(t, err)
		require.Equal(t, of.base, base)
		base, err = s.repo.MergeBase(of.b, of.a)
		require.NoError(t, err)
		require.Equal(t, of.base, base)
	}
	_, err := s.repo.Merge(c[2], unrelated)
	require.ErrorIs(t, err, git.ErrUnrelated)
}

func TestARevisionIsACommit(t *testing.T) {
	t.Parallel()
	inBoth(t, func(t *testing.T, s *story) {
		id := s.commit(map[string]string{"a": "1\n"})
		require.NoError(t, s.repo.SetBranch("main", id))
		for _, rev := range []string{"HEAD", "refs/heads/main", id, id[:7], id[:12]} {
			require.Equal(t, id, s.repo.Resolve(rev), rev)
		}
		c, err := s.repo.Commit(id)
		require.NoError(t, err)
		for _, rev := range []string{"main", "", id[:6], c.Tree, c.Tree[:10], "refs/heads/other", id[:39] + "g"} {
			require.Empty(t, s.repo.Resolve(rev), rev)
		}
	})
}
