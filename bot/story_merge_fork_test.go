package bot_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
)

// byHand is what people are told who can merge into a fork themselves.
func (s *story) byHand() string {
	return fmt.Sprintf("Whoever may write to the fork can merge `main`: with the button *Update branch* of this pull "+
		"request, or at a terminal. There, check out the branch, and give `git pull --no-rebase %s main`, `tenon resolve` "+
		"if something conflicts, and `git push`.", s.upstream())
}

// upstream is the page of the repository.
func (s *story) upstream() string { return s.GitHub.Links(s.LastEvent().Thread).Repository() }

// parted has a pull request from a fork and its base part.
func (s *story) parted(owner string) (fork *bottest.Repo) {
	s.t.Helper()
	fork = s.fromFork(owner)
	s.Repo.Push("main", map[string]string{"later.txt": "later\n", "main.go": "package main // theirs\n"})
	return fork
}

// conflictOnFork has the branch of a fork and its base change a line, each in its own way.
func (s *story) conflictOnFork() (fork *bottest.Repo) {
	s.t.Helper()
	s.Repo.Push("main", map[string]string{"limits.txt": limits("1", "1")})
	fork = s.fromFork("stranger")
	fork.Push("theirs", map[string]string{"limits.txt": limits("30", "1")})
	s.Repo.Push("main", map[string]string{"limits.txt": limits("20", "1"), "later.txt": "later\n"})
	return fork
}

func fileOf(t *testing.T, fork *bottest.Repo, path string) string {
	t.Helper()
	text, ok := fork.File("theirs", path)
	require.True(t, ok, path)
	return text
}

func TestAnUpdateMergesTheBaseIntoTheBranchOfAFork(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	fork := s.parted("stranger")
	tip, main := fork.Branch("theirs"), s.Repo.Branch("main")
	got := s.say("/tenon update")
	require.Equal(t, "rocket", got.verdict, got.answer)
	commit := fork.Commits("theirs")[0]
	require.Equal(t, []string{tip, main}, commit.Parents)
	require.False(t, commit.Verified)
	require.Equal(t, "one\ntwo\nthree\n", theirs(t, fork))
	require.Equal(t, "later\n", fileOf(t, fork, "later.txt"))
	require.Equal(t, "package main // theirs\n", fileOf(t, fork, "main.go"))
	require.Contains(t, got.answer, "✅ **Merge branch 'main' into theirs** · 2 files merged\\\n[`"+commit.SHA[:7]+"`](")
	require.Contains(t, got.answer, "/stranger/lathe/commit/")
	require.NotContains(t, got.answer, "git pull")
	require.Empty(t, s.Repo.Branch("theirs"), "the repository itself is left alone")
	require.Empty(t, s.Calls("Upload"))
	require.Contains(t, s.say("/tenon update").answer, "💬 **Already up to date**")

	got = s.say("/tenon undo")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, []string{commit.SHA}, fork.Commits("theirs")[0].Parents)
	_, ok := fork.File("theirs", "later.txt")
	require.False(t, ok)
	require.Contains(t, got.answer, "Merging this pull request now would remove from `main` what the update had brought")
}

func TestAResolutionReachesTheBranchOfAFork(t *testing.T) {
	t.Parallel()
	s := newStory(t, "C1: theirs, ours\n", "C1: open Which?\n")
	fork := s.conflictOnFork()
	tip, main := fork.Branch("theirs"), s.Repo.Branch("main")
	got := s.say("/tenon resolve")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, []string{tip, main}, fork.Commits("theirs")[0].Parents)
	require.Equal(t, "wait 20\n"+limits("30", "1"), fileOf(t, fork, "limits.txt"))
	require.Equal(t, "later\n", fileOf(t, fork, "later.txt"))

	fork.Push("theirs", map[string]string{"limits.txt": limits("60", "1")})
	main = s.Repo.Push("main", map[string]string{"limits.txt": limits("50", "1")})
	c := s.resolves("/tenon resolve")
	s.choose("maria", c, 1, 1)
	require.Contains(t, c.Body(), "✅ **Merge branch 'main' into theirs**")
	require.Equal(t, main, fork.Commits("theirs")[0].Parents[1])
	require.Equal(t, limits("50", "1"), fileOf(t, fork, "limits.txt"))
	require.Equal(t, "rocket", s.say("/tenon undo").verdict)
	require.Equal(t, limits("60", "1"), fileOf(t, fork, "limits.txt"))
}

func TestAForkThatTakesNoCommitsIsRefusedBeforeAMerge(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"update", "resolve", "resolve C1 theirs"} {
		s := newStory(t)
		fork := s.conflictOnFork()
		tip := fork.Branch("theirs")
		s.pull.RefuseEdits()
		got := s.say("/tenon " + verb)
		require.Equal(t, "confused", got.verdict)
		require.Equal(t, tip, fork.Branch("theirs"))
		require.Contains(t, got.answer, "Nothing was merged: the author has not ticked \"Allow edits by maintainers\" on "+
			"this pull request. "+s.byHand())
		require.Empty(t, s.Calls("MergeBase"))
		require.Empty(t, s.Model.Questions())
	}
	s := newStory(t)
	s.GitHub.AddOrg("guild", "stranger")
	s.parted("guild")
	require.Contains(t, s.say("/tenon update").answer, "Nothing was merged: the fork belongs to an organisation, and")
	s = newStory(t)
	s.parted("stranger").Delete()
	got := s.say("/tenon update")
	require.Contains(t, got.answer, "Nothing was merged: the fork that this pull request comes from was deleted.")
	require.NotContains(t, got.answer, "Whoever may write to the fork")
}

// At a terminal, origin is the fork.
func TestConflictsOfAForkAreSettledWithItsUpstream(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	fork := s.conflictOnFork()
	tip := fork.Branch("theirs")
	got := s.say("/tenon update")
	require.Equal(t, tip, fork.Branch("theirs"))
	require.Contains(t, got.answer, "To settle this at a terminal, check out the branch, give `git pull --no-rebase "+
		s.upstream()+" main`, and then `tenon resolve`. `/tenon resolve` settles it here.")

	fork.PushFiles("theirs", map[string]bottest.File{"a": data("ours\n")}, "Ours\n")
	s.Repo.PushFiles("main", map[string]bottest.File{"a/b": data("theirs\n")}, "Theirs\n")
	got = s.say("/tenon resolve")
	require.Contains(t, got.answer, "Not all of this can be settled here. At a terminal, check out the branch, give "+
		"`git pull --no-rebase "+s.upstream()+" main`, and then `tenon resolve`.")
}

func TestAForkThatDoesNotTakeAMergeIsLeftToPeople(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		act  func(s *story, fork *bottest.Repo)
		says string
	}{
		"too far behind": {func(s *story, _ *bottest.Repo) {
			s.Before("Commit").Fail(fmt.Errorf("pushing: %w", repo.ErrTooMuchHistory))
		}, "he fork lacks more of the base branch than tenon pushes at once"},
		"workflows": {func(s *story, _ *bottest.Repo) {
			s.Repo.Push("main", map[string]string{".github/workflows/ci.yml": "on: push\n"})
		}, "he base branch has workflows that the fork does not have, and GitHub lets no app push them there"},
		"denied": {func(_ *story, fork *bottest.Repo) { fork.RefuseMaintainers() },
			"itHub does not let this app write to the fork; its owner can install the app there"},
		"rejected": {func(_ *story, fork *bottest.Repo) { fork.Protect("theirs", "Signed commits only.") },
			"itHub refused the push to the fork: error: GH006"},
	} {
		for _, verb := range []string{"update", "resolve"} {
			t.Run(verb+" "+name, func(t *testing.T) {
				t.Parallel()
				s := newStory(t)
				fork := s.parted("stranger")
				c.act(s, fork)
				tip := fork.Branch("theirs")
				got := s.say("/tenon " + verb)
				require.Equal(t, "confused", got.verdict)
				require.Equal(t, tip, fork.Branch("theirs"))
				require.Contains(t, got.answer, c.says)
				require.Contains(t, got.answer, s.byHand())
			})
		}
	}
}

func TestConflictsThatAForkDoesNotTakeAreShownAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t, "C1: theirs\n")
	fork := s.conflictOnFork()
	tip := fork.Branch("theirs")
	s.Before("Commit").Fail(repo.ErrTooMuchHistory)
	c := s.resolves("/tenon resolve")
	require.Equal(t, tip, fork.Branch("theirs"))
	require.Contains(t, c.Body(), "**Nothing was committed.** The fork lacks more of the base branch than tenon pushes "+
		"at once.\n\n"+s.byHand())
	require.Contains(t, c.Body(), "**C1** `limits.txt:1` · ✅ `theirs`")
	require.Equal(t, "rocket", s.say("/tenon apply").verdict)
	require.Equal(t, limits("20", "1"), fileOf(t, fork, "limits.txt"))
}

func TestAForkThatMovesIsMergedAtItsNewTipIfItsOwnerMayWriteHere(t *testing.T) {
	t.Parallel()
	for _, owner := range []string{"victor", "stranger"} {
		s := newStory(t)
		s.addVictor()
		fork := s.parted(owner)
		tip := ""
		s.Before("Commit").Do(func() { tip = fork.Push("theirs", map[string]string{"more.txt": "more\n"}) })
		got := s.say("/tenon update")
		if owner == "stranger" {
			require.Equal(t, tip, fork.Branch("theirs"))
			require.Contains(t, got.answer, "by a push to the fork of stranger, who may not write to this repository")
			require.NotContains(t, got.answer, s.byHand())
			continue
		}
		require.Equal(t, "rocket", got.verdict, got.answer)
		require.Equal(t, []string{tip, s.Repo.Branch("main")}, fork.Commits("theirs")[0].Parents)
		require.Equal(t, "more\n", fileOf(t, fork, "more.txt"))
	}
}

func TestWhatTheBaseNoLongerHasIsNotPushedToAFork(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	before := s.Repo.Branch("main")
	fork := s.parted("stranger")
	tip := fork.Branch("theirs")
	s.Before("MergeBase").Do(func() {
		s.Repo.SetBranch("main", before)
		s.Repo.Push("main", map[string]string{"another.txt": "another\n"})
	})
	got := s.say("/tenon update")
	require.Contains(t, got.answer, "he branch main no longer has the commit that was to be merged")
	require.NotContains(t, got.answer, s.byHand())
	require.Equal(t, tip, fork.Branch("theirs"))
}

func TestAMergeIntoAForkKeepsToProtectedPaths(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Repo.Push("main", map[string]string{"CODEOWNERS": "one\ntwo\nthree\nfour\nfive\n"})
	fork := s.fromFork("stranger")
	tip := fork.Push("theirs", map[string]string{"CODEOWNERS": "1\ntwo\nthree\nfour\nfive\n"})
	s.Repo.Push("main", map[string]string{"CODEOWNERS": "one\ntwo\nthree\nfour\n5\n"})
	got := s.say("/tenon update")
	require.Contains(t, got.answer, "❌ **Nothing merged:** the file is protected")
	require.Equal(t, tip, fork.Branch("theirs"))
}

func TestAMergeIntoAForkWhoseAnswerIsLostIsMadeOnce(t *testing.T) {
	t.Parallel()
	for _, err := range []error{bottest.Retryable(0), port.ErrMoved} {
		s := newStory(t)
		fork := s.parted("stranger")
		s.After("Commit").Fail(err)
		got := s.say("/tenon update")
		require.Equal(t, "rocket", got.verdict, got.answer)
		merges := 0
		for _, c := range fork.Commits("theirs") {
			if len(c.Parents) == 2 {
				merges++
			}
		}
		require.Equal(t, 1, merges)
	}
}

// A public repository that became private keeps its public forks.
func TestAForkThatMorePeopleCanReadIsNotSentTheBase(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"update", "resolve", "resolve C1 theirs"} {
		s := newStory(t)
		fork := s.conflictOnFork()
		tip := fork.Branch("theirs")
		s.Repo.Private()
		got := s.say("/tenon " + verb)
		require.Equal(t, "confused", got.verdict)
		require.Equal(t, tip, fork.Branch("theirs"))
		require.Contains(t, got.answer, "Nothing was merged: people can read the fork who cannot read this repository")
		require.NotContains(t, got.answer, "Whoever may write to the fork")
		require.Empty(t, s.Model.Questions())
		fork.Private()
		require.NotContains(t, s.say("/tenon update").answer, "people can read the fork")
	}
}

func TestAForkIsLookedAtAgainBeforeItGetsAMerge(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		act  func(s *story, fork *bottest.Repo)
		says string
	}{
		"renamed, and another has its name": {func(s *story, fork *bottest.Repo) {
			old := *fork
			fork.Rename("lathe-2")
			s.Repo.Fork("stranger")
			old.Push("theirs", map[string]string{"theirs.txt": "one\ntwo\nthree\n"})
		}, "he fork that this pull request comes from was renamed in the meantime; give the command again"},
		"open to more people": {func(s *story, _ *bottest.Repo) { s.Repo.Private() },
			"eople can read the fork who cannot read this repository"},
		"edits forbidden": {func(s *story, _ *bottest.Repo) { s.pull.RefuseEdits() },
			"he author has not ticked \"Allow edits by maintainers\" on this pull request"},
	} {
		for _, verb := range []string{"update", "resolve"} {
			t.Run(verb+" "+name, func(t *testing.T) {
				t.Parallel()
				s := newStory(t)
				fork := s.parted("stranger")
				tip := fork.Branch("theirs")
				s.After("MergeBase").Do(func() { c.act(s, fork) })
				got := s.say("/tenon " + verb)
				require.Equal(t, "confused", got.verdict, got.answer)
				require.Contains(t, got.answer, c.says)
				require.Equal(t, tip, fork.Branch("theirs"))
				require.Empty(t, s.Calls("Commit"))
			})
		}
	}
}

// resolvedFork is a merge into a fork that ends alike whenever the process is killed.
var resolvedFork = resumable{
	func(t *testing.T) *story {
		s := newStory(t, "C1: theirs, ours\n")
		s.conflictOnFork()
		return s
	},
	func(s *story) { s.pull.Comment("maria", "/tenon resolve") },
}
