package bot_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

func TestAPullRequestThatWasClosedMeanwhileGetsNoCommit(t *testing.T) {
	t.Parallel()
	for _, commits := range []string{"verified", "push"} {
		for name, c := range map[string]struct {
			act  func(*story)
			says string
		}{
			"closed": {func(s *story) { s.pull.SetOpen(false) }, "this pull request is closed"},
			"merged": {func(s *story) { s.pull.Merge() }, "this pull request is merged"},
			"locked": {func(s *story) { s.pull.Lock(true) }, "this conversation is locked"},
			"merged, and its branch deleted": {func(s *story) {
				s.pull.Merge()
				s.Repo.SetBranch("speed", "")
			}, "this pull request is merged"},
		} {
			t.Run(name+", "+commits, func(t *testing.T) {
				t.Parallel()
				s := newStory(t, goodbye)
				s.settings("commits: " + commits + "\n")
				s.while(func() { c.act(s) })
				got := s.say("/tenon fix `main.go`")
				require.Contains(t, got.answer, c.says)
				require.Contains(t, got.answer, "+\tprintln(\"goodbye\")", "what was paid for is not lost")
				require.Empty(t, s.Commits("speed"))
				require.Len(t, s.pull.Answers(), 1)
			})
		}
	}
}

func TestAPullRequestThatWasClosedAndReopenedMeanwhileGetsItsCommit(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.while(func() {
		s.pull.SetOpen(false)
		s.pull.SetOpen(true)
	})
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
}

// GitHub is asked about the thread again before a commit, and not where there is nothing to commit.
func TestAThreadIsAskedAboutOnceMoreBeforeACommit(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, "NO CHANGE: it parts.")
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Len(t, s.Calls("PullState"), 1)
	s.say("/tenon fix `main.go` again")
	require.Len(t, s.Calls("PullState"), 1)
}

// Who fills the queue hides no event that matters there.
func TestAFullQueueHidesNothing(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.while(func() {
		for i := range 100 {
			s.pull.Comment("stranger", fmt.Sprintf("/tenon fix %d", i))
		}
		s.pull.SetOpen(false)
	})
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Empty(t, s.Commits("speed"))
	require.Equal(t, 1, s.saying("this pull request is closed"))
}

func TestAnIssueThatWasClosedMeanwhileGetsNoPullRequest(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	issue := s.issue("")
	s.while(func() { issue.SetOpen(false) })
	got := s.sayIn(issue, "/tenon fix `main.go`")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "this issue is closed")
	require.Empty(t, s.Repo.Branches("tenon/"))
}

func TestAnIssueWhosePullRequestWasMergedMeanwhileGetsNoCommit(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, edit("greet.go", greetLine, betterGreet))
	issue := s.issue("")
	require.Equal(t, "rocket", s.sayIn(issue, "/tenon fix `main.go`").verdict)
	s.while(func() { s.Repo.PullOf(issueBranch(issue)).Merge() })
	got := s.sayIn(issue, "/tenon fix `greet.go`")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "the pull request for this issue is merged, closed or locked")
	require.Contains(t, got.answer, "good day", "the patch")
	require.Equal(t, bottest.LatheFiles["greet.go"], s.File(issueBranch(issue), "greet.go"))
}

// What happens while a command waits is seen when it is taken.
func TestACommandThatWaitedOnWhatWasClosedIsRefused(t *testing.T) {
	t.Parallel()
	for says, act := range map[string]func(*story){
		"This pull request is closed, so nothing was done. Reopen it, and give the command again.": func(s *story) {
			s.pull.SetOpen(false)
		},
		"This pull request is merged, so nothing was done.": func(s *story) {
			s.pull.Merge()
		},
		"This conversation is locked, so nothing was done.": func(s *story) {
			s.pull.Lock(true)
		},
	} {
		s := newStory(t, goodbye)
		s.while(func() {
			s.pull.Comment("maria", "/tenon fix it again")
			s.NotifyQueued()
			act(s)
		})
		s.pull.Comment("maria", "/tenon fix `main.go`")
		s.Run()
		require.Equal(t, 1, s.saying(says), s.pull.Answers())
		require.Len(t, s.pull.Answers(), 2)
		require.Len(t, s.Model.Questions(), 1)
	}
}

// A conversation that is locked lets the app say nothing more: nothing is done, and nobody is asked.
func TestALockedConversationCostsNothing(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.pull.Lock(true)
	s.say("/tenon fix `main.go`")
	require.Len(t, s.Queue.DeadLetters(), 1)
	require.Empty(t, s.Model.Questions())
	require.Empty(t, s.pull.Answers())
}

func TestARepositoryThatWasArchivedCostsNothingMore(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.while(func() {
		s.pull.Comment("maria", "/tenon fix it again")
		s.Repo.Archive(true)
	})
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Len(t, s.Queue.DeadLetters(), 2)
	require.Len(t, s.Model.Questions(), 1)
	require.Empty(t, s.Commits("speed"))

	other := newStory(t, goodbye)
	other.pull.Comment("maria", "/tenon fix `main.go`")
	ev := other.LastEvent()
	ev.Delivery, ev.Repo.Archived = "late", true
	ev.Comment.ID++ // the comment of the other delivery is known
	other.Run()
	other.Redeliver(ev)
	other.Run()
	require.Equal(t, 1, other.saying("This repository is archived, so nothing was done."))
}

func TestARepositoryThatWasRenamedMeanwhileIsFoundByItsNewName(t *testing.T) {
	t.Parallel()
	for _, commits := range []string{"verified", "push"} {
		s := newStory(t, goodbye)
		s.settings("commits: " + commits + "\n")
		first := s.pull.Comment("maria", "/tenon fix `main.go`")
		var second *bottest.Comment
		s.while(func() {
			second = s.pull.Comment("maria", "/tenon fix `main.go` again")
			s.NotifyQueued()
			s.Repo.Rename("spindle")
		})
		s.Model.Says(farewell)
		s.Run()
		require.Equal(t, []string{"eyes", "rocket"}, reactions(first))
		require.Equal(t, []string{"eyes", "rocket"}, reactions(second))
		require.Len(t, s.Commits("speed"), 2)
		require.Len(t, s.pull.Answers(), 2)
	}
}

// On an issue, the new name is what the rest of the run goes by.
func TestAnIssueOfARenamedRepository(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	issue := s.issue("")
	issue.Comment("maria", "/tenon fix `main.go`")
	s.Repo.Rename("spindle")
	s.Run()
	require.Contains(t, issue.LastAnswer(), " · 1 edit committed")
	require.NotNil(t, s.Repo.PullOf(issueBranch(issue)))
}

func TestAnIssueThatWasTransferredIsAnsweredWhereItIs(t *testing.T) {
	t.Parallel()
	for when, op := range map[string]string{
		"before the run": "Permission", "before its comments are read": "Comments", "after the model was asked": "Charge",
	} {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, goodbye)
			other := s.GitHub.AddRepo("acme/other", bottest.LatheFiles)
			issue := s.issue("")
			var moved *bottest.Thread
			s.Before(op).Do(func() { moved = issue.Transfer(other) })
			issue.Comment("maria", "/tenon fix `main.go`")
			s.Run()
			require.Contains(t, moved.LastAnswer(), "his issue has moved to `acme/other`")
			require.Len(t, moved.Answers(), 1)
			require.Empty(t, s.Repo.Branches("tenon/"))
			require.Empty(t, s.Queue.DeadLetters())
		})
	}
}

func TestAnIssueThatWasTransferredOutOfReach(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	other := s.GitHub.AddRepo("acme/other", bottest.LatheFiles)
	s.GitHub.Install("acme", s.Repo)
	issue := s.issue("")
	issue.Comment("maria", "/tenon fix `main.go`")
	moved := issue.Transfer(other)
	s.Run()
	require.Empty(t, moved.Answers())
	require.Empty(t, s.Model.Questions())
}

// otherOwner is a GitHub that tells of another owner where an issue was transferred to.
type otherOwner struct{ port.GitHub }

func (g otherOwner) Issue(ctx context.Context, repo port.RepoRef, number int) (port.Issue, error) {
	issue, err := g.GitHub.Issue(ctx, repo, number)
	if _, name, _ := strings.Cut(issue.Repo, "/"); name != repo.Name {
		issue.Repo = "stranger/" + name
	}
	return issue, err
}

// A repository of the same name is not the one that the issue is in now.
func TestAnIssueOfAnotherOwnerIsNotAnsweredInARepositoryOfTheSameName(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.bot.GitHub = otherOwner{s.GitHub}
	other := s.GitHub.AddRepo("acme/other", bottest.LatheFiles)
	issue := s.issue("")
	issue.Comment("maria", "/tenon fix `main.go`")
	sameNumber := issue.Transfer(other)
	s.Run()
	require.Empty(t, sameNumber.Answers())
	require.Empty(t, s.Model.Questions())
}

func TestAnIssueThatWasDeletedIsNoError(t *testing.T) {
	t.Parallel()
	for when, op := range map[string]string{
		"before the run": "Permission", "before its comments are read": "Comments", "after the model was asked": "Charge",
	} {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, goodbye)
			issue := s.issue("")
			s.Before(op).Do(issue.Delete)
			issue.Comment("maria", "/tenon fix `main.go`")
			s.Run()
			require.Empty(t, s.Queue.DeadLetters())
			require.NotContains(t, s.Logged(), "level=ERROR")
			require.Empty(t, s.Repo.Branches("tenon/"))
		})
	}
}

// A pull request is never deleted, but a repository is, and a 404 may be one of a moment.
func TestAPullRequestThatIsNotThere(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("PullRequest").Fail(port.ErrNotFound)
	require.Contains(t, s.say("/tenon fix `main.go`").answer, "Pull request 1 no longer exists, so nothing was done.")

	gone := newStory(t, goodbye)
	gone.while(gone.Repo.Delete)
	gone.pull.Comment("maria", "/tenon fix `main.go`")
	gone.Run()
	require.Len(t, gone.Queue.DeadLetters(), 1)
}

func TestAnAnswerThatWasDeletedMeanwhileIsGivenAnew(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	c := s.pull.ReviewComment("maria", "speed.txt", 1, "/tenon fix `main.go`")
	s.while(func() { s.pull.Said()[0].Delete() })
	s.Run()
	require.Len(t, s.repliesTo(c), 1)
	require.Contains(t, s.repliesTo(c)[0], " · 1 edit committed")
}

// The thread of a line is gone with its comment: the answer is in the conversation.
func TestACommentOnALineThatWasDeletedMeanwhileIsAnsweredInTheConversation(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	c := s.pull.ReviewComment("maria", "speed.txt", 1, "/tenon fix `main.go`")
	s.Before("Permission").Do(c.Delete)
	s.Run()
	require.Contains(t, s.pull.LastAnswer(), " · 1 edit committed")
	require.Len(t, s.Commits("speed"), 1)
}

func TestACommentThatWasDeletedMeanwhileIsAnsweredAllTheSame(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	c := s.pull.Comment("maria", "/tenon fix `main.go`")
	s.while(c.Delete)
	s.Run()
	require.Contains(t, s.pull.LastAnswer(), " · 1 edit committed")
}

func TestAPermissionThatWasTakenAwayMeanwhileCounts(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.addVictor()
	s.while(func() { s.Repo.SetRole("victor", port.PermissionNone) })
	got := s.sayAs("victor", s.pull, "/tenon fix `main.go`")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "victor now has read permission here, and the command needs write permission")
	require.Contains(t, got.answer, "+\tprintln(\"goodbye\")", "what was paid for is not lost")
	require.Empty(t, s.Commits("speed"))
	require.Equal(t, []string{"-1"}, s.sayAs("victor", s.pull, "/tenon fix `main.go`").reactions)
}

func TestAnAppThatWasTakenAwayMeanwhileWritesNothingMore(t *testing.T) {
	t.Parallel()
	for what, away := range map[string]func(*bottest.GitHub){
		"uninstalled": func(g *bottest.GitHub) { g.Uninstall("acme") },
		"suspended":   func(g *bottest.GitHub) { g.Suspend("acme", true) },
	} {
		s := newStory(t, goodbye)
		s.while(func() { away(s.GitHub) })
		s.pull.Comment("maria", "/tenon fix `main.go`")
		s.Run()
		require.Len(t, s.Queue.DeadLetters(), 1, what)
		require.Empty(t, s.Commits("speed"))
		require.Len(t, s.pull.Answers(), 1)
		require.Contains(t, s.pull.LastAnswer(), "Working", "what it said before is all that it could say")
	}
}
