package bot_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// oneBroken returns a story in which ours of the only conflict is three lines, of which the first alone is an error.
func oneBroken(t *testing.T, replies ...string) *story {
	t.Helper()
	s := newStory(t, replies...)
	in := func(body string) map[string]bottest.File {
		return map[string]bottest.File{"a.go": data("package a\n\nfunc a() {\n" + body + "}\n")}
	}
	s.parting(in("\tone()\n"), in("\tif x {\n\t\tone()\n\t}\n"), in("\ttwo()\n"))
	return s
}

// People were told of the problem, and asked the model again instead of taking the text.
func TestATextWithAProblemIsNotCommittedBecauseTheModelChoosesItAgain(t *testing.T) {
	t.Parallel()
	s := oneBroken(t, "C1: lines o1\n", "C1: lines o1\n", "C1: lines o1\n", "C1: lines o1\n")
	for range 2 {
		c := s.resolves("/tenon resolve")
		require.Contains(t, c.Body(), "⚠️ With these choices, `a.go` would have a problem")
		require.Contains(t, c.Body(), "👀 proposed: `lines o1`")
	}
	require.Zero(t, s.merges())
	require.Equal(t, "rocket", s.say("/tenon apply").verdict)
}

func TestAProposalThatWasShownWithItsProblemIsTakenAtOnce(t *testing.T) {
	t.Parallel()
	broken := "C1: new\n```\n\tthree(\n```\n"
	s := oneBroken(t, broken, broken)
	c := s.resolves("/tenon resolve")
	require.Contains(t, c.Body(), "⚠️ With these choices, `a.go` would have a problem")
	got := s.say("/tenon apply")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Contains(t, got.answer, "⚠️ **Committed anyway:**")
}

func TestProposedLinesThatTheSettingsRefuseMeanwhileAreNoProposal(t *testing.T) {
	t.Parallel()
	s := conflicting(t, withNew)
	c := s.resolves("/tenon resolve")
	s.settings("resolve: {new: refuse}\n")
	s.choose("maria", c, 1, 3)
	require.Contains(t, c.Body(), "**C1** `limits.txt:1` · ❔ open\\\nThe model wrote new lines, which the "+
		"settings refuse.")
	require.NotContains(t, markdown.Boxes(c.Body()), markdown.ChoiceNumber(1, 3))
	require.Contains(t, s.say("/tenon apply").answer, "C1 is open and has no proposal")
	require.Zero(t, s.merges())
}

// Whether a file is executable is in conflict beside its lines if both sides added it.
func TestATextThatIsExecutableOnOneSideHasTheModeOfTheSideThatIsTaken(t *testing.T) {
	t.Parallel()
	script := bottest.File{Mode: port.ModeExecutable, Data: "#!/bin/sh\n"}
	for choice, mode := range map[string]string{
		"theirs": port.ModeExecutable, "ours": port.ModeFile, "ours, theirs": port.ModeFile,
	} {
		s := newStory(t)
		s.noModel()
		s.parting(map[string]bottest.File{"x.txt": data("1\n")}, map[string]bottest.File{"run": data("echo\n")},
			map[string]bottest.File{"run": script})
		c := s.resolves("/tenon resolve")
		require.Contains(t, c.Body(), "The file is executable only on `main`. It stays as on `speed` unless all of it is "+
			"taken from `main`.")
		require.Equal(t, "rocket", s.say("/tenon resolve C1 "+choice).verdict)
		require.Equal(t, mode, s.Repo.Mode("speed", "run"), choice)
	}
}

// A link became a file on both sides: on ours with what was the target of the link, as on systems without links.
func TestOfALinkThatBecameAFileOnBothSidesTheModeIsChosen(t *testing.T) {
	t.Parallel()
	for choice, mode := range map[string]string{"theirs": port.ModeExecutable, "ours": port.ModeFile} {
		s := newStory(t)
		s.parting(map[string]bottest.File{"x": {Mode: port.ModeLink, Data: "target"}},
			map[string]bottest.File{"x": data("target")},
			map[string]bottest.File{"x": {Mode: port.ModeExecutable, Data: "#!/bin/sh\n"}})
		c := s.resolves("/tenon resolve")
		require.Contains(t, c.Body(), "Choose whether it is executable.")
		got := s.say("/tenon resolve C1 " + choice)
		require.Equal(t, "rocket", got.verdict, got.answer)
		require.Equal(t, "#!/bin/sh\n", s.File("speed", "x"), "only theirs changed the content")
		require.Equal(t, mode, s.Repo.Mode("speed", "x"), choice)
	}
}

func TestWhatIsRenamedToAProtectedPathIsLeftToGit(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a line that is long enough\n", 20)
	s := newStory(t)
	s.parting(map[string]bottest.File{"ci.yml": data(text)},
		map[string]bottest.File{"ci.yml": gone, workflow: data(text + "ours\n")},
		map[string]bottest.File{"ci.yml": data(text + "theirs\n")})
	got := s.say("/tenon resolve")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "**C1** `"+workflow+"` · ❌ to be settled with git")
	require.NotContains(t, got.answer, "Only `theirs` can be chosen")
	require.Empty(t, markdown.Boxes(got.answer))
	require.Contains(t, s.say("/tenon resolve C1 theirs").answer, "C1: it is about several paths")
	require.Zero(t, s.merges())
}

// The run says in a comment that it waits for the workflow.
func TestOnlyOneCommentHasTheBoxesOfAMergeThatFailsItsTests(t *testing.T) {
	t.Parallel()
	for _, apply := range []bool{false, true} {
		s := newStory(t, withNew)
		s.verifying(fails)
		s.conflict()
		c := s.resolves("/tenon resolve")
		if apply {
			s.say("/tenon apply")
		} else {
			s.choose("maria", c, 1, 3)
		}
		require.Zero(t, s.merges())
		require.Contains(t, c.Body(), "❌ **Nothing was committed.** The workflow that tests edits failed.")
		require.NotEmpty(t, markdown.Boxes(c.Body()))
		said := s.pull.Said()
		require.Len(t, said, 2)
		require.Contains(t, said[1].Body(), ") shows the conflicts as they are now.")
		require.Equal(t, 1, strings.Count(said[1].Body(), "Nothing was committed"))
		require.Empty(t, markdown.Boxes(said[1].Body()))
	}
}

func TestTheBoxesCountInTheAnswerThatReplacesADeletedOne(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C1: open\nC2: open\n")
	c := s.resolves("/tenon resolve")
	s.Before("Comment").Do(func() { c.Delete() })
	s.choose("maria", c, 1, 1)
	again := s.pull.Said()
	require.Len(t, again, 1)
	s.choose("maria", again[0], 2, 1)
	require.Equal(t, 1, s.merges(), again[0].Body())
	require.Contains(t, again[0].Body(), "✅ **Merge branch 'main' into speed**")
}

func TestWhyAChoiceDoesNotFitIsSaidOnce(t *testing.T) {
	t.Parallel()
	s := conflicting(t)
	s.noModel()
	s.resolves("/tenon resolve")
	require.Contains(t, s.say("/tenon resolve C1 lines o9").answer, "Nothing was done. C1: the side does not have these "+
		"lines: o9 of 1. [The answer]")
	require.Contains(t, s.say("/tenon resolve C9 ours").answer, "Nothing was done. There is no C9. [The answer]")
}
