package bot_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// releaseOf returns a story with the branch release, which parts from a merged pull request of one commit in a file.
func releaseOf(t *testing.T, file, before, pull, release string, replies ...string) *story {
	t.Helper()
	s := newStory(t, replies...)
	s.Repo.Push("main", map[string]string{file: before})
	s.Repo.SetBranch("clean", s.Repo.Branch("main"))
	s.Repo.SetBranch("release", s.Repo.Branch("main"))
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{file: pull})
	s.Repo.Push("release", map[string]string{file: release})
	s.pull.MergeBy(bottest.BySquash)
	return s
}

// The process dies when one branch is done, and the settings that kept another one open change before it goes on.
func TestABackportThatSettingsLeftOpenIsAnsweredAfterTheyChanged(t *testing.T) {
	t.Parallel()
	s := releaseOf(t, "a.go", "package x\n\nvar a = 1\n"+nested, "package x\n\nvar b = 2\n"+nested,
		"package x\n\nvar a = 3\n"+nested, "C1: ours, theirs\n")
	s.settings("unchecked: refuse\n")
	s.After("MoveBranch").Do(func() { s.settings("unchecked: commit\n") })
	s.After("MoveBranch").Kill()
	got := s.say("/tenon backport release clean")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Contains(t, got.answer, "❌ **`release`**: 1 file conflicts in ")
	require.Contains(t, got.answer, "✅ **`clean`**: [#2](")
	require.Empty(t, s.Queue.DeadLetters())
}

// A squash makes the description the message of a commit.
func TestNothingHostileRemainsInWhatADescriptionSaysOfConflicts(t *testing.T) {
	t.Parallel()
	const file = "[skip ci] fixes #3.txt"
	s := releaseOf(t, file, limits("1", "1"), limits("30", "1"), limits("20", "1"),
		"C1: new\n```\nwait 25 [ci skip], closes #7\n```\n")
	require.Equal(t, "rocket", s.say("/tenon backport release").verdict)
	text := s.Repo.PullOf(s.backportOf("release")).Text()
	for _, hostile := range []string{"[skip ci]", "fixes #3", "[ci skip]", "closes #7"} {
		require.NotContains(t, text, hostile)
	}
	require.Contains(t, text, "+ wait 25 …, …\n")
}

// The branch has the second of three commits, and took its change back since, in its own words.
func TestWhatIsLeftOutOfABackportIsNotBroughtBackByTheOthers(t *testing.T) {
	t.Parallel()
	s := newStory(t, "C1: theirs\n")
	s.Repo.Push("main", map[string]string{"a.txt": "1\n", "b.txt": "1\n", "c.txt": "1\n"})
	s.Repo.SetBranch("release", s.Repo.Branch("main"))
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"a.txt": "2\n"})
	s.push(map[string]string{"b.txt": "2\n"})
	second := s.Repo.Branch("speed")
	s.push(map[string]string{"c.txt": "2\n"})
	s.Repo.PushFiles("release", map[string]bottest.File{"b.txt": data("2\n")},
		"Second\n\n(cherry picked from commit "+second+")\n")
	s.Repo.Push("release", map[string]string{"a.txt": "3\n", "b.txt": "1\n"})
	s.pull.MergeBy(bottest.ByMerge)
	got := s.say("/tenon backport release")
	require.Contains(t, got.answer, "❌ **`release`**: 1 file conflicts in ")
	require.Contains(t, got.answer, "git cherry-pick -x ")
	require.Empty(t, s.Repo.Branches("tenon/"))
	require.Empty(t, s.Model.Questions())
}

func TestABackportThatIsSettledByWhatTheBranchHasMakesNothing(t *testing.T) {
	t.Parallel()
	s := releaseOf(t, "limits.txt", limits("1", "1"), limits("30", "30"), limits("20", "20"), "C1: ours\nC2: ours\n")
	got := s.say("/tenon backport release")
	require.Equal(t, "confused", got.verdict, got.answer)
	require.Contains(t, got.answer,
		"💬 **Nothing to backport**\n\n💬 **`release`**: as its conflicts are settled, nothing "+
			"is left to backport\n\n- **C1** `limits.txt:1` · ✅ `ours` · 1 line: 1 of ours\n")
	require.Contains(t, got.answer, "To choose something else, comment `/tenon backport release C1 theirs`, by the ")
	require.Empty(t, s.Calls("MakeCommit"))
	require.Empty(t, s.Repo.Branches("tenon/"))
	require.Equal(t, "rocket", s.say("/tenon backport release C2 theirs").verdict)
	require.Equal(t, limits("20", "30"), s.File(s.backportOf("release"), "limits.txt"))
}

// Merging the commit instead would bring all that its branch has.
func TestABackportWithTooManyConflictsIsSettledByACherryPick(t *testing.T) {
	t.Parallel()
	many := func(side string) string {
		var b strings.Builder
		for i := range 1_001 {
			fmt.Fprintf(&b, "%s%d\n%d\n%d\n%d\n%d\n", side, i, i, i, i, i)
		}
		return b.String()
	}
	s := releaseOf(t, "many.txt", many("b"), many("t"), many("o"))
	got := s.say("/tenon backport release")
	require.Contains(t, got.answer, "- `many.txt`: 1,001 conflicts")
	require.Contains(t, got.answer, "git cherry-pick -x ")
	require.NotContains(t, got.answer, "git merge")
}

func TestChoicesForABranchWithoutConflictsMakeNoBackport(t *testing.T) {
	t.Parallel()
	s := parted(t)
	s.Repo.SetBranch("clean", s.Repo.Commits("release")[1].SHA)
	got := s.say("/tenon backport clean C1 ours")
	require.Contains(t, got.answer, "No answer here shows conflicts of a backport to this branch")
	require.Empty(t, s.Repo.Branches("tenon/"))
}

// The branch moves while GitHub's limit keeps the commit from being made: there is another conflict, before the others.
func TestChoicesForABackportAreByTheNumbersOfItsAnswerAlsoIfTheBranchMovedBefore(t *testing.T) {
	t.Parallel()
	s := newStory(t, "C1: ours\nC2: theirs\n", "C1: open Which?\nC2: ours\nC3: theirs\n")
	s.Repo.Push("main", map[string]string{"a.txt": "1\n", "limits.txt": limits("1", "1")})
	s.Repo.SetBranch("release", s.Repo.Branch("main"))
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"a.txt": "30\n", "limits.txt": limits("30", "30")})
	s.Repo.Push("release", map[string]string{"limits.txt": limits("20", "20")})
	s.pull.MergeBy(bottest.BySquash)
	s.Before("MakeCommit").Do(func() { s.Repo.Push("release", map[string]string{"a.txt": "20\n"}) })
	s.Before("MakeCommit").Fail(&port.WaitError{For: port.GitHubLimit, After: time.Minute, Err: errors.New("slow down")})
	got := s.say("/tenon backport release")
	require.Contains(t, got.answer, "3 conflicts, 1 open")
	require.Contains(t, got.answer, "**C1** `a.txt:1` · ❔ open\\\nWhich?")
	require.Equal(t, "rocket", s.say("/tenon backport release C1 theirs").verdict)
	head := s.backportOf("release")
	require.Equal(t, "30\n", s.File(head, "a.txt"))
	require.Equal(t, limits("20", "30"), s.File(head, "limits.txt"))
}

// The run of a label waits, and meanwhile somebody makes the backport by hand.
func TestABackportByLabelThatSaidItWaitsSaysThatThereIsNothingLeft(t *testing.T) {
	t.Parallel()
	s := parted(t, "C1: theirs\nC2: ours\n")
	s.settings("backport_labels: allow\n")
	head := s.backportOf("release")
	s.After("Record").Of("ask.1").Do(func() {
		s.Repo.SetBranch(head, s.Repo.Branch("speed"))
		s.Repo.OpenPull("maria", "By hand", head, "release")
	})
	s.After("Record").Of("ask.1").Fail(bottest.Retryable(time.Minute))
	s.pull.Label("maria", "backport release")
	s.Run()
	require.Len(t, s.pull.Answers(), 1)
	require.Contains(t, s.pull.LastAnswer(), "💬 **`release`**: already in the open pull request [#2](")
}
