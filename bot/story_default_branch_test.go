package bot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
)

// unreviewed is why the default branch gets no commit.
const unreviewed = "this is the default branch, and nobody would review what is committed there"

// ofDefaultBranch replaces the pull request by one from the default branch to an old one.
func (s *story) ofDefaultBranch() {
	s.t.Helper()
	s.Repo.SetBranch("old", s.Repo.Branch("main"))
	s.Repo.Push("main", map[string]string{"speed.txt": "fast\n"})
	s.pull = s.Repo.OpenPull("stranger", "Back to the old", "main", "old")
}

func TestTheDefaultBranchGetsAPullRequestInPlaceOfACommit(t *testing.T) {
	t.Parallel()
	for _, commits := range []string{"verified", "push"} {
		s := newStory(t, fasterReply)
		s.settings("commits: " + commits + "\n")
		s.ofDefaultBranch()
		main := s.Repo.Branch("main")
		got := s.say("/tenon fix `speed.txt`")
		require.Equal(t, "confused", got.verdict)
		require.Contains(t, got.answer, unreviewed)
		require.Contains(t, got.answer, "+faster\n", "the patch")
		require.Contains(t, s.offer().Body(), "`main` does not accept commits from this app.")

		s.tick("maria", s.offer(), 1)
		require.Equal(t, main, s.Repo.Branch("main"))
		require.Len(t, s.opened(), 1)
		require.Equal(t, "main", s.opened()[0].Base())
		require.Equal(t, "faster\n", s.File(s.Repo.Branches("tenon/pull-")[0], "speed.txt"))
	}
}

// What has become the default branch gets no commit either, whichever command asks for one.
func TestNoCommandCommitsToTheDefaultBranch(t *testing.T) {
	t.Parallel()
	for name, said := range map[string]string{
		"/tenon fix `speed.txt`": unreviewed, "/tenon undo": unreviewed, "/tenon run 1": unreviewed,
		"/tenon apply\n\n" + edit("speed.txt", "slow", "faster"): unreviewed,
		"/tenon preview `speed.txt`":                             "tenon cannot push here, because " + unreviewed,
		"/tenon update":                                          "Nothing was merged: " + unreviewed + ".",
		"/tenon resolve":                                         "Nothing was merged: " + unreviewed + ".",
	} {
		t.Run(name[:11], func(t *testing.T) {
			t.Parallel()
			s := newStory(t, edit("speed.txt", "fast", "slow")+"```bash\ngit mv greet.go hello.go\n```\n",
				edit("speed.txt", "slow", "faster"))
			s.say("/tenon fix `speed.txt`")
			s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
			s.Repo.SetDefaultBranch("speed")
			was := s.Repo.Branch("speed")
			require.Contains(t, s.say(name).answer, said)
			require.Equal(t, was, s.Repo.Branch("speed"))
		})
	}
}

// Somebody makes the branch the default branch while the edits are made.
func TestABranchThatBecomesTheDefaultBranchMeanwhileGetsNoCommit(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]string{"a fix": "/tenon fix `speed.txt`", "a merge": "/tenon update"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, fasterReply)
			s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
			was := s.Repo.Branch("speed")
			s.After("Record").Of("apply.1").Do(func() { s.Repo.SetDefaultBranch("speed") })
			require.Contains(t, s.say(command).answer, unreviewed)
			require.Equal(t, was, s.Repo.Branch("speed"))
			require.Equal(t, name == "a fix", s.saying("<!-- tenon:offer=") == 1, "git makes a merge again")
		})
	}
}

func TestABranchThatBecomesTheDefaultBranchDuringItsTestGetsNoCommit(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.verifying(func(ci *bottest.CI) { s.Repo.SetDefaultBranch("speed"); passes(ci) })
	was := s.Repo.Branch("speed")
	require.Contains(t, s.say("/tenon fix `main.go`").answer, unreviewed)
	require.Equal(t, was, s.Repo.Branch("speed"))
	require.Empty(t, s.scratch())
}

// The branch of an issue is looked at as well.
func TestTheBranchOfAnIssueThatIsTheDefaultBranchGetsNoCommit(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, farewell)
	issue := s.Repo.OpenIssue("maria", "Say goodbye", "In `main.go`.")
	s.sayIn(issue, "/tenon fix")
	was := s.Repo.Branch(issueBranch(issue))
	require.NotEmpty(t, was)
	s.Repo.SetDefaultBranch(issueBranch(issue))
	require.Contains(t, s.sayIn(issue, "/tenon fix").answer, unreviewed)
	require.Equal(t, was, s.Repo.Branch(issueBranch(issue)))
}

func TestAutofixEndsWhereTheBranchHasBecomeTheDefaultBranch(t *testing.T) {
	t.Parallel()
	s := newAutofixStory(t, 2, red(1))
	s.push(map[string]string{".github/tenon.yml": "autofix: 2\n"})
	s.After("Upload").Do(func() { s.Repo.SetDefaultBranch("speed") })
	got := s.say("/tenon fix `main.go`")
	require.Len(t, s.Model.Questions(), 1, "there is no round")
	require.Contains(t, s.rounds(got)[0], unreviewed)
}

// People work in the default branches of forks, and what they propose is reviewed.
func TestTheDefaultBranchOfAForkTakesCommits(t *testing.T) {
	t.Parallel()
	s := newStory(t, fasterReply)
	fork := s.Repo.Fork("stranger")
	fork.Push("main", map[string]string{"speed.txt": "fast\n"})
	s.pull = s.Repo.OpenPull("stranger", "Mine", "stranger:main", "main")
	require.Equal(t, "rocket", s.say("/tenon fix `speed.txt`").verdict)
	data, _ := fork.File("main", "speed.txt")
	require.Equal(t, "faster\n", data)
}
