package bot_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// late has the answer of a worker that lost the lease arrive, of which the next worker knows nothing.
func late(s *story, at port.Place) {
	body := "Working on it. <!-- tenon:run=" + port.RunID(s.LastEvent().Delivery) + " -->"
	_, err := s.GitHub.Post(s.t.Context(), s.Repo.Ref(), at, body)
	require.NoError(s.t, err)
}

func TestAnAnswerThatWasMadeTwiceIsClosed(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]port.EventKind{"a review": port.Review, "a comment": port.IssueComment} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for when, moment := range map[string]func(*bottest.World) *bottest.Moment{
				"before the next worker's answer": func(w *bottest.World) *bottest.Moment { return w.Before("Announce").Nth(2) },
				"after it":                        func(w *bottest.World) *bottest.Moment { return w.Before("Edit") },
			} {
				s := newStory(t, goodbye)
				s.Before("Announce").Kill() // the request is on its way when the worker loses the lease
				moment(s.World).Do(func() { late(s, port.Place{Number: s.pull.Number(), Kind: kind}) })
				told := s.say("/tenon fix `main.go`")
				require.Contains(t, told.answer, " · 1 edit committed", when)
				require.Equal(t, 1, s.saying("this one was made twice"), when)
				require.Len(t, s.pull.Answers(), 2, when)
			}
		})
	}
}

func TestAnAnswerThatCannotBeClosedFailsNoRun(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Announce").Kill()
	s.Before("Edit").Do(func() { late(s, port.Place{Number: s.pull.Number(), Kind: port.Review}) })
	s.Before("Edit").Of("made twice").Fail(bottest.Permanent("it is locked"))
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Empty(t, s.Queue.DeadLetters())
	require.Equal(t, 1, s.saying(" · 1 edit committed"))
}

func TestAClosedAnswerIsTriedAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Announce").Kill()
	s.Before("Edit").Do(func() { late(s, port.Place{Number: s.pull.Number(), Kind: port.Review}) })
	s.Before("Edit").Of("made twice").Fail(bottest.Retryable(time.Minute))
	told := s.say("/tenon fix `main.go`")
	require.Contains(t, told.answer, " · 1 edit committed")
	require.Equal(t, 1, s.saying("this one was made twice"))
}

func TestARunThatWasNotResumedLooksForNoOtherAnswer(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.say("/tenon fix `main.go`")
	for _, c := range s.Calls("FindComment") {
		require.False(t, strings.Contains(c.Text, "tenon:run="), c.Text)
	}
}
