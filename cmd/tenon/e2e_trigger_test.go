package main

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/ghtest"
)

// ends waits until the app's reactions to something of a kind are these.
func (s *stage) ends(kind string, id int64, want ...string) {
	s.t.Helper()
	s.until(fmt.Sprintf("the reactions %v", want), func() bool {
		list, err := s.github.Reactions(kind, id)
		require.NoError(s.t, err)
		var have []string
		for _, r := range list {
			have = append(have, r.Content)
		}
		return slices.Equal(want, have)
	})
}

// lastDelivery is the newest delivery of an event.
func (s *stage) lastDelivery(event string) ghtest.Delivery {
	s.t.Helper()
	var last ghtest.Delivery
	for _, d := range s.github.Deliveries() {
		if d.Event == event {
			last = d
		}
	}
	require.NotEmpty(s.t, last.GUID, "no delivery of %s", event)
	return last
}

func TestAReviewWithACommandBecomesACommit(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	id, err := s.github.Review("maria", s.repo, s.pull,
		ghtest.NewReview{Body: "Nearly there.\n\n/tenon fix the words in `main.go`"})
	require.NoError(t, err)
	s.ends(ghtest.ReviewItself, id, "eyes", "rocket")
	require.Contains(t, s.file("main.go"), "goodbye")
	require.Len(t, s.commits(), 1)
	require.Len(t, s.answers(), 1)
	require.Contains(t, s.answers()[0], "**Applied 1")
}

func TestAReviewWithoutACommandStartsNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	for _, body := range []string{"", "Well done."} {
		_, err := s.github.Review("stranger", s.repo, s.pull, ghtest.NewReview{Event: "APPROVE", Body: body})
		require.NoError(t, err)
		require.Equal(t, http.StatusNoContent, s.lastDelivery("pull_request_review").Status)
	}
}

func TestANewIssueWithACommandBecomesAPullRequest(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	number, err := s.github.OpenIssue("maria", s.repo, "It greets too early",
		"It should part.\n\n/tenon fix the words in `main.go`")
	require.NoError(t, err)
	issue := s.lastDelivery("issues")
	s.ends(ghtest.IssueItself, issue.Subject, "eyes", "rocket")
	require.Contains(t, s.pullOf(fmt.Sprintf("tenon/issue-%d", number)).Body, fmt.Sprintf("Fixes #%d", number))
	require.Len(t, s.answersIn(number), 1)

	require.NoError(t, s.github.Label("maria", s.repo, number, "tenon"))
	require.Equal(t, http.StatusNoContent, s.lastDelivery("issues").Status,
		"a label that comes with the issue adds nothing to its command")
}

func TestAStrangersIssueWaitsForALabel(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply, "NO CHANGE: all is said.")
	s.start()
	number, err := s.github.OpenIssue("stranger", s.repo, "It greets too early",
		"In `main.go` it should part.\n\n/tenon fix it")
	require.NoError(t, err)
	issue := s.lastDelivery("issues")
	s.ends(ghtest.IssueItself, issue.Subject, "-1")
	require.Empty(t, s.model.questions())

	require.NoError(t, s.github.Label("maria", s.repo, number, "help wanted"))
	require.NoError(t, s.github.Label("maria", s.repo, number, "tenon"))
	s.ends(ghtest.IssueItself, issue.Subject, "-1", "eyes", "rocket")
	require.Contains(t, s.model.questions()[0], "In `main.go` it should part.")
	require.True(t, s.pullOf(fmt.Sprintf("tenon/issue-%d", number)).Open)
	require.Contains(t, s.settled(s.commentIn(number, "/tenon fix what is left")), "confused",
		"a command that waits for all before it")
	require.Len(t, s.model.questions(), 2, "the other label started nothing")
}

func TestALabelOnAPullRequestAsksForWhatItSays(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	_, err := s.github.Push(s.repo, "parting", map[string]string{"part.txt": "x\n"}, "Part\n")
	require.NoError(t, err)
	number, err := s.github.OpenPull(ghtest.Pull{As: "maria", Repo: s.repo, Title: "Part in `main.go`",
		Body: "The word is *goodbye*.", Head: "parting"})
	require.NoError(t, err)
	require.NoError(t, s.github.Label("maria", s.repo, number, "Tenon"))
	s.until("a commit", func() bool {
		data, err := s.github.File(s.repo, "parting", "main.go")
		require.NoError(t, err)
		return string(data) != stageFiles["main.go"]
	})
	require.Contains(t, s.model.questions()[0], "The word is *goodbye*.")
}

func TestBotsStartNothingByWhatTheyDo(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	require.NoError(t, s.github.AddBot("other[bot]"))
	require.NoError(t, s.github.SetRole(s.repo, "other[bot]", ghtest.RoleWrite))
	_, err := s.github.Review("other[bot]", s.repo, s.pull, ghtest.NewReview{Body: "/tenon fix it"})
	require.NoError(t, err)
	require.Equal(t, http.StatusNoContent, s.lastDelivery("pull_request_review").Status)
	number, err := s.github.OpenIssue("other[bot]", s.repo, "Fix", "/tenon fix it")
	require.NoError(t, err)
	require.Equal(t, http.StatusNoContent, s.lastDelivery("issues").Status)
	require.NoError(t, s.github.Label("other[bot]", s.repo, number, "tenon"))
	require.Equal(t, http.StatusNoContent, s.lastDelivery("issues").Status)
	require.NoError(t, s.github.Label("other[bot]", s.repo, s.pull, "tenon"))
	require.Equal(t, http.StatusNoContent, s.lastDelivery("pull_request").Status)
}

func TestALabelThatAsksNothingIsNotTalkedAbout(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply, "NO CHANGE: all is said.")
	held := make(chan struct{})
	s.github.Gate(func(stage ghtest.Stage, r *http.Request) {
		if stage == ghtest.BeforeEffect && isPush(r) {
			<-held
		}
	})
	s.start()
	fix := s.comment("maria", "/tenon fix the words in `main.go`")
	s.until("the run at its commit", func() bool { return len(s.model.questions()) == 1 })
	require.NoError(t, s.github.Label("maria", s.repo, s.pull, "bug"))
	again := s.comment("maria", "/tenon fix what is left")
	s.until("a word that the second command waits", func() bool { return len(s.answers()) == 2 })
	close(held)
	require.Contains(t, s.settled(fix), "rocket")
	require.Contains(t, s.settled(again), "confused")
	require.Len(t, s.answers(), 2)
	require.Len(t, s.model.questions(), 2)
}

func TestALabelWhereNobodyIsServedIsToldOnlyIfItIsOurs(t *testing.T) {
	t.Parallel()
	for label, want := range map[string][]ghtest.Reaction{"bug": {}, "tenon": {{User: "tenon[bot]", Content: "-1"}}} {
		s := newStage(t, goodReply)
		s.env = append(s.env, "TENON_ALLOWED_OWNERS=others")
		s.start()
		number, err := s.github.OpenIssue("maria", s.repo, "It greets", "")
		require.NoError(t, err)
		require.NoError(t, s.github.Label("maria", s.repo, number, label))
		require.Equal(t, []string{"-1"}, s.settled(s.commentIn(number, "/tenon fix it")),
			"a command that waits for the label")
		have, err := s.github.Reactions(ghtest.IssueItself, s.lastDelivery("issues").Subject)
		require.NoError(t, err)
		require.Equal(t, want, have)
		s.until("the refusal", func() bool { return len(s.answersIn(number)) == 1 })
		require.Contains(t, s.answersIn(number)[0], "does not serve repositories of `acme`")
	}
}
