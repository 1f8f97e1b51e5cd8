package main

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
)

func TestACommentBecomesACommit(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	id := s.comment("maria", "Hello.\n\n/tenon fix the words in `main.go`")
	require.Equal(t, http.StatusAccepted, s.delivery(id).Status)
	require.Equal(t, []string{"eyes", "rocket"}, s.settled(id))
	require.Equal(t, strings.Replace(stageFiles["main.go"], "hello", "goodbye", 1), s.file("main.go"))
	require.Equal(t, stageFiles["greet.go"], s.file("greet.go"))
	require.Len(t, s.commits(), 1)
	require.True(t, strings.HasPrefix(s.commits()[0], "fix: say goodbye\n\nRequested by maria in "))
	answers := s.answers()
	require.Len(t, answers, 1)
	require.Contains(t, answers[0], " · 1 edit committed")
	require.Contains(t, answers[0], "main.go#L4")
	require.Contains(t, answers[0], "<!-- tenon:run=")

	questions := s.model.questions()
	require.Len(t, questions, 1)
	require.Contains(t, questions[0], stageFiles["main.go"], "the model saw the file that the comment names")
	require.NotContains(t, questions[0], stageFiles["greet.go"], "and no other")
}

func TestACommentThatNamesNoFileShowsWhatThePullRequestChanges(t *testing.T) {
	t.Parallel()
	s := newStage(t, "speed.txt\n<<<<<<< SEARCH\nfast\n=======\nfaster\n>>>>>>> REPLACE\n")
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "@tenon go on")), "rocket")
	require.Equal(t, "faster\n", s.file("speed.txt"))
}

func TestACommentOnALineIsAnsweredInItsThread(t *testing.T) {
	t.Parallel()
	s := newStage(t, "speed.txt\n<<<<<<< SEARCH\nfast\n=======\nfaster\n>>>>>>> REPLACE\n")
	s.start()
	id, err := s.github.ReviewComment("maria", s.repo, s.pull, sim.Place{Path: "speed.txt", Line: 1}, "/tenon fix this")
	require.NoError(t, err)
	s.until("an answer in the thread", func() bool {
		list, err := s.github.ReviewComments(s.repo, s.pull)
		require.NoError(t, err)
		return len(list) == 2 && list[1].InReplyTo == id && strings.Contains(list[1].Body, " · 1 edit committed")
	})
	require.Equal(t, "faster\n", s.file("speed.txt"))
	require.Contains(t, s.model.questions()[0], "speed.txt, line 1")
}

func TestHelpExplainsTheCommands(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	s.comment("stranger", "/tenon help")
	s.until("the help", func() bool { return len(s.answers()) == 1 })
	require.Contains(t, s.answers()[0],
		"\n- `/tenon fix [what]` changes the code")
	require.Empty(t, s.model.questions())
}

func TestAStrangerIsTurnedAwayOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	for range 2 {
		require.Contains(t, s.settled(s.comment("stranger", "/tenon fix it")), "-1")
	}
	s.until("the refusal", func() bool { return len(s.answers()) > 0 })
	require.Contains(t, s.settled(s.comment("stranger", "/tenon fix it")), "-1")
	require.Len(t, s.answers(), 1)
	require.Contains(t, s.answers()[0], "needs write permission in this repository, and you have read")
	require.Empty(t, s.commits())
	require.Empty(t, s.model.questions())
}

func TestAForgedSignatureIsRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	s.comment("maria", "not for tenon")
	body := []byte(`{"action":"created"}`)
	for name, signature := range map[string]string{"none": "", "forged": "sha256=" + strings.Repeat("0", 64),
		"of SHA-1": "sha1=" + strings.Repeat("0", 40)} {
		req, err := http.NewRequest(http.MethodPost, s.github.HookURL(), bytes.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("X-GitHub-Event", "issue_comment")
		req.Header.Set("X-GitHub-Delivery", "d1")
		req.Header.Set("X-Hub-Signature-256", signature)
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, http.StatusUnauthorized, res.StatusCode, name)
	}
}

func TestADuplicateDeliveryDoesNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	id := s.comment("maria", "/tenon fix `main.go`")
	first := s.delivery(id)
	for range 2 {
		again, err := s.github.Duplicate(first.GUID)
		require.NoError(t, err)
		require.Equal(t, http.StatusAccepted, again.Status)
		s.settled(id)
	}
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go` again")), "confused",
		"a later command of the thread waits for all before it")
	require.Len(t, s.commits(), 1)
	require.Len(t, s.model.questions(), 1+3, "the second command meets a file that has changed, and two repairs")
	require.Len(t, s.answers(), 2)
}

func TestWhatAsksNothingIsNotAccepted(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	require.NoError(t, s.github.AddBot("other[bot]"))
	for story, c := range map[string]struct{ as, body string }{
		"a comment without a command": {"maria", "looks good"},
		"a bot's comment":             {"other[bot]", "/tenon fix it"},
		"tenon's own comment":         {s.github.BotLogin(), "/tenon fix it"},
	} {
		require.Equal(t, http.StatusNoContent, s.delivery(s.comment(c.as, c.body)).Status, story)
	}
	s.settled(s.comment("maria", "/tenon fix `main.go`"))
	require.Len(t, s.model.questions(), 1)
}

func TestAQuotedCommandIsNotStoredAndAnswersNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	quoted := s.comment("maria", "> /tenon fix it\n\nI would not.")
	s.settled(s.comment("maria", "/tenon fix `main.go`"))
	require.Equal(t, http.StatusNoContent, s.delivery(quoted).Status)
	require.Empty(t, s.reactions(quoted))
	require.Len(t, s.answers(), 1)
}
