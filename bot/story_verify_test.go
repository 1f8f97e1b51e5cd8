package bot_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// verifying has the workflow verify.yml test edits, whose runs end one after the other as plays say.
func (s *story) verifying(plays ...func(*bottest.CI)) {
	s.t.Helper()
	s.GitHub.Grant("acme", bottest.Permissions("actions:write"))
	s.Repo.Workflow("verify.yml", plays...)
	s.settings("verify: verify.yml\n")
}

func passes(ci *bottest.CI) { ci.Starts("test").Passes("test") }

func fails(ci *bottest.CI) {
	ci.Fails("test", "--- FAIL: TestGoodbye\n    main_test.go:9: no greeting\n")
}

// judged has the workflow fail as long as a file on the scratch branch lacks a text, however often it is started.
func (s *story) judged(name, text string) {
	s.t.Helper()
	judge := func(ci *bottest.CI) {
		if branches := s.scratch(); len(branches) > 0 && strings.Contains(s.File(branches[0], name), text) {
			passes(ci)
		} else {
			fails(ci)
		}
	}
	s.verifying(slices.Repeat([]func(*bottest.CI){judge}, 8)...)
}

// testedTwice is a story of edits that fail their test, and pass with further ones. It ends alike whenever the process
// is killed.
var testedTwice = resumable{
	func(t *testing.T) *story {
		s := newStory(t, goodbye, farewell)
		s.judged("main.go", "farewell")
		return s
	},
	func(s *story) { s.pull.Comment("maria", "/tenon fix `main.go`") },
}

// scratch are the branches on which edits are tested.
func (s *story) scratch() []string { return s.Repo.Branches("tenon/verify-") }

func TestEditsReachTheBranchWhenTheirWorkflowPasses(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.verifying(passes)
	var tested []string
	s.Before("WorkflowRun").Do(func() { tested = append(s.scratch(), s.File(s.scratch()[0], "main.go")) })
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, "rocket", got.verdict)
	require.Equal(t, "tenon/verify-"+got.run, tested[0])
	require.Contains(t, tested[1], "goodbye")
	require.Contains(t, s.File("speed", "main.go"), "goodbye")
	require.Len(t, s.Commits("speed"), 1)
	require.True(t, s.Repo.Commits("speed")[0].Verified)
	require.Empty(t, s.scratch())
	require.Contains(t, got.answer, "tested by")
}

// What fails is not committed, and kept in the answer. Nobody is asked where no model wrote the edits.
func TestEditsOnWhichTheirWorkflowFailsAreKeptAndNotCommitted(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.verifying(fails)
	got := s.say("/tenon apply\n\n" + goodbye)
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "❌ **Nothing committed:** the workflow that tests edits failed · ")
	require.Regexp(t, `\n\[.verify\.yml.\]\(https://github\.example/acme/lathe/actions/runs/\d+\) failed: .test.\.`,
		got.answer)
	require.Contains(t, got.answer, "\n+\tprintln(\"goodbye\")")
	require.Empty(t, s.Commits("speed"))
	require.Empty(t, s.scratch())
	require.Empty(t, s.Model.Questions())
}

// GitHub tells the app nothing: the run looks by itself, and not for ever.
func TestAResultThatIsNotReportedIsFound(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.verifying(passes)
	s.Repo.Mute(true)
	begun := s.Clock.Now()
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Less(t, s.Clock.Now().Sub(begun), 5*time.Minute)
	require.Contains(t, s.pull.LastAnswer(), "tested by")
}

// The result is there as soon as CI reports it, not when the run would look next.
func TestAResultIsNotWaitedForLongerThanItTakes(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.verifying()
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.RunFor(20 * time.Minute)
	require.Empty(t, s.Commits("speed"))
	require.Contains(t, s.pull.LastAnswer(), "⏳ **Waiting**: a workflow is testing the edits.")
	looks := len(s.Calls("WorkflowRun"))
	require.Less(t, looks, 10)
	s.Repo.EndWorkflow(s.Repo.Branch(s.scratch()[0]), "verify.yml", "success")
	begun := s.Clock.Now()
	s.Run()
	require.Less(t, s.Clock.Now().Sub(begun), 10*time.Second)
	require.Len(t, s.Commits("speed"), 1)
	require.Len(t, s.Calls("StartWorkflow"), 1)
}

// Somebody pushes while the workflow runs: what it tested is not what would be on the branch, so that is tested too.
func TestABranchThatMovesDuringTheTestIsTestedAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	var tested []string
	look := func(ci *bottest.CI) {
		tested = append(tested, s.File(s.scratch()[0], "speed.txt"))
		passes(ci)
	}
	s.verifying(func(ci *bottest.CI) { s.push(map[string]string{"speed.txt": "faster\n"}); look(ci) }, look)
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, "rocket", got.verdict)
	require.Equal(t, []string{"fast\n", "faster\n"}, tested)
	require.Equal(t, "faster\n", s.File("speed", "speed.txt"))
	require.Contains(t, s.File("speed", "main.go"), "goodbye")
	require.Contains(t, got.answer, "tested by")
	require.Empty(t, s.scratch())
}

// Between the look at the branch and its move there is a moment, in which somebody pushes.
func TestABranchThatMovesAtTheLastMomentKeepsWhatWasPushed(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.verifying(passes, passes)
	s.Before("MoveBranch").Do(func() { s.push(map[string]string{"speed.txt": "faster\n"}) })
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Equal(t, "faster\n", s.File("speed", "speed.txt"))
	require.Len(t, s.Calls("StartWorkflow"), 2)
}

// A branch that moves again and again is not tested for ever.
func TestABranchThatMovesDuringEachTestIsLeftAlone(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	n := 0
	moving := func(ci *bottest.CI) {
		n++
		s.push(map[string]string{"speed.txt": strings.Repeat("fast\n", n+1)})
		passes(ci)
	}
	s.verifying(moving, moving, moving, moving, moving, moving, moving, moving)
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, "confused", got.verdict)
	require.LessOrEqual(t, n, 6)
	require.Contains(t, got.answer, "\n+\tprintln(\"goodbye\")")
	require.Empty(t, s.scratch())
}

// Whoever cancels during the test ends the command, whose edits are kept.
func TestATestIsCancelled(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.verifying()
	c := s.pull.Comment("maria", "/tenon fix `main.go`")
	s.RunFor(5 * time.Minute)
	require.Len(t, s.scratch(), 1)
	begun := s.Clock.Now()
	s.pull.Comment("maria", "/tenon cancel")
	s.Run()
	require.Less(t, s.Clock.Now().Sub(begun), time.Minute)
	require.Equal(t, 1, s.saying("🛑 **Cancelled**"))
	require.Equal(t, 1, s.saying("❌ **Nothing committed:** maria cancelled the command while a workflow was testing them"))
	require.Equal(t, 1, s.saying("\n+\tprintln(\"goodbye\")"))
	require.Equal(t, []string{"eyes", "confused"}, reactions(c))
	require.Empty(t, s.Commits("speed"))
	require.Empty(t, s.scratch())
	require.Empty(t, s.Queue.DeadLetters())
}

// Permission, settings and thread are asked for again after the test, right before the branch moves.
func TestWhatWasAllowedBeforeTheTestIsAskedAgainAfterIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		meanwhile func(s *story)
		says      string
	}{
		"permission": {
			func(s *story) { s.Repo.SetRole("victor", port.PermissionRead) }, "victor now has read permission here",
		},
		"thread":   {func(s *story) { s.pull.SetOpen(false) }, "this pull request is closed"},
		"settings": {func(s *story) { s.settings("enabled: false\n") }, "tenon has since been disabled here"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, goodbye)
			s.addVictor()
			s.verifying(func(ci *bottest.CI) { c.meanwhile(s); passes(ci) })
			s.sayAs("victor", s.pull, "/tenon fix `main.go`")
			require.Empty(t, s.Commits("speed"))
			require.Contains(t, s.pull.LastAnswer(), c.says)
			require.Contains(t, s.pull.LastAnswer(), "\n+\tprintln(\"goodbye\")", "the edits are kept")
			require.Empty(t, s.scratch())
			require.Empty(t, s.Queue.DeadLetters())
		})
	}
}

// The model learns why the workflow failed, writes further edits, and these are tested together with the first.
func TestTheModelIsToldWhyItsEditsFailed(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, "The test wants a greeting.\n\n"+farewell)
	s.verifying(fails, passes)
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, s.File("speed", "main.go"), "farewell")
	require.Len(t, s.Commits("speed"), 1)
	require.Len(t, s.Model.Questions(), 2)
	asked := s.Model.Questions()[1]
	require.Contains(t, asked, "the workflow verify.yml ran on it. It failed")
	require.Contains(t, asked, "main_test.go:9: no greeting")
	require.Contains(t, got.answer, "· 2 edits committed")
	require.Contains(t, got.answer, "tested by")
	require.Empty(t, s.scratch())
}

// The commit of an issue is tested before its branch is made, and one that git makes is the one that was tested.
func TestTheFirstCommitOfAnIssueIsTestedToo(t *testing.T) {
	t.Parallel()
	for _, commits := range []string{"verified", "push"} {
		t.Run(commits, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, goodbye)
			issue := s.issue("")
			tested := ""
			s.verifying(func(ci *bottest.CI) {
				require.Empty(t, s.Repo.Branch(issueBranch(issue)), "it is made afterwards")
				tested = s.Repo.Branch(s.scratch()[0])
				passes(ci)
			})
			s.settings("verify: verify.yml\ncommits: " + commits + "\n")
			require.Equal(t, "rocket", s.sayIn(issue, "/tenon fix `main.go`").verdict)
			require.Equal(t, tested, s.Repo.Branch(issueBranch(issue)))
			require.Equal(t, commits == "verified", s.Repo.Commits(issueBranch(issue))[0].Verified)
			require.NotNil(t, s.Repo.PullOf(issueBranch(issue)))
			require.Empty(t, s.scratch())
		})
	}
}

// The workflow of a fork's branch would run in the fork: nothing is started, and the answer says so.
func TestEditsOfAForkAreNotTested(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("theirs.txt", "one", "zero\none"))
	s.verifying(fails)
	s.fromFork("stranger")
	got := s.say("/tenon fix `theirs.txt`")
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer,
		"`verify.yml` did not test the edits before they were committed: the branch is in a fork.")
	require.Empty(t, s.Calls("StartWorkflow"))
}

// The model says that no edit helps, or has no call left: what failed is kept.
func TestAModelThatHasNoFurtherEditsLeavesThemUncommitted(t *testing.T) {
	t.Parallel()
	for name, replies := range map[string][]string{
		"no change": {goodbye, "NO CHANGE\n\nThe test needs a network."},
		"no call":   {goodbye, farewell, edit("main.go", "farewell", "bye"), edit("main.go", "\"bye\"", "\"so long\"")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, replies...)
			s.verifying(fails, fails, fails, fails, fails)
			got := s.say("/tenon fix `main.go`")
			require.Equal(t, "confused", got.verdict)
			require.Contains(t, got.answer, "❌ **Nothing committed:** the workflow that tests edits failed")
			require.Contains(t, got.answer, "All changes as a patch")
			require.Len(t, s.Model.Questions(), len(replies))
			require.Empty(t, s.Commits("speed"))
			require.Empty(t, s.scratch())
		})
	}
}

// What a log has is untrusted: no secret in it reaches the model, and no name of a job the page as it is.
func TestWhatAWorkflowPrintsIsUntrusted(t *testing.T) {
	t.Parallel()
	const token = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	s := newStory(t, goodbye, "NO CHANGE\n")
	s.verifying(func(ci *bottest.CI) {
		ci.Fails("@maria closes #1 <img src=x> [x](http://evil.example)", "token "+token+"\n##[error]it broke\n")
	})
	got := s.say("/tenon fix `main.go`")
	require.NotContains(t, s.Model.Questions()[1], token)
	require.Contains(t, s.Model.Questions()[1], "it broke")
	require.Contains(t, got.answer, "failed: `@maria closes #1 <img src=x> [x](http://evil.example)`")
}

// However a run ends, its scratch branch is deleted: here the issue is deleted, or the run is given up.
func TestTheScratchBranchIsDeletedHoweverTheRunEnds(t *testing.T) {
	t.Parallel()
	for name, plant := range map[string]func(s *story){
		"no thread": func(s *story) { s.pull.Delete() },
		"given up": func(s *story) {
			s.Before("Tips").Every().Fail(errors.New("git says no"))
		},
		"GitHub is away": func(s *story) {
			s.Before("DeleteBranch").Times(3).Fail(bottest.Retryable(time.Minute))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t)
			if name == "no thread" {
				s.pull = s.issue("")
			}
			s.verifying(func(ci *bottest.CI) { plant(s); fails(ci) })
			s.sayIn(s.pull, "/tenon apply\n\n"+goodbye)
			require.Empty(t, s.scratch())
			require.NotEmpty(t, s.Calls("DeleteBranch"))
		})
	}
}

// A branch that GitHub keeps is told to whoever runs the server: the command has its commit anyway.
func TestAScratchBranchThatGitHubKeepsIsLogged(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.verifying(passes)
	s.Before("DeleteBranch").Fail(port.ErrDenied)
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Contains(t, s.Logged(), "cannot delete the scratch branch")
	require.Empty(t, s.Queue.DeadLetters())
}
