package bot_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
)

// ci is that of the newest commit of the pull request's branch.
func (s *story) ci() *bottest.CI {
	s.t.Helper()
	return s.CI(s.Repo.Branch("speed"))
}

// lastLine is the end of an answer, from its last line that names a run on.
func lastLine(body string) string {
	if i := strings.LastIndex(body, "\n\n<!-- tenon:run="); i >= 0 {
		body = body[:i]
	}
	return body[strings.LastIndex(body, "\n\n")+2:]
}

// lineOf is the last line of the answer to a command as it is now.
func (s *story) lineOf(of told) string {
	s.t.Helper()
	list := s.answersTo(s.pull, of.run)
	require.Len(s.t, list, 1)
	return lastLine(list[0])
}

// fixed is a fix of main.go that was committed.
func (s *story) fixed() told {
	s.t.Helper()
	got := s.say("/tenon fix `main.go`")
	require.Equal(s.t, "rocket", got.verdict, got.answer)
	require.Equal(s.t, "<sub>@maria · run "+got.run+"</sub>", lastLine(got.answer))
	return got
}

// signed is a last line that says something of CI.
func signed(of told, words string) string {
	return "<sub>@maria · run " + of.run + " · " + words + "</sub>"
}

func TestTheLastLineTellsThatCIPassed(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	got := s.fixed()
	s.ci().Starts("test", "lint")
	s.Run()
	require.Equal(t, lastLine(got.answer), s.lineOf(got), "nothing is said while it runs")
	comments := len(s.pull.Said())
	s.ci().Passes("test", "lint")
	s.Run()
	require.Equal(t, signed(got, "CI passed"), s.lineOf(got))
	require.Equal(t, strings.Replace(s.answersTo(s.pull, got.run)[0], " · CI passed", "", 1), got.answer)
	require.Len(t, s.pull.Said(), comments, "there is no new comment")
}

func TestTheLastLineTellsWhatFailedAndWhatHelps(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	got := s.fixed()
	s.ci().Fails("test (ubuntu)", "FAIL\n").Passes("build").Status("deploy/preview", "failure", "It broke.")
	s.Run()
	require.Regexp(t, "^<sub>@maria · run "+got.run+" · CI failed: "+
		"\\[`test \\(ubuntu\\)`\\]\\(https://github\\.example/acme/lathe/actions/runs/\\d+/job/\\d+\\), `deploy/preview`"+
		" · `/tenon fix ci`</sub>$", s.lineOf(got), "a page on another host is not linked")
	require.Equal(t, []string{"maria"}, mentioned(s.answersTo(s.pull, got.run)[0]))
}

func TestACommandThatIsNotAllowedIsNotOffered(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.preview("/tenon preview `main.go`")
	s.settings("verbs: [preview, apply]\n")
	got := s.say("/tenon apply")
	require.Equal(t, "rocket", got.verdict, got.answer)
	s.ci().Fails("test", "FAIL\n")
	s.Run()
	require.Contains(t, s.lineOf(got), " · CI failed: [`test`](")
	require.NotContains(t, s.lineOf(got), "fix ci")
}

func TestALaterReportCorrectsTheLine(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	got := s.fixed()
	s.ci().Fails("test", "FAIL\n")
	s.Run()
	require.Contains(t, s.lineOf(got), "CI failed")
	s.ci().Starts("test")
	s.Run()
	require.Contains(t, s.lineOf(got), "CI failed", "it did, until it passes")
	s.ci().Passes("test")
	s.Run()
	require.Equal(t, signed(got, "CI passed"), s.lineOf(got))
	s.ci().Status("late", "failure", "")
	s.Run()
	require.Equal(t, signed(got, "CI failed: `late` · `/tenon fix ci`"), s.lineOf(got))
}

func TestAReportThatComesTwiceEditsOnce(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	got := s.fixed()
	s.ci().Passes("test")
	s.Run()
	edits := len(s.Calls("Progress"))
	for range 3 {
		s.ci().Reports().Reports()
		s.Run()
	}
	require.Len(t, s.Calls("Progress"), edits)
	require.Equal(t, signed(got, "CI passed"), s.lineOf(got))
}

func TestManyReportsAreOneLook(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.fixed()
	before := len(s.Calls("CommitChecks"))
	s.ci().Starts("a", "b", "c").Reports().Passes("a", "b", "c").Reports()
	s.Run()
	require.LessOrEqual(t, len(s.Calls("CommitChecks"))-before, 2)
}

func TestAReportThatComesBeforeTheAnswerIsToldInIt(t *testing.T) {
	t.Parallel()
	for _, op := range []string{"CreateCheck", "Follow"} {
		s := newStory(t, goodbye)
		s.Before(op).Do(func() {
			s.ci().Passes("test")
			s.Clock.Advance(5 * time.Second)
		})
		got := s.say("/tenon fix `main.go`")
		s.RunFor(time.Minute)
		require.Equal(t, signed(got, "CI passed"), s.lineOf(got), op)
	}
}

func TestCIThatDoesNotReportIsToldOnceAfterAnHour(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	got := s.fixed()
	asked := len(s.Calls("CommitChecks"))
	s.RunFor(59 * time.Minute)
	require.Len(t, s.Calls("CommitChecks"), asked, "nobody asks meanwhile")
	require.Equal(t, lastLine(got.answer), s.lineOf(got))
	s.RunFor(2 * time.Minute)
	require.Equal(t, signed(got, "CI has not reported yet"), s.lineOf(got))
	edits := len(s.Calls("Progress"))
	s.RunFor(48 * time.Hour)
	require.Len(t, s.Calls("Progress"), edits)
	require.LessOrEqual(t, len(s.Calls("CommitChecks")), asked+3)
	require.Empty(t, s.Queue.DeadLetters(), "it ends quietly")
	require.Len(t, s.pull.Said(), 1)
}

func TestCIThatReportsAfterAnHourIsTold(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	got := s.fixed()
	s.RunFor(2 * time.Hour)
	require.Equal(t, signed(got, "CI has not reported yet"), s.lineOf(got))
	s.ci().Passes("test")
	s.Run()
	require.Equal(t, signed(got, "CI passed"), s.lineOf(got))
}

func TestCIThatRunsForHoursIsNotSaidToBeSilent(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	got := s.fixed()
	s.ci().Starts("slow")
	s.RunFor(3 * time.Hour)
	require.Equal(t, lastLine(got.answer), s.lineOf(got))
	s.ci().Ends("slow", "cancelled")
	s.Run()
	require.Contains(t, s.lineOf(got), " · CI was cancelled: [`slow`](")
}

// GitHub sends each report once.
func TestAReportThatIsLostCostsAnHour(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	got := s.fixed()
	s.ci().Starts("slow")
	s.RunFor(90 * time.Minute)
	s.Repo.Mute(true)
	s.ci().Passes("slow")
	s.RunFor(61 * time.Minute)
	require.Equal(t, signed(got, "CI passed"), s.lineOf(got))
}

// The workflow that tested the edits is on the same commit.
func TestTheTestOfEditsIsNotAllThatCISays(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.verifying(passes)
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, "rocket", got.verdict)
	s.ci().Reports()
	s.RunFor(10 * time.Minute)
	require.Equal(t, "<sub>@maria · run "+got.run+"</sub>", s.lineOf(got))
	s.ci().Fails("build", "FAIL\n")
	s.Run()
	require.Contains(t, s.lineOf(got), " · CI failed: [`build`](")

	alone := newStory(t, goodbye)
	alone.verifying(passes)
	got = alone.say("/tenon fix `main.go`")
	alone.RunFor(2 * time.Hour)
	require.Equal(t, signed(got, "CI passed"), alone.lineOf(got), "there is no other")
}

// Some services set a status that waits for somebody.
func TestAFailureIsToldAfterAnHourThoughSomethingIsPending(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.settings("autofix: 1\n")
	got := s.fixed()
	s.ci().Status("cla", "pending", "").Fails("test", "FAIL\n")
	s.RunFor(50 * time.Minute)
	require.Equal(t, lastLine(got.answer), s.lineOf(got))
	s.RunFor(20 * time.Minute)
	require.Contains(t, s.lineOf(got), " · CI failed: [`test`](")
	require.Contains(t, s.lineOf(got), ", and 1 check has not ended · `/tenon fix ci`</sub>")
	require.Empty(t, s.Calls("Autofix"))
	s.ci().Status("cla", "success", "").Passes("test")
	s.Run()
	require.Equal(t, signed(got, "CI passed"), s.lineOf(got))
}

// A commit is followed for a day, not for ever.
func TestAReportAfterThePatienceChangesNothing(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	got := s.fixed()
	s.RunFor(3 * bottest.Patience)
	s.ci().Passes("test")
	s.RunFor(time.Hour)
	require.Equal(t, signed(got, "CI has not reported yet"), s.lineOf(got))
}

func TestEveryCommandThatCommitsIsFollowed(t *testing.T) {
	t.Parallel()
	for name, give := range map[string]func(s *story) told{
		"retry": func(s *story) told {
			s.Model.Says(halfReplies(edit("greet.go", greetLine, betterGreet))...)
			s.say("/tenon fix `main.go` and `greet.go`")
			return s.say("/tenon retry")
		},
		"apply": func(s *story) told {
			s.Model.Says(goodbye)
			s.preview("/tenon preview `main.go`")
			return s.say("/tenon apply")
		},
		"undo": func(s *story) told {
			s.Model.Says(goodbye)
			s.fixed()
			return s.say("/tenon undo")
		},
		"run": func(s *story) told {
			s.Model.Says(tidyReply + edit("main.go", helloLine, byeLine))
			s.say("/tenon fix `main.go`")
			return s.say("/tenon run 2")
		},
		"address": func(s *story) told {
			s.Model.Says(goodbye)
			s.pull.ReviewComment("maria", "speed.txt", 1, "Be faster.")
			return s.say("/tenon address")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t)
			s.addVictor()
			got := give(s)
			require.Equal(t, "rocket", got.verdict, got.answer)
			s.ci().Passes("test")
			s.Run()
			require.Contains(t, s.lineOf(got), " · run "+got.run+" · CI passed</sub>")
		})
	}
}

func TestARunThatCommitsNothingIsNotFollowed(t *testing.T) {
	t.Parallel()
	s := newStory(t, "NO CHANGE: All is well.", goodbye)
	s.say("/tenon fix `main.go`")
	s.preview("/tenon preview `main.go`")
	s.say("/tenon help")
	require.Empty(t, s.Calls("Follow"))
}

func TestAFixOfAnIssueIsFollowed(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	issue := s.issue("`main.go` should part.")
	got := s.sayIn(issue, "/tenon fix it")
	s.CI(s.Repo.Branch(issueBranch(issue))).Passes("test")
	s.Run()
	require.Equal(t, signed(got, "CI passed"), lastLine(s.answersTo(issue, got.run)[0]))
}

func TestATransferredIssueIsToldWhereItIs(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	issue := s.issue("`main.go` should part.")
	got := s.sayIn(issue, "/tenon fix it")
	sha := s.Repo.Branch(issueBranch(issue))
	other := s.GitHub.AddRepo("acme/other", map[string]string{"a.txt": "a\n"})
	moved := issue.Transfer(other)
	s.CI(sha).Passes("test")
	s.Run()
	require.Equal(t, signed(got, "CI passed"), lastLine(s.answersTo(moved, got.run)[0]))
}

func TestTheCommitOnAForkIsFollowed(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.fromFork("felix")
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Len(t, s.Calls("Follow"), 1)
}

func TestAnAnswerThatSomebodyDeletedEndsIt(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.pull.ReviewComment("maria", "speed.txt", 1, "/tenon fix `main.go`")
	s.Run()
	s.pull.Said()[0].Delete() // which nobody can a review
	s.ci().Passes("test")
	s.Run()
	require.Empty(t, s.pull.Said())
	require.Empty(t, s.Queue.DeadLetters())
	asked := len(s.Calls("Comment"))
	s.RunFor(2 * bottest.Patience)
	require.Len(t, s.Calls("Comment"), asked, "nobody asks any more")
}
