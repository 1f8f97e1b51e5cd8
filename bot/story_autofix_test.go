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

// stillRed is a log with an error of its own.
func stillRed(n int) string { return fmt.Sprintf("main.go:%d:1: undefined: part%d\nFAIL\n", n, n) }

// red has CI fail on a commit, with an error of its own.
func red(n int) func(*bottest.CI) { return func(ci *bottest.CI) { ci.Fails("test", stillRed(n)) } }

func green(ci *bottest.CI) { ci.Passes("test") }

// newAutofixStory is a story whose settings allow rounds of autofix, and in which CI does one thing after the other on
// the commits of the app.
func newAutofixStory(t *testing.T, rounds int, plays ...func(*bottest.CI)) *story {
	t.Helper()
	s := newStory(t, goodbye, farewell, edit("main.go", "\tprintln(\"farewell\")", "\tprintln(\"adieu\")"))
	s.settings(fmt.Sprintf("autofix: %d\n", rounds))
	s.Repo.CIWill(plays...)
	return s
}

// pushed is why a push ends autofix.
const pushed = "somebody has pushed to the branch since"

func somebodyPushes(s *story) { s.push(map[string]string{"more.txt": "more\n"}) }

// roundsIn are the lines of an answer that tell of rounds of autofix.
func roundsIn(body string) (lines []string) {
	for line := range strings.Lines(body) {
		if strings.HasPrefix(line, "- Autofix ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// rounds are those lines in the answer to a command.
func (s *story) rounds(of told) []string {
	s.t.Helper()
	list := s.answersTo(s.pull, of.run)
	require.Len(s.t, list, 1)
	return roundsIn(list[0])
}

// roundRun is the run of a round.
func roundRun(of told, n int) string { return port.RunID(fmt.Sprintf("autofix-%s-%d", of.run, n)) }

func TestAutofixEndsWhenCIPasses(t *testing.T) {
	t.Parallel()
	s := newAutofixStory(t, 2, red(1), green)
	got := s.say("/tenon fix `main.go`")
	require.Len(t, s.Commits("speed"), 2)
	require.Contains(t, s.Commits("speed")[0], "Requested by maria")
	lines := s.rounds(got)
	require.Len(t, lines, 1)
	require.Regexp(t, "^- Autofix round 1 of 2: \\[`[0-9a-f]{7}`\\]\\(\\S+/commit/"+s.Repo.Branch("speed")+
		"\\) · CI passed · \\[answer\\]\\(\\S+\\)$", lines[0])
	require.Contains(t, s.lineOf(got), " · CI failed: [`test`](")
	answers := s.answersTo(s.pull, roundRun(got, 1))
	require.Len(t, answers, 1)
	require.Contains(t, lastLine(answers[0]), " · CI passed</sub>")
	require.Contains(t, answers[0], " · [round 1 of autofix]("+s.pull.Said()[0].Port().URL+")")
	require.Len(t, s.pull.Said(), 2)
	require.Contains(t, s.Model.Questions()[1], "undefined: part1", "the round sees the log")
}

func TestAutofixEndsAfterTheLastRound(t *testing.T) {
	t.Parallel()
	s := newAutofixStory(t, 2, red(1), red(2), red(3))
	got := s.say("/tenon fix `main.go`")
	require.Len(t, s.Commits("speed"), 3)
	lines := s.rounds(got)
	require.Len(t, lines, 3)
	require.Contains(t, lines[0], "round 1 of 2: [`")
	require.Contains(t, lines[0], " · CI failed: [`test`](")
	require.Contains(t, lines[1], "round 2 of 2: [`")
	require.Contains(t, lines[1], " · CI failed: [`test`](")
	require.Equal(t, "- Autofix ended: the settings allow 2 rounds.", lines[2])
	require.Len(t, s.Model.Questions(), 3)
}

func TestAutofixEndsAtTheSameFailureTwice(t *testing.T) {
	t.Parallel()
	s := newAutofixStory(t, 5, red(1), red(1), red(1))
	got := s.say("/tenon fix `main.go`")
	require.Len(t, s.Commits("speed"), 2)
	lines := s.rounds(got)
	require.Len(t, lines, 2)
	require.Equal(t, "- Autofix ended: CI failed as it did before the round.", lines[1])
	for n := range 3 { // anybody who may set statuses
		s.ci().Status(fmt.Sprint("late", n), "failure", "again")
		s.RunFor(5 * time.Minute)
	}
	require.Equal(t, lines[1], s.rounds(got)[1], "an end is an end")
	require.Len(t, s.Calls("Autofix"), 1)
}

func TestAutofixEndsWhenItGoesInCircles(t *testing.T) {
	t.Parallel()
	s := newAutofixStory(t, 5, red(1), red(2), red(1), red(2))
	got := s.say("/tenon fix `main.go`")
	lines := s.rounds(got)
	require.Len(t, lines, 3)
	require.Equal(t, "- Autofix ended: CI failed as it did before an earlier round.", lines[2])
}

// While a round waits, nobody is asked what is known already.
func TestARoundThatWaitsCostsLittle(t *testing.T) {
	t.Parallel()
	s := newAutofixStory(t, 2)
	got := s.fixed()
	s.Before("Complete").Fail(quota(3 * time.Hour))
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.RunFor(time.Minute)
	s.ci().Fails("test", stillRed(1))
	s.RunFor(time.Minute)
	require.Len(t, s.Calls("Autofix"), 1)
	logs, looks := len(s.Calls("JobLog")), len(s.Calls("CommitChecks"))
	settings := len(s.Calls("Permission"))
	s.RunFor(2 * time.Hour)
	require.Len(t, s.Calls("Autofix"), 1)
	require.Len(t, s.Calls("JobLog"), logs)
	require.Len(t, s.Calls("Permission"), settings)
	require.Less(t, len(s.Calls("CommitChecks"))-looks, 25)
	require.NotContains(t, s.lineOf(got), "fix ci", "a round does it")
}

func TestARoundThatCannotTellItsEndIsListedLater(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, "NO CHANGE: It is the network.")
	s.settings("autofix: 3\n")
	s.Repo.CIWill(red(1))
	s.Before("Progress").Nth(3).Fail(&port.WaitError{For: port.GitHubLimit, After: time.Minute, Err: errors.New("slow")})
	got := s.say("/tenon fix `main.go`")
	s.RunFor(10 * time.Minute)
	require.Len(t, s.rounds(got), 1)
	require.Contains(t, s.rounds(got)[0], "round 1 of 3: nothing was committed")
}

func TestAutofixIsOffByDefault(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, farewell)
	s.Repo.CIWill(red(1))
	got := s.say("/tenon fix `main.go`")
	require.Contains(t, s.lineOf(got), "CI failed")
	require.Empty(t, s.Calls("Autofix"))
	require.Empty(t, s.rounds(got))
	require.Len(t, s.Commits("speed"), 1)
}

func TestAutofixIsOffOnForks(t *testing.T) {
	t.Parallel()
	s := newAutofixStory(t, 2)
	fork := s.fromFork("felix")
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, "rocket", got.verdict, got.answer)
	sha := fork.Branch("theirs")
	s.Repo.CI(sha).Fails("test", stillRed(1))
	s.Run()
	require.Contains(t, s.lineOf(got), "CI failed")
	require.Empty(t, s.Calls("Autofix"))
	require.Empty(t, s.rounds(got))
}

// The text of an issue is part of what the model reads in each round.
func TestAStrangersTextIsPreviewedAlsoInARound(t *testing.T) {
	t.Parallel()
	for later, rounds := range map[string]int{"commit": 1, "preview": 0} {
		s := newAutofixStory(t, 1)
		s.settings("autofix: 1\nstrangers: commit\n")
		issue := s.Repo.OpenIssue("stranger", "It greets", "`main.go` should part.")
		issue.Label("maria", "tenon")
		s.Run()
		require.Len(t, s.Commits(issueBranch(issue)), 1)
		s.settings("autofix: 1\nstrangers: " + later + "\n")
		s.CI(s.Repo.Branch(issueBranch(issue))).Fails("test", stillRed(1))
		s.Run()
		require.Len(t, s.Calls("Autofix"), rounds, later)
	}
}

// What somebody undoes is not to be done again.
func TestAnUndoIsNotFixed(t *testing.T) {
	t.Parallel()
	s := newAutofixStory(t, 2, green, red(1))
	s.say("/tenon fix `main.go`")
	got := s.say("/tenon undo")
	require.Contains(t, s.lineOf(got), "CI failed")
	require.Empty(t, s.Calls("Autofix"))
}

func TestARoundThatCommitsNothingIsListed(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, "NO CHANGE: It is the network.")
	s.settings("autofix: 3\n")
	s.Repo.CIWill(red(1))
	got := s.say("/tenon fix `main.go`")
	lines := s.rounds(got)
	require.Len(t, lines, 1)
	require.Regexp(t, `^- Autofix round 1 of 3: nothing was committed · \[answer\]\(\S+\)$`, lines[0])
}

func TestARoundThatGivesUpIsListed(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, farewell)
	s.settings("autofix: 1\n")
	s.Repo.CIWill(red(1))
	s.Before("Upload").Nth(2).Times(3).Fail(errors.New("broken"))
	got := s.say("/tenon fix `main.go`")
	require.Contains(t, s.answersTo(s.pull, roundRun(got, 1))[0], "so tenon gave up")
	require.Contains(t, s.rounds(got)[0], "round 1 of 1: nothing was committed")
}

func TestARoundOfAnIssueIsAboutTheTextThatWasThere(t *testing.T) {
	t.Parallel()
	s := newAutofixStory(t, 1, red(1), green)
	issue := s.issue("`main.go` should part.")
	s.Before("Autofix").Do(func() { issue.Rewrite("maria", "Other", "Delete `main.go`.") })
	got := s.sayIn(issue, "/tenon fix it")
	require.Len(t, s.Commits(issueBranch(issue)), 2)
	require.NotContains(t, s.Model.Questions()[1], "Delete `main.go`.")
	list := s.answersTo(issue, got.run)
	require.Contains(t, roundsIn(list[0])[0], "CI passed")
}

func TestAutofixGoesOnFromAPreview(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, farewell)
	s.settings("autofix: 1\n")
	s.Repo.CIWill(red(1), green)
	c := s.preview("/tenon preview `main.go`")
	s.tick("maria", c, 1)
	require.Len(t, s.Commits("speed"), 2)
	require.Len(t, roundsIn(c.Body()), 1)
	require.Contains(t, roundsIn(c.Body())[0], "CI passed")
	s.say("/tenon status")
	require.Contains(t, box(c, 1), "committed in [`")
}

// A report that comes again has no second round begin, and a round that is over stays as it was.
func TestARoundBeginsOnce(t *testing.T) {
	t.Parallel()
	s := newAutofixStory(t, 3, red(1), green)
	first := ""
	s.Before("Autofix").Do(func() { first = s.Repo.Branch("speed") })
	got := s.say("/tenon fix `main.go`")
	before := s.rounds(got)
	for range 3 {
		s.CI(first).Fails("test", stillRed(1)).Reports()
		s.RunFor(10 * time.Minute)
	}
	require.Equal(t, before, s.rounds(got))
	require.Len(t, s.Calls("Autofix"), 1)
	require.Len(t, s.Commits("speed"), 2)
}

func TestAnAnswerThatWasDeletedEndsAutofix(t *testing.T) {
	t.Parallel()
	s := newAutofixStory(t, 2)
	s.pull.ReviewComment("maria", "speed.txt", 1, "/tenon fix `main.go`")
	s.Run()
	s.pull.Said()[0].Delete() // which nobody can a review
	s.ci().Fails("test", stillRed(1))
	s.Run()
	require.Empty(t, s.Calls("Autofix"))
	require.Len(t, s.Commits("speed"), 1)
}

// Nobody is told of eyes or queues for what nobody asked for.
func TestARoundThatWaitsSaysNothing(t *testing.T) {
	t.Parallel()
	s := newAutofixStory(t, 1, red(1), green)
	s.After("Autofix").Do(func() {
		s.pull.Comment("maria", "/tenon ask what is `main.go`?")
		s.NotifyQueued()
	})
	s.say("/tenon fix `main.go`")
	for _, body := range s.written() {
		require.NotContains(t, body, "⏳ Waiting for `/tenon fix ci`")
	}
}

// Whichever write a process dies after, each round commits once and is listed once.
func TestAProcessThatDiesInARoundGoesOn(t *testing.T) {
	t.Parallel()
	whole := func(s *story) told {
		got := s.say("/tenon fix `main.go`")
		s.RunFor(30 * time.Minute)
		return got
	}
	count := newAutofixStory(t, 1, red(1), green)
	whole(count)
	for n := 1; n <= count.Writes(); n++ {
		s := newAutofixStory(t, 1, red(1), green)
		s.KillAt(n)
		got := whole(s)
		require.Len(t, s.Commits("speed"), 2, n)
		lines := s.rounds(got)
		require.Len(t, lines, 1, n)
		require.Contains(t, lines[0], "CI passed", n)
		require.Len(t, s.pull.Said(), 2, n)
		require.Empty(t, s.Queue.DeadLetters(), n)
	}
}

func obeysAutofix(t *testing.T, s *story) {
	s.Repo.CIWill(red(1), red(2))
	s.Model.Says(farewell)
	got := s.say("/tenon fix `main.go`")
	require.Contains(t, s.rounds(got), "- Autofix ended: the settings allow 1 round.")
	require.Len(t, s.Commits("speed"), 2)
}
