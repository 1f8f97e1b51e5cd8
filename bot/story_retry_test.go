package bot_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

const fixWords = "/tenon fix the words in `main.go` and `greet.go`"

func TestARetryAsksOnlyForWhatFailed(t *testing.T) {
	t.Parallel()
	s := newStory(t, halfReplies(edit("greet.go", greetLine, betterGreet))...)
	first := s.say(fixWords)
	require.Contains(t, first.answer, " · 1 of 2 edits committed")
	require.Contains(t, first.answer, "; `/tenon retry` asks again.")

	require.Equal(t, []string{"eyes", "rocket"}, s.say("/tenon retry").reactions)
	require.Len(t, s.Model.Questions(), 4)
	ask := s.Model.LastQuestion()
	require.Contains(t, ask, "fix the words in `main.go` and `greet.go`", "the task is the first one")
	require.Contains(t, ask, "These edits were made, and stay: edit 1 of main.go, line 4.")
	require.Contains(t, ask, "Edit 2 of greet.go: Content sequence not found in file.")
	require.Contains(t, ask, "-"+badGreet+"\n+"+betterGreet)
	require.Contains(t, ask, byeLine, "files are shown as they are now")
	require.Less(t, strings.Index(ask, "file greet.go>>"), strings.Index(ask, "file main.go>>"), "what failed comes first")
	require.Contains(t, s.File("speed", "greet.go"), "good day")
	require.Len(t, s.Commits("speed"), 2)

	require.Contains(t, s.say("/tenon retry").answer, "Nothing is left to retry here")
	require.Len(t, s.Model.Questions(), 4)
}

func TestARetryOfARetryGoesOn(t *testing.T) {
	t.Parallel()
	s := newStory(t, halfReplies()...)
	s.say(fixWords)
	button := s.Repo.CheckRuns()[0]
	second := s.say("/tenon retry")
	require.Equal(t, "confused", second.verdict)
	s.Model.Forget()
	s.Model.Says(edit("greet.go", greetLine, betterGreet))
	require.Equal(t, "rocket", s.say("/tenon retry").verdict)
	require.Contains(t, s.Model.LastQuestion(), "fix the words in `main.go` and `greet.go`")
	s.Repo.Press("maria", button, "retry")
	s.Run()
	require.Contains(t, s.pull.LastAnswer(), "Nothing of run `"+button.Run+"` is left to retry.")
}

func TestARetryHasOptionsOfItsOwn(t *testing.T) {
	t.Parallel()
	s := newStory(t, halfReplies(edit("greet.go", greetLine, betterGreet))...)
	s.bot.Models = []port.ModelInfo{{Name: "one"}, {Name: "two"}, {Name: "three"}}
	s.say("/tenon fix --model two --format section the words in `main.go` and `greet.go`")
	require.Equal(t, "rocket", s.say("/tenon retry --model three").verdict)
	all := s.Model.Requests()
	require.Equal(t, "two", all[0].Model)
	require.Equal(t, "three", all[len(all)-1].Model)
	require.Equal(t, all[0].System, all[len(all)-1].System, "the format is that of the first command")
}

// A button means its own run, though another one failed since.
func TestTheButtonOfACheckTriesAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t, halfReplies(faster+edit("main.go", "nothing", "x"), edit("main.go", "nothing", "x"), "NO CHANGE",
		edit("greet.go", greetLine, betterGreet))...)
	s.say(fixWords)
	button := s.Repo.CheckRuns()[0]
	require.Equal(t, "rocket", s.say("/tenon fix `speed.txt`").verdict)
	s.Repo.Press("maria", button, "retry")
	s.Run()
	require.Contains(t, s.Model.LastQuestion(), badGreet)
	require.Len(t, s.Commits("speed"), 3)
	require.Contains(t, s.File("speed", "greet.go"), "good day")
}

func TestAButtonOfARunThatIsUnknownHereDoesNothing(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.say("/tenon fix `main.go`")
	check := s.Repo.CheckRuns()[0]
	answers := len(s.pull.Said())
	other := check
	other.Run = "aaaabbbbcccc"
	s.Repo.Press("maria", other, "undo")
	other = check
	other.Thread = s.issue("").Number()
	s.Repo.Press("maria", other, "undo")
	s.Run()
	require.Len(t, s.Commits("speed"), 1)
	require.Len(t, s.pull.Said(), answers)
	s.Before("FindRun").Fail(bottest.Retryable(0))
	s.Repo.Press("maria", check, "undo")
	s.Run()
	require.Len(t, s.Commits("speed"), 2, "a failure of the queue is tried again")
}

func TestACommandThatTheModelNeverAnsweredIsGivenAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Model.Fails(&port.UserError{Text: "The key is wrong."})
	s.Model.Says(faster)
	first := s.pull.ReviewComment("maria", "speed.txt", 1, "/tenon fix this")
	s.Run()
	require.Equal(t, []string{"eyes", "confused"}, reactions(first))
	require.Equal(t, []string{"eyes", "rocket"}, s.say("/tenon retry").reactions)
	require.Contains(t, s.Model.LastQuestion(), " task>>\nthis\n", "the words of the first command")
	require.Contains(t, s.Model.LastQuestion(), "speed.txt, line 1", "and its place")
	require.Equal(t, "faster\n", s.File("speed", "speed.txt"))
}

// Any command that asks a model is given again, by a button too.
func TestAnAddressThatTheModelNeverAnsweredIsGivenAgainByAButton(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.reviewed()
	s.Model.Fails(&port.UserError{Text: "The key is wrong."})
	s.Model.Says("REMARK 1: Yes.\nNO CHANGE\n")
	thread := s.pull.ReviewComment("maria", "a.go", 3, "Make it 10.")
	s.say("/tenon address\n\nBe gentle.")
	check := s.Repo.CheckRuns()[0]
	check.Buttons = []port.CheckButton{{Verb: "retry"}}
	s.Repo.Press("maria", check, "retry")
	s.Run()
	require.Len(t, s.repliesTo(thread), 1)
	require.Contains(t, s.Model.LastQuestion(), "Be gentle.")
}

func TestAWholeRetryIsHeldToTheSettingsOfTheFirstCommand(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Model.Fails(&port.UserError{Text: "The key is wrong."})
	s.say("/tenon ask why?")
	s.settings("verbs: [retry]\n")
	require.Contains(t, s.say("/tenon retry").answer, "`/tenon ask` is not allowed here")
	require.Len(t, s.Model.Questions(), 1)
}

func TestNothingToRetryIsTold(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, edit(".github/workflows/ci.yml", "", "on: push"))
	require.Contains(t, s.say("/tenon retry").answer, "Nothing is left to retry here")
	s.say("/tenon fix `main.go`")
	require.Contains(t, s.say("/tenon retry").answer, "Nothing is left to retry here")
	s.say("/tenon fix the workflow")
	require.Contains(t, s.say("/tenon retry").answer, "would fail again whatever the model says")
	require.Len(t, s.Model.Questions(), 2)
	s.pull.SetOpen(false)
	require.Contains(t, s.say("/tenon retry").answer, "This pull request is closed")
}

// Somebody who may not give commands has given one; a retry does not take it up.
func TestARetryIsNotMadeOfAStrangersCommand(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.sayAs("stranger", s.pull, "/tenon fix `main.go`")
	require.Equal(t, "confused", s.say("/tenon retry").verdict)
	require.Empty(t, s.Model.Questions())
}

func TestARetryOnThePullRequestOfAnIssueGoesOnOnItsBranch(t *testing.T) {
	t.Parallel()
	s := newStory(t, halfReplies(edit("greet.go", greetLine, betterGreet))...)
	issue := s.Repo.OpenIssue("maria", "Words", "Wrong words in `main.go` and `greet.go`.\n\n/tenon fix them")
	s.Run()
	require.Equal(t, "rocket", s.sayIn(s.Repo.PullOf(issueBranch(issue)), "/tenon retry").verdict)
	require.Contains(t, s.File(issueBranch(issue), "greet.go"), "good day")
	require.Contains(t, s.Model.LastQuestion(), "task>>\nthem\n")
}

func TestARetryAsksForPastedBlocksThatFailed(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("greet.go", greetLine, betterGreet))
	require.Contains(t, s.say("/tenon apply\n\n"+halfReplies()[0]).answer, " · 1 of 2 edits committed")
	require.Equal(t, "rocket", s.say("/tenon retry").verdict)
	require.Contains(t, s.Model.LastQuestion(), "task>>\nMake the edits that were not made.\n")
	require.Contains(t, s.File("speed", "greet.go"), "good day")
}

func TestARetryOfAPreviewedEditKnowsWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	s := newStory(t, halfReplies(edit("greet.go", greetLine, betterGreet))...)
	s.say("/tenon preview the words in `main.go` and `greet.go`")
	require.Equal(t, "rocket", s.say("/tenon apply 1,2").verdict)
	require.Equal(t, "rocket", s.say("/tenon retry").verdict)
	require.Contains(t, s.Model.LastQuestion(), "task>>\nthe words in `main.go` and `greet.go`\n")
	require.Contains(t, s.File("speed", "greet.go"), "good day")
}
