package bot_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
)

func TestAModelThatChoosesLinesSettlesAMergeAtOnce(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "Both want more.\n\nC1: theirs\nC2: theirs, ours\n")
	tip, main := s.Repo.Branch("speed"), s.Repo.Branch("main")
	got := s.say("/tenon resolve")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, []string{tip, main}, s.Repo.Commits("speed")[0].Parents)
	require.Equal(t, strings.Replace(limits("20", "20"), "burst 20\n", "burst 20\nburst 30\n", 1),
		s.File("speed", "limits.txt"))
	require.Contains(t, got.answer, "✅ **Merge branch 'main' into speed** · 2 files merged")
	require.Contains(t, got.answer, "- **C1** `limits.txt:1` · ✅ `theirs` · 1 line: 1 of theirs\n")
	require.Contains(t, got.answer, "- **C2** `limits.txt:11` · ✅ `theirs, ours` · 2 lines: 1 of ours, 1 of theirs")
	require.Contains(t, got.answer, "1 call")
	asked := s.Model.Questions()
	require.Len(t, asked, 1)
	require.Contains(t, asked[0], "o1| wait 30")
	require.Contains(t, asked[0], "Answer each of these conflicts, each on a line of its own: C1, C2.")
	require.Len(t, s.Calls("Logs"), 1)
	require.Len(t, s.Calls("MergeBase"), 1)
	require.Len(t, s.pull.Answers(), 1)
}

func TestTheModelSeesWhatBothBranchesDidSinceTheyParted(t *testing.T) {
	t.Parallel()
	s := newStory(t, "C1: ours\n")
	s.Repo.Push("main", map[string]string{"limits.txt": "1\n"})
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.Repo.PushFiles("main", map[string]bottest.File{"limits.txt": {Data: "2\n"}}, "Wait longer\n\nfix #1\n")
	s.Repo.PushFiles("speed", map[string]bottest.File{"limits.txt": {Data: "3\n"}}, "Try again more often\n")
	require.Equal(t, "rocket", s.say("/tenon resolve").verdict)
	asked := s.Model.LastQuestion()
	require.Contains(t, asked, "- Wait longer\n")
	require.Contains(t, asked, "- Try again more often\n")
	require.Equal(t, 2, strings.Count(asked, "\n- "), "nothing from before they parted: %s", asked)
}

const withNew = "C1: new\n```\nwait 25\n```\nC2: ours\n"

func TestNewLinesAreShownBeforeTheyAreCommitted(t *testing.T) {
	t.Parallel()
	s := conflicting(t, withNew)
	tip := s.Repo.Branch("speed")
	c := s.resolves("/tenon resolve")
	require.Equal(t, tip, s.Repo.Branch("speed"))
	require.Contains(t, c.Body(), "2 conflicts, 1 open")
	require.Contains(t, c.Body(), "**1 new line** in 1 conflict, which no side has: look at it first.")
	require.Contains(t, c.Body(), "**C1** `limits.txt:1` · 👀 proposed: new text · 1 line: **1 new**\n\n1 new "+
		"line, which no "+
		"side has:\n\n```diff\n+ wait 25\n```\n")
	require.Contains(t, c.Body(), "`/tenon apply` takes the open one as proposed.")
	s.choose("maria", c, 1, 3)
	require.Equal(t, limits("25", "30"), s.File("speed", "limits.txt"))
	require.Equal(t, 1, s.merges())
	require.Contains(t, c.Body(), "+ wait 25")
	require.Len(t, s.Model.Questions(), 1)
}

func TestAnApplyTakesAllAsProposed(t *testing.T) {
	t.Parallel()
	s := conflicting(t, withNew)
	c := s.resolves("/tenon resolve")
	got := s.say("/tenon apply")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, limits("25", "30"), s.File("speed", "limits.txt"))
	require.Contains(t, got.answer, "✅ **Merge branch 'main' into speed**")
	require.Empty(t, markdown.Boxes(c.Body()))
	require.Equal(t, "confused", s.say("/tenon apply").verdict)
	require.Equal(t, 1, s.merges())
}

func TestAnApplyTakesNothingThatIsOpenWithoutAProposal(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C1: open Is it 20 or 30?\nC2: ours\n")
	c := s.resolves("/tenon resolve")
	require.Contains(t, c.Body(), "**C1** `limits.txt:1` · ❔ open\\\nIs it 20 or 30?")
	got := s.say("/tenon apply")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "C1 is open and has no proposal")
	require.Contains(t, got.answer, "`/tenon resolve C1 ours`")
	require.Zero(t, s.merges())
	s.choose("maria", c, 1, 0)
	require.Equal(t, limits("30", "30"), s.File("speed", "limits.txt"))
}

// With each value of the setting, something else becomes of new lines.
func TestTheSettingDecidesAboutNewLines(t *testing.T) {
	t.Parallel()
	for value, merges := range map[policy.NewLines]int{policy.AllowNew: 1, policy.ShowNew: 0, policy.RefuseNew: 0} {
		s := conflicting(t, withNew)
		s.Repo.Push("main", map[string]string{".github/tenon.yml": "resolve: {new: " + string(value) + "}\n"})
		got := s.say("/tenon resolve")
		require.Equal(t, merges, s.merges(), value)
		require.Equal(t, value == policy.RefuseNew, strings.Contains(got.answer, "The model wrote new lines, which the "+
			"settings refuse"), got.answer)
		require.Equal(t, value == policy.ShowNew, strings.Contains(got.answer, "as proposed <!--"), got.answer)
	}
}

func TestNewLinesAreNotCommittedIfTheSettingsRefuseThemMeanwhile(t *testing.T) {
	t.Parallel()
	s := conflicting(t, withNew)
	s.resolves("/tenon resolve")
	s.After("Record").Of("resolve.1").Do(func() { s.settings("resolve: {new: refuse}\n") })
	got := s.say("/tenon apply")
	require.Equal(t, "confused", got.verdict, got.answer)
	require.Zero(t, s.merges())
}

func TestWhatTheModelChoseIsKeptWhenAPersonSettlesAnother(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C1: theirs\nC2: open Which one?\n")
	s.resolves("/tenon resolve")
	got := s.say("/tenon resolve C2 ours")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, limits("20", "30"), s.File("speed", "limits.txt"))
}

func TestWhatAPersonChoseIsNotAskedAboutAgain(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C1: open Which one?\nC2: open Which one?\n", "C2: theirs\n")
	s.resolves("/tenon resolve")
	s.resolves("/tenon resolve C1 ours")
	got := s.say("/tenon resolve")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, limits("30", "20"), s.File("speed", "limits.txt"))
	require.Contains(t, s.Model.LastQuestion(), "each on a line of its own: C2.")
}

func TestAnAnswerThatCannotBeUsedLeavesItsConflictOpen(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C1: both\nC2: ours\n", "C1: both\n")
	c := s.resolves("/tenon resolve")
	require.Len(t, s.Model.Questions(), 2, "it goes back once")
	require.Contains(t, c.Body(), "**C1** `limits.txt:1` · ❔ open\\\nThe model's answer cannot be used: ")
	require.Contains(t, c.Body(), "**C2** `limits.txt:11` · ✅ `ours`")
}

// broken is a Go file that parses only if both conflicts are settled alike.
func (s *story) brokenConflict() {
	text := func(open, end string) string {
		return "package limits\n\nfunc f() {\n\t" + open + "\n" + strings.Repeat("\t// between\n", 9) + "\t" + end + "\n}\n"
	}
	s.Repo.Push("main", map[string]string{"limits.go": text("a()", "b()")})
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"limits.go": text("if x {", "}")})
	s.Repo.Push("main", map[string]string{"limits.go": text("c()", "d()")})
}

func TestAResultThatDoesNotParseGoesBackOnceAndIsShownThen(t *testing.T) {
	t.Parallel()
	s := newStory(t, "C1: ours\nC2: theirs\n", "C1: ours\nC2: theirs\n")
	s.brokenConflict()
	tip := s.Repo.Branch("speed")
	c := s.resolves("/tenon resolve")
	require.Equal(t, tip, s.Repo.Branch("speed"))
	require.Len(t, s.Model.Questions(), 2)
	require.Contains(t, c.Body(), "⚠️ With these choices, `limits.go` would have a problem: line ")
	require.Contains(t, c.Body(), "**C1** `limits.go:4` · 👀 proposed: `ours`")

	s.choose("maria", c, 1, 1)
	require.Equal(t, tip, s.Repo.Branch("speed"))
	s.choose("maria", c, 2, 1)
	require.Equal(t, 1, s.merges(), c.Body())
	require.Contains(t, s.File("speed", "limits.go"), "c()")
}

func TestAResultThatDoesNotParseIsCommittedIfAPersonTakesItAsShown(t *testing.T) {
	t.Parallel()
	s := newStory(t, "C1: ours\nC2: theirs\n", "C1: ours\nC2: theirs\n")
	s.brokenConflict()
	s.resolves("/tenon resolve")
	got := s.say("/tenon apply")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Contains(t, s.File("speed", "limits.go"), "if x {")
	require.Contains(t, s.File("speed", "limits.go"), "d()")
}

func TestWhatAPersonChoosesIsCheckedToo(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.noModel()
	s.brokenConflict()
	c := s.resolves("/tenon resolve")
	s.choose("maria", c, 1, 0)
	s.choose("maria", c, 2, 1)
	require.Zero(t, s.merges())
	require.Contains(t, c.Body(), "would have a problem: line ")
	require.Equal(t, "rocket", s.say("/tenon apply").verdict)
	require.Equal(t, 1, s.merges())
}

func TestAFileWithSecretsIsNotShownToTheModelNorToPeople(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C2: ours\nC3: ours\n")
	s.push(map[string]string{".env": "COLOUR=ours\n"})
	s.Repo.Push("main", map[string]string{".env": "COLOUR=theirs\n"})
	c := s.resolves("/tenon resolve")
	require.NotContains(t, strings.Join(s.Model.Questions(), ""), "COLOUR=")
	require.NotContains(t, c.Body(), "COLOUR=")
	require.Contains(t, c.Body(), "**C1** `.env:1` · ❔ open\\\nThe model may not see this file")
	s.choose("maria", c, 1, 1)
	require.Equal(t, "COLOUR=theirs\n", s.File("speed", ".env"))
}

func TestAModelThatIsAwayIsWaitedFor(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.conflict()
	s.Model.Fails(&port.WaitError{For: port.ModelOutage, Err: port.ErrNotFound})
	s.Model.Says("C1: ours\nC2: ours\n")
	got := s.say("/tenon resolve")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, 1, s.merges())
}

// What a model writes as new lines is no command that an answer suggests.
func TestAReplyAboutConflictsSuggestsNothing(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C1: new\n```sh\ngit rm main.go\n```\nC2: ours\n")
	s.resolves("/tenon resolve")
	require.Equal(t, "rocket", s.say("/tenon apply").verdict)
	got := s.say("/tenon run 1")
	require.Equal(t, "confused", got.verdict, got.answer)
	require.NotEmpty(t, s.File("speed", "main.go"))
}
