package bot_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
)

// parted returns a story with the branch release, which conflicts with the second commit of a merged pull request in
// limits.txt, C1 and C2.
func parted(t *testing.T, replies ...string) *story {
	t.Helper()
	s := newStory(t, replies...)
	s.Repo.Push("main", map[string]string{"limits.txt": limits("1", "1")})
	s.Repo.SetBranch("release", s.Repo.Branch("main"))
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"speed.txt": "fast\n"})
	s.push(map[string]string{"limits.txt": limits("30", "30")})
	s.Repo.Push("release", map[string]string{"limits.txt": limits("20", "20"), "release.txt": "1.2\n"})
	s.pull.MergeBy(bottest.ByMerge)
	return s
}

func TestAModelSettlesTheConflictsOfABackport(t *testing.T) {
	t.Parallel()
	s := parted(t, "C1: theirs\nC2: ours, theirs\n")
	tip := s.Repo.Branch("release")
	got := s.say("/tenon backport release")
	require.Equal(t, "rocket", got.verdict, got.answer)
	head := s.backportOf("release")
	picks := s.picks(head, "release")
	require.Len(t, picks, 1, "commits of which one conflicts are merged as one")
	require.Equal(t, []string{tip}, picks[0].Parents)
	require.True(t, strings.HasPrefix(picks[0].Message, s.pull.Title()+" (#1)\n\n* "), picks[0].Message)
	require.Contains(t, picks[0].Message,
		"\n\nSettled 2 conflicts by choosing between both branches.\n\n(cherry picked from ")
	require.Equal(t, strings.Replace(limits("30", "20"), "burst 20\n", "burst 20\nburst 30\n", 1),
		s.File(head, "limits.txt"))
	require.Equal(t, "1.2\n", s.File(head, "release.txt"))
	require.Equal(t, "fast\n", s.File(head, "speed.txt"))
	pull := s.Repo.PullOf(head)
	require.False(t, pull.Draft())
	require.Contains(t, pull.Text(), "**2 conflicts settled** by choosing between the lines of both branches. Look at "+
		"each before you merge:\n\n- **C1** `limits.txt:1` · ✅ `theirs` · 1 line: 1 of theirs\n"+
		"- **C2** `limits.txt:11` · ✅ `ours, theirs` · 2 lines: 1 of ours, 1 of theirs\n")
	require.Contains(t, got.answer, "✅ **`release`**: [#2](")
	require.Contains(t, got.answer, " · the pull request as 1 commit · 2 conflicts settled: look at them there")
	require.Contains(t, got.answer, "1 call")
	asked := s.Model.LastQuestion()
	require.Contains(t, asked, "o1| wait 20")
	require.Contains(t, asked, "t1| wait 30")
	require.Len(t, s.pull.Answers(), 1)
}

func TestNewLinesInABackportMakeADraft(t *testing.T) {
	t.Parallel()
	for setting, draft := range map[string]bool{"show": true, "allow": false} {
		s := parted(t, withNew)
		s.settings("resolve: {new: " + setting + "}\n")
		got := s.say("/tenon backport release")
		require.Equal(t, "rocket", got.verdict, got.answer)
		head := s.backportOf("release")
		require.Equal(t, limits("25", "20"), s.File(head, "limits.txt"))
		pull := s.Repo.PullOf(head)
		require.Equal(t, draft, pull.Draft(), setting)
		require.Contains(t, pull.Text(), "with 1 new line that no side has.")
		require.Contains(t, pull.Text(), "+ wait 25")
		require.Contains(t, got.answer, "2 conflicts settled, **1 new line**: look at them there")
		require.Contains(t, s.picks(head, "release")[0].Message, "; 1 line is new.")
	}
}

func TestNewLinesInABackportAreRefusedIfTheSettingsSaySo(t *testing.T) {
	t.Parallel()
	s := parted(t, withNew)
	s.settings("resolve: {new: refuse}\n")
	got := s.say("/tenon backport release")
	require.Equal(t, "confused", got.verdict, got.answer)
	require.Contains(t, got.answer, "❌ **`release`**: 2 conflicts, 1 open\n")
	require.Contains(t, got.answer, "The model wrote new lines, which the settings refuse.")
	require.Empty(t, s.Repo.Branches("tenon/"))
}

func TestNewLinesOfAnEarlierBackportAreRefusedIfTheSettingsSaySoByThen(t *testing.T) {
	t.Parallel()
	s := parted(t, "C1: new\n```\nwait 25\n```\nC2: open Why?\n")
	require.Contains(t, s.say("/tenon backport release").answer, "2 conflicts, 1 open")
	s.settings("resolve: {new: refuse}\n")
	got := s.say("/tenon backport release C2 ours")
	require.Contains(t, got.answer,
		"**C1** `limits.txt:1` · ❔ open\\\nThe model wrote new lines, which the settings refuse.")
	require.Empty(t, s.Repo.Branches("tenon/"))
}

func TestWhatABackportLeavesOpenIsSettledByACommand(t *testing.T) {
	t.Parallel()
	s := parted(t, "C1: open Is the limit 20 or 30?\nC2: ours\n")
	got := s.say("/tenon backport release")
	require.Equal(t, "confused", got.verdict, got.answer)
	require.Contains(t, got.answer, "❌ **Nothing backported**\n\n❌ **`release`**: 2 conflicts, 1 open\n\nNothing was "+
		"made for this branch. To settle it, comment `/tenon backport release C1 theirs`; what is settled already is kept. "+
		"Ours is this branch, theirs the pull request.\n\n"+
		"**C1** `limits.txt:1` · ❔ open\\\nIs the limit 20 or 30?\n")
	require.Contains(t, got.answer, "o1   wait 20\n")
	require.Contains(t, got.answer, "**C2** `limits.txt:11` · ✅ `ours` · 1 line: 1 of ours")
	require.Contains(t, got.answer, "git cherry-pick -x")
	require.Empty(t, s.Repo.Branches("tenon/"), "a backport is made whole or not at all")
	got = s.say("/tenon backport `release` C1 both")
	require.Equal(t, "rocket", got.verdict, got.answer)
	head := s.backportOf("release")
	require.Equal(t, strings.Replace(limits("20", "20"), "wait 20\n", "wait 20\nwait 30\n", 1), s.File(head, "limits.txt"))
	require.Contains(t, s.Repo.PullOf(head).Text(), "chosen by a person")
	require.Len(t, s.Model.Questions(), 1, "the second command asks no model")
}

func TestWithoutAModelABackportIsSettledByHand(t *testing.T) {
	t.Parallel()
	s := parted(t)
	s.noModel()
	got := s.say("/tenon backport release")
	require.Contains(t, got.answer, "2 conflicts, 2 open\n\nThe conflicts that are open were not settled by a model: ")
	require.Contains(t, got.answer, "To settle all that are open, each by its number, comment ")
	got = s.say("/tenon backport release C2 theirs")
	require.Contains(t, got.answer, "2 conflicts, 1 open")
	require.Equal(t, "rocket", s.say("/tenon backport release c1: ours").verdict)
	require.Equal(t, limits("20", "30"), s.File(s.backportOf("release"), "limits.txt"))
	require.Empty(t, s.Model.Questions())
}

func TestChoicesThatFitNoConflictOfABackportDoNothing(t *testing.T) {
	t.Parallel()
	s := parted(t, "C1: open Why?\nC2: open Why?\n")
	s.Repo.SetBranch("old", s.Repo.Branch("release"))
	for command, want := range map[string]string{
		"/tenon backport release C1 theirs":        "No answer here shows conflicts of a backport to this branch",
		"/tenon backport release old C1 theirs":    "Choices are for the conflicts of one branch, and there are several.",
		"/tenon backport release C1":               "There is no choice for C1.",
		"/tenon backport release C1 theirs C1 our": "There are two choices for C1.",
	} {
		require.Contains(t, s.say(command).answer, want, command)
	}
	require.Contains(t, s.say("/tenon backport release").answer, "2 conflicts, 2 open")
	require.Contains(t, s.say("/tenon backport old C1 theirs").answer, "No answer here shows conflicts of a backport")
	require.Contains(t, s.say("/tenon backport release C3 theirs").answer, "There is no C3")
	require.Contains(t, s.say("/tenon backport release C1 lines o7").answer, "C1: ")
	require.Empty(t, s.Repo.Branches("tenon/"))
}

func TestChoicesForABackportAreForTheConflictsThatWereShown(t *testing.T) {
	t.Parallel()
	s := parted(t, "C1: open Why?\nC2: ours\n")
	s.say("/tenon backport release")
	s.Repo.Push("release", map[string]string{"limits.txt": limits("21", "20")})
	got := s.say("/tenon backport release C1 theirs")
	require.Contains(t, got.answer, "A branch has moved, and C1 changed, so what was chosen for it was dropped.")
	require.Contains(t, got.answer, "o1   wait 21\n")
	require.Contains(t, got.answer, "2 conflicts, 1 open", "what did not change is kept")
	require.Empty(t, s.Repo.Branches("tenon/"))
}

func TestABackportThatWouldBreakAFileIsADraft(t *testing.T) {
	t.Parallel()
	s := newStory(t, "C1: lines t1\n", "C1: lines t1\n")
	s.Repo.Push("main", map[string]string{"a.go": "package x\n\nvar a = 1\n"})
	s.Repo.SetBranch("release", s.Repo.Branch("main"))
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"a.go": "package x\n\nvar a = f(\n\t2)\n"})
	s.Repo.Push("release", map[string]string{"a.go": "package x\n\nvar a = 3\n"})
	s.pull.MergeBy(bottest.BySquash)
	got := s.say("/tenon backport release")
	require.Equal(t, "rocket", got.verdict, got.answer)
	pull := s.Repo.PullOf(s.backportOf("release"))
	require.True(t, pull.Draft())
	require.Contains(t, pull.Text(), "⚠️ `a.go` has a problem: line 3")
	require.Len(t, s.Model.Questions(), 2, "it went back to the model once")
}

func TestConflictsOfSeveralBranchesAreSettledEach(t *testing.T) {
	t.Parallel()
	s := parted(t, "C1: theirs\nC2: theirs\n", "C1: ours\nC2: theirs\n")
	s.Repo.SetBranch("old", s.Repo.Branch("release"))
	s.Repo.Push("old", map[string]string{"limits.txt": limits("10", "10")})
	got := s.say("/tenon backport release old")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, limits("30", "30"), s.File(s.backportOf("release"), "limits.txt"))
	require.Equal(t, limits("10", "30"), s.File(s.backportOf("old"), "limits.txt"))
	require.Contains(t, got.answer, "2 calls")
	require.Len(t, s.Calls("Announce"), 1)
	require.Contains(t, s.Calls("Announce")[0].Text, "opened `main` at [`")
	require.NotContains(t, s.Calls("Announce")[0].Text, "[``]")
}

// backportedWithConflicts is a backport to two branches, both of which conflict.
var backportedWithConflicts = resumable{
	func(t *testing.T) *story {
		s := parted(t, "C1: theirs\nC2: theirs, ours\n")
		s.Repo.SetBranch("old", s.Repo.Branch("release"))
		s.Repo.Push("old", map[string]string{"limits.txt": limits("10", "10")})
		return s
	},
	func(s *story) { s.pull.Comment("maria", "/tenon backport release old") },
}
