package bot_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

func TestASecondCommandSaysThatItWaitsAndForWhat(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, edit("greet.go", greetLine, betterGreet))
	var second *bottest.Comment
	first := s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Model.Forget()
	s.Model.Says(goodbye)
	s.while(func() {
		second = s.pull.Comment("maria", "/tenon fix the word in `greet.go`")
		s.NotifyQueued()
		require.Len(t, s.pull.Answers(), 2)
		require.Contains(t, s.pull.LastAnswer(), fmt.Sprintf("Waiting** for [`/tenon fix`](%s) by `maria`, which comes first",
			first.Port().URL))
		require.Empty(t, second.Reactions(), "it is not taken yet")
	})
	s.Model.Says(edit("greet.go", greetLine, betterGreet))
	s.Run()
	require.Equal(t, []string{"eyes", "rocket"}, reactions(first))
	require.Equal(t, []string{"eyes", "rocket"}, reactions(second))
	require.Len(t, s.Commits("speed"), 2)
	require.Len(t, s.pull.Answers(), 2, "what said that it waits is the answer now")
	require.NotContains(t, strings.Join(s.pull.Answers(), ""), "Waiting")
}

func TestACommandOnALineSaysInItsThreadThatItWaits(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	var c *bottest.Comment
	s.while(func() {
		c = s.pull.ReviewComment("maria", "speed.txt", 1, "/tenon fix this")
		s.NotifyQueued()
		require.Contains(t, s.repliesTo(c)[0], "**Waiting** for")
	})
	s.Model.Says(faster)
	s.say("/tenon fix `main.go`")
	require.Len(t, s.repliesTo(c), 1)
	require.Contains(t, s.repliesTo(c)[0], " · 1 edit committed")
	require.Len(t, s.pull.Answers(), 1, "nothing of it in the conversation")
}

func TestWhatIsNotToldThatItWaits(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	c := s.preview(previewThree)
	s.Model.Forget()
	s.Model.Says("NO CHANGE: all is well.")
	s.while(func() {
		answers := len(s.pull.Said())
		s.pull.Comment("stranger", "/tenon fix it all")
		c.Tick("maria", 1)
		s.pull.Label("maria", "bug")
		s.pull.Comment("maria", "> /tenon fix it, @tenon")
		s.NotifyQueued()
		require.Len(t, s.pull.Said(), answers)
	})
	s.say("/tenon fix `main.go`")
	require.Contains(t, box(c, 1), "committed in [`")
}

// Not even who waits for an owner that is not served.
func TestWhereNobodyIsServedNobodyIsToldThatTheyWait(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.while(func() {
		s.bot.Owners = []string{"others"}
		s.pull.Comment("maria", "/tenon fix `greet.go`")
		s.NotifyQueued()
		require.Len(t, s.pull.Said(), 1)
	})
	s.say("/tenon fix `main.go`")
	require.Contains(t, s.pull.LastAnswer(), "does not serve")
}

func TestANoticeThatCannotBeSentIsLogged(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.while(func() {
		s.pull.Comment("maria", "/tenon fix `greet.go`")
		s.Before("Permission").Fail(errors.New("no"))
		s.NotifyQueued()
	})
	s.Model.Says("NO CHANGE")
	s.say("/tenon fix `main.go`")
	require.Contains(t, s.Logged(), "people were not told that an event waits")
	require.Len(t, s.pull.Answers(), 2)
}

func TestWhoIsTurnedAwayAfterAWaitIsNotLeftWaiting(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.addVictor()
	var c *bottest.Comment
	s.while(func() {
		c = s.pull.Comment("victor", "/tenon fix `greet.go`")
		s.NotifyQueued()
		s.Repo.SetRole("victor", port.PermissionRead)
	})
	s.say("/tenon fix `main.go`")
	require.Equal(t, []string{"-1"}, c.Reactions())
	require.Len(t, s.pull.Answers(), 2)
	require.Contains(t, s.pull.Answers()[1], "`/tenon fix` needs write permission in this repository, and you have read")
	require.NotContains(t, s.pull.Answers()[1], "Waiting")
	require.Len(t, s.Commits("speed"), 1)
}

func TestACancelEndsWhatRunsAndWhatWaits(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	first := s.pull.Comment("maria", "/tenon fix `main.go`")
	var second *bottest.Comment
	s.while(func() {
		second = s.pull.Comment("maria", "/tenon fix `main.go` again")
		s.NotifyQueued()
		s.pull.Comment("maria", "/tenon cancel")
		s.RunImmediate()
	})
	s.Run()
	require.Equal(t, []string{"eyes", "confused"}, reactions(first))
	require.Equal(t, []string{"confused"}, reactions(second), "a cancelled event is told that it was, and waits no more")
	require.Len(t, s.pull.Answers(), 3)
	all := strings.Join(s.pull.Answers(), "\n")
	require.Equal(t, 2, strings.Count(all, "**Cancelled** by `maria`. Nothing was committed."))
	require.NotContains(t, all, "**Waiting**")
	require.Contains(
		t,
		all,
		fmt.Sprintf("(%s) by `maria`, which was running; nothing was committed", first.Port().URL),
	)
	require.Contains(t, all, fmt.Sprintf("(%s) by `maria`, which was waiting", second.Port().URL))
	require.Empty(t, s.Commits("speed"))
	require.Len(t, s.Model.Questions(), 1)
	require.Empty(t, s.Repo.CheckRuns(), "who cancelled it knows")
	require.Empty(t, s.Queue.DeadLetters())
}

func TestACancelOfACommandThatLeftNoTraceIsEnough(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	var second *bottest.Comment
	s.while(func() {
		second = s.pull.Comment("maria", "/tenon fix `main.go` again")
		s.pull.Comment("maria", "/tenon cancel")
		s.RunImmediate()
	})
	s.say("/tenon fix `main.go`")
	require.Empty(t, second.Reactions())
	require.Len(t, s.pull.Answers(), 2)
}

// A cancel that comes before the run has answered is told in the answer to the cancel alone.
func TestACancelBeforeTheAnswerIsToldOnce(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Sibling").Do(func() {
		s.pull.Comment("maria", "/tenon cancel")
		s.RunImmediate()
	})
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Len(t, s.pull.Answers(), 1)
	require.Contains(t, s.pull.LastAnswer(), "which was running; nothing was committed")
	require.Empty(t, s.Model.Questions())
	require.Empty(t, s.Queue.DeadLetters())
}

func TestACancelWhoseEndCannotBeToldIsToldLater(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.while(func() {
		s.pull.Comment("maria", "/tenon cancel")
		s.RunImmediate()
		s.Before("Edit").Of("**Cancelled**").Fail(bottest.Retryable(time.Minute))
	})
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Contains(t, strings.Join(s.pull.Answers(), ""), "**Cancelled** by `maria`")
}

func TestACancelEndsNothingOfOtherThreads(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	issue := s.issue("")
	s.while(func() {
		s.pull.Comment("maria", "/tenon cancel")
		s.RunImmediate()
	})
	require.Equal(t, "rocket", s.sayIn(issue, "/tenon fix `main.go`").verdict)
	require.Contains(t, s.pull.LastAnswer(), "Nothing is running or waiting on this pull request")
}

func TestACancelThatComesTooLateSaysSo(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Upload").Do(func() {
		s.pull.Comment("maria", "/tenon cancel")
		s.RunImmediate()
		require.Equal(t, 1, s.saying("**Too late to cancel**"))
		require.Equal(t, 1, s.saying(": too late, it was already committing; see its answer"))
	})
	require.Equal(t, 0, len(s.Commits("speed")))
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Len(t, s.Commits("speed"), 1)
	require.Equal(t, 1, s.saying(" · 1 edit committed"))
	require.Len(t, s.pull.Answers(), 2)
}

// A cancel that falls between the model's answer and the point of no return is in time.
func TestACancelAtThePointOfNoReturn(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Record").Of("committing").Do(func() {
		s.pull.Comment("maria", "/tenon cancel")
		s.RunImmediate()
	})
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Empty(t, s.Commits("speed"))
	require.Equal(t, 1, s.saying("**Cancelled** by `maria`"))

	late := newStory(t, goodbye)
	late.After("Record").Of("committing").Do(func() {
		late.pull.Comment("maria", "/tenon cancel")
		late.RunImmediate()
	})
	late.pull.Comment("maria", "/tenon fix `main.go`")
	late.Run()
	require.Equal(t, 1, late.saying("**Too late to cancel**"))
	require.Equal(t, len(late.Commits("speed")), late.saying(" · 1 edit committed"), "what is told is what was done")
}

func TestAStrangerCancelsNothing(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.while(func() {
		c := s.pull.Comment("stranger", "/tenon cancel")
		s.RunImmediate()
		require.Equal(t, []string{"-1"}, c.Reactions())
	})
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
}

func TestATickThatWaitsAndIsCancelledIsTakenBack(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits, goodbye)
	c := s.preview(previewThree)
	s.while(func() {
		c.Tick("maria", 2)
		s.pull.Comment("maria", "/tenon cancel")
		s.RunImmediate()
		require.Contains(t, box(c, 2), "- [ ] ")
	})
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Empty(t, s.Commits("speed"))
	s.tick("maria", c, 2)
	require.Contains(t, box(c, 2), "committed in [`")
}

func TestATickThatRunsAndIsCancelledIsTakenBack(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	c := s.preview(previewThree)
	s.Before("Record").Of("choice").Do(func() {
		s.pull.Comment("maria", "/tenon cancel")
		s.Before("Comment").Fail(bottest.Retryable(0)) // the cancel cannot undo it
		s.RunImmediate()
	})
	s.tick("maria", c, 2)
	require.Empty(t, s.Commits("speed"))
	require.Contains(t, box(c, 2), "- [ ] ")
	require.Len(t, s.pull.Answers(), 2)
}

func TestAStatusShowsTheQueueAndToThoseWhoMayWriteTheBudgets(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	first := s.pull.Comment("maria", "/tenon fix `main.go`")
	s.while(func() {
		second := s.pull.Comment("maria", "/tenon fix `main.go` again")
		s.NotifyQueued()
		s.pull.Comment("stranger", "/tenon status")
		s.RunImmediate()
		strange := s.pull.LastAnswer()
		require.Contains(t, strange, "**Running**")
		require.Contains(t, strange, fmt.Sprintf("(%s) by `maria` · read 2 files: `main.go`, `speed.txt`; asking the model",
			first.Port().URL))
		require.Contains(t, strange, "1. [`/tenon fix`](")
		require.Contains(t, strange, fmt.Sprintf("(%s) by `maria`, for ", second.Port().URL))
		require.NotContains(t, strange, "Budgets")
		s.pull.Comment("maria", "/tenon status")
		s.RunImmediate()
		require.Contains(t, s.pull.LastAnswer(), "\n- your commands today: 19 of 20 left; resets on ")
	})
	s.Run()
	require.Contains(t, s.sayAs("stranger", s.pull, "/tenon status").answer,
		"Nothing is running or waiting on this pull request.")
}

// How far a run is, of which another version of the program made the record, is not told.
func TestAStatusOfARunThatCannotBeRead(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.pull.Comment("maria", "/tenon fix `main.go`")
	delivery := s.LastEvent().Delivery
	s.while(func() {
		require.NoError(t, s.Queue.SetStep(delivery, "context", port.Step{Version: 99, Data: []byte("[]")}))
		s.pull.Comment("maria", "/tenon status")
		s.RunImmediate()
		require.Contains(t, s.pull.LastAnswer(), "**Running**")
	})
	s.Run()
	require.Contains(t, s.Logged(), "run not read")
}

func TestAQueueThatFailsIsAskedAgain(t *testing.T) {
	t.Parallel()
	for op, command := range map[string]string{"Queued": "/tenon status", "Usage": "/tenon status",
		"Cancel": "/tenon cancel", "Past": "/tenon undo"} {
		s := newStory(t, goodbye)
		s.Before(op).Fail(errors.New("the database is busy"))
		require.NotEmpty(t, s.say(command).answer, op)
	}
	for _, command := range []string{"/tenon status", "/tenon cancel"} {
		s := newStory(t, goodbye)
		s.while(func() {
			s.Before("FindRun").Fail(errors.New("the database is busy"))
			s.pull.Comment("maria", command)
			s.RunImmediate()
		})
		s.pull.Comment("maria", "/tenon fix `main.go`")
		s.Run()
		require.Len(t, s.pull.Answers(), 2)
	}
}

func TestAnEventThatIsLostToAnotherWorkerTouchesNothing(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Record").Of("apply.1").Fail(port.ErrLeaseLost)
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Len(t, s.Commits("speed"), 1)
	require.Len(t, s.Model.Questions(), 1)
}

func TestHelpExplainsTheCommands(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	got := s.sayAs("stranger", s.pull, "/tenon help")
	require.Equal(t, []string{"eyes"}, got.reactions)
	require.Contains(t, got.answer, "\n- `/tenon fix [what]` changes the code")
	require.Empty(t, s.Model.Questions())
	c := s.pull.ReviewComment("maria", "speed.txt", 1, "@tenon help")
	s.Run()
	require.Len(t, s.repliesTo(c), 1)
}
