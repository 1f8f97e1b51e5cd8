package bot_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

func TestTheBoxesOfAPreviewTellOfEachCommit(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	c := s.preview(previewThree)
	s.tick("maria", c, 1)
	first := s.Repo.Branch("speed")
	s.tick("maria", c, 2)
	second := s.Repo.Branch("speed")
	s.CI(second).Passes("test")
	s.Run()
	s.CI(first).Fails("test", "FAIL\n")
	s.Run()
	require.Equal(t, 1, strings.Count(c.Body(), "/commit/"+second+") · CI passed</sub>"), c.Body())
	require.Equal(t, 1, strings.Count(c.Body(), "/commit/"+first+") · CI failed: [`test`]("), c.Body())
	s.tick("maria", c, 3)
	require.Contains(t, box(c, 3), "committed in [`")
	require.Contains(t, c.Body(), "/commit/"+second+") · CI passed</sub>", "the next box does not take it away")
}

func TestATickIsNotLostToWhatCISays(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	c := s.preview(previewThree)
	s.tick("maria", c, 1)
	first := s.Repo.Branch("speed")
	s.Before("Upload").Do(func() { // of the second box
		s.CI(first).Passes("test")
		s.Clock.Advance(5 * time.Second)
	})
	s.tick("maria", c, 2)
	s.RunFor(time.Minute)
	require.Contains(t, box(c, 2), "committed in [`")
	require.Contains(t, c.Body(), "/commit/"+first+") · CI passed</sub>")
}

func TestTheSettingsDecideWhetherAMentionFollows(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string][2][]string{
		"notify: none\nci: mention\n": {nil, {"maria"}},
		"notify: none\n":              {nil, nil},
		"ci: mention\n":               {{"maria"}, {"maria"}},
	} {
		for outcome, want := range want {
			s := newStory(t, goodbye)
			s.settings(settings)
			got := s.say("/tenon fix `main.go`")
			if outcome == 0 {
				s.ci().Passes("test")
			} else {
				s.ci().Fails("test", "FAIL\n")
			}
			s.Run()
			require.Equal(t, want, mentioned(s.lineOf(got)), settings)
			require.Contains(t, s.lineOf(got), " · CI ")
		}
	}
}

func TestSettingsThatIgnoreCIFollowNothing(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.settings("ci: ignore\n")
	got := s.fixed()
	s.ci().Fails("test", "FAIL\n")
	s.RunFor(2 * time.Hour)
	require.Equal(t, lastLine(got.answer), s.lineOf(got))
	require.Empty(t, s.Calls("Follow"))
	require.Len(t, s.Calls("CommitChecks"), 1, "a prompt knows what failed before")
}

// The commit is there, and so is the answer.
func TestACommitThatCannotBeFollowedIsCommittedAndAnswered(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Follow").Fail(errors.New("the database is full"))
	got := s.fixed()
	s.ci().Passes("test")
	s.Run()
	require.Equal(t, lastLine(got.answer), s.lineOf(got))
	require.Contains(t, s.Logged(), "commit not followed")
}

func TestWhatMayNotBeReadIsToldWithWhatPassed(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	permissions := bottest.Permissions()
	delete(permissions, "statuses")
	s.GitHub.Grant("acme", permissions)
	got := s.fixed()
	s.ci().Status("deploy", "failure", "").Passes("test")
	s.Run()
	require.Equal(t, signed(got, "CI passed (`statuses: read` is missing)"), s.lineOf(got))
}

func TestALineThatGitHubHasNoRoomForComesLater(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	got := s.fixed()
	for _, op := range []string{"CommitChecks", "Comment", "Progress"} {
		s.Before(op).Fail(&port.WaitError{For: port.GitHubLimit, After: 20 * time.Minute, Err: errors.New("slow down")})
	}
	s.ci().Passes("test")
	s.RunFor(2 * time.Hour)
	require.Equal(t, signed(got, "CI passed"), s.lineOf(got))
}

// Whichever of its writes a process dies after, there is one answer with one line.
func TestAProcessThatDiesTellsTheSameOnce(t *testing.T) {
	t.Parallel()
	count := newStory(t, goodbye)
	whole := func(s *story) told {
		s.Repo.CIWill(func(ci *bottest.CI) { ci.Fails("test", "FAIL\n") })
		got := s.say("/tenon fix `main.go`")
		s.RunFor(time.Hour)
		return got
	}
	whole(count)
	for n := 1; n <= count.Writes(); n++ {
		s := newStory(t, goodbye)
		s.KillAt(n)
		got := whole(s)
		require.Len(t, s.Commits("speed"), 1, n)
		require.Contains(t, s.lineOf(got), " · CI failed: [`test`](", n)
		require.Equal(t, 1, strings.Count(s.answersTo(s.pull, got.run)[0], "CI failed"), n)
		require.Len(t, s.pull.Said(), 1, n)
		require.Equal(t, []string{"undo", "fix"}, s.buttonsOf(s.Repo.Branch("speed")), n)
	}
}

// A status is often there before the workflows have begun.
func TestCIHasNotPassedWhileItsWorkflowsAreYetToBegin(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	got := s.fixed()
	before := s.lineOf(got)
	s.ci().Status("licence", "success", "signed")
	s.RunFor(10 * time.Second)
	require.Equal(t, before, s.lineOf(got))
	s.ci().Starts("test")
	s.RunFor(10 * time.Minute)
	require.Equal(t, before, s.lineOf(got))
	s.ci().Passes("test")
	s.RunFor(10 * time.Second)
	require.Equal(t, signed(got, "CI passed"), s.lineOf(got))
}

// CI may fail before a run that died has made its check.
func TestACheckThatIsMadeAfterCIFailedHasTheButtonToo(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Repo.CIWill(func(ci *bottest.CI) { ci.Fails("test", "FAIL\n") })
	answered := make(chan struct{})
	s.After("Record").Of("report").Do(func() { close(answered) })
	s.Before("CreateCheck").Do(func() { <-answered })
	s.Before("CreateCheck").Kill()
	got := s.say("/tenon fix `main.go`")
	s.RunFor(time.Hour)
	require.Contains(t, s.lineOf(got), " · CI failed: [`test`](")
	require.Equal(t, []string{"undo", "fix"}, s.buttonsOf(s.Repo.Branch("speed")))
}

func TestAButtonForWhichThereIsNoRoomComesLater(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.fixed()
	s.Before("UpdateCheck").Fail(&port.WaitError{For: port.GitHubLimit, After: time.Minute, Err: errors.New("slow down")})
	s.ci().Fails("test", "FAIL\n")
	s.RunFor(5 * time.Minute)
	require.Equal(t, []string{"undo", "fix"}, s.buttonsOf(s.Repo.Branch("speed")))
}

func TestTheNamesOfChecksKeepTheirSecrets(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	got := s.fixed()
	token := "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	s.ci().Fails("deploy "+token, "FAIL\n").Status("at "+token, "failure", "")
	s.Run()
	require.Contains(t, s.lineOf(got), "CI failed: ")
	require.NotContains(t, s.lineOf(got), token)
}

// The names of checks are anybody's.
func TestHostileNamesOfChecksAreNotAlive(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	got := s.fixed()
	hostile := "a`b @william\n\n</sub> fixes #1 [x](https://evil.example) <!-- tenon:run=x --> ![i](//evil.example/i)"
	s.ci().Fails(hostile, "FAIL\n").Status(hostile, "failure", hostile)
	s.Run()
	line := s.lineOf(got)
	require.Contains(t, line, "CI failed: ")
	require.NotContains(t, line, "\n")
	require.NotContains(t, line, "<!-- tenon:run=x")
	require.Equal(t, 1, strings.Count(line, "run "+got.run))
	s.ci().Ends(hostile, "success").Status(hostile, "success", hostile)
	s.Run()
	require.Equal(t, signed(got, "CI passed"), s.lineOf(got), "the line is found again")
}

// buttonsOf are the verbs of the buttons of the newest check run on a commit.
func (s *story) buttonsOf(sha string) (verbs []string) {
	for _, c := range s.Repo.CheckRuns() {
		if c.SHA != sha {
			continue
		}
		verbs = nil
		for _, b := range c.Buttons {
			verbs = append(verbs, b.Verb)
		}
	}
	return verbs
}

func TestTheCheckOfACommitOnWhichCIFailedHasAButtonToFixIt(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, farewell)
	s.fixed()
	sha := s.Repo.Branch("speed")
	require.Equal(t, []string{"undo"}, s.buttonsOf(sha))
	s.ci().Fails("test", "main.go:4:2: undefined: goodbye\n")
	s.Run()
	require.Equal(t, []string{"undo", "fix"}, s.buttonsOf(sha))
	runs := s.Repo.CheckRuns()
	s.Repo.Press("maria", runs[len(runs)-1], "fix")
	s.Run()
	require.Len(t, s.Commits("speed"), 2)
	require.Contains(t, s.Model.Questions()[1], "undefined: goodbye")
	s.CI(sha).Passes("test")
	s.Run()
	require.Equal(t, []string{"undo"}, s.buttonsOf(sha))
}

func TestTheButtonIsThereWhateverHappenedBeforeTheLine(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(s *story){
		"a death before the button": func(s *story) { s.Before("UpdateCheck").Kill() },
		"a death after the line":    func(s *story) { s.After("Progress").Of("CI failed").Kill() },
		"a limit":                   func(s *story) { s.Before("UpdateCheck").Fail(bottest.Retryable(time.Minute)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, goodbye)
			got := s.fixed()
			fault(s)
			s.ci().Fails("test", "FAIL\n")
			s.RunFor(5 * time.Minute)
			require.Contains(t, s.lineOf(got), "CI failed: ")
			require.Equal(t, []string{"undo", "fix"}, s.buttonsOf(s.Repo.Branch("speed")))
		})
	}
}

func obeysCI(t *testing.T, s *story) {
	got := s.fixed()
	s.ci().Passes("test")
	s.Run()
	require.Equal(t, lastLine(got.answer), s.lineOf(got))
}
