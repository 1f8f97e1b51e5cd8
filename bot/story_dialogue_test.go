package bot_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

func TestAReplyWithoutBlocksIsAskedForBlocksOnce(t *testing.T) {
	t.Parallel()
	s := newStory(t, "I would not touch it.", "NO CHANGE\nIt is right as it is.")
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, []string{"eyes", "confused"}, got.reactions)
	require.Contains(t, got.answer, "💬 **Nothing to change**")
	require.Contains(t, got.answer, "It is right as it is.")
	require.Len(t, s.Model.Questions(), 2)
	require.Contains(t, s.Model.Questions()[1], "NO CHANGE")
	require.Empty(t, s.Commits("speed"))
}

func TestAModelThatFindsNothingToChangeIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t, "NO CHANGE: it is right as it is.")
	s.say("/tenon fix `main.go`")
	require.Len(t, s.Model.Questions(), 1)
}

func TestTheSecondAttemptCorrectsOneOfThreeBlocks(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("main.go", helloLine, byeLine)+edit("greet.go", badGreet, betterGreet)+edit("new.txt", "",
		"new"),
		edit("greet.go", greetLine, betterGreet))
	got := s.say("/tenon fix `main.go` and `greet.go`")
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer, " · 3 edits committed")
	require.Contains(t, got.answer, "2 calls · 2,400 tokens in, 690 out")
	require.Contains(t, s.File("speed", "greet.go"), "good day")
	require.Len(t, s.Commits("speed"), 1, "one commit at the end")
	ask := s.Model.Questions()[1]
	require.Contains(t, ask, "Applied, and not to be sent again: edit 1, 3.")
	require.Contains(t, ask, "Edit 2, greet.go: Content sequence not found in file.")
	require.Len(t, s.Model.Requests()[1].Messages, 3, "with the conversation before it")
}

// The edits behind one that failed are made as they were first written, once that is corrected, in every file.
func TestEditsThatWaitForACorrectionAreNotAskedForAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.push(map[string]string{"a.txt": "one\ntwo\nthree\n", "b.txt": "red\ngreen\nblue\n"})
	s.Model.Says(edit("a.txt", "eins", "1") + edit("a.txt", "two", "2") + edit("a.txt", "three", "3\nfour") +
		edit("b.txt", "rot", "RED") + edit("b.txt", "blue", "BLUE"))
	s.Model.Says(edit("a.txt", "uno", "1") + edit("b.txt", "red", "RED") + edit("b.txt", "blue", "BLUE"))
	s.Model.Says(edit("a.txt", "one", "1"))
	got := s.say("/tenon fix `a.txt` and `b.txt`")
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer, " · 5 edits committed")
	require.Equal(t, "1\n2\n3\nfour\n", s.File("speed", "a.txt"))
	require.Equal(t, "RED\ngreen\nBLUE\n", s.File("speed", "b.txt"))
	ask := s.Model.Questions()
	require.Len(t, ask, 3)
	require.Contains(t, ask[1], "Edit 2, 3, 5 of the same files will be applied as written, after the correction.")
	require.Contains(t, ask[2], "Edit 2, 3 of the same files will be applied as written, after the correction.")
}

func TestAReplyThatWasCutInTheMiddleOfABlockIsContinued(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Model.IsCut(edit("main.go", helloLine, byeLine) + "greet.go\n```\n<<<<<<< SEARCH\nfunc greet() st")
	s.Model.Says(edit("greet.go", greetLine, betterGreet))
	got := s.say("/tenon fix `main.go` and `greet.go`")
	require.Contains(t, got.answer, " · 2 edits committed")
	require.NotContains(t, got.answer, "cut off")
	require.Contains(t, s.Model.Questions()[1], "Continue with block 2")
}

// What broke is the connection, not a limit. The rest is asked for when the provider wants it to be, by a run that
// uses up no attempt.
func TestAReplyWhoseConnectionBrokeIsContinuedLater(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	retryAt := s.Clock.Now().Add(5 * time.Minute)
	s.Model.Breaks("It says hello.\n\nCOMMIT: fix: say good bye\n\n"+edit("main.go", helloLine, byeLine)+
		"greet.go\n```\n<<<<<<< SEARCH\nfunc greet() st", retryAt)
	s.Model.Says(edit("greet.go", greetLine, betterGreet))
	var asked time.Time
	waited := ""
	s.Before("Complete").Nth(2).Do(func() { asked, waited = s.Clock.Now(), s.pull.LastAnswer() })
	got := s.say("/tenon fix `main.go` and `greet.go`")
	require.Contains(t, got.answer, "2 edits")
	require.NotContains(t, got.answer, "broke", "all of it came in the end")
	require.False(t, asked.Before(retryAt))
	require.Contains(t, waited, "**Waiting**: the connection to the model broke inside its reply")
	require.Len(t, s.Model.Questions(), 2, "the first question is not asked again")
	require.Contains(t, s.Model.Questions()[1], "Continue with block 2")
}

// Some servers end a response as it should be and send no finish reason: waiting would not help.
func TestAReplyThatJustEndsAgainAndAgainIsSaidToHaveBroken(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Model.JustEnds("It says hello.\n\nCOMMIT: fix: say good bye\n\n" + edit("main.go", helloLine, byeLine) +
		"greet.go\n```\n<<<<<<< SEARCH\nfunc greet() st")
	got := s.say("/tenon fix `main.go` and `greet.go`")
	require.Contains(t, got.answer, "The connection to the model broke in the middle of its reply")
	require.NotContains(t, got.answer, "limit")
	require.NotContains(t, got.answer, "func greet() st\n", "no fragment of a block is shown as prose")
	require.NotContains(t, got.answer, "COMMIT:")
	require.Contains(t, s.File("speed", "main.go"), "goodbye", "what came whole is committed")
}

func TestAModelThatNeverGetsItRightEndsHonestly(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Model.IsCut(edit("main.go", helloLine, byeLine) + edit("greet.go", badGreet, betterGreet))
	got := s.say("/tenon fix `main.go` and `greet.go`")
	require.Equal(t, "rocket", got.verdict)
	require.Len(t, s.Model.Questions(), 4, "one, one continuation, two repairs")
	require.Contains(t, got.answer, " · 1 of 2 edits committed")
	require.Contains(t, got.answer, "4 calls")
	require.Equal(t, bottest.LatheFiles["greet.go"], s.File("speed", "greet.go"))
}

func TestAProtectedPathIsNoReasonToAskAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit(".github/workflows/ci.yml", "", "on: push"))
	got := s.say("/tenon fix `main.go`")
	require.Len(t, s.Model.Questions(), 1)
	require.Contains(t, got.answer,
		": the file is protected, because it decides what runs in CI; change the file by hand.")
	require.Empty(t, s.Commits("speed"))
}

func TestAModelMayAskInThreeRoundsAndThenEdits(t *testing.T) {
	t.Parallel()
	s := newStory(
		t,
		"I cannot see it.\nFIND: func greet\n- NEED: `nowhere.go`\n",
		"NEED: greet.go:1-2",
		"NEED: greet.go greet",
		edit("greet.go", greetLine, betterGreet),
	)
	require.Equal(t, "rocket", s.say("/tenon fix the greeting in `main.go`").verdict)
	require.Contains(t, s.File("speed", "greet.go"), "good day")
	ask := s.Model.Questions()
	require.Len(t, ask, 4)
	require.NotContains(t, ask[0], greetLine)
	require.Contains(t, ask[1], "greet.go:3: "+greetLine)
	require.Contains(t, ask[1], "nowhere.go is not shown: there is no such file.")
	require.Contains(t, ask[1], "You may ask 2 more times")
	require.Contains(t, ask[2], "file greet.go, lines 1 to 2 of 3>>\npackage main")
	require.Contains(t, ask[2], "You may ask once more")
	require.Contains(t, ask[3], "lines 3 to 3 of 3>>\n"+greetLine)
	require.Contains(t, ask[3], "This was the last round: do not ask again.")
	for _, text := range ask {
		require.NotContains(t, text, "No more can be shown")
	}
}

// Providers cache what they have seen before: a round only adds to it.
func TestARoundOnlyAddsToTheConversation(t *testing.T) {
	t.Parallel()
	s := newStory(t, "NEED: greet.go", "FIND: println", goodbye)
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	requests := s.Model.Requests()
	require.Len(t, requests, 3)
	for i, r := range requests[1:] {
		require.Equal(t, requests[i].System, r.System)
		require.Equal(t, requests[i].Messages, r.Messages[:len(requests[i].Messages)])
	}
}

func TestAFourthTimeAModelIsToldToGetOnWithIt(t *testing.T) {
	t.Parallel()
	s := newStory(t, "NEED: greet.go", "NEED: greet.go", "FIND: hello", "NEED: speed.txt",
		edit("greet.go", greetLine, betterGreet))
	require.Equal(t, "rocket", s.say("/tenon fix the greeting in `main.go`").verdict)
	ask := s.Model.Questions()
	require.Len(t, ask, 5)
	require.Contains(t, ask[2], "`NEED: greet.go` is answered above", "to ask again in vain takes a round as well")
	require.Contains(t, ask[2], "You may ask once more")
	require.NotContains(t, ask[4], "file speed.txt")
	require.Contains(t, ask[4], "Your reply contains no readable edit block")
}

func TestACommandThatEndsWithRequestsSaysSo(t *testing.T) {
	t.Parallel()
	s := newStory(t, "NEED: greet.go", "FIND: hello", "NEED: speed.txt", "NEED: go.mod", "NEED: go.mod")
	got := s.say("/tenon fix the greeting in `main.go`")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "❌ **Nothing committed:** the model asked to see more code than one command may show")
	require.Contains(t, got.answer, "\n\nName the files that matter in the command, or ask for less at a time.\n\n")
}

func TestAQuestionHasRoundsToo(t *testing.T) {
	t.Parallel()
	s := newStory(t, "FIND: hello", "NEED: greet.go", "NEED: main.go:2-3", "NEED: greet.go greet")
	got := s.say("/tenon ask what does `speed.txt` say?")
	require.Len(t, s.Model.Questions(), 4)
	require.Contains(t, s.Model.Questions()[3], "This was the last round: do not ask again. Now answer the question.")
	require.Contains(t, got.answer, "The model gave no answer.")
	require.NotContains(t, got.answer, "NEED:", "what is meant for tenon is no answer")
}

func TestWhatARoundShowedIsInTheAnswer(t *testing.T) {
	t.Parallel()
	s := newStory(t, "NEED: greet.go, nowhere.go", edit("greet.go", greetLine, betterGreet))
	got := s.say("/tenon fix the greeting in `main.go`")
	require.Contains(t, got.answer, "`greet.go`: asked for by the model")
	require.Contains(t, got.answer, "`nowhere.go`: left out, there is no such file")
}

// The limit of the settings ends the rounds with what there is, and no round beyond it is promised.
func TestALimitOfTokensEndsTheRounds(t *testing.T) {
	t.Parallel()
	s := newStory(t, "NEED: greet.go", "NEED: speed.txt", edit("greet.go", greetLine, betterGreet))
	s.settings("limits: {tokens: 17000}\n")
	got := s.say("/tenon fix the greeting in `main.go`")
	ask := s.Model.Questions()
	require.Len(t, ask, 2)
	require.Contains(t, ask[1], "This was the last round: do not ask again.")
	require.Contains(t, got.answer, "one command may take 17,000 here")
	require.Empty(t, s.Commits("speed"))
}

// What a follow-up meets that a person could put right is no reason to lose what there is.
func TestAFollowUpThatIsRefusedEndsWithWhatThereIs(t *testing.T) {
	t.Parallel()
	s := newStory(t, halfReplies()[0])
	s.Model.Fails(&port.UserError{Text: "The model is overloaded."})
	got := s.say("/tenon fix `main.go` and `greet.go`")
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer, " · 1 of 2 edits committed")
	require.Contains(t, got.answer, "The model could not be asked again. The model is overloaded.")
}

func TestAnErrorOfTheModelIsTriedAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Model.Fails(bottest.Retryable(time.Minute))
	s.Model.Says(goodbye)
	require.Equal(t, []string{"eyes", "rocket"}, s.say("/tenon fix `main.go`").reactions)
	require.Len(t, s.pull.Answers(), 1)
}

// While the model writes, the answer shows how far the run is, from time to time.
func TestTheAnswerShowsHowFarTheRunIs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStory(t, goodbye)
		s.while(func() {
			time.Sleep(time.Second)
			require.Contains(t, s.pull.LastAnswer(), "⏳ **reading the files**", "edits are scarce")
			time.Sleep(12 * time.Second)
			synctest.Wait()
			require.Contains(t, s.pull.LastAnswer(), "⏳ **asking the model**")
			require.Len(t, s.Calls("Progress"), 1)
		})
		got := s.say("/tenon fix `main.go`")
		require.Contains(t, got.answer, " · 1 edit committed")
		require.Len(t, s.Calls("Progress"), 1, "nothing is shown when it is over")
	})
}

func TestProgressThatCannotBeShownStopsNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStory(t, goodbye)
		s.Before("Progress").Fail(bottest.Retryable(time.Minute))
		s.while(func() {
			time.Sleep(15 * time.Second)
			synctest.Wait()
		})
		require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	})
}

func TestTheBlocksOfAReplyAreShownAsTheyArrive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStory(t)
		s.bot.Model = slowModel{s.Model, 30 * time.Second}
		s.Model.Says(threeEdits)
		shown := map[string]bool{}
		s.Before("Progress").Every().Do(func() {
			for _, c := range s.Calls("Progress") {
				for _, name := range []string{"main.go", "greet.go", "new.txt"} {
					shown[name] = shown[name] || strings.Contains(c.Text, name)
				}
			}
		})
		require.Equal(t, "rocket", s.say("/tenon fix it").verdict)
		require.True(t, shown["main.go"])
		require.True(t, shown["greet.go"])
	})
}

// A model that writes for longer than 20 minutes is not waited for.
func TestAModelThatTakesTooLongIsGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStory(t, goodbye)
		s.while(func() { time.Sleep(21 * time.Minute) })
		got := s.say("/tenon fix `main.go`")
		require.Equal(t, []string{"eyes", "confused"}, got.reactions)
		require.Contains(t, got.answer, "The model did not answer within 20 minutes.")
		require.Empty(t, s.Commits("speed"))
	})
}

// busyModel answers other commands for a while before it begins with one. It is used in a bubble of testing/synctest.
type busyModel struct {
	port.Model
	meanwhile func()
}

func (m busyModel) Complete(ctx context.Context, r port.Request, onText func(string)) (port.Answer, error) {
	begins := port.Busy(ctx)
	time.Sleep(time.Minute)
	m.meanwhile()
	begins()
	time.Sleep(time.Minute)
	return m.Model.Complete(ctx, r, onText)
}

// What it would reserve while it waits, others could not spend.
func TestACommandThatWaitsForAModelThatAnswersOthersSaysSoAndReservesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStory(t, goodbye)
		s.bot.Model = busyModel{s.Model, func() { require.Len(t, s.Calls("Charge"), 1, "nothing is reserved") }}
		s.say("/tenon fix `main.go`")
		require.Len(t, s.Calls("Reserve"), 2)
		require.Equal(t, 1, s.progressSaying("⏳ **waiting for the model, which answers other commands**"))
		shown := s.Calls("Progress")
		require.Contains(t, shown[len(shown)-1].Text, "⏳ **asking the model**")
	})
}
