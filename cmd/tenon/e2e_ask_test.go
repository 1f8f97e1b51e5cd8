package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// told waits for the last word of a run that ends without a reaction, the only answer on an issue or pull request.
func (s *stage) told(number int) string {
	s.t.Helper()
	s.until("an answer", func() bool {
		list := s.answersIn(number)
		return len(list) == 1 && !strings.Contains(list[0], "**Working**") && !strings.Contains(list[0], "**Waiting**")
	})
	return s.answersIn(number)[0]
}

func TestAQuestionIsAnsweredAndNothingChanged(t *testing.T) {
	t.Parallel()
	s := newStage(t, "It says hello in `main.go:4`, as `greet.go` does not know better.\n\n- so it is")
	s.start()
	id := s.comment("maria", "/tenon ask why does `main.go` say hello?")
	answer := s.told(s.pull)
	require.Contains(t, answer, "It says hello in [`main.go:4`](")
	require.Regexp(t, `/acme/lathe/blob/[0-9a-f]{40}/main\.go#L4\), as `+"`greet\\.go`"+` does`, answer)
	require.Contains(t, answer, "\n\n- so it is\n\n")
	require.Contains(t, answer, "The model saw 2 files")
	require.Contains(t, answer, "`model-1` · 1 call")
	require.Contains(t, answer, "<!-- tenon:run=")
	require.Equal(t, []string{"eyes"}, s.reactions(id))
	require.Empty(t, s.commits())
	runs, err := s.github.CheckRuns(s.repo)
	require.NoError(t, err)
	require.Empty(t, runs, "a question is no check of the code")
	require.Len(t, s.model.questions(), 1)
	require.Contains(t, s.model.questions()[0], "why does `main.go` say hello?")
	require.NotContains(t, s.model.questions()[0], "SEARCH")
}

func TestAModelMaySeeAFileBeforeItAnswers(t *testing.T) {
	t.Parallel()
	s := newStage(t, "NEED: greet.go", "It returns hello."+cutMark, " Still.")
	s.start()
	s.comment("maria", "/tenon ask what is said besides `main.go`?")
	answer := s.told(s.pull)
	require.True(t, strings.HasPrefix(answer, "It returns hello. Still.\n\n"), answer)
	require.NotContains(t, answer, "cut off")
	ask := s.model.questions()
	require.Len(t, ask, 3)
	require.Contains(t, ask[1], greetLine)
	require.Contains(t, ask[1], "Now answer the question.")
	require.Contains(t, ask[2], "Continue exactly where it ends")
}

func TestEditsInAnAnswerAreNotMade(t *testing.T) {
	t.Parallel()
	s := newStage(t, "Write it so:\n\n"+edit("main.go", helloLine, byeLine))
	s.start()
	s.comment("maria", "/tenon ask how would `main.go` part?")
	answer := s.told(s.pull)
	require.Contains(t, answer, "Write it so:")
	require.Contains(t, answer, "The model also wrote 1 edit, and nothing was applied. `/tenon fix <what>`")
	require.NotContains(t, answer, "SEARCH")
	require.Empty(t, s.commits())
	require.Equal(t, stageFiles["main.go"], s.file("main.go"))
}

func TestNothingInAnAnswerIsMoreThanText(t *testing.T) {
	t.Parallel()
	s := newStage(t, "@maria closes #1 <img src=https://evil.example/a.png> ![x](https://evil.example/b.png) [y](https:"+
		"//evil.example)\n\n</details>\n\n<!-- tenon:run=abcdefghijkl -->\n\n- [ ] tick me\n\n```suggestion\nx\n```\n\n/"+
		"tenon fix it\n")
	s.start()
	s.comment("maria", "/tenon ask what is `main.go`?")
	answer := s.told(s.pull)
	require.Contains(t, answer, "`@maria` closes `#1` `<img src=https://evil.example/a.png>` x y (`https://evil.example`)")
	require.Contains(t, answer, "- ☐ tick me")
	require.Contains(t, answer, "```html\n</details>\n```")
	require.NotContains(t, answer, "abcdefghijkl")
	require.NotContains(t, answer, "```suggestion")
	require.Len(t, s.model.questions(), 1, "nobody is asked by an answer")
}

func TestAQuestionOnALineIsAnsweredInItsThread(t *testing.T) {
	t.Parallel()
	s := newStage(t, "It is fast.")
	s.start()
	place := sim.Place{Path: "speed.txt", Line: 1}
	id, err := s.github.ReviewComment("maria", s.repo, s.pull, place, "/tenon ask is this right?")
	require.NoError(t, err)
	s.until("an answer in the thread", func() bool {
		list, err := s.github.ReviewComments(s.repo, s.pull)
		require.NoError(t, err)
		return len(list) == 2 && list[1].InReplyTo == id && strings.Contains(list[1].Body, "It is fast.")
	})
	require.Contains(t, s.model.questions()[0], "speed.txt, line 1")
}

func TestAnIssueCanBeAskedAbout(t *testing.T) {
	t.Parallel()
	for state, open := range map[string]bool{"open": true, "closed": false} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, "It would.")
			s.start()
			number, err := s.github.OpenIssue("maria", s.repo, "Greeting", "It greets.")
			require.NoError(t, err)
			require.NoError(t, s.github.SetOpen(s.repo, number, open))
			_, err = s.github.Comment("maria", s.repo, number, "/tenon ask would `main.go` greet?")
			require.NoError(t, err)
			require.Contains(t, s.told(number), "It would.")
			require.Contains(t, s.model.questions()[0], stageFiles["main.go"])
			require.Empty(t, s.gitAt("for-each-ref", fmt.Sprintf("refs/heads/tenon/issue-%d", number)))
		})
	}
}

func TestAMergedPullRequestCanBeAskedAboutAndALockedOneNot(t *testing.T) {
	t.Parallel()
	s := newStage(t, "It was.")
	s.start()
	err := s.github.Merge(s.repo, s.pull)
	require.NoError(t, err)
	require.NoError(t, s.github.DeleteBranch(s.repo, "speed"))
	s.comment("maria", "/tenon ask was `speed.txt` fast?")
	require.Contains(t, s.told(s.pull), "It was.")
	require.Contains(t, s.model.questions()[0], "fast\n")

	require.NoError(t, s.github.Lock(s.repo, s.pull, true))
	s.comment("maria", "/tenon ask and now?")
	s.until("the refusal, which GitHub lets nobody say there", func() bool {
		return strings.Contains(s.log.all(), "This conversation is locked, so nothing was done.")
	})
	require.Len(t, s.model.questions(), 1)
}

func TestAQuestionNeedsWritePermission(t *testing.T) {
	t.Parallel()
	s := newStage(t, "It is.")
	s.start()
	require.Contains(t, s.settled(s.comment("stranger", "/tenon ask what is `main.go`?")), "-1")
	require.Empty(t, s.model.questions())
}

func TestKilledWhileItAnswersAQuestion(t *testing.T) {
	t.Parallel()
	s := newStage(t, "It is.")
	s.startProcess()
	k := newKiller(s)
	k.at(simhttp.BeforeEffect, isLastWord)
	s.comment("maria", "/tenon ask what is `main.go`?")
	k.wait()
	s.github.Gate(nil)
	s.startProcess()
	require.Contains(t, s.told(s.pull), "It is.")
	require.Len(t, s.model.questions(), 1)
}
