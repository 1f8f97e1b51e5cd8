package bot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// unreadable has a later version of the program record a step of the run of the last event.
func (s *story) unreadable(step string) (run string) {
	s.t.Helper()
	delivery := s.LastEvent().Delivery
	require.NoError(s.t, s.Queue.SetStep(delivery, step, port.Step{Version: 99, Data: []byte("[]")}))
	return port.RunID(delivery)
}

// A run that another version of the program recorded in a form that this one does not read ends no later command.
func TestAPastRunThatCannotBeReadIsSkipped(t *testing.T) {
	t.Parallel()
	s := newStory(t, halfReplies(faster, edit("greet.go", greetLine, betterGreet))...)
	s.say(fixWords)
	s.say("/tenon fix `speed.txt`")
	s.unreadable("open")
	require.Equal(t, "rocket", s.say("/tenon retry").verdict)
	require.Contains(t, s.Logged(), "past run skipped")
	require.Contains(t, s.File("speed", "greet.go"), "good day")
}

// "The newest" is not the newest that can be read: people see another one in the thread.
func TestUndoTakesNoOlderCommitForTheNewest(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, edit("greet.go", greetLine, betterGreet))
	first := s.say("/tenon fix `main.go`")
	s.say("/tenon fix `greet.go`")
	run := s.unreadable("commit")
	undo := s.say("/tenon undo")
	require.Equal(t, "confused", undo.verdict)
	require.Contains(t, undo.answer, "The record of run `"+run+"`, which is newer than the commits that can be undone, "+
		"cannot be read by this version of tenon. Name the run to undo: `/tenon undo <run>`.")
	require.Len(t, s.Commits("speed"), 2)
	require.Equal(t, "rocket", s.say("/tenon undo "+first.run).verdict, "the older is undone by its name")
	require.NotContains(t, s.File("speed", "main.go"), "goodbye")
}

func TestApplyTakesNoOlderPreviewForTheNewest(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, edit("greet.go", greetLine, betterGreet))
	s.say("/tenon preview `main.go`")
	s.say("/tenon preview `greet.go`")
	run := s.unreadable("preview")
	apply := s.say("/tenon apply 1")
	require.Equal(t, "confused", apply.verdict)
	require.Contains(t, apply.answer, "The record of run `"+run+"` cannot be read by this version of tenon")
	require.Empty(t, s.Commits("speed"))
}

func TestRunTakesNoOlderSuggestionForTheNewest(t *testing.T) {
	t.Parallel()
	s := newStory(t, "```sh\nrm greet.go\n```", "```sh\nrm main.go\n```")
	s.say("/tenon fix `greet.go`")
	s.say("/tenon fix `main.go`")
	run := s.unreadable("ask.1")
	got := s.say("/tenon run 1")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "The record of run `"+run+"` cannot be read by this version of tenon")
	require.Empty(t, s.Commits("speed"))
	require.Contains(t, s.File("speed", "greet.go"), greetLine)
}

// Whether a run is past its point of no return can be told without its record.
func TestACancelOfARunThatCannotBeReadIsTooLateWhenItCommits(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Upload").Do(func() {
		s.unreadable("open")
		s.pull.Comment("maria", "/tenon cancel")
		s.RunImmediate()
		require.Equal(t, 1, s.saying("**Too late to cancel**"))
	})
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Len(t, s.Commits("speed"), 1)
}

// A run that cannot be resumed says so in the answer that it began.
func TestARunWhoseRecordCannotBeReadIsADeadLetter(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.After("Record").Of("open").Do(func() { s.unreadable("open") })
	s.Before("Record").Of("ask.1").Kill()
	got := s.say("/tenon fix `main.go`")
	require.Len(t, s.Queue.DeadLetters(), 1)
	require.Empty(t, s.Commits("speed"))
	require.Contains(t, got.reactions, "confused")
	require.Len(t, s.pull.Answers(), 1)
	require.Contains(t, got.answer, "An internal error kept tenon from finishing this")
	require.Contains(t, got.answer, "<sub>`maria` · run "+got.run+"<")
}
