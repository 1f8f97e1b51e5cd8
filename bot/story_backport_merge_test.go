package bot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// The commits of the pull request know nothing of what the merge has.
func TestAMergeThatSomebodySettledByHandIsBackportedAsItIs(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"a conflict":    {"main.go": "package main // fastest\n", "speed.txt": "fast\n"},
		"something new": {"main.go": "package main // faster\n", "speed.txt": "fast\n", "more.txt": "more\n"},
	} {
		s := backportable(t, "")
		if name == "a conflict" {
			s.Repo.Push("main", map[string]string{"main.go": "package main // fine\n"})
			s.Repo.SetBranch("release", s.Repo.Branch("main"))
		}
		s.pull.MergeByHand(files)
		got := s.say("/tenon backport release")
		require.Contains(t, got.answer, " · the pull request as 1 commit\n", name)
		head := s.backportOf("release")
		require.Len(t, s.picks(head, "release"), 1)
		for file, want := range files {
			require.Equal(t, want, s.File(head, file))
		}
	}
}

// Its commits were left out by who merged it, and a backport does not bring them.
func TestAMergeThatTookNothingIsBackportedAsNothing(t *testing.T) {
	t.Parallel()
	s := backportable(t, "")
	s.Repo.Push("main", map[string]string{"main.go": "package main // fine\n"})
	s.Repo.SetBranch("release", s.Repo.Branch("main"))
	s.pull.MergeByHand(map[string]string{"main.go": "package main // fine\n"})
	require.Contains(t, s.say("/tenon backport release").answer, " changes nothing there\n")
	require.Empty(t, s.Repo.Branches("tenon/"))
}

// It has what both changed in a file, as git merges it.
func TestAMergeThatNobodyHadToSettleIsBackportedByItsCommits(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Repo.Push("main", map[string]string{"both.txt": "one\ntwo\nthree\nfour\nfive\n"})
	s.Repo.SetBranch("release", s.Repo.Branch("main"))
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"both.txt": "1\ntwo\nthree\nfour\nfive\n"})
	s.push(map[string]string{"more.txt": "more\n"})
	s.Repo.Push("main", map[string]string{"both.txt": "one\ntwo\nthree\nfour\n5\n"})
	s.pull.MergeBy(bottest.ByMerge)
	got := s.say("/tenon backport release")
	require.Contains(t, got.answer, " · 2 commits")
	require.Equal(t, "1\ntwo\nthree\nfour\nfive\n", s.File(s.backportOf("release"), "both.txt"))
	require.Len(t, s.Calls("MergeBase"), 1)
}

func TestABackportIsNotRetriedButAskedForAgain(t *testing.T) {
	t.Parallel()
	s := backportable(t, bottest.ByRebase)
	before := s.Repo.Branch("release")
	s.Repo.Push("release", map[string]string{"main.go": "package main // other\n"})
	require.Contains(t, s.say("/tenon backport release").answer, "1 conflict, 1 open")
	require.Contains(t, s.say("/tenon retry").answer, "This pull request is merged, so nothing was done. A backport is "+
		"not retried: when nothing is in its way any more, give `/tenon backport BRANCH` again.")
	s.Repo.SetBranch("release", before)
	require.Contains(t, s.say("/tenon backport release").answer, "✅ **Backported to 1 branch**")
}

// The process dies before it opens the pull request, and meanwhile somebody pushes to its branch, or deletes it.
func TestABranchThatPeoplePushedToBeforeItsPullRequestIsFound(t *testing.T) {
	t.Parallel()
	s := backportable(t, bottest.BySquash)
	head := s.backportOf("release")
	s.After("MoveBranch").Do(func() { s.Repo.Push(head, map[string]string{"more.txt": "more\n"}) })
	s.After("MoveBranch").Kill()
	got := s.say("/tenon backport release")
	require.Contains(t, got.answer, "✅ **Backported to 1 branch**\n\n✅ **`release`**: [#2](")
	require.Len(t, s.picks(head, "release"), 2)
	require.Equal(t, "more\n", s.File(head, "more.txt"))
	require.Equal(t, []string{head}, s.Repo.Branches("tenon/"))
	require.Equal(t, "rocket", s.sayIn(s.Repo.PullOf(head), "/tenon undo").verdict)

	s = backportable(t, bottest.BySquash)
	s.After("MoveBranch").Do(func() { s.Repo.SetBranch(head, "") })
	s.After("MoveBranch").Kill()
	require.Contains(t, s.say("/tenon backport release").answer, "✅ **`release`**: [#2](", "it is made again")
}

func TestAMergeThatCannotBeRepeatedIsBackportedAsItIs(t *testing.T) {
	t.Parallel()
	s := backportable(t, bottest.ByMerge)
	s.Before("MergeBase").Fail(port.ErrSeveralBases)
	require.Contains(t, s.say("/tenon backport release").answer, " · the pull request as 1 commit\n")
	s = backportable(t, bottest.ByMerge)
	s.Before("MergeBase").Fail(port.ErrNotFound) // not yet
	require.Contains(t, s.say("/tenon backport release").answer, " · 2 commits")
}
