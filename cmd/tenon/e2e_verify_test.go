package main

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
)

// verifyWorkflow can be started by the API, and by nothing else.
const verifyWorkflow = "on: workflow_dispatch\njobs:\n  test:\n    runs-on: ubuntu-latest\n" +
	"    steps:\n      - run: make test\n"

// verifying has the workflow verify.yml test edits. Its runs end one after the other as judges say, beside the server;
// one for which there is none goes on.
func (s *stage) verifying(judges ...func(test sim.Job) error) {
	s.t.Helper()
	granted := map[string]string{"metadata": "read", "contents": "write", "pull_requests": "write", "issues": "write",
		"checks": "write", "statuses": "read", "actions": "write"}
	_, err := s.github.Install(sim.Installation{Owner: "acme", Permissions: granted})
	require.NoError(s.t, err)
	for _, branch := range []string{"main", "speed"} {
		_, err := s.github.Push(s.repo, branch, map[string]string{
			".github/workflows/verify.yml": verifyWorkflow, ".github/tenon.yml": "verify: verify.yml\n"}, "Test edits\n")
		require.NoError(s.t, err)
	}
	var mu sync.Mutex
	s.github.OnDispatch(func(run sim.WorkflowRun) {
		mu.Lock()
		defer mu.Unlock()
		if len(judges) == 0 {
			return
		}
		judge := judges[0]
		judges = judges[1:]
		if err := judge(s.github.CI(s.repo, run.SHA).Workflow("verify.yml").Job("test")); err != nil {
			s.t.Error(err)
		}
	})
}

func testPasses(test sim.Job) error { return test.Passes() }

func testFails(test sim.Job) error {
	return test.Fails("--- FAIL: TestMain (0.00s)\n    main_test.go:9: no farewell\nFAIL\n")
}

// scratchBranches are the branches on which edits are tested.
func (s *stage) scratchBranches() (list []string) {
	s.t.Helper()
	for _, name := range strings.Fields(s.gitAt("for-each-ref", "--format=%(refname:short)", "refs/heads/tenon")) {
		if strings.HasPrefix(name, "tenon/verify-") {
			list = append(list, name)
		}
	}
	return list
}

// From the signed delivery to the commit: the edits fail on their scratch branch, the model corrects them, and what
// passes becomes the tip of the branch.
func TestEditsAreTestedBeforeTheyReachTheBranch(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.model.script(goodReply, edit("main.go", byeLine, "\tprintln(\"farewell\")"))
	asleep := make(chan struct{})
	s.verifying(func(test sim.Job) error { <-asleep; return testFails(test) }, testPasses)
	end := sync.OnceFunc(func() { close(asleep) })
	t.Cleanup(end)
	s.start()
	id := s.comment("maria", "/tenon fix `main.go`")
	s.said("⏳ **Waiting**: a workflow is testing the edits.")
	end() // and GitHub tells of it
	require.Contains(t, s.settled(id), "rocket")
	got := s.told(s.pull)
	require.Contains(t, got, "tested by [`verify.yml`](")
	require.Contains(t, s.file("main.go"), "farewell")
	require.Len(t, s.commits(), 1)
	require.True(t, s.tip().Verified)
	require.Contains(t, s.model.questions()[1], "main_test.go:9: no farewell")
	s.until("the end of the scratch branch", func() bool { return len(s.scratchBranches()) == 0 })
}

// verifyAlone are settings with which no commit is followed, so that a run has ended when its command has.
const verifyAlone = "verify: verify.yml\nci: ignore\n"

// recordTested is recorded as the story "fix-tested".
func recordTested(s *stage) {
	s.model.script(goodReply, edit("main.go", byeLine, "\tprintln(\"farewell\")"))
	s.verifying(testFails, testPasses)
	s.settings("main", verifyAlone)
	s.start()
	require.Contains(s.t, s.say("/tenon fix `main.go`").answer, "tested by")
}

// recordUntested is recorded as the story "fix-untested".
func recordUntested(s *stage) {
	s.settings("main", verifyAlone)
	s.model.script(edit("greet.go", greetLine, betterGreet), goodReply)
	s.start()
	require.Contains(s.t, s.say("/tenon fix `greet.go`").answer, "`verify.yml` did not test the edits")
	s.verifying()
	s.settings("main", verifyAlone)
	s.comment("maria", "/tenon fix `main.go`")
	s.said("a workflow is testing the edits")
	s.comment("maria", "/tenon cancel")
	s.said("maria cancelled the command while a workflow was testing them")
	require.Len(s.t, s.commits(), 1)
}
