package main

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// hold keeps the model from answering until release is called.
func (s *stage) hold() (release func()) {
	held := make(chan struct{})
	s.model.before = func() { <-held }
	release = sync.OnceFunc(func() { close(held) })
	s.t.Cleanup(release)
	return release
}

// questioned waits until the model was asked so often.
func (s *stage) questioned(n int) {
	s.t.Helper()
	s.until("a question to the model", func() bool { return len(s.model.questions()) >= n })
}

// said waits for an answer of the app that contains a text, and returns it.
func (s *stage) said(text string) (answer string) {
	s.t.Helper()
	s.until("an answer with "+text, func() bool {
		i := slices.IndexFunc(s.answers(), func(a string) bool { return strings.Contains(a, text) })
		if i >= 0 {
			answer = s.answers()[i]
		}
		return i >= 0
	})
	return answer
}

const greeting = "func greet() string { return \"hello\" }"

func TestASecondCommandSaysThatItWaitsAndForWhat(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply, strings.NewReplacer("main.go", "greet.go", "\tprintln(\"hello\")", greeting,
		"\tprintln(\"goodbye\")", strings.Replace(greeting, "hello", "welcome", 1)).Replace(goodReply))
	release := s.hold()
	s.start()
	first := s.comment("maria", "/tenon fix `main.go`")
	s.questioned(1)
	second := s.comment("maria", "/tenon fix the word in `greet.go`")
	waiting := s.said("**Waiting**")
	require.Len(t, s.answers(), 2)
	require.Regexp(t, "Waiting\\*\\* for \\[`/tenon fix`\\]\\(http[^)]*#issuecomment-"+jsonNumber(
		first)+"\\) by `maria`, which comes first", waiting)
	release()
	require.Equal(t, []string{"eyes", "rocket"}, s.settled(first))
	require.Equal(t, []string{"eyes", "rocket"}, s.settled(second))
	require.Len(t, s.commits(), 2)
	s.said("main.go#L4")
	s.said("greet.go#L3")
	require.Len(t, s.answers(), 2, "what said that it waits is the answer now")
}

func TestACommandOnALineSaysInItsThreadThatItWaits(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply, "speed.txt\n<<<<<<< SEARCH\nfast\n=======\nfaster\n>>>>>>> REPLACE\n")
	release := s.hold()
	s.start()
	s.comment("maria", "/tenon fix `main.go`")
	s.questioned(1)
	id, err := s.github.ReviewComment("maria", s.repo, s.pull, sim.Place{Path: "speed.txt", Line: 1}, "/tenon fix this")
	require.NoError(t, err)
	thread := func(text string) func() bool {
		return func() bool {
			list, err := s.github.ReviewComments(s.repo, s.pull)
			require.NoError(t, err)
			require.LessOrEqual(t, len(list), 2, "one answer")
			return len(list) == 2 && list[1].InReplyTo == id && strings.Contains(list[1].Body, text)
		}
	}
	s.until("the word that it waits", thread("**Waiting** for"))
	release()
	s.until("the answer in its place", thread(" · 1 edit committed"))
	require.Len(t, s.answers(), 1, "nothing of it in the conversation")
}

func TestACommandOnAnIssueSaysThatItWaits(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply, "NO CHANGE: all is said.")
	release := s.hold()
	s.start()
	number, _ := s.issue("", "/tenon fix `main.go`")
	s.questioned(1)
	second := s.commentIn(number, "/tenon fix what is left")
	s.until("the word that it waits", func() bool {
		answers := s.answersIn(number)
		return len(answers) == 2 && strings.Contains(answers[1], "which comes first on this issue")
	})
	release()
	require.Contains(t, s.settled(second), "confused")
	require.Len(t, s.answersIn(number), 2)
	require.Contains(t, s.answersIn(number)[1], "all is said.")
}

func TestAStrangersCommandIsNotToldThatItWaits(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	release := s.hold()
	s.start()
	s.comment("maria", "/tenon fix `main.go`")
	s.questioned(1)
	strange := s.comment("stranger", "/tenon fix it all")
	third := s.comment("maria", "/tenon fix it once more")
	s.said("**Waiting**") // the third; the stranger's would have been told before
	require.Len(t, s.answers(), 2)
	release()
	require.Contains(t, s.settled(third), "confused")
	require.Contains(t, s.settled(strange), "-1")
}

// The process dies right after it has said that a command waits: there is one answer to it anyway.
func TestKilledWhenItHasSaidThatACommandWaits(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	release := s.hold()
	s.startProcess()
	first := s.comment("maria", "/tenon fix `main.go`")
	s.questioned(1)
	s.said("**Working**")
	k := newKiller(s)
	k.at(simhttp.AfterEffect, isAnswer)
	second := s.comment("maria", "/tenon fix `main.go` again")
	k.wait()
	s.github.Gate(nil)
	release()
	s.startProcess()
	require.Contains(t, s.settled(first), "rocket")
	require.Equal(t, []string{"eyes", "confused"}, s.settled(second))
	require.Len(t, s.answers(), 2)
	require.NotContains(t, strings.Join(s.answers(), "\n"), "Waiting")
}

func TestACancelEndsWhatIsInWorkAndWhatWaits(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.hold()
	s.start()
	first := s.comment("maria", "/tenon fix `main.go`")
	s.questioned(1)
	second := s.comment("maria", "/tenon fix `main.go` again")
	s.said("**Waiting**")
	s.until("the eyes", func() bool { return len(s.reactions(second)) > 0 })
	s.comment("maria", "/tenon cancel")
	require.Equal(t, []string{"eyes", "confused"}, s.settled(first))
	require.Equal(t, []string{"eyes", "confused"}, s.settled(second))
	told := s.said("/tenon fix`](")
	require.Len(t, s.answers(), 3)
	require.Equal(t, 2, strings.Count(strings.Join(s.answers(), "\n"), "**Cancelled** by `maria`. Nothing was committed."))
	require.Contains(t, told,
		"#issuecomment-"+jsonNumber(first)+") by `maria`, which was running; nothing was committed")
	require.Contains(t, told, "#issuecomment-"+jsonNumber(second)+") by `maria`, which was waiting")
	require.Empty(t, s.commits())
	require.Len(t, s.model.questions(), 1)
	checks, err := s.github.CheckRuns(s.repo)
	require.NoError(t, err)
	require.Empty(t, checks)
}

func TestACancelEndsNothingOfOtherThreads(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	release := s.hold()
	s.start()
	number, elsewhere := s.issue("", "/tenon fix `main.go`")
	s.questioned(1)
	s.comment("maria", "/tenon cancel")
	require.Contains(t, s.said("nothing to cancel"), "Nothing is running or waiting on this pull request")
	release()
	require.Contains(t, s.settled(elsewhere), "rocket")
	require.Len(t, s.answersIn(number), 1)
}

func TestACancelThatComesTooLateSaysSo(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	held, there := make(chan struct{}), make(chan struct{})
	arrived := sync.OnceFunc(func() { close(there) })
	s.github.Gate(func(stage simhttp.Stage, r *http.Request) {
		if stage == simhttp.BeforeEffect && isPush(r) {
			arrived()
			<-held
		}
	})
	s.start()
	first := s.comment("maria", "/tenon fix `main.go`")
	<-there
	s.comment("maria", "/tenon cancel")
	require.Contains(t, s.said("**Too late to cancel**"), "too late, it was already committing; see its answer")
	close(held)
	require.Equal(t, []string{"eyes", "rocket"}, s.settled(first))
	require.Len(t, s.commits(), 1)
	require.Len(t, s.answers(), 2)
	s.said(" · 1 edit committed")
}

func TestAStrangerCancelsNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	release := s.hold()
	s.start()
	first := s.comment("maria", "/tenon fix `main.go`")
	s.questioned(1)
	require.Contains(t, s.settled(s.comment("stranger", "/tenon cancel")), "-1")
	release()
	require.Contains(t, s.settled(first), "rocket")
}

// The commit was made, and before the process could note it, it died; a cancel does not make that undone, and nobody is
// told so.
func TestACancelOfWhatDiedAfterItsPushLetsItFinish(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.startProcess()
	k := newKiller(s)
	k.at(simhttp.AfterEffect, isPush)
	first := s.comment("maria", "/tenon fix `main.go`")
	k.wait()
	held, there := make(chan struct{}), make(chan struct{})
	var n atomic.Int32
	s.github.Gate(func(stage simhttp.Stage, r *http.Request) {
		if stage == simhttp.BeforeEffect && hasSuffix(r, "/permission") && n.Add(1) == 1 {
			close(there) // the run that was taken up again waits here
			<-held
		}
	})
	s.startProcess()
	<-there
	s.comment("maria", "/tenon cancel")
	s.said("**Too late to cancel**")
	close(held)
	require.Equal(t, []string{"eyes", "rocket"}, s.settled(first))
	require.Len(t, s.commits(), 1)
	s.said(" · 1 edit committed")
}

func TestAStatusShowsTheLineAndToThoseWhoMayWriteTheBudgets(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	release := s.hold()
	s.start()
	first := s.comment("maria", "/tenon fix `main.go`")
	s.questioned(1)
	second := s.comment("maria", "/tenon fix `main.go` again")
	s.said("**Waiting**")
	s.comment("stranger", "/tenon status")
	strange := s.said("**Running**")
	require.Contains(t, strange, "#issuecomment-"+jsonNumber(first)+
		") by `maria` · read 2 files: `main.go`, `speed.txt`; asking the model")
	require.Contains(t, strange, "1. [`/tenon fix`](")
	require.Contains(t, strange, "#issuecomment-"+jsonNumber(second)+") by `maria`, for ")
	require.NotContains(t, strange, "Budgets")
	s.comment("maria", "/tenon status")
	require.Contains(t, s.said("Budgets: up to "), "\n- your commands today: 19 of 20 left; resets on ")
	release()
	s.settled(second)
	s.comment("stranger", "/tenon status")
	s.said("Nothing is running or waiting on this pull request.")
}
