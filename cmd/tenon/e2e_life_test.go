package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// meanwhile has something happen while the model writes.
func (s *stage) meanwhile(do func() error) {
	s.model.before = func() { require.NoError(s.t, do()); s.github.WaitDeliveries() }
}

func TestAPullRequestThatWasClosedMeanwhileGetsNoCommit(t *testing.T) {
	t.Parallel()
	for _, commits := range []string{"verified", "push"} {
		for story, c := range map[string]struct {
			act  func(*stage) error
			says string
		}{
			"closed": {func(s *stage) error { return s.github.SetOpen(s.repo, s.pull, false) },
				"this pull request is closed"},
			"merged": {func(s *stage) error { return s.github.Merge(s.repo, s.pull) }, "this pull request is merged"},
			"locked": {func(s *stage) error { return s.github.Lock(s.repo, s.pull, true) },
				"this conversation is locked"},
			"merged, and its branch deleted": {func(s *stage) error {
				if err := s.github.Merge(s.repo, s.pull); err != nil {
					return err
				}
				return s.github.DeleteBranch(s.repo, "speed")
			}, "this pull request is merged"},
		} {
			t.Run(story+", "+commits, func(t *testing.T) {
				t.Parallel()
				s := newStage(t, goodReply)
				s.env = append(s.env, "TENON_COMMITS="+commits)
				s.meanwhile(func() error { return c.act(s) })
				s.start()
				s.comment("maria", "/tenon fix `main.go`")
				require.Contains(t, s.said(c.says), "+\tprintln(\"goodbye\")", "what was paid for is not lost")
				require.Len(t, s.answers(), 1)
				if !strings.Contains(story, "deleted") {
					require.Empty(t, s.commits())
				}
			})
		}
	}
}

func TestAPullRequestThatWasClosedAndReopenedMeanwhileGetsItsCommit(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.meanwhile(func() error {
		if err := s.github.SetOpen(s.repo, s.pull, false); err != nil {
			return err
		}
		return s.github.SetOpen(s.repo, s.pull, true)
	})
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
	require.Len(t, s.commits(), 1)
}

func TestAnIssueThatWasClosedMeanwhileGetsNoPullRequest(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	opened := make(chan int, 1)
	s.meanwhile(func() error { return s.github.SetOpen(s.repo, <-opened, false) })
	s.start()
	number, id := s.issue("", "/tenon fix `main.go`")
	opened <- number
	require.Contains(t, s.settled(id), "confused")
	require.Contains(t, s.answersIn(number)[0], "this issue is closed")
	require.Empty(t, s.gitAt("for-each-ref", "refs/heads/tenon/"))
}

// What happens while a command waits is seen when it is taken.
func TestACommandThatWaitedOnWhatWasClosedIsRefused(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		act  func(*stage) error
		says string
	}{
		"closed": {func(s *stage) error { return s.github.SetOpen(s.repo, s.pull, false) },
			"This pull request is closed, so nothing was done."},
		"merged": {func(s *stage) error { return s.github.Merge(s.repo, s.pull) },
			"This pull request is merged, so nothing was done."},
		"locked": {func(s *stage) error { return s.github.Lock(s.repo, s.pull, true) },
			"This conversation is locked, so nothing was done."},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, goodReply)
			release := s.hold()
			s.start()
			s.comment("maria", "/tenon fix `main.go`")
			s.questioned(1)
			s.comment("maria", "/tenon fix it again")
			s.said("**Waiting**")
			require.NoError(t, c.act(s))
			release()
			s.said(c.says)
			require.Len(t, s.answers(), 2)
			require.Len(t, s.model.questions(), 1)
		})
	}
}

// A conversation that is locked lets the app say nothing more: nothing is done, and nobody is asked.
func TestALockedConversationCostsNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	require.NoError(t, s.github.Lock(s.repo, s.pull, true))
	s.start()
	s.comment("maria", "/tenon fix `main.go`")
	s.until("the end of it", func() bool { return strings.Contains(s.log.all(), "the event is a dead letter") })
	require.Empty(t, s.model.questions())
	require.Empty(t, s.commits())
}

func TestARepositoryThatWasArchivedMeanwhileCostsNothingMore(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	release := s.hold()
	s.start()
	s.comment("maria", "/tenon fix `main.go`")
	s.questioned(1)
	s.comment("maria", "/tenon fix it again")
	s.said("**Waiting**")
	require.NoError(t, s.github.Archive(s.repo, true))
	release()
	s.until("the end of both", func() bool { return strings.Count(s.log.all(), "the event is a dead letter") == 2 })
	require.Len(t, s.model.questions(), 1)
	require.Empty(t, s.commits())
}

func TestARepositoryThatWasRenamedMeanwhileIsFoundByItsNewName(t *testing.T) {
	t.Parallel()
	for _, commits := range []string{"verified", "push"} {
		t.Run(commits, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, goodReply, strings.NewReplacer("goodbye", "farewell", "hello", "goodbye").Replace(goodReply))
			s.env = append(s.env, "TENON_COMMITS="+commits)
			release := s.hold()
			s.start()
			first := s.comment("maria", "/tenon fix `main.go`")
			s.questioned(1)
			second := s.comment("maria", "/tenon fix `main.go` again")
			s.said("**Waiting**")
			require.NoError(t, s.github.RenameRepo(s.repo, "spindle"))
			s.repo = "acme/spindle"
			release()
			require.Equal(t, []string{"eyes", "rocket"}, s.settled(first))
			require.Equal(t, []string{"eyes", "rocket"}, s.settled(second))
			require.Len(t, s.commits(), 2)
			require.Len(t, s.answers(), 2)
			require.Contains(t, s.file("main.go"), "farewell")
		})
	}
}

func TestAnIssueThatWasTransferredMeanwhileGetsNoPullRequest(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	require.NoError(t, s.github.AddRepo(sim.Repo{Name: "acme/other", Files: stageFiles, Public: true}))
	opened, moved := make(chan int, 1), make(chan int, 1)
	s.meanwhile(func() error {
		there, err := s.github.TransferIssue(s.repo, <-opened, "acme/other")
		moved <- there
		return err
	})
	s.start()
	number, _ := s.issue("", "/tenon fix `main.go`")
	opened <- number
	there := <-moved
	s.until("the answer where it is now", func() bool {
		list, err := s.github.Comments("acme/other", there)
		require.NoError(t, err)
		return len(list) == 2 && strings.Contains(list[1].Body, "this issue has moved to `acme/other`")
	})
	require.Empty(t, s.gitAt("for-each-ref", "refs/heads/tenon/"))
}

func TestACommandOnAnIssueThatWasTransferredIsAnsweredThere(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	require.NoError(t, s.github.AddRepo(sim.Repo{Name: "acme/other", Files: stageFiles, Public: true}))
	number, err := s.github.OpenIssue("maria", s.repo, "It greets", "")
	require.NoError(t, err)
	taken, moved := make(chan struct{}), make(chan struct{})
	taking := sync.OnceFunc(func() { close(taken) })
	s.github.Gate(func(stage simhttp.Stage, r *http.Request) {
		if stage == simhttp.BeforeEffect && (hasSuffix(r, "/permission") || hasSuffix(r, fmt.Sprintf("/issues/%d", number))) {
			taking()
			<-moved
		}
	})
	s.start()
	s.commentIn(number, "/tenon fix it")
	<-taken
	there, err := s.github.TransferIssue(s.repo, number, "acme/other")
	require.NoError(t, err)
	close(moved)
	s.until("the answer where it is now", func() bool {
		list, err := s.github.Comments("acme/other", there)
		require.NoError(t, err)
		return len(list) == 2 && strings.Contains(list[1].Body,
			"This issue has moved to `acme/other`, so nothing was done. Give the command there.")
	})
	require.Empty(t, s.model.questions())
}

func TestAnIssueThatWasDeletedMeanwhileGetsNoPullRequest(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	opened := make(chan int, 1)
	s.meanwhile(func() error { return s.github.DeleteIssue(s.repo, <-opened) })
	s.start()
	number, _ := s.issue("", "/tenon fix `main.go`")
	opened <- number
	s.until("the end of it", func() bool { return strings.Contains(s.log.all(), "no thread to answer in") })
	require.Empty(t, s.gitAt("for-each-ref", "refs/heads/tenon/"))
	require.NotContains(t, s.log.all(), `"level":"ERROR"`)
}

func TestAnAnswerThatWasDeletedMeanwhileIsGivenAnew(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.meanwhile(func() error {
		var list []sim.Comment
		s.until("the answer", func() (ok bool) {
			list, _ = s.github.ReviewComments(s.repo, s.pull)
			return len(list) == 2
		})
		return s.github.DeleteReviewComment("maria", list[1].ID)
	})
	s.start()
	id, err := s.github.ReviewComment("maria", s.repo, s.pull, sim.Place{Path: "speed.txt", Line: 1},
		"/tenon fix `main.go`")
	require.NoError(t, err)
	s.until("an answer", func() bool {
		list, err := s.github.ReviewComments(s.repo, s.pull)
		require.NoError(t, err)
		return len(list) == 2 && list[1].InReplyTo == id && strings.Contains(list[1].Body, " · 1 edit committed")
	})
	require.Len(t, s.commits(), 1)
}

// The thread of a line is gone with its comment: the answer is in the conversation.
func TestACommentOnALineThatWasDeletedMeanwhileIsAnsweredInTheConversation(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	said := make(chan int64, 1)
	s.meanwhile(func() error { return s.github.DeleteReviewComment("maria", <-said) })
	s.start()
	id, err := s.github.ReviewComment("maria", s.repo, s.pull, sim.Place{Path: "speed.txt", Line: 1},
		"/tenon fix `main.go`")
	require.NoError(t, err)
	said <- id
	s.until("an answer", func() bool {
		list, err := s.github.ReviewComments(s.repo, s.pull)
		require.NoError(t, err)
		all := s.answers()
		for _, c := range list {
			all = append(all, c.Body)
		}
		return strings.Contains(strings.Join(all, "\n"), " · 1 edit committed")
	})
	require.Len(t, s.commits(), 1)
}

func TestAPermissionThatWasTakenAwayMeanwhileCounts(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	require.NoError(t, s.github.SetRole(s.repo, "stranger", entity.RoleWrite))
	release := s.hold()
	s.start()
	first := s.comment("stranger", "/tenon fix `main.go`")
	s.questioned(1)
	second := s.comment("stranger", "/tenon fix `main.go` again")
	s.said("**Waiting**")
	require.NoError(t, s.github.SetRole(s.repo, "stranger", entity.RoleRead))
	release()
	require.Equal(t, []string{"eyes", "confused"}, s.settled(first))
	require.Empty(t, s.commits())
	s.said("stranger now has read permission here, and the command needs write permission")
	require.Contains(t, s.settled(second), "-1")
	require.Len(t, s.model.questions(), 1)
	s.until("the refusal", func() bool { return strings.Contains(strings.Join(s.answers(), "\n"), "and you have read") })
	require.NotContains(t, strings.Join(s.answers(), "\n"), "**Waiting**", "what waited does so no more")
}

func TestWithoutThePermissionForChecksAllElseWorks(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	_, err := s.github.Install(sim.Installation{Owner: "acme", Permissions: map[string]string{
		"metadata": "read", "contents": "write", "issues": "write", "pull_requests": "write",
	}})
	require.NoError(t, err)
	s.start()
	require.Equal(t, []string{"eyes", "rocket"}, s.settled(s.comment("maria", "/tenon fix `main.go`")))
	require.Len(t, s.commits(), 1)
	checks, err := s.github.CheckRuns(s.repo)
	require.NoError(t, err)
	require.Empty(t, checks)
}

func TestWhereThereAreNoDraftsThePullRequestIsAnOrdinaryOne(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.repo = "acme/plain"
	require.NoError(t, s.github.AddRepo(sim.Repo{Name: s.repo, Files: stageFiles, NoDrafts: true}))
	s.start()
	number, id := s.issue("", "/tenon fix `main.go`")
	require.Contains(t, s.settled(id), "rocket")
	require.False(t, s.pullOf(fmt.Sprintf("tenon/issue-%d", number)).Draft)
}

func TestAProtectionThatComesMeanwhileIsToldInGitHubsWords(t *testing.T) {
	t.Parallel()
	for _, commits := range []string{"verified", "push"} {
		for kind, protect := range map[string]func(*simhttp.Server, string, string, string) error{
			"protection": (*simhttp.Server).Protect, "rule": (*simhttp.Server).Rule,
		} {
			t.Run(kind+", "+commits, func(t *testing.T) {
				t.Parallel()
				s := newStage(t, goodReply)
				s.env = append(s.env, "TENON_COMMITS="+commits)
				s.meanwhile(func() error { return protect(s.github, s.repo, "speed", "Changes must be signed by two.") })
				s.start()
				require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "confused")
				require.Contains(t, strings.Join(s.answers(), "\n"), "Changes must be signed by two.")
				require.Empty(t, s.commits())
			})
		}
	}
}

// What the app may not do is for a maintainer to fix, and the answer says so.
func TestWhatGitHubForbidsTheAppIsNamedAsTheCause(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.github.FailNext(func(r *http.Request) bool { return hasSuffix(r, "/pulls/1") }, 1,
		simhttp.Failure{Status: http.StatusForbidden, Message: "Resource not accessible by integration"})
	s.start()
	require.Equal(t, []string{"eyes", "confused"}, s.settled(s.comment("maria", "/tenon fix `main.go`")))
	require.Len(t, s.answers(), 1)
	require.Contains(t, s.answers()[0], "GitHub does not let this app finish this")
	require.NotContains(t, s.answers()[0], "integration")
	require.Empty(t, s.model.questions())
}

func TestAnIssueWhosePullRequestWasMergedMeanwhileGetsNoCommit(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply, edit("greet.go", greetLine, betterGreet))
	s.start()
	number, err := s.github.OpenIssue("maria", s.repo, "It greets too early", "")
	require.NoError(t, err)
	branch := fmt.Sprintf("tenon/issue-%d", number)
	require.Equal(t, "rocket", s.sayIn(number, "/tenon fix `main.go`").verdict)
	s.meanwhile(func() error { return s.github.Merge(s.repo, s.pullOf(branch).Number) })
	got := s.sayIn(number, "/tenon fix `greet.go`")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "the pull request for this issue is merged, closed or locked")
	require.Contains(t, got.answer, "good day", "the patch")
	data, err := s.github.File(s.repo, branch, "greet.go")
	require.NoError(t, err)
	require.Equal(t, stageFiles["greet.go"], string(data))
}
