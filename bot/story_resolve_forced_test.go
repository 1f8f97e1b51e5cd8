package bot_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// forced has the branch forced to a commit with other files, and the process stop, once a run has recorded a step. The
// commit that the run began with cannot be had any more.
func (s *story) forced(step string, files map[string]string) {
	s.t.Helper()
	parent := s.Repo.Commits("speed")[0].Parents[0]
	s.After("Record").Of(step).Do(func() {
		s.Repo.SetBranch("speed", parent)
		s.push(files)
		s.Before("Open").Of("refs/heads/speed").Fail(port.ErrMoved)
	})
	s.After("Record").Of(step).Fail(bottest.Retryable(time.Minute))
}

// What the model said of C1 was about other lines.
func TestAReplyAboutOtherConflictsOfTheSameNumbersIsNotTaken(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C1: theirs\nC2: theirs\n", "C1: ours\nC2: open Which?\n")
	s.forced("ask.1", map[string]string{"limits.txt": limits("35", "35")})
	c := s.resolves("/tenon resolve")
	asked := s.Model.Questions()
	require.Len(t, asked, 2)
	require.Contains(t, asked[0], "o1| wait 30")
	require.Contains(t, asked[1], "o1| wait 35")
	require.Contains(t, c.Body(), "**C1** `limits.txt:1` · ✅ `ours`")
	require.Contains(t, c.Body(), "**C2** `limits.txt:11` · ❔ open\\\nWhich?")
	require.Contains(t, c.Body(), "2 calls", "both were paid for")
	require.Zero(t, s.merges())
	require.Subset(t, s.steps(), []string{"ask.1", "ask.2"})
}

// The process stops once more, when the model has been asked about the new conflicts.
func TestAReplyThatFollowsOneAboutOtherConflictsIsTaken(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C1: theirs\nC2: theirs\n", "C1: ours\nC2: theirs\n")
	s.forced("ask.1", map[string]string{"limits.txt": limits("35", "35")})
	s.After("Record").Of("ask.2").Do(func() {
		for _, n := range []int{1, 3} { // for the conflicts, and for the commit
			s.Before("Open").Of("refs/heads/speed").Nth(n).Fail(port.ErrMoved)
		}
	})
	s.After("Record").Of("ask.2").Fail(bottest.Retryable(time.Minute))
	got := s.say("/tenon resolve")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Len(t, s.Model.Questions(), 2)
	require.Equal(t, limits("35", "20"), s.File("speed", "limits.txt"))
}

// Another commit, with another subject and another file, conflicts in the same way.
func TestAReplyIsTakenIfTheConflictsAreTheSameAfterAPushByForce(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C1: theirs\nC2: ours\n")
	s.forced("ask.1", map[string]string{"limits.txt": limits("30", "30"), "more.txt": "more\n"})
	got := s.say("/tenon resolve")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Len(t, s.Model.Questions(), 1)
	require.Equal(t, limits("20", "30"), s.File("speed", "limits.txt"))
	require.Equal(t, "more\n", s.File("speed", "more.txt"))
}
