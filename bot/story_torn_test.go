package bot_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/bot/port"
)

// calls are those of the model that the run of an answer keeps.
func (s *story) calls(answered told) []bot.Call {
	s.t.Helper()
	run, _, err := s.Queue.FindRun(s.t.Context(), answered.run)
	require.NoError(s.t, err)
	replay, err := bot.ReadReplay(run)
	require.NoError(s.t, err)
	return replay.Calls
}

// tornReply is a reply that broke in its second edit.
func tornReply() string {
	return edit("main.go", helloLine, byeLine) + "greet.go\n```\n<<<<<<< SEARCH\nfunc greet() st"
}

func TestAReplyThatAnOutageBreaksOffIsContinuedAndCommittedOnce(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Model.Breaks(tornReply(), s.Clock.Now().Add(4*time.Second))
	s.Model.Says(edit("greet.go", greetLine, betterGreet))
	got := s.say("/tenon fix `main.go` and `greet.go`")
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer, " · 2 edits committed")
	require.NotContains(t, got.answer, "broke")
	require.Len(t, s.Commits("speed"), 1)
	require.Len(t, append(s.Calls("Announce"), s.Calls("Post")...), 1)
	require.Equal(t, tornReply(), s.calls(got)[0].Answer.Text, "what came of it is kept")
	torn := s.Model.Requests()[0].Tokens() + int64(len(tornReply())/port.BytesPerToken)
	require.Equal(t, torn+usual, s.spent(), "it is booked")
}

// The stream breaks for as long as an outage lasts: the run waits as for a model that answers 500, and keeps at most
// three parts, as the others have nothing new.
func TestAReplyThatBreaksAgainAndAgainWaitsAsForAModelThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	begun := s.Clock.Now()
	for range 12 {
		s.Model.Breaks("I look.", begun)
	}
	s.Model.Says(goodbye)
	var said []string
	s.Before("Complete").Every().Do(func() { said = append(said, s.pull.LastAnswer()) })
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer, " · 1 edit committed")
	require.NotContains(t, got.answer, "limit")
	require.Contains(t, strings.Join(said, "\n"), "**Waiting**: the model is not answering. [This command](")
	require.Len(t, append(s.Calls("Announce"), s.Calls("Post")...), 1)
	require.Greater(t, s.Clock.Now().Sub(begun), 30*time.Second, "each wait is longer than the one before")
	require.Len(t, s.Model.Questions(), 13)
	require.Len(t, s.calls(got), 4, "three parts, and the answer")
	require.Empty(t, s.Queue.DeadLetters())
}

// A connection that always breaks after a while gets on, part by part: no edit is asked for twice.
func TestAReplyOfManyPartsIsContinuedWhileEachHasAnEdit(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	files := map[string]string{}
	for _, name := range []string{"a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "f.txt"} {
		files[name] = "one\n"
		s.Model.Breaks(edit(name, "one", "two")+"z.txt\n```\n<<<<<<< SEA", s.Clock.Now())
	}
	s.push(files)
	s.Model.Says("That is all.")
	got := s.say("/tenon fix `a.txt`, `b.txt`, `c.txt`, `d.txt`, `e.txt` and `f.txt`")
	require.Contains(t, got.answer, " · 6 edits committed")
	require.Len(t, s.Model.Questions(), 7)
	require.Zero(t, s.progressSaying("Waiting"))
}

// Half a reply is never committed: what came whole is shown, with the patch and suggestions.
func TestEditsOfAReplyWhoseRestCannotBeAskedForAreKept(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Model.Breaks(faster+"greet.go\n```\n<<<<<<< SEARCH\nfunc greet() st", s.Clock.Now())
	s.Model.Fails(&port.UserError{Text: "The provider did not accept the key."})
	got := s.say("/tenon fix `speed.txt` and `greet.go`")
	require.Contains(t, got.answer, "the connection to the model broke before its reply was complete")
	require.Contains(t, got.answer, "The model could not be asked again. The provider did not accept the key.")
	s.requireKept(got.answer, true)
}

// How often an answer that breaks is asked for is bounded by what a command may cost.
func TestACommandWhoseRepliesBreakForEverEndsAtItsTokens(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.settings("limits:\n  tokens: 60000\n")
	s.Model.Breaks(faster+strings.Repeat("I look on. ", 2000), s.Clock.Now())
	got := s.say("/tenon fix `speed.txt`")
	require.Contains(t, got.answer, "The model could not be asked again.")
	require.LessOrEqual(t, s.spent(), int64(60000))
	s.requireKept(got.answer, true)
	require.Empty(t, s.Queue.DeadLetters())
}
