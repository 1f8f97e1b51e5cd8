package bot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// What GitHub derives from a branch lags behind a push for seconds. The branch itself does not.

func TestAPullRequestThatLagsBehindAPushIsWorkedOnAtTheTipOfItsBranch(t *testing.T) {
	t.Parallel()
	for _, commits := range []string{"verified", "push"} {
		s := newStory(t, edit("late.txt", "two", "2"))
		s.settings("commits: " + commits + "\n")
		s.Repo.Lag(true)
		s.push(map[string]string{"late.txt": "one\ntwo\n"})
		got := s.say("/tenon fix `late.txt`")
		require.Equal(t, "rocket", got.verdict, got.answer)
		require.Equal(t, "one\n2\n", s.File("speed", "late.txt"))
		require.Len(t, s.Model.Requests(), 1)
		require.Contains(t, s.Model.Requests()[0].Messages[0].Text, "two", "the model saw what was pushed")
		require.NotContains(t, got.answer, "pushed")
	}
}

func TestASecondCommandSeesTheCommitOfTheFirstThoughThePullRequestLags(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, farewell)
	s.Repo.Lag(true)
	first := s.pull.Comment("maria", "/tenon fix `main.go`")
	second := s.pull.Comment("maria", "/tenon fix `main.go` again")
	s.Run()
	require.Contains(t, first.Reactions(), "rocket")
	require.Contains(t, second.Reactions(), "rocket")
	require.Len(t, s.Commits("speed"), 2)
	require.Contains(t, s.File("speed", "main.go"), "farewell")
	require.Len(t, s.Model.Requests(), 2, "nothing had to be repaired")
}

func TestThePullRequestOfAnIssueThatLagsIsWorkedOnAtTheTipOfItsBranch(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, farewell)
	issue := s.issue("")
	require.Equal(t, "rocket", s.sayIn(issue, "/tenon fix `main.go`").verdict)
	s.Repo.Lag(true)
	s.Repo.Push(issueBranch(issue), map[string]string{"late.txt": "late\n"})
	require.Equal(t, "rocket", s.sayIn(issue, "/tenon fix `main.go`, see `late.txt`").verdict)
	require.Contains(t, s.Model.Requests()[1].Messages[0].Text, "late\n")
	require.Equal(t, "late\n", s.File(issueBranch(issue), "late.txt"))
	require.Contains(t, s.File(issueBranch(issue), "main.go"), "farewell")
}

// The pull request is there, and the list of pull requests does not have it yet.
func TestAPullRequestThatADeadRunOpenedIsNotOpenedTwice(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	issue := s.issue("")
	s.Repo.Lag(true)
	s.After("CreatePull").Kill()
	s.Before("CreatePull").Nth(3).Do(func() { s.Repo.Lag(false) })
	got := s.sayIn(issue, "/tenon fix `main.go`")
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer, "pull request [#3]")
	require.Len(t, s.Calls("CreatePull"), 3)
}

// The repository does not have the commit yet, so that it is read from the fork.
func TestAForkThatWasPushedToIsReadItselfUntilGitHubHasCaughtUp(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("theirs.txt", "four", "4"), edit("theirs.txt", "4", "5"))
	fork := s.fromFork("stranger")
	s.Repo.Lag(true)
	fork.Push("theirs", map[string]string{"theirs.txt": "one\nfour\n"})
	got := s.say("/tenon fix `theirs.txt`")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, "one\n4\n", theirs(t, fork))
	require.Equal(t, "rocket", s.say("/tenon fix `theirs.txt` again").verdict)
	require.Equal(t, "one\n5\n", theirs(t, fork))
	require.Len(t, s.Model.Requests(), 2)
	require.Equal(t, "rocket", s.say("/tenon undo").verdict)
	require.Equal(t, "one\n4\n", theirs(t, fork))
}

func TestSuggestionsForAForkThatLagsAreMadeFromItsTip(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("theirs.txt", "four", "4"))
	fork := s.fromFork("stranger")
	s.pull.RefuseEdits()
	s.Repo.Lag(true)
	fork.Push("theirs", map[string]string{"theirs.txt": "one\nfour\n"})
	got := s.say("/tenon fix `theirs.txt`")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "-four\n+4\n")
}

// GitHub lists the commits of the branch, and those before its tip, only when it has caught up.
func TestARunThatDiedAfterItsCommitWaitsForALagToFindIt(t *testing.T) {
	t.Parallel()
	insert := edit("main.go", "func main() {", "// Hello.\nfunc main() {")
	for _, commits := range []string{"verified", "push"} {
		s := newStory(t, insert)
		s.settings("commits: " + commits + "\n")
		s.Repo.Lag(true)
		op := map[string]string{"verified": "Upload", "push": "Commit"}[commits]
		s.After(op).Kill()
		s.Before("FindCommit").Nth(2).Do(func() { s.Repo.Lag(false) })
		got := s.say("/tenon fix `main.go`")
		require.Equal(t, "rocket", got.verdict, got.answer)
		require.Len(t, s.Commits("speed"), 1)
		require.Len(t, s.Model.Requests(), 1)
	}
}

func TestARunThatDiedBeforeItsCommitDoesNotLookForItWhereTheBranchIsUnchanged(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Repo.Lag(true)
	s.Before("Upload").Kill()
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Empty(t, s.Calls("FindCommit"))
	require.Len(t, s.Commits("speed"), 1)
}

func TestACommitThatIsRefusedThoughTheBranchIsWhereItWasWaits(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Upload").Fail(port.ErrMoved)
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Len(t, s.Commits("speed"), 1)
	require.NotContains(t, got.answer, "pushed")
	require.NotContains(t, got.answer, "moved")
	require.GreaterOrEqual(t, len(s.Calls("Upload")), 2)
}

// GitHub closes the pull request of a branch that is deleted, a while later.
func TestThePullRequestOfADeletedBranchIsNotWorkedOnThoughItIsOpenYet(t *testing.T) {
	t.Parallel()
	s := newStory(t, "It greets.")
	s.Repo.Lag(true)
	s.Repo.SetBranch("speed", "")
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "The branch was deleted, so nothing was done.")
	require.Empty(t, s.Model.Requests())
	require.Contains(t, s.say("/tenon ask what does it do?").answer, "It greets.", "it can be read")
}

func TestTheTipOfABranchAndOfItsBaseCostOneRequest(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Len(t, s.Calls("Tips"), 1)
	var resolved []bottest.Call
	for _, c := range s.Calls("Open") {
		if c.Text == "acme/lathe refs/heads/main" {
			resolved = append(resolved, c)
		}
	}
	require.Len(t, resolved, 1, "the conventions")
}

func TestATipThatIsSecondsOldIsAskedForAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.afterWhile()
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Len(t, s.Calls("Tips"), 2, "the other is asked for while files are fetched")
}

func TestTheBaseOfAPullRequestMayBeDeleted(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Open").Of("refs/heads/main").Fail(port.ErrMoved)
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
}
