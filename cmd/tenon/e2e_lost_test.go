package main

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/ghtest"
)

// insertReply fits again wherever it has been applied: only looking for the commit keeps it from being made twice.
const insertReply = "main.go\n<<<<<<< SEARCH\nfunc main() {\n=======\n// Hello.\nfunc main() {\n>>>>>>> REPLACE\n"

// The branch moved to the commit, GitHub's answer got lost, and somebody pushed on top: it has moved, but not from
// under the edits.
func TestACommitWhoseAnswerIsLostAndThatTheBranchWentOnFromIsMadeOnce(t *testing.T) {
	t.Parallel()
	for how, policy := range map[string]string{"by the API": "commits: verified\n", "by git": "commits: push\n"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, insertReply)
			s.settings("main", policy)
			var once sync.Once
			s.github.Gate(func(stage ghtest.Stage, r *http.Request) {
				if stage != ghtest.AfterEffect || !isPush(r) {
					return
				}
				once.Do(func() {
					_, err := s.github.Push(s.repo, "speed", map[string]string{"greet.go": "package main // other\n"}, "Meanwhile\n")
					require.NoError(t, err)
					panic(http.ErrAbortHandler)
				})
			})
			s.start()
			require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
			require.Len(t, s.commits(), 1)
			require.Equal(t, "package main\n\n// Hello.\nfunc main() {\n\tprintln(\"hello\")\n}\n", s.file("main.go"))
			require.Contains(t, s.answers()[0], "**Applied 1, failed 0, skipped 0 of 1 edit** in 1 file")
		})
	}
}

func TestSuggestionsThatGitHubDoesNotTakeAreNotPromised(t *testing.T) {
	t.Parallel()
	s := newStage(t, forkReply)
	s.fromFork(ghtest.Pull{NoMaintainerEdits: true})
	var reviews atomic.Int32
	s.github.FailNext(func(r *http.Request) bool { return isAnswer(r) && reviews.Add(1) == 2 }, 1,
		ghtest.Failure{Status: 422, Message: "Line could not be resolved"})
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `theirs.txt`")), "confused")
	require.NotContains(t, s.answers()[0], "suggestion")
	require.Contains(t, s.answers()[0], "-two\n+2\n", "the patch")
}

func TestSuggestionsWhoseAnswerIsLostAreOfferedOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t, forkReply)
	s.fromFork(ghtest.Pull{NoMaintainerEdits: true})
	var reviews atomic.Int32
	s.github.Gate(func(stage ghtest.Stage, r *http.Request) {
		if stage == ghtest.AfterEffect && isAnswer(r) && reviews.Add(1) == 2 {
			panic(http.ErrAbortHandler)
		}
	})
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `theirs.txt`")), "confused")
	require.Contains(t, s.answers()[0], "is offered as a suggestion")
	notes, err := s.github.ReviewComments(s.repo, s.pull)
	require.NoError(t, err)
	require.Len(t, notes, 1)
}

// Who may not give commands any more when the time has come is told so where it says that the command waits.
func TestWhoIsTurnedAwayAfterAWaitIsNotLeftWaiting(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	require.NoError(t, s.github.AddUser("victor"))
	require.NoError(t, s.github.SetRole(s.repo, "victor", ghtest.RoleWrite))
	release := s.hold()
	s.start()
	s.comment("maria", "/tenon fix `main.go`")
	s.questioned(1)
	id := s.comment("victor", "/tenon fix `greet.go`")
	s.said("**Waiting**")
	require.NoError(t, s.github.SetRole(s.repo, "victor", ghtest.RoleRead))
	release()
	s.said("`/tenon fix` needs write permission in this repository")
	require.Equal(t, []string{"-1"}, s.settled(id))
	require.Len(t, s.answers(), 2)
	require.Len(t, s.commits(), 1)
}

func TestACommitWhosePullRequestGitHubRefusesIsToldOf(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.github.FailNext(func(r *http.Request) bool { return r.Method == http.MethodPost && hasSuffix(r, "/pulls") }, 1,
		ghtest.Failure{Status: 422, Message: "No @maria today"})
	s.start()
	number, id := s.issue("It is wrong.", "/tenon fix `main.go`")
	require.Contains(t, s.settled(id), "rocket")
	answer := s.answersIn(number)[0]
	require.Contains(t, answer, "**Applied 1")
	require.Contains(t, answer, fmt.Sprintf("/compare/main...tenon/issue-%d?expand=1)", number))
	require.Regexp(t, "```text\n.*No @maria today\n```", answer)
	data, err := s.github.File(s.repo, fmt.Sprintf("tenon/issue-%d", number), "main.go")
	require.NoError(t, err)
	require.Contains(t, string(data), "goodbye")
}
