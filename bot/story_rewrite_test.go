package bot_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// Somebody pushes the same lines while the model writes: it is asked again, with the new lines.

// bothEdits are of a file whose lines others change, and of one that nobody else touches.
var bothEdits = "COMMIT: fix: count on\n\n" + betterCut + faster

// pushedOver returns a story in which the same lines are pushed while the model writes; then gives what it says after
// that.
func pushedOver(t *testing.T, then ...string) *story {
	t.Helper()
	s := newStory(t, bothEdits)
	s.push(map[string]string{"works.go": works})
	s.while(func() { s.push(map[string]string{"works.go": replaced("n + 1", "n + 3")}) })
	s.Model.Says(then...)
	return s
}

func TestTheModelIsAskedAgainWhenTheBranchMovesOverTheSameLines(t *testing.T) {
	t.Parallel()
	for _, commits := range []string{"verified", "push"} {
		s := pushedOver(t, edit("works.go", "\tn = n + 3", "\tn = n + 5")+edit("speed.txt", "fast", "never"))
		s.settings("commits: " + commits + "\n")
		got := s.say("/tenon fix `works.go` and `speed.txt`")
		require.Equal(t, "rocket", got.verdict, got.answer)
		require.Equal(t, replaced("n + 1", "n + 5"), s.File("speed", "works.go"))
		require.Equal(t, "faster\n", s.File("speed", "speed.txt"), "edits of other files stay as they were")
		require.Len(t, s.Commits("speed"), 1)
		require.Len(t, s.Model.Questions(), 2)
		require.Contains(t, s.Model.Questions()[1], "\tn = n + 3\n", "it sees the new lines")
		require.Contains(t, s.Model.Questions()[1], "While you were writing, others committed to the branch.")
		require.Contains(t, got.answer, "Somebody pushed changes to the same lines, so the model was asked again")
	}
}

// What it says then is checked as ever: an edit that does not fit is sent back.
func TestWhatTheModelWritesAnewIsRepairedLikeAnyEdit(t *testing.T) {
	t.Parallel()
	s := pushedOver(t, edit("works.go", "\tn = n + 4", "\tn = n + 5"), edit("works.go", "\tn = n + 3", "\tn = n + 5"))
	got := s.say("/tenon fix `works.go` and `speed.txt`")
	require.Equal(t, replaced("n + 1", "n + 5"), s.File("speed", "works.go"), got.answer)
	require.Len(t, s.Model.Questions(), 3)
}

// The lines change a second time, while it writes again.
func TestTheModelIsAskedAgainAsLongAsCallsAreLeft(t *testing.T) {
	t.Parallel()
	s := pushedOver(t, edit("works.go", "\tn = n + 3", "\tn = n + 5"))
	s.while(func() { s.push(map[string]string{"works.go": replaced("n + 1", "n + 4")}) })
	s.Model.Says(edit("works.go", "\tn = n + 4", "\tn = n + 5"))
	got := s.say("/tenon fix `works.go` and `speed.txt`")
	require.Equal(t, replaced("n + 1", "n + 5"), s.File("speed", "works.go"), got.answer)
	require.Len(t, s.Model.Questions(), 3)

	s = pushedOver(t)
	for range 4 {
		n := 0
		s.Model.Says(edit("works.go", "\tn = n + 3", "\tn = n + 5"))
		s.while(func() {
			n++
			s.push(map[string]string{"works.go": replaced("n + 1", "n + 1"+string(rune('0'+n)))})
		})
	}
	s.say("/tenon fix `works.go` and `speed.txt`")
	require.LessOrEqual(t, len(s.Model.Questions()), 4, "four calls in all")
}

// A conflict is no reason to lose the other edits, whatever keeps the model from being asked.
func TestAConflictStaysIfTheModelCannotBeAskedAgain(t *testing.T) {
	t.Parallel()
	for name, plant := range map[string]func(s *story){
		"it does not answer": func(s *story) {
			s.Model.Fails(&port.WaitError{For: port.ModelOutage, Err: errors.New("503")})
		},
		"its quota is used up": func(s *story) {
			s.Model.Fails(&port.WaitError{For: port.ModelLimit, Err: errors.New("429")})
		},
		"it refuses": func(s *story) { s.Model.Fails(&port.UserError{Text: "It says no."}) },
		"the command is cancelled": func(s *story) {
			s.Model.Says(edit("works.go", "\tn = n + 3", "\tn = n + 5"))
			s.while(func() { s.cancelNow() })
		},
		"it sends nothing": func(s *story) { s.Model.Says("NO CHANGE: both are right.") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := pushedOver(t)
			plant(s)
			got := s.say("/tenon fix `works.go` and `speed.txt`")
			require.Equal(t, "rocket", got.verdict, got.answer)
			require.Equal(t, replaced("n + 1", "n + 3"), s.File("speed", "works.go"))
			require.Equal(t, "faster\n", s.File("speed", "speed.txt"))
			require.Contains(t, got.answer, "<<<<<<< the file now, line 4\n\tn = n + 3\n||||||| as the model saw it\n"+
				"\tn = n + 1\n=======\n\tn = n + 2\n>>>>>>> the edit\n")
			require.Regexp(t, "The branch moved in the meantime|Somebody pushed changes", got.answer)
		})
	}
}

// cancelNow has maria cancel what is running, and waits until that is known.
func (s *story) cancelNow() {
	s.pull.Comment("maria", "/tenon cancel")
	s.RunImmediate()
}

var movedOver = resumable{
	func(t *testing.T) *story {
		return pushedOver(t, edit("works.go", "\tn = n + 3", "\tn = n + 5"))
	},
	func(s *story) { s.pull.Comment("maria", "/tenon fix `works.go` and `speed.txt`") },
}

// The second answer is not paid for twice, wherever the process dies.
func TestAnAnswerAfterTheBranchMovedIsNotAskedForTwice(t *testing.T) {
	t.Parallel()
	for _, step := range []string{"apply.1", "ask.2", "apply.2", "commit"} {
		for _, plant := range []func(*story) *bottest.Moment{
			func(s *story) *bottest.Moment { return s.Before("Record") },
			func(s *story) *bottest.Moment { return s.After("Record") },
		} {
			s := movedOver.open(t)
			plant(s).Of(step).Kill()
			movedOver.play(s)
			s.Run()
			require.Equal(t, replaced("n + 1", "n + 5"), s.File("speed", "works.go"), step)
			require.Equal(t, "faster\n", s.File("speed", "speed.txt"))
			require.Len(t, s.Commits("speed"), 1, step)
		}
	}
}

// The model is shown the file as it is now, answers with something else, and only a repair is about that file: it may
// fit in the version that the edit was written for, at another place.
func TestARepairOfAnEditThatOthersOvertookIsNotTaken(t *testing.T) {
	t.Parallel()
	base := "[a]\nname = x\n\n[b]\n\tlimit = 10\n\tsize = 1\n"
	tip := "[a]\nname = z\n\n[b]\n\tlimit = 10\n\tsize = 1\n\n[c]\nlimit = 10\nsize = 1\n"
	repaired := edit("works.ini", "limit = 10\nsize = 1", "limit = 99\nsize = 1")
	for other, again := range map[string]string{
		edit("speed.txt", "fast", "faster"): edit("speed.txt", "fast", "never"),
		betterCut:                           edit("works.go", "\tn = n + 3", "\tn = n + 5"),
	} {
		s := newStory(t, edit("works.ini", "name = x", "name = y")+other)
		s.push(map[string]string{"works.ini": base, "works.go": works})
		s.while(func() { s.push(map[string]string{"works.ini": tip, "works.go": replaced("n + 1", "n + 3")}) })
		s.Model.Says(again, repaired)
		got := s.say("/tenon fix `works.ini`, `works.go` and `speed.txt`")
		require.Equal(t, tip, s.File("speed", "works.ini"), got.answer)
		require.Contains(t, got.answer, "the same lines were changed on the branch")
	}
}
