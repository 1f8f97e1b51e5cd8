package bot_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// works is a file with three functions, of which each can be told from the others.
const works = "package main\n\nfunc cut(n int) int {\n\tn = n + 1\n\treturn n\n}\n\n" +
	"func turn(s string) string {\n\ts = s + \".\"\n\treturn s\n}\n\nfunc drill() {\n\tprintln(\"deep\")\n}\n"

// The reply has lost the indentation, which is forgiven in the file that the model saw.
var betterCut = edit("works.go", "n = n + 1\nreturn n", "n = n + 2\nreturn n")

// replaced is works with some text in place of another.
func replaced(old, put string) string { return strings.Replace(works, old, put, 1) }

func TestAFileThatGotAnotherFunctionMeanwhileIsMerged(t *testing.T) {
	t.Parallel()
	for _, commits := range []string{"verified", "push"} {
		s := newStory(t, betterCut)
		s.settings("commits: " + commits + "\n")
		s.push(map[string]string{"works.go": works})
		s.while(func() { s.push(map[string]string{"works.go": replaced("deep", "deeper")}) })
		got := s.say("/tenon fix `works.go`")
		require.Equal(t, "rocket", got.verdict, got.answer)
		want := strings.Replace(replaced("deep", "deeper"), "n + 1", "n + 2", 1)
		require.Equal(t, want, s.File("speed", "works.go"))
		require.Contains(t, got.answer, "Edit 1: applied. Merged with changes made to the file since it was shown")
		require.Contains(t, got.answer, "+1 −1", "what was pushed meanwhile is no change of the edit")
	}
}

func TestAFileThatGotOtherChangesOfTheSameLinesMeanwhileIsAConflictThatTheAnswerShows(t *testing.T) {
	t.Parallel()
	s := newStory(t, betterCut)
	s.push(map[string]string{"works.go": works})
	s.while(func() { s.push(map[string]string{"works.go": replaced("n + 1", "n + 3")}) })
	s.Model.Says("NO CHANGE: I cannot tell which of them is right.")
	got := s.say("/tenon fix `works.go`")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "Somebody pushed changes to the same lines, so the model was asked again")
	require.Equal(t, replaced("n + 1", "n + 3"), s.File("speed", "works.go"))
	require.Empty(t, s.Commits("speed"))
	require.Contains(t, got.answer, "The file changed since it was shown, in the same lines or right next to them")
	require.Contains(t, got.answer,
		": the same lines were changed on the branch after the model saw them; `/tenon retry` asks again.")
	require.Contains(t, got.answer, "<<<<<<< the file now, line 4\n\tn = n + 3\n||||||| as the model saw it\n"+
		"\tn = n + 1\n=======\n\tn = n + 2\n>>>>>>> the edit\n")
	require.Contains(t, got.answer, "git apply --3way tenon.patch")
	require.Contains(t, got.answer, "-\tn = n + 1\n+\tn = n + 2\n")
}

func TestTheSameChangeMadeMeanwhileLeavesNothingToDo(t *testing.T) {
	t.Parallel()
	s := newStory(t, betterCut)
	s.push(map[string]string{"works.go": works})
	s.while(func() { s.push(map[string]string{"works.go": replaced("n + 1", "n + 2")}) })
	got := s.say("/tenon fix `works.go`")
	require.Empty(t, s.Commits("speed"))
	require.Contains(t, got.answer, "Already applied")
}

// The commit that the model saw is gone, so there is nothing to merge with: the edit must match the file as it is.
func TestAFileWhoseVersionThatWasShownIsGoneIsEditedOnlyWhereItFitsExactly(t *testing.T) {
	t.Parallel()
	for _, gone := range []error{port.ErrNotFound, port.ErrMoved} {
		s := newStory(t, betterCut)
		s.push(map[string]string{"works.go": works})
		s.while(func() {
			s.push(map[string]string{"works.go": replaced("deep", "deeper")})
			s.Before("Open").Of("refs/heads/speed").Nth(2).Fail(gone)
		})
		s.Model.Says("NO CHANGE: I cannot tell.")
		got := s.say("/tenon fix `works.go`")
		require.Equal(t, "confused", got.verdict)
		require.Empty(t, s.Commits("speed"))
		require.Contains(t, got.answer, "the block no longer matches it exactly")
	}
}

// The commit on record has other bytes than the model saw, as after a push by force: a merge would start from those.
func TestAFileThatWasShownFromAnotherCommitIsNotMerged(t *testing.T) {
	t.Parallel()
	s := newStory(t, betterCut)
	other := s.Repo.Push("speed", map[string]string{"works.go": replaced("s + \".\"", "s + \"?\"")})
	shown := s.Repo.Push("speed", map[string]string{"works.go": works})
	c := s.preview("/tenon preview `works.go`")
	delivery := s.LastEvent().Delivery
	forged := 0
	for name, step := range s.Queue.Steps(delivery) {
		data := strings.ReplaceAll(string(step.Data), `"base":"`+shown+`"`, `"base":"`+other+`"`)
		if data == string(step.Data) || !strings.Contains(data, `"shown":`) {
			continue
		}
		forged++
		require.NoError(t, s.Queue.SetStep(delivery, name, port.Step{Version: step.Version, Data: []byte(data)}))
	}
	require.Equal(t, 1, forged)
	s.push(map[string]string{"works.go": replaced("deep", "deeper")})
	s.tick("maria", c, 1)
	require.Equal(t, replaced("deep", "deeper"), s.File("speed", "works.go"))
	require.Contains(t, strings.Join(s.pull.Answers(), "\n")+c.Body(), "no longer matches it exactly")
}

func TestAPreviewThatIsAppliedAfterAPushIsMerged(t *testing.T) {
	t.Parallel()
	s := newStory(t, betterCut+edit("works.go", "println(\"deep\")", "println(\"deepest\")"))
	s.push(map[string]string{"works.go": works})
	c := s.preview("/tenon preview `works.go`")
	s.push(map[string]string{"works.go": replaced("s + \".\"", "s + \"!\"")})
	s.tick("maria", c, 1)
	want := strings.Replace(replaced("s + \".\"", "s + \"!\""), "n + 1", "n + 2", 1)
	require.Equal(t, want, s.File("speed", "works.go"))
	require.Contains(t, box(c, 1), "committed in [`")

	s.push(map[string]string{"works.go": "// Works.\n" + want})
	s.tick("maria", c, 2)
	require.Equal(t, "// Works.\n"+strings.Replace(want, "deep", "deepest", 1), s.File("speed", "works.go"))
	require.Contains(t, box(c, 2), "committed in [`")
}

func TestAPreviewOfLinesThatWereChangedSinceIsAConflict(t *testing.T) {
	t.Parallel()
	s := newStory(t, betterCut)
	s.push(map[string]string{"works.go": works})
	s.preview("/tenon preview `works.go`")
	s.push(map[string]string{"works.go": replaced("n + 1", "n + 3")})
	got := s.say("/tenon apply")
	require.Equal(t, "confused", got.verdict)
	require.Equal(t, replaced("n + 1", "n + 3"), s.File("speed", "works.go"))
	require.Contains(t, got.answer, "; ask for the change with `/tenon fix`.")
}

// The edit removed a statement, and somebody copied the function later: nothing is put into the copy.
func TestAnUndoAfterALaterCopyPutsNothingIntoTheCopy(t *testing.T) {
	t.Parallel()
	without := replaced("\tn = n + 1\n", "")
	s := newStory(t, edit("works.go", "\tn = n + 1\n\treturn n", "\treturn n"))
	s.push(map[string]string{"works.go": works})
	require.Equal(t, "rocket", s.say("/tenon fix `works.go`").verdict)
	require.Equal(t, without, s.File("speed", "works.go"))
	s.push(map[string]string{"works.go": without + "\nfunc saw(n int) int {\n\treturn n\n}\n"})
	require.Equal(t, "rocket", s.say("/tenon undo").verdict)
	require.Equal(t, works+"\nfunc saw(n int) int {\n\treturn n\n}\n", s.File("speed", "works.go"))
}

func TestAnUndoRightBesideALaterCopyIsRefused(t *testing.T) {
	t.Parallel()
	without := replaced("\tn = n + 1\n", "")
	s := newStory(t, edit("works.go", "\tn = n + 1\n\treturn n", "\treturn n"))
	s.push(map[string]string{"works.go": works})
	require.Equal(t, "rocket", s.say("/tenon fix `works.go`").verdict)
	tip := strings.Replace(without, "func turn", "func cut(n int) int {\n\treturn n\n}\n\nfunc turn", 1)
	s.push(map[string]string{"works.go": tip})
	got := s.say("/tenon undo")
	require.Equal(t, "confused", got.verdict)
	require.Equal(t, tip, s.File("speed", "works.go"))
	require.Contains(t, got.answer, "their place is uncertain")
}
