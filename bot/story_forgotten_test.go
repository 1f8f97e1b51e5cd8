package bot_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// forget deletes the sources of the run of the last event, as the retention of the server does.
func (s *story) forget() (run string) {
	s.t.Helper()
	delivery := s.LastEvent().Delivery
	require.NoError(s.t, s.Queue.Forget(delivery, record.Forget))
	return port.RunID(delivery)
}

func TestACommitCanBeUndoneWithoutItsSources(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.say("/tenon fix `main.go`")
	run := s.forget()
	require.Equal(t, "rocket", s.say("/tenon undo").verdict)
	require.NotContains(t, s.File("speed", "main.go"), "goodbye")
	require.Contains(t, s.say("/tenon undo "+run).answer, "undone", "and it is known that it was")
	require.Empty(t, s.Queue.DeadLetters())
}

func TestAPreviewWithoutItsSourcesIsGone(t *testing.T) {
	t.Parallel()
	const gone = "That preview is no longer stored, so nothing was committed. " +
		"Ask for a new one: `/tenon preview <what>`."
	s := newStory(t, edit("greet.go", greetLine, betterGreet), goodbye)
	s.say("/tenon preview `greet.go`")
	shown := s.preview("/tenon preview `main.go`")
	s.forget()
	require.Contains(t, s.say("/tenon apply 1").answer, gone, "and the one before it is not taken for it")
	s.tick("maria", shown, 1)
	s.Run()
	require.Empty(t, s.Commits("speed"))
	require.Empty(t, s.Queue.DeadLetters())
}

func TestWhatFailedWithoutItsSourcesIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t, halfReplies(edit("greet.go", greetLine, betterGreet))...)
	s.say(fixWords)
	s.forget()
	asked := len(s.Model.Questions())
	require.Contains(t, s.say("/tenon retry").answer, "The record of that run no longer exists")
	require.Len(t, s.Model.Questions(), asked)
}

func TestSuggestionsWithoutTheirSourcesAreNotRun(t *testing.T) {
	t.Parallel()
	s := newStory(t, "```sh\nrm greet.go\n```")
	s.say("/tenon fix `greet.go`")
	s.forget()
	require.Contains(t, s.say("/tenon run 1").answer, " suggested is no longer stored, so nothing was done.")
	require.Contains(t, s.File("speed", "greet.go"), greetLine)
}

// A dead letter that an operator wakes after its sources were deleted has no prompt any more; it must not ask the model
// without one, nor begin again as if nothing had happened.
func TestARunWithoutItsSourcesIsNotResumed(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Upload").Times(3).Fail(errors.New("no use"))
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Len(t, s.Queue.DeadLetters(), 1)
	asked := len(s.Model.Questions())
	s.forget()
	s.Redeliver(s.LastEvent())
	s.Run()
	require.Empty(t, s.Commits("speed"))
	require.Equal(t, 1, s.saying("is so old that its text is no longer stored"))
	require.Len(t, s.Model.Questions(), asked)
}
