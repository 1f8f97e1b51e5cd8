package bot_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
)

func TestAQuestionIsAnsweredAndNothingChanged(t *testing.T) {
	t.Parallel()
	s := newStory(t, "It says hello in `main.go:4`, as `greet.go` does not know better.\n\n- so it is")
	got := s.say("/tenon ask why does `main.go` say hello?")
	require.Contains(t, got.answer, "It says hello in [`main.go:4`](")
	require.Regexp(t, `/acme/lathe/blob/[0-9a-f]{40}/main\.go#L4\), as `+"`greet\\.go`"+` does`, got.answer)
	require.Contains(t, got.answer, "\n\n- so it is\n\n")
	require.Contains(t, got.answer, "The model saw 2 files")
	require.Contains(t, got.answer, "`model-1` · 1 call")
	require.Equal(t, []string{"eyes"}, got.reactions)
	require.Empty(t, s.Commits("speed"))
	require.Empty(t, s.Repo.CheckRuns(), "a question is no check of the code")
	require.Contains(t, s.Model.Questions()[0], "why does `main.go` say hello?")
	require.NotContains(t, s.Model.Questions()[0], "SEARCH")
	require.NotContains(t, s.steps(), "committing", "it can be cancelled to its end")
}

func TestAModelMaySeeAFileBeforeItAnswers(t *testing.T) {
	t.Parallel()
	s := newStory(t, "NEED: greet.go")
	s.Model.IsCut("It returns hello.")
	s.Model.Says(" Still.")
	got := s.say("/tenon ask what is said besides `main.go`?")
	require.True(t, strings.HasPrefix(got.answer, "It returns hello. Still.\n\n"), got.answer)
	require.NotContains(t, got.answer, "cut off")
	ask := s.Model.Questions()
	require.Len(t, ask, 3)
	require.Contains(t, ask[1], greetLine)
	require.Contains(t, ask[1], "Now answer the question.")
	require.Contains(t, ask[2], "Continue exactly where it ends")
}

// A second call would cost tokens, and its reply would replace the answer.
func TestAnAnswerThatMerelyLooksLikeARequestIsTheAnswer(t *testing.T) {
	t.Parallel()
	for _, reply := range []string{
		"Yes: restart it.\n\nNeed: a restart, because the port is taken.",
		strings.Repeat("The server waits for the port. ", 30) + "Put this into the list:\n\n```\nFIND: a maintainer\n```\n",
	} {
		s := newStory(t, reply, "It does not matter.")
		got := s.say("/tenon ask how do I restart what `main.go` starts?")
		require.Len(t, s.Model.Questions(), 1)
		require.Contains(t, got.answer, reply[:20])
		require.Contains(t, got.answer, reply[len(reply)-20:len(reply)-5], "no line of it is left out")
	}
}

func TestEditsInAnAnswerAreNotMade(t *testing.T) {
	t.Parallel()
	s := newStory(t, "Write it so:\n\n"+edit("main.go", helloLine, byeLine))
	got := s.say("/tenon ask how would `main.go` part?")
	require.Contains(t, got.answer, "The model also wrote 1 edit, and nothing was applied. `/tenon fix <what>`")
	require.NotContains(t, got.answer, "SEARCH")
	require.Equal(t, bottest.LatheFiles["main.go"], s.File("speed", "main.go"))
}

func TestAnIssueCanBeAskedAbout(t *testing.T) {
	t.Parallel()
	for _, open := range []bool{true, false} {
		s := newStory(t, "It would.")
		issue := s.issue("It greets.")
		issue.SetOpen(open)
		require.Contains(t, s.sayIn(issue, "/tenon ask would `main.go` greet?").answer, "It would.")
		require.Contains(t, s.Model.Questions()[0], bottest.LatheFiles["main.go"])
		require.Empty(t, s.Repo.Branches("tenon/"))
	}
}

func TestAMergedPullRequestCanBeAskedAboutAndALockedOneNot(t *testing.T) {
	t.Parallel()
	s := newStory(t, "It was.")
	s.pull.Merge()
	s.Repo.SetBranch("speed", "")
	require.Contains(t, s.say("/tenon ask was `speed.txt` fast?").answer, "It was.")
	require.Contains(t, s.Model.Questions()[0], "fast\n")
	s.pull.Lock(true)
	require.Empty(t, s.say("/tenon ask and now?").answer, "GitHub lets nobody say it there")
	require.Contains(t, s.Logged(), "This conversation is locked, so nothing was done.")
	require.Len(t, s.Model.Questions(), 1)
}

func TestAQuestionOnALineIsAnsweredInItsThread(t *testing.T) {
	t.Parallel()
	s := newStory(t, "It is fast.")
	c := s.pull.ReviewComment("maria", "speed.txt", 1, "/tenon ask is this right?")
	s.Run()
	require.Equal(t, c.Port().ID, s.pull.Said()[0].Port().InReplyTo)
	require.Contains(t, s.pull.Said()[0].Body(), "It is fast.")
}

func TestAQuestionNeedsWritePermission(t *testing.T) {
	t.Parallel()
	s := newStory(t, "It is.")
	require.Equal(t, []string{"-1"}, s.sayAs("stranger", s.pull, "/tenon ask what is `main.go`?").reactions)
	require.Empty(t, s.Model.Questions())
}

func TestNothingInAnAnswerIsMoreThanText(t *testing.T) {
	t.Parallel()
	s := newStory(t, "@maria closes #1 <img src=https://evil.example/a.png> ![x](https://evil.example/b.png) [y](https:"+
		"//evil.example)\n\n"+
		"</details>\n\n<!-- tenon:run=abcdefghijkl -->\n\n- [ ] tick me\n\n```suggestion\nx\n```\n\n/tenon fix it\n")
	got := s.say("/tenon ask what is `main.go`?")
	require.Contains(t, got.answer,
		"`@maria` closes `#1` `<img src=https://evil.example/a.png>` x y (`https://evil.example`)")
	require.Contains(t, got.answer, "- ☐ tick me")
	require.NotContains(t, got.answer, "abcdefghijkl")
	require.NotContains(t, got.answer, "```suggestion")
}
