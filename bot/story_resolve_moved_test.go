package bot_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

func TestChoicesHoldWhenTheBranchMovesElsewhere(t *testing.T) {
	t.Parallel()
	s := conflicting(t, withNew)
	c := s.resolves("/tenon resolve")
	s.push(map[string]string{"more.txt": "more\n"})
	tip := s.Repo.Branch("speed")
	s.choose("maria", c, 1, 3)
	require.Equal(t, tip, s.Repo.Commits("speed")[0].Parents[0])
	require.Equal(t, limits("25", "30"), s.File("speed", "limits.txt"))
	require.Equal(t, "more\n", s.File("speed", "more.txt"))
}

func TestAConflictThatIsNotAsItWasIsOpenAgain(t *testing.T) {
	t.Parallel()
	s := conflicting(t, withNew)
	c := s.resolves("/tenon resolve")
	s.push(map[string]string{"limits.txt": limits("35", "30")})
	s.choose("maria", c, 1, 3)
	require.Zero(t, s.merges())
	require.Contains(t, c.Body(), "A branch has moved, and C1 changed, so what was chosen for it was dropped.")
	require.Contains(t, c.Body(), "**C1** `limits.txt:1` · ❔ open")
	require.Contains(t, c.Body(), "o1   wait 35\n")
	require.Contains(t, c.Body(), "**C2** `limits.txt:11` · ✅ `ours`")
	s.choose("maria", c, 1, 0)
	require.Equal(t, limits("35", "30"), s.File("speed", "limits.txt"))
	require.Equal(t, 1, s.merges())
}

func TestABranchThatMovesOverAConflictDuringTheCommitIsShownAgain(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C1: theirs\nC2: ours\n")
	s.Before("Upload").Do(func() { s.push(map[string]string{"limits.txt": limits("35", "30")}) })
	got := s.say("/tenon resolve")
	require.Equal(t, "confused", got.verdict, got.answer)
	require.Zero(t, s.merges())
	require.Contains(t, got.answer, "The branch moved in the meantime.")
	require.Contains(t, got.answer, "**C1** `limits.txt:1` · ❔ open")
	require.Contains(t, got.answer, "**C2** `limits.txt:11` · ✅ `ours`")
	require.Equal(t, "rocket", s.say("/tenon resolve C1 ours").verdict)
	require.Equal(t, limits("35", "30"), s.File("speed", "limits.txt"))
}

func TestABranchThatMovesElsewhereDuringTheCommitIsMergedAtItsNewTip(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C1: theirs\nC2: ours\n")
	s.Before("Upload").Do(func() { s.push(map[string]string{"more.txt": "more\n"}) })
	got := s.say("/tenon resolve")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, limits("20", "30"), s.File("speed", "limits.txt"))
	require.Equal(t, "more\n", s.File("speed", "more.txt"))
	require.Equal(t, 1, s.merges())
}

func TestTheBaseThatWasShownIsMerged(t *testing.T) {
	t.Parallel()
	s := conflicting(t, withNew)
	c := s.resolves("/tenon resolve")
	shown := s.Repo.Branch("main")
	s.Repo.Push("main", map[string]string{"limits.txt": limits("90", "90")})
	s.choose("maria", c, 1, 3)
	require.Equal(t, shown, s.Repo.Commits("speed")[0].Parents[1], c.Body())
	require.Equal(t, limits("25", "30"), s.File("speed", "limits.txt"))
}

func TestABaseThatWasRewrittenIsMergedAsItIs(t *testing.T) {
	t.Parallel()
	s := newStory(t, withNew)
	s.Repo.Push("main", map[string]string{"limits.txt": limits("1", "1")})
	from := s.Repo.Branch("main")
	s.Repo.SetBranch("speed", from)
	s.push(map[string]string{"limits.txt": limits("30", "30")})
	s.Repo.Push("main", map[string]string{"limits.txt": limits("20", "20"), "later.txt": "later\n"})
	c := s.resolves("/tenon resolve")
	s.Repo.SetBranch("main", from)
	s.Repo.Push("main", map[string]string{"limits.txt": limits("20", "21")})
	s.choose("maria", c, 1, 3)
	require.Zero(t, s.merges())
	require.Contains(t, c.Body(), "**C1** `limits.txt:1` · ✅ new text", "it is as it was")
	require.Contains(t, c.Body(), "**C2** `limits.txt:11` · ❔ open")
	s.choose("maria", c, 2, 1)
	require.Equal(t, s.Repo.Branch("main"), s.Repo.Commits("speed")[0].Parents[1])
	require.Equal(t, limits("25", "21"), s.File("speed", "limits.txt"))
}

// The pull request got another base branch, which has the same lines in conflict, and others.
func TestWhatWasShownOfAnotherBaseIsNotMerged(t *testing.T) {
	t.Parallel()
	s := conflicting(t, withNew)
	c := s.resolves("/tenon resolve")
	s.Repo.SetBranch("dev", s.Repo.Branch("main"))
	s.Repo.Push("dev", map[string]string{"dev.txt": "dev\n"})
	s.pull.Retarget("dev")
	s.choose("maria", c, 1, 3)
	answers := []string{s.pull.LastAnswer(), s.say("/tenon resolve C1 ours").answer, s.say("/tenon apply").answer}
	for _, answer := range answers {
		require.Contains(t, answer, "The base of this pull request is `dev` now, and [the answer](")
		require.Contains(t, answer, ") shows its conflicts with `main`. Nothing was done. `/tenon resolve` shows "+
			"those with `dev`.")
	}
	require.Zero(t, s.merges())
	require.NotContains(t, markdown.TickedBoxes(c.Body()), markdown.ChoiceNumber(1, 3))

	s.Model.Says(withNew)
	c = s.resolves("/tenon resolve")
	require.Contains(t, c.Body(), "**Merge of `dev` into `speed`**")
	s.choose("maria", c, 1, 3)
	require.Equal(t, "dev\n", s.File("speed", "dev.txt"))
}

func TestABaseThatIsChangedMeanwhileIsNotMerged(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"MergeBase", "PullState"} {
		for _, verb := range []string{"update", "resolve C1 theirs"} {
			s := newStory(t)
			if verb == "update" {
				s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
			} else {
				s = conflicting(t, "C1: open\nC2: theirs\n")
				s.resolves("/tenon resolve")
			}
			s.Before(at).Do(func() {
				s.Repo.SetBranch("dev", s.Repo.Branch("main"))
				s.pull.Retarget("dev")
			})
			got := s.say("/tenon " + verb)
			require.Equal(t, "confused", got.verdict, got.answer)
			require.Contains(t, got.answer, "he base of this pull request is dev now, and no longer main")
			require.Zero(t, s.merges())
		}
	}
}

// A tick of boxes that mean something else by now counts for nothing.
func TestATickOfAnOlderRevisionIsTakenBack(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C1: open Which?\nC2: open Which?\n")
	c := s.resolves("/tenon resolve")
	old := c.Body()
	s.push(map[string]string{"limits.txt": limits("35", "30")})
	s.choose("maria", c, 1, 1)
	require.NotEqual(t, old, c.Body())
	c.Edit("maria", strings.Replace(old, "- [ ] **C2** ours", "- [x] **C2** ours", 1))
	s.Run()
	require.Contains(t, s.pull.LastAnswer(), "has changed since, so this box may mean something else now.")
	require.Zero(t, s.merges())
}

func TestATickInAnAnswerThatWasReplacedDoesNothing(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C1: open Which?\nC2: ours\n", "C1: open Which?\nC2: ours\n")
	first := s.resolves("/tenon resolve")
	old := first.Body()
	second := s.resolves("/tenon resolve")
	first.Edit("maria", old)
	s.Run()
	s.choose("maria", first, 1, 0)
	require.Zero(t, s.merges())
	require.Contains(t, s.pull.LastAnswer(), "has changed since")
	s.choose("maria", second, 1, 0)
	require.Equal(t, 1, s.merges())
}

func TestTwoTicksInAQuickSuccessionBothCount(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C1: open Which?\nC2: open Which?\n")
	c := s.resolves("/tenon resolve")
	s.Before("Permission").Do(func() { c.Choose("maria", 2, 1) })
	s.choose("maria", c, 1, 0)
	require.Equal(t, 1, s.merges(), c.Body())
	require.Equal(t, limits("30", "20"), s.File("speed", "limits.txt"))
}

func TestATickOfAChoiceBySomebodyWhoMayNotIsTakenBack(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C1: open Which?\nC2: ours\n")
	s.Repo.Push("main", map[string]string{".github/tenon.yml": "who: admin\n"})
	s.addVictor()
	c := s.resolves("/tenon resolve")
	s.choose("victor", c, 1, 0)
	require.Zero(t, s.merges())
	require.NotContains(t, markdown.TickedBoxes(c.Body()), markdown.ChoiceNumber(1, 0))
	require.Contains(t, s.pull.LastAnswer(), "needs admin permission")
}

func TestWithoutTheCommandThereAreNoBoxes(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C1: open Which?\nC2: ours\n")
	c := s.resolves("/tenon resolve")
	s.settings("verbs: [fix, apply, update]\n")
	s.choose("maria", c, 1, 0)
	require.Zero(t, s.merges())
	require.Contains(t, s.pull.LastAnswer(), "`/tenon resolve` is not allowed")
	require.Contains(t, s.say("/tenon apply").answer, "`/tenon resolve` is not allowed")
}

func TestAMergeWithConflictsIsTestedByTheWorkflow(t *testing.T) {
	t.Parallel()
	s := newStory(t, "C1: theirs\nC2: ours\n")
	s.verifying(passes)
	s.conflict()
	got := s.say("/tenon resolve")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, 1, s.merges())
	require.Empty(t, s.scratch())
	require.Len(t, s.Model.Questions(), 1)

	s = newStory(t, "C1: theirs\nC2: ours\n")
	s.verifying(fails)
	s.conflict()
	got = s.say("/tenon resolve")
	require.Equal(t, "confused", got.verdict)
	require.Zero(t, s.merges())
	require.Contains(t, got.answer, "❌ **Nothing was committed.**")
	require.Contains(t, got.answer, "**C1** `limits.txt:1` · ✅ `theirs`")
	require.Contains(t, got.answer, "- [ ] **C1** ours", "something else can be chosen")
}

func TestABranchThatTakesNoCommitsShowsTheConflictsAgain(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C1: theirs\nC2: ours\n")
	s.Repo.Protect("speed", "Changes must be made by two.")
	got := s.say("/tenon resolve")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "Changes must be made by two.")
	require.Contains(t, got.answer, "**C1** `limits.txt:1` · ✅ `theirs`")
	require.Zero(t, s.merges())
}

func TestAMergeWhoseResponseIsLostIsMadeOnce(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C1: theirs\nC2: ours\n")
	s.After("Upload").Fail(&port.WaitError{For: port.GitHubOutage, Err: port.ErrNotFound})
	got := s.say("/tenon resolve")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, 1, s.merges())
	require.Len(t, s.Model.Questions(), 1)
}

// resolved and its like are merges that end alike whenever the process is killed.
var (
	resolved = resumable{
		func(t *testing.T) *story {
			s := conflicting(t, "C1: both\nC2: ours\n", "C1: theirs\n")
			s.bot.Keys = func() string { return key(0) } // the same question again, so that the answer is the same
			return s
		},
		func(s *story) { s.pull.Comment("maria", "/tenon resolve") },
	}
	resolvedInPart = resumable{
		func(t *testing.T) *story { return conflicting(t, withNew) },
		func(s *story) { s.pull.Comment("maria", "/tenon resolve") },
	}
	resolvedByTick = resumable{
		func(t *testing.T) *story {
			s := conflicting(t, withNew)
			s.resolves("/tenon resolve")
			return s
		},
		func(s *story) { s.pull.Said()[0].Choose("maria", 1, 3) },
	}
	resolvedByName = resumable{
		func(t *testing.T) *story {
			s := conflicting(t, withNew)
			s.resolves("/tenon resolve")
			return s
		},
		func(s *story) { s.pull.Comment("maria", "/tenon resolve C1 theirs") },
	}
	resolvedByApply = resumable{
		func(t *testing.T) *story {
			s := conflicting(t, withNew)
			s.resolves("/tenon resolve")
			return s
		},
		func(s *story) { s.pull.Comment("maria", "/tenon apply") },
	}
	resolvedOver = resumable{
		func(t *testing.T) *story {
			s := conflicting(t, "C1: theirs\nC2: ours\n")
			s.Before("Upload").Do(func() { s.push(map[string]string{"limits.txt": limits("35", "30")}) })
			return s
		},
		func(s *story) { s.pull.Comment("maria", "/tenon resolve") },
	}
)

// everyResumable returns all stories that end alike whenever the process is killed.
func everyResumable() map[string]resumable {
	all := map[string]resumable{
		"resolve": resolved, "resolve in part": resolvedInPart, "resolve by a tick": resolvedByTick,
		"resolve by name": resolvedByName, "resolve by apply": resolvedByApply, "resolve over a move": resolvedOver,
		"resolve on a fork": resolvedFork, "backport with conflicts": backportedWithConflicts, "the same lines": movedOver,
	}
	maps.Copy(all, resumables)
	return all
}

// The same lines are in conflict, in a function that is not the one that people were shown.
func TestAChoiceSettlesNoConflictOfTheSameLinesElsewhere(t *testing.T) {
	t.Parallel()
	function := func(name, body string) string {
		return "func " + name + "() {\n" + strings.Repeat("\t// "+name+"\n", 6) + body + "}\n"
	}
	s := newStory(t)
	s.noModel()
	s.parting(map[string]bottest.File{"a.txt": data(function("a", "\tnil\n") + function("b", "\tnil\n"))},
		map[string]bottest.File{"a.txt": data(function("a", "\terr\n") + function("b", "\tnil\n"))},
		map[string]bottest.File{"a.txt": data(function("a", "\tpanic\n") + function("b", "\tpanic\n"))})
	c := s.resolves("/tenon resolve")
	require.Contains(t, c.Body(), "**C1** `a.txt:8`")
	s.push(map[string]string{"a.txt": function("a", "\tpanic\n") + function("b", "\terr\n")})
	got := s.say("/tenon resolve C1 ours")
	require.Contains(t, got.answer, "A branch has moved, and C1 changed")
	require.Contains(t, got.answer, "**C1** `a.txt:17` · ❔ open")
	require.Zero(t, s.merges())
}
