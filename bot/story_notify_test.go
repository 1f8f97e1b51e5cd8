package bot_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
)

// mention matches what GitHub takes for a mention in an answer, which begins none in code.
var mention = regexp.MustCompile(`(?:^|[\s>(*_])@([A-Za-z0-9][A-Za-z0-9-]*)`)

// mentioned are the logins that a body mentions, each as often as it does.
func mentioned(body string) (logins []string) {
	for _, m := range mention.FindAllStringSubmatch(body, -1) {
		logins = append(logins, m[1])
	}
	return logins
}

// written are all bodies that the app has written until now, those of edits included.
func (s *story) written() (bodies []string) {
	for _, op := range []string{"Post", "Announce", "Edit", "Progress", "Suggest"} {
		for _, c := range s.Calls(op) {
			bodies = append(bodies, c.Text)
		}
	}
	return bodies
}

func TestEveryFinalAnswerMentionsWhoeverGaveTheCommandOnce(t *testing.T) {
	t.Parallel()
	for command, replies := range map[string][]string{
		"/tenon fix `main.go`":              {goodbye},
		"/tenon fix `main.go`, `greet.go`":  halfReplies(),
		"/tenon fix nothing of `main.go`":   {"NO CHANGE: @william, it is as it is. Ask @acme/owners."},
		"/tenon fix `--model none`":         {goodbye},
		"/tenon fix --model none `main.go`": nil,
		"/tenon ask @william says what?":    {"@william says hello, and @maria too."},
		"/tenon preview `main.go`":          {goodbye},
		"/tenon apply":                      nil,
		"/tenon undo":                       nil,
		"/tenon retry":                      nil,
		"/tenon run 1":                      nil,
		"/tenon address":                    nil,
		"/tenon cancel":                     nil,
		"/tenon status":                     nil,
		"/tenon config":                     nil,
		"/tenon help":                       nil,
		"/tenon nonsense":                   nil,
		"/tenon fix":                        nil,
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, replies...)
			got := s.say(command)
			require.Equal(t, []string{"maria"}, mentioned(got.answer), got.answer)
			end := "\n\n<sub>@maria · run " + got.run + "</sub>\n\n<!-- tenon:run=" + got.run + " -->"
			require.True(t, strings.HasSuffix(got.answer, end), got.answer)
			require.Equal(t, 1, strings.Count(got.answer, "run "+got.run+"<"), "the run is named once")
			for _, body := range s.written() {
				if body != got.answer {
					require.Empty(t, mentioned(body), body)
				}
			}
		})
	}
}

// Whoever waits is told when it is over, and by nothing before that.
func TestNoNoticeOnTheWayMentionsAnybody(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, farewell)
	s.Before("Upload").Nth(1).Fail(bottest.Retryable(0))
	s.pull.Comment("maria", "/tenon fix `main.go`")
	c := s.pull.Comment("maria", "/tenon fix `main.go` again")
	ev := s.LastEvent()
	s.NotifyQueued()
	s.Run()
	got := s.told(s.pull, c, ev)
	require.Equal(t, "rocket", got.verdict)
	waiting, finals := 0, 0
	for _, body := range s.written() {
		if strings.Contains(body, "⏳") {
			waiting++
			require.Empty(t, mentioned(body), body)
			continue
		}
		finals++
		require.Equal(t, []string{"maria"}, mentioned(body), body)
	}
	require.GreaterOrEqual(t, waiting, 3)
	require.Equal(t, 2, finals)
}

func TestAStrangerIsNeverMentionedInARefusal(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	for _, command := range []string{"/tenon fix `main.go`", "/tenon cancel", "/tenon nonsense", "/tenon help me",
		"/tenon status"} {
		s.sayAs("stranger", s.pull, command)
	}
	answered := 0
	for _, body := range s.pull.Answers() {
		if !strings.Contains(body, "Nothing is ") && !strings.Contains(body, "`/tenon help` shows") {
			require.Empty(t, mentioned(body), body)
			continue
		}
		answered++
		require.Equal(t, []string{"stranger"}, mentioned(body), "help and status are answered to anybody")
	}
	require.Equal(t, 2, answered)
}

func TestWhoeverMayWriteAndNotGiveTheCommandIsTold(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.settings("who: maintain\n")
	s.addVictor()
	s.sayAs("victor", s.pull, "/tenon fix `main.go`")
	require.Contains(t, s.pull.LastAnswer(), "needs maintain permission")
	require.Equal(t, []string{"victor"}, mentioned(s.pull.LastAnswer()))
}

func TestATickMentionsNobodyButThePreviewsRequester(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	s.addVictor()
	c := s.preview(previewThree)
	require.Equal(t, []string{"maria"}, mentioned(c.Body()))
	s.tick("victor", c, 2)
	require.Contains(t, box(c, 2), "committed in [`")
	require.Equal(t, []string{"maria"}, mentioned(c.Body()))
	require.Equal(t, 1, strings.Count(c.Body(), "<sub>@maria · run "))

	s.settings("notify: none\n")
	s.tick("victor", c, 1)
	require.Equal(t, []string{"maria"}, mentioned(c.Body()), "it stays as it is")
}

func TestAPreviewThatMentionedNobodyDoesNotWhenABoxIsTicked(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	s.settings("notify: none\n")
	c := s.preview(previewThree)
	require.Contains(t, c.Body(), "\n\n<sub>`maria` · run ")
	s.settings("notify: requester\n")
	s.tick("maria", c, 2)
	require.Contains(t, box(c, 2), "committed in [`")
	require.Empty(t, mentioned(c.Body()))
	require.Contains(t, c.Body(), "\n\n<sub>`maria` · run ")
}

func TestAnAnswerToAnAppMentionsNobody(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.settings("apps: [scribe]\n")
	s.pull.CommentVia("maria", "scribe", "/tenon fix `main.go`")
	s.Run()
	require.Contains(t, s.pull.LastAnswer(), "<sub>`maria` · run ")
	for _, body := range s.written() {
		require.Empty(t, mentioned(body), body)
	}
}

// Nobody but them learns that nothing more will come.
func TestADeadLetterMentionsWhoeverWasAdmitted(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string][]string{"": {"maria"}, "notify: none\n": nil} {
		s := newStory(t, goodbye)
		s.settings(settings)
		s.Before("Upload").Every().Fail(errors.New("broken"))
		got := s.say("/tenon fix `main.go`")
		require.Contains(t, got.answer, "so tenon gave up")
		require.Equal(t, want, mentioned(got.answer), settings)
	}
}

// Whether they may be answered is not known.
func TestADeadLetterMentionsNobodyWhoWasNotAdmitted(t *testing.T) {
	t.Parallel()
	for _, op := range []string{"Permission", "Sibling"} {
		s := newStory(t, goodbye)
		s.Before(op).Every().Fail(errors.New("broken"))
		for _, who := range []string{"maria", "stranger"} {
			got := s.sayAs(who, s.pull, "/tenon fix `main.go`")
			require.Contains(t, got.answer, "so tenon gave up")
			require.Empty(t, mentioned(got.answer))
		}
	}
}

func obeysNotify(t *testing.T, s *story) {
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer, "\n\n<sub>`maria` · run "+got.run+"</sub>\n\n")
	for _, body := range s.written() {
		require.Empty(t, mentioned(body), body)
	}
	s.settings("notify: requester\n")
	require.Equal(t, []string{"maria"}, mentioned(s.say("/tenon help").answer))
}

// A cancelled run answers that it was: whoever cancelled it has an answer of their own.
func TestACancelledRunMentionsItsRequesterAndNotWhoCancelledIt(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.addVictor()
	s.while(func() {
		s.pull.Comment("victor", "/tenon cancel")
		s.RunImmediate()
	})
	s.say("/tenon fix `main.go`")
	require.Len(t, s.pull.Answers(), 2)
	for _, body := range s.pull.Answers() {
		want := "maria"
		if strings.Contains(body, "\n- [`/tenon fix`](") {
			want = "victor"
		}
		require.Equal(t, []string{want}, mentioned(body), body)
	}
}

func TestWhoWaitedIsToldThatTheCommandWasCancelled(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.addVictor()
	s.while(func() {
		s.pull.Comment("maria", "/tenon fix `main.go` again")
		s.NotifyQueued()
		s.pull.Comment("victor", "/tenon cancel")
		s.RunImmediate()
	})
	s.Model.Says(farewell)
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	cancelled := 0
	for _, body := range s.pull.Answers() {
		if strings.HasPrefix(body, "🛑 **Cancelled** by") {
			cancelled++
			require.Equal(t, []string{"maria"}, mentioned(body), body)
		}
	}
	require.Positive(t, cancelled)
}
