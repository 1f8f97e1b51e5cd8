package bot_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// limits is a text with two places that both branches change, apart from each other.
func limits(wait, burst string) string {
	return "wait " + wait + "\n" + strings.Repeat("# between\n", 9) + "burst " + burst + "\n"
}

// conflicting returns a story in which the branch and its base conflict in limits.txt, C1 and C2, and nowhere else.
func conflicting(t *testing.T, replies ...string) *story {
	t.Helper()
	s := newStory(t, replies...)
	s.conflict()
	return s
}

func (s *story) conflict() {
	s.Repo.Push("main", map[string]string{"limits.txt": limits("1", "1")})
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"limits.txt": limits("30", "30")})
	s.Repo.Push("main", map[string]string{"limits.txt": limits("20", "20"), "later.txt": "later\n"})
}

// noModel takes the model away.
func (s *story) noModel() {
	s.bot.Models = nil
	s.bot.Model = nothingConfigured{}
}

// resolves gives a command that shows conflicts, and returns the comment that does.
func (s *story) resolves(command string) *bottest.Comment {
	s.t.Helper()
	got := s.say(command)
	said := s.pull.Said()
	require.NotEmpty(s.t, said)
	shown := said[len(said)-1]
	require.Contains(s.t, shown.Body(), "<!-- tenon:resolve=", got.answer)
	return shown
}

// choose has somebody tick the box of a choice for a conflict: 0 is ours, 1 theirs, 2 both, 3 what is proposed.
func (s *story) choose(who string, c *bottest.Comment, id, choice int) {
	s.t.Helper()
	c.Choose(who, id, choice)
	s.Run()
}

// merges counts the commits of the branch with two parents.
func (s *story) merges() (n int) {
	for _, c := range s.Repo.Commits("speed") {
		if len(c.Parents) == 2 {
			n++
		}
	}
	return n
}

func TestWithoutAModelConflictsAreSettledByBoxes(t *testing.T) {
	t.Parallel()
	s := conflicting(t)
	s.noModel()
	tip, main := s.Repo.Branch("speed"), s.Repo.Branch("main")
	c := s.resolves("/tenon resolve")
	require.Equal(t, port.IssueComment, c.Kind())
	require.Contains(t, c.Body(),
		"👀 **Merge of `main` into `speed`** · 2 conflicts\\\nours: `speed` at [`"+tip[:7]+"`](")
	require.Contains(t, c.Body(), "**C1** `limits.txt:1` · ❔ open")
	require.Contains(t, c.Body(), "**C2** `limits.txt:11` · ❔ open")
	require.Contains(t, c.Body(), "o1   wait 30\n")
	require.Contains(t, c.Body(), "t1   wait 20\n")
	require.Contains(t, c.Body(), "No language model is configured.")
	require.Equal(t, tip, s.Repo.Branch("speed"))

	s.choose("maria", c, 1, 1)
	require.Equal(t, tip, s.Repo.Branch("speed"), "one is open")
	require.Contains(t, c.Body(), "2 conflicts, 1 open")
	require.Contains(t, c.Body(), "**C1** `limits.txt:1` · ✅ `theirs` · 1 line: 1 of theirs · chosen by a person")
	require.Contains(t, markdown.TickedBoxes(c.Body()), markdown.ChoiceNumber(1, 1))

	s.choose("maria", c, 2, 2)
	commit := s.Repo.Commits("speed")[0]
	require.Equal(t, []string{tip, main}, commit.Parents)
	require.True(t, commit.Verified)
	require.Equal(t, strings.Replace(limits("20", "30"), "burst 30\n", "burst 30\nburst 20\n", 1),
		s.File("speed", "limits.txt"))
	require.Equal(t, "later\n", s.File("speed", "later.txt"))
	require.Contains(t, c.Body(), "✅ **Merge branch 'main' into speed** · 2 files merged")
	require.Contains(t, c.Body(), "- **C2** `limits.txt:11` · ✅ `ours, theirs` · 2 lines: 1 of ours, 1 of theirs")
	require.Empty(t, markdown.Boxes(c.Body()))
	require.Contains(t, commit.Message, "Settled 2 conflicts by choosing between both branches.")
	require.Len(t, s.pull.Answers(), 1, "the answer with the boxes is the answer")
}

func TestConflictsAreSettledByName(t *testing.T) {
	t.Parallel()
	s := conflicting(t)
	s.noModel()
	first := s.resolves("/tenon resolve")
	second := s.resolves("/tenon resolve C1 lines o1 t1")
	require.Contains(t, first.Body(), "The conflicts of this merge are in [another answer](https://")
	require.Empty(t, markdown.Boxes(first.Body()))
	require.Contains(t, second.Body(), "**C1** `limits.txt:1` · ✅ `lines o1 t1` · 2 lines: 1 of ours, 1 of theirs")
	got := s.say("/tenon resolve C2 theirs")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, "wait 30\n"+limits("20", "20"), s.File("speed", "limits.txt"))
	require.Contains(t, got.answer, "✅ **Merge branch 'main' into speed**")
	require.Equal(t, 1, s.merges())
}

func TestWhoForgetsTheWordLinesIsToldIt(t *testing.T) {
	t.Parallel()
	s := conflicting(t)
	s.noModel()
	s.resolves("/tenon resolve")
	got := s.say("/tenon resolve C1 o1, t1")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "Single lines need the word `lines`: `C1 lines o1 t1`. Nothing was done.")
}

func TestSeveralConflictsAreSettledByOneCommand(t *testing.T) {
	t.Parallel()
	s := conflicting(t)
	s.noModel()
	s.resolves("/tenon resolve")
	got := s.say("/tenon resolve C2 ours C1 theirs, ours")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, "wait 20\n"+limits("30", "30"), s.File("speed", "limits.txt"))
}

func TestAnUndoRevertsAMergeWithConflicts(t *testing.T) {
	t.Parallel()
	s := conflicting(t)
	s.noModel()
	s.resolves("/tenon resolve")
	before := s.tree()
	require.Equal(t, "rocket", s.say("/tenon resolve C1 theirs C2 theirs").verdict)
	got := s.say("/tenon undo")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, before, s.tree())
}

// nothingConfigured is what answers for the models of a server that has none.
type nothingConfigured struct{}

func (nothingConfigured) Complete(context.Context, port.Request, func(string)) (port.Answer, error) {
	return port.Answer{}, &port.UserError{Text: "No language model is configured."}
}
