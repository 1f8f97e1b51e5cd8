package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/ghtest"
)

// halfReplies are those of a fix of which one edit is made and one is not, whatever the model is told.
func halfReplies(more ...string) []string {
	bad := edit("greet.go", badGreet, betterGreet)
	return append([]string{edit("main.go", helloLine, byeLine) + bad, bad, bad}, more...)
}

func (s *stage) lastQuestion() string {
	s.t.Helper()
	all := s.model.questions()
	return all[len(all)-1]
}

// saying counts the answers that hold a text.
func (s *stage) saying(text string) (n int) {
	s.t.Helper()
	for _, a := range s.answers() {
		if strings.Contains(a, text) {
			n++
		}
	}
	return n
}

func TestARetryAsksOnlyForWhatFailed(t *testing.T) {
	t.Parallel()
	s := newStage(t, halfReplies(edit("greet.go", greetLine, betterGreet))...)
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix the words in `main.go` and `greet.go`")), "rocket")
	require.Contains(t, s.answers()[0], "Applied 1, failed 1")
	require.Contains(t, s.answers()[0], "`/tenon retry` asks again for what failed.")

	require.Equal(t, []string{"eyes", "rocket"}, s.settled(s.comment("maria", "/tenon retry")))
	require.Len(t, s.model.questions(), 4)
	ask := s.lastQuestion()
	require.Contains(t, ask, "fix the words in `main.go` and `greet.go`", "the task is the first one")
	require.Contains(t, ask, "Made already, and to stay: edit 1 of main.go, line 4.")
	require.Contains(t, ask, "Edit 2 of greet.go: Content sequence not found in file.")
	require.Contains(t, ask, "-"+badGreet+"\n+"+betterGreet)
	require.Contains(t, ask, byeLine, "files are shown as they are now")
	require.Less(t, strings.Index(ask, "file greet.go>>"), strings.Index(ask, "file main.go>>"), "what failed comes first")
	require.Contains(t, s.file("greet.go"), "good day")
	require.Len(t, s.commits(), 2)
	require.Len(t, s.answers(), 2)
	require.Equal(t, 1, s.saying("**Applied 1, failed 0, skipped 0 of 1 edit**"))

	require.Contains(t, s.settled(s.comment("maria", "/tenon retry")), "confused")
	require.Equal(t, 1, s.saying("Nothing failed here, or all of it was tried again since, so the model was not asked."))
	require.Len(t, s.model.questions(), 4)
}

func TestARetryOfARetryGoesOnWithWhatIsLeft(t *testing.T) {
	t.Parallel()
	bad := edit("greet.go", badGreet, betterGreet)
	s := newStage(t, halfReplies(bad, bad, bad, edit("greet.go", greetLine, betterGreet))...)
	s.start()
	s.settled(s.comment("maria", "/tenon fix the words in `main.go` and `greet.go`"))
	require.Contains(t, s.settled(s.comment("maria", "/tenon retry")), "confused")
	require.Contains(t, s.settled(s.comment("maria", "/tenon retry --model model-1")), "rocket")
	require.Contains(t, s.lastQuestion(), "fix the words in `main.go` and `greet.go`")
	require.Contains(t, s.lastQuestion(), "Edit 1 of greet.go")
	require.Contains(t, s.file("greet.go"), "good day")
}

func TestTheRetryButtonTriesItsOwnRunAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t, halfReplies(edit("greet.go", greetLine, betterGreet))...)
	s.start()
	s.settled(s.comment("maria", "/tenon fix the words in `main.go` and `greet.go`"))
	var check int64
	s.until("a check with a button", func() bool {
		runs, err := s.github.CheckRuns(s.repo)
		require.NoError(t, err)
		for _, r := range runs {
			if strings.Contains(strings.Join(r.Actions, " "), "retry") {
				check = r.ID
			}
		}
		return check != 0
	})
	require.NoError(t, s.github.PressButton("maria", check, "retry"))
	s.until("the second commit", func() bool { return len(s.commits()) == 2 })
	require.Contains(t, s.file("greet.go"), "good day")
}

func TestACommandThatTheModelNeverAnsweredIsGivenAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t, noMark, "speed.txt\n<<<<<<< SEARCH\nfast\n=======\nfaster\n>>>>>>> REPLACE\n")
	s.start()
	first, err := s.github.ReviewComment("maria", s.repo, s.pull, ghtest.Place{Path: "speed.txt", Line: 1},
		"/tenon fix this")
	require.NoError(t, err)
	s.ends(ghtest.ReviewComment, first, "eyes", "confused")
	require.Equal(t, []string{"eyes", "rocket"}, s.settled(s.comment("maria", "/tenon retry")))
	require.Contains(t, s.lastQuestion(), " task>>\nthis\n", "the words of the first command")
	require.Contains(t, s.lastQuestion(), "speed.txt, line 1", "and its place")
	require.Equal(t, "faster\n", s.file("speed.txt"))
}

func TestNothingToRetryIsSaid(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply, edit(".github/workflows/ci.yml", "", "on: push"))
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon retry")), "confused")
	require.Equal(t, 1, s.saying("Nothing failed here"))
	s.settled(s.comment("maria", "/tenon fix `main.go`"))
	s.settled(s.comment("maria", "/tenon retry"))
	require.Equal(t, 2, s.saying("Nothing failed here"))
	s.settled(s.comment("maria", "/tenon fix the workflow"))
	s.settled(s.comment("maria", "/tenon retry"))
	require.Equal(t, 1, s.saying("would fail again, whatever the model says"))
	require.Len(t, s.model.questions(), 2)
}

// Somebody who may not give commands has given one; a retry does not take it up.
func TestARetryIsNotMadeOfAStrangersCommand(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	s.settled(s.comment("stranger", "/tenon fix `main.go`"))
	require.Contains(t, s.settled(s.comment("maria", "/tenon retry")), "confused")
	require.Empty(t, s.model.questions())
	require.Empty(t, s.commits())
}

func TestKilledInARetry(t *testing.T) {
	t.Parallel()
	s := newStage(t, halfReplies(edit("greet.go", greetLine, betterGreet))...)
	s.start()
	s.settled(s.comment("maria", "/tenon fix the words in `main.go` and `greet.go`"))
	k := newKiller(s)
	k.at(ghtest.AfterEffect, isPush)
	id := s.comment("maria", "/tenon retry")
	k.wait()
	s.github.Gate(nil)
	s.start()
	require.Equal(t, []string{"eyes", "rocket"}, s.settled(id))
	require.Len(t, s.model.questions(), 4)
	require.Len(t, s.commits(), 2)
	require.Len(t, s.answers(), 2)
}

func TestARetryOnAnIssueGoesOnOnItsBranch(t *testing.T) {
	t.Parallel()
	s := newStage(t, halfReplies(edit("greet.go", greetLine, betterGreet))...)
	s.start()
	number, err := s.github.OpenIssue("maria", s.repo, "Words",
		"Wrong words in `main.go` and `greet.go`.\n\n/tenon fix them")
	require.NoError(t, err)
	s.ends(ghtest.IssueItself, s.lastDelivery("issues").Subject, "eyes", "rocket")
	branch := fmt.Sprintf("tenon/issue-%d", number)
	id, err := s.github.Comment("maria", s.repo, s.pullOf(branch).Number, "/tenon retry")
	require.NoError(t, err)
	s.ends(ghtest.IssueComment, id, "eyes", "rocket")
	data, err := s.github.File(s.repo, branch, "greet.go")
	require.NoError(t, err)
	require.Contains(t, string(data), "good day")
	require.Contains(t, s.lastQuestion(), "task>>\nthem\n")
}

func TestARetryAsksForPastedBlocksThatFailed(t *testing.T) {
	t.Parallel()
	s := newStage(t, edit("greet.go", greetLine, betterGreet))
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon apply\n\n"+halfReplies()[0])), "rocket")
	require.Empty(t, s.model.questions())
	require.Equal(t, 1, s.saying("Applied 1, failed 1"))
	require.Equal(t, 1, s.saying("`/tenon retry` asks again for what failed."))
	require.Contains(t, s.settled(s.comment("maria", "/tenon retry")), "rocket")
	require.Contains(t, s.lastQuestion(), "task>>\nMake the edits that were not made.\n")
	require.Contains(t, s.lastQuestion(), "-"+badGreet+"\n+"+betterGreet)
	require.Contains(t, s.file("greet.go"), "good day")
}

func TestARetryOfAPreviewedEditKnowsWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	s := newStage(t, halfReplies(edit("greet.go", greetLine, betterGreet))...)
	s.start()
	s.comment("maria", "/tenon preview the words in `main.go` and `greet.go`")
	s.until("the preview", func() bool { return s.saying("Edit 2") > 0 })
	require.Contains(t, s.settled(s.comment("maria", "/tenon apply 1,2")), "rocket")
	require.Contains(t, s.settled(s.comment("maria", "/tenon retry")), "rocket")
	require.Contains(t, s.lastQuestion(), "task>>\nthe words in `main.go` and `greet.go`\n")
	require.Contains(t, s.file("greet.go"), "good day")
}
