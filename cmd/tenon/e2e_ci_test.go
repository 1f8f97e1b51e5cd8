package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/github/sim"
)

// redLog is what a test prints that fails.
const redLog = "--- FAIL: TestGreet (0.00s)\n    main.go:4: it says hello\nFAIL\n"

// ci is the CI of the newest commit of the pull request's branch.
func (s *stage) ci() sim.CI {
	s.t.Helper()
	return s.github.CI(s.repo, s.tip().SHA)
}

// red has a job of the newest commit fail.
func (s *stage) red(job, log string) {
	s.t.Helper()
	require.NoError(s.t, s.ci().Job(job).Fails(log))
}

// answerOf is the answer of a run as it is now.
func (s *stage) answerOf(run string) string {
	s.t.Helper()
	for _, answer := range s.answers() {
		if strings.Contains(answer, "<!-- tenon:run="+run+" -->") {
			return answer
		}
	}
	return ""
}

// untilTold waits until the answer of a run says something.
func (s *stage) untilTold(run, words string) string {
	s.t.Helper()
	s.until("the answer of "+run+" to say "+words, func() bool { return strings.Contains(s.answerOf(run), words) })
	return s.answerOf(run)
}

func TestWhatCIReportsIsFixedAndTheLastLineIsCompleted(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	require.NoError(t, s.ci().Starts("test (ubuntu)", "lint"))
	s.red("test (ubuntu)", redLog)
	require.NoError(t, s.ci().Job("lint").Passes())

	got := s.say("/tenon fix ci")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Contains(t, s.model.questions()[0], "main.go:4: it says hello")
	require.Contains(t, got.answer, "\n\n<sub>@maria · run "+got.run+"</sub>\n\n")

	comments := len(s.answers())
	require.NoError(t, s.ci().Starts("test (ubuntu)", "lint"))
	require.NoError(t, s.ci().Job("lint").Passes())
	require.NoError(t, s.ci().Job("test (ubuntu)").Passes())
	body := s.untilTold(got.run, " · run "+got.run+" · CI passed</sub>\n\n<!-- tenon:run=")
	require.Equal(t, got.answer, strings.Replace(body, " · CI passed", "", 1), "nothing else has changed")
	require.Len(t, s.answers(), comments)
}

func TestAutofixStopsAtTheSameFailureTwice(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply, edit("main.go", byeLine, "\tprintln(\"farewell\")"))
	s.settings("main", "autofix: 3\n")
	s.start()
	got := s.say("/tenon fix the words in `main.go`")
	require.Equal(t, "rocket", got.verdict, got.answer)
	s.red("test", redLog)
	s.until("a round", func() bool { return len(s.commits()) == 2 })
	round := port.RunID("autofix-" + got.run + "-1")
	s.untilTold(round, "<sub>@maria · run "+round)
	s.red("test", redLog)
	body := s.untilTold(got.run, "- Autofix ended: CI failed as it did before the round.")
	require.Contains(t, body, "\n- Autofix round 1 of 3: [`")
	require.Contains(t, body, " · CI failed: [`test`](")
	require.Contains(t, s.answerOf(round), " · CI failed: [`test`](")
	require.Contains(t, s.answerOf(round), " · [round 1 of autofix](")
	require.Len(t, s.commits(), 2)
	require.Contains(t, s.model.questions()[1], "main.go:4: it says hello")
}
