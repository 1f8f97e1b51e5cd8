package bot_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// extras are the reactions, which an outage may cost, and how long a run took.
var extras = regexp.MustCompile(` \[[a-z0-9 +-]*\]$|\d+ min N s|\bN s\b`)

// essentials is outcome without them, without the checks, and without a preview, which is redrawn if that can be.
func (s *story) essentials() (list []string) {
	s.t.Helper()
	for _, line := range s.outcome() {
		if !strings.HasPrefix(line, "map[") && !strings.Contains(line, "<!-- tenon:preview=") {
			list = append(list, extras.ReplaceAllString(line, ""))
		}
	}
	return list
}

// Whatever write GitHub is away after, for longer than three attempts would last: in the end all is as if it had not
// been. Nobody gives the command again, and no answer of the model is asked for twice.
func TestAnOutageAtAnyWriteIsWaitedOut(t *testing.T) {
	t.Parallel()
	for name, r := range everyResumable() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := r.open(t)
			asked, writes := len(s.Model.Questions()), s.Writes()
			r.play(s)
			s.Run()
			want, calls := s.essentials(), len(s.Model.Questions())-asked
			points := s.Writes() - writes
			for at := 1; at <= points; at++ {
				again := r.open(t)
				asked := len(again.Model.Questions())
				again.OutageAt(at, 10*time.Minute)
				r.play(again)
				again.Run()
				require.Equal(t, want, again.essentials(), "an outage at write %d of %d", at, points)
				require.Empty(t, again.Queue.DeadLetters())
				require.Len(t, again.Model.Questions(), asked+calls, "an outage at write %d", at)
			}
		})
	}
}

// quota is the error of a model whose quota is used up.
func quota(after time.Duration) error {
	return &port.WaitError{For: port.ModelLimit, After: after, Err: &port.UserError{Text: "No quota is left."}}
}

// The answer says what a run waits for, and then becomes the answer.
func TestTheAnswerSaysThatARunWaits(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	for range 4 {
		s.Model.Fails(quota(time.Hour))
	}
	s.Model.Says(goodbye)
	var said []string
	s.Before("Complete").Nth(2).Times(4).Do(func() { said = append(said, s.pull.LastAnswer()) })
	begun := s.Clock.Now()
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer, " · 1 edit committed")
	require.NotContains(t, got.answer, "Waiting")
	require.GreaterOrEqual(t, s.Clock.Now().Sub(begun), 4*time.Hour)
	require.Len(t, append(s.Calls("Announce"), s.Calls("Post")...), 1)
	for _, c := range s.Calls("Progress") {
		if strings.Contains(c.Text, "Waiting") {
			said = append(said, c.Text)
		}
	}
	require.Contains(t, fmt.Sprint(said), "⏳ **Waiting**: the quota of the model is used up. [This command](")
	require.Equal(t, 1, s.progressSaying("Waiting"), "it is said once")
	require.Empty(t, s.Queue.DeadLetters())
}

// GitHub refuses the App's key for ten minutes, at whatever moment: nothing is lost, and nothing is done twice.
func TestARefusedKeyIsWaitedOutAtAnyMoment(t *testing.T) {
	t.Parallel()
	for _, op := range []string{"Permission", "PullRequest", "Open", "Edit"} {
		t.Run(op, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, goodbye)
			refused := &port.AppRefusedError{Why: port.WrongKey, Err: errors.New("GitHub answered 401")}
			s.Before(op).Times(10).Fail(&port.WaitError{For: port.AppRefused, After: time.Minute, Err: refused})
			got := s.say("/tenon fix `main.go`")
			require.Equal(t, "rocket", got.verdict)
			require.Contains(t, got.answer, " · 1 edit committed")
			require.Len(t, append(s.Calls("Announce"), s.Calls("Post")...), 1)
			require.Len(t, s.Commits("speed"), 1)
			require.Len(t, s.Model.Questions(), 1)
			require.Empty(t, s.Queue.DeadLetters())
			require.NotContains(t, s.Logged(), "nobody could be told")
		})
	}
}

// progressSaying counts the edits of a running answer that contain a text.
func (s *story) progressSaying(text string) (n int) {
	for _, c := range s.Calls("Progress") {
		if strings.Contains(c.Text, text) {
			n++
		}
	}
	return n
}

// A follow-up that has to wait is asked later: it does not end the run with what there is.
func TestAFollowUpWaitsToo(t *testing.T) {
	t.Parallel()
	s := newStory(t, halfReplies()[0])
	s.Model.Fails(quota(time.Minute))
	s.Model.Says(edit("greet.go", greetLine, betterGreet))
	got := s.say("/tenon fix `main.go` and `greet.go`")
	require.Equal(t, "rocket", got.verdict)
	require.NotContains(t, got.answer, "could not be asked again")
	require.Contains(t, s.File("speed", "greet.go"), "good day")
}

// Git fails and the rest of GitHub does not: the answer is made for it, and is the only one.
func TestAnAnswerIsMadeToSayThatTheRunWaits(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Open").Of("refs/heads/speed").Times(5).Fail(bottest.Retryable(time.Minute))
	var said string
	s.Before("Open").Of("refs/heads/speed").Nth(6).Do(func() { said = s.pull.LastAnswer() })
	got := s.say("/tenon fix `main.go`")
	require.Contains(t, said, "⏳ **Waiting**: GitHub is not answering. [This command](")
	require.Contains(t, got.answer, " · 1 edit committed")
	require.Len(t, append(s.Calls("Announce"), s.Calls("Post")...), 1)
}

// What passes in seconds is over before it is read.
func TestAWaitOfSecondsIsNotWorthTelling(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Model.Fails(quota(10 * time.Second))
	s.Model.Says(goodbye)
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Zero(t, s.progressSaying("Waiting"))
}

// A comment is a scarce write where the limit is reached: nothing is said, and there are the eyes.
func TestALimitIsNotMadeWorseBySayingSo(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("PullRequest").Fail(&port.WaitError{For: port.GitHubLimit, After: time.Minute, Err: errors.New("429")})
	var said int
	s.Before("PullRequest").Nth(2).Do(func() { said = len(s.Calls("Post")) })
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Zero(t, said)
}

// Whoever may be anybody is told nothing until it is known who it is.
func TestNothingIsSaidToAStrangerWhoWaits(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Before("Permission").Times(5).Fail(bottest.Retryable(time.Minute))
	s.Before("Permission").Nth(6).Do(func() { require.Empty(t, s.Calls("Post")) })
	got := s.sayAs("stranger", s.pull, "/tenon fix `main.go`")
	require.Equal(t, []string{"-1"}, got.reactions)
	require.Len(t, append(s.Calls("Announce"), s.Calls("Post")...), 1)
}

// What is given up is told when GitHub is back, however long that takes, and with what it was given up for.
func TestWhatIsGivenUpIsTold(t *testing.T) {
	t.Parallel()
	for reason, says := range map[port.WaitReason]string{
		port.GitHubOutage: "GitHub did not answer, or failed, for as long as tenon waited",
		port.GitHubLimit:  "GitHub's rate limit left no room for this for as long as tenon waited",
		port.GitHubLag:    "GitHub did not catch up with a push for as long as tenon waited",
		port.AppRefused:   "GitHub did not accept the key of this app for as long as tenon waited",
		port.ModelLimit:   "The quota of the model was used up for as long as tenon waited",
		port.ModelOutage:  "The model did not answer, or its provider failed, for as long as tenon waited",
		port.ModelBreak: "The connection to the model broke during its reply, and its provider accepted no more requests " +
			"for as long as tenon waited",

		port.DatabaseOutage: "tenon's own database did not answer for as long as tenon waited",
	} {
		t.Run(string(reason), func(t *testing.T) {
			t.Parallel()
			s := newStory(t, goodbye)
			err := &port.WaitError{For: reason, Err: errors.New("secret of the server")}
			s.Before("PullRequest").Every().Fail(err)
			op := "Edit" // of the answer that said that the run waits
			if reason == port.GitHubLimit {
				op = "Post"
			}
			s.Before(op).Of("for as long as").Times(40).Fail(bottest.Retryable(time.Hour))
			begun := s.Clock.Now()
			got := s.say("/tenon fix `main.go`")
			require.Greater(t, s.Clock.Now().Sub(begun), 2*bottest.Patience)
			require.Equal(t, []string{"eyes", "confused"}, got.reactions)
			require.Contains(t, got.answer, says)
			require.Contains(t, got.answer, s.LastEvent().Delivery)
			require.NotContains(t, got.answer, "secret")
			require.Empty(t, s.Model.Questions())
			require.Len(t, s.Queue.DeadLetters(), 1)
		})
	}
}

// A command that waits can be cancelled, and status says what it waits for.
func TestAWaitingCommandIsShownAndCancelled(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Model.Fails(quota(20 * time.Hour))
	s.Model.Says(goodbye)
	c := s.pull.Comment("maria", "/tenon fix `main.go`")
	s.RunFor(time.Minute)
	s.pull.Comment("maria", "/tenon status")
	s.RunFor(time.Minute)
	require.Contains(t, s.pull.LastAnswer(), "; it waits because the quota of the model is used up, and continues "+
		"by itself")
	begun := s.Clock.Now()
	s.pull.Comment("maria", "/tenon cancel")
	s.Run()
	require.Less(t, s.Clock.Now().Sub(begun), time.Minute)
	require.Equal(t, []string{"eyes", "confused"}, reactions(c))
	require.Equal(t, 1, s.saying("🛑 **Cancelled** by `maria`. Nothing was committed."))
	require.Empty(t, s.Commits("speed"))
}

// Git fails before the settings are read. Who may give the command is known, so the wait is said and acknowledged.
func TestAWaitForTheSettingsIsSaid(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Open").Times(5).Fail(bottest.Retryable(time.Minute))
	var said string
	s.Before("Open").Nth(6).Do(func() { said = s.pull.LastAnswer() })
	got := s.say("/tenon fix `main.go`")
	require.Contains(t, said, "⏳ **Waiting**: GitHub is not answering. [This command](")
	require.Equal(t, []string{"eyes", "rocket"}, got.reactions)
	require.Contains(t, got.answer, " · 1 edit committed")
	require.Len(t, append(s.Calls("Announce"), s.Calls("Post")...), 1)
}

// What is known of a stranger is that the command is not for them: nothing is said before the settings are read.
func TestAWaitForTheSettingsIsNotSaidToAStranger(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Open").Times(5).Fail(bottest.Retryable(time.Minute))
	require.Equal(t, []string{"-1"}, s.sayAs("stranger", s.pull, "/tenon fix `main.go`").reactions)
	require.Zero(t, s.progressSaying("Waiting"))
	require.Len(t, append(s.Calls("Announce"), s.Calls("Post")...), 1)
}

// The answer was made, and the response was lost: what the run waits for is said in that answer.
func TestAnAnswerWhoseResponseWasLostIsNotMadeAgainToSayThatTheRunWaits(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.After("Announce").Fail(bottest.Retryable(time.Minute))
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer, " · 1 edit committed")
	require.Len(t, append(s.Calls("Announce"), s.Calls("Post")...), 1)
	require.Equal(t, 1, s.progressSaying("Waiting"))
}
