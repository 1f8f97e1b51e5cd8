package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/ghtest"
)

// threeEdits are of one file each; a fourth does not fit.
var threeEdits = "COMMIT: fix: be polite\n\n" + edit("main.go", helloLine, byeLine) + edit("greet.go", greetLine,
	betterGreet) + edit("new.txt", "", "new")

// preview has maria ask for a preview, and returns the comment that shows it.
func (s *stage) preview(command string) ghtest.Comment {
	s.t.Helper()
	return s.previewIn(s.pull, command)
}

func (s *stage) previewIn(number int, command string) ghtest.Comment {
	s.t.Helper()
	s.commentIn(number, command)
	var shown ghtest.Comment
	s.until("a preview", func() bool {
		list, err := s.github.Comments(s.repo, number)
		require.NoError(s.t, err)
		shown = list[len(list)-1]
		return strings.Contains(shown.Body, "<!-- tenon:preview=")
	})
	return shown
}

// shown is a comment as it is now.
func (s *stage) shown(number int, id int64) string {
	s.t.Helper()
	list, err := s.github.Comments(s.repo, number)
	require.NoError(s.t, err)
	for _, c := range list {
		if c.ID == id {
			return c.Body
		}
	}
	require.FailNow(s.t, "the comment is gone")
	return ""
}

// tick has somebody tick boxes of a preview, as GitHub's page does: all of them in one edit.
func (s *stage) tick(as string, c ghtest.Comment, numbers ...int) {
	s.t.Helper()
	body := s.shown(s.pull, c.ID)
	for _, n := range numbers {
		require.Contains(s.t, body, fmt.Sprintf("- [ ] **%d** ", n))
		body = strings.Replace(body, fmt.Sprintf("- [ ] **%d** ", n), fmt.Sprintf("- [x] **%d** ", n), 1)
	}
	require.NoError(s.t, s.github.EditComment(as, c.ID, body))
}

// boxLine is the line of a box in a preview.
func (s *stage) boxLine(c ghtest.Comment, n int) string {
	s.t.Helper()
	for line := range strings.Lines(s.shown(s.pull, c.ID)) {
		if strings.Contains(line, fmt.Sprintf("] **%d** ", n)) {
			return line
		}
	}
	return ""
}

func (s *stage) untilBox(c ghtest.Comment, n int, want string) {
	s.t.Helper()
	s.until(fmt.Sprintf("box %d to say %q", n, want), func() bool { return strings.Contains(s.boxLine(c, n), want) })
}

func TestAPreviewShowsEditsAndCommitsNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t, threeEdits+edit("greet.go", badGreet, betterGreet))
	s.start()
	c := s.preview("/tenon preview `main.go` and `greet.go` politely")
	require.Contains(t, c.Body, "**Preview**: 3 of 4 edits fit, in 3 files · nothing is committed yet")
	require.Contains(t, c.Body, "- [ ] **1** `main.go:4` · +1 −1 <!-- tenon:block=1 -->\n\n"+
		"  <details><summary>Diff</summary>\n\n  ```diff\n")
	require.Contains(t, c.Body, "\n  -\tprintln(\"hello\")\n  +\tprintln(\"goodbye\")\n")
	require.NotContains(t, c.Body, "**4**", "what does not fit has no box")
	require.Contains(t, c.Body, "| 4 | ")
	require.Contains(t, c.Body, "`/tenon apply 1,3`")
	require.Empty(t, s.commits())
	require.Equal(t, stageFiles["main.go"], s.file("main.go"))
	checks, err := s.github.CheckRuns(s.repo)
	require.NoError(t, err)
	require.Len(t, checks, 1)
	s.until("the check", func() bool {
		checks, err = s.github.CheckRuns(s.repo)
		require.NoError(t, err)
		return checks[0].Status == "completed"
	})
	require.Equal(t, "neutral", checks[0].Conclusion)
	require.Equal(t, "Preview: 3 of 4 edits fit", checks[0].Title)
	require.Equal(t, []string{"apply"}, checks[0].Actions)
}

func TestATickedBoxIsCommitted(t *testing.T) {
	t.Parallel()
	s := newStage(t, threeEdits)
	s.start()
	c := s.preview("/tenon preview `main.go` and `greet.go`")
	s.tick("maria", c, 2)
	s.untilBox(c, 2, "committed in [`")
	require.Equal(t, stageFiles["main.go"], s.file("main.go"))
	require.Contains(t, s.file("greet.go"), "good day")
	require.Len(t, s.commits(), 1)
	require.True(t, strings.HasPrefix(s.commits()[0], "fix: be polite\n\nRequested by maria in "), s.commits()[0])
	require.Contains(t, s.boxLine(c, 2), "- [x] ")
	require.Contains(t, s.boxLine(c, 1), "- [ ] ")
	require.Contains(t, s.shown(s.pull, c.ID), "3 of 3 edits fit, in 3 files · 1 committed")
	require.Len(t, s.answers(), 1, "the preview is the answer")
	require.Empty(t, s.reactions(c.ID))
	require.Len(t, s.model.questions(), 1)

	s.tick("maria", c, 1, 3)
	s.untilBox(c, 3, "committed in [`")
	require.Len(t, s.commits(), 2, "one commit for both")
	require.Contains(t, s.file("main.go"), "goodbye")
	require.Equal(t, "new\n", s.file("new.txt"))
}

// While one tick is being committed, another is made: it is not lost when the preview is edited, and committed after.
func TestTwoQuickTicksAreBothCommitted(t *testing.T) {
	t.Parallel()
	s := newStage(t, threeEdits)
	s.start()
	c := s.preview("/tenon preview `main.go` and `greet.go`")
	var once sync.Once
	s.github.Gate(func(stage ghtest.Stage, r *http.Request) {
		if stage == ghtest.BeforeEffect && isPush(r) {
			once.Do(func() { s.tick("maria", c, 3) })
		}
	})
	s.tick("maria", c, 1)
	s.untilBox(c, 3, "committed in [`")
	require.Len(t, s.commits(), 2)
	require.Contains(t, s.boxLine(c, 1), "- [x] ")
	require.Contains(t, s.boxLine(c, 1), "committed in [`")
	require.Contains(t, s.boxLine(c, 2), "- [ ] ")
	require.Len(t, s.answers(), 1)
}

func TestATickOfSomebodyWhoMayNoLongerWriteIsTakenBack(t *testing.T) {
	t.Parallel()
	s := newStage(t, threeEdits)
	require.NoError(t, s.github.AddUser("victor"))
	require.NoError(t, s.github.SetRole(s.repo, "victor", ghtest.RoleWrite))
	s.settings("main", "who: admin\n")
	s.start()
	c := s.preview("/tenon preview `main.go` and `greet.go`")
	for range 2 {
		s.tick("victor", c, 1)
		s.untilBox(c, 1, "- [ ] ")
		s.until("a refusal", func() bool { return len(s.answers()) == 2 })
	}
	require.Contains(t, s.answers()[1], "`/tenon apply` needs admin permission in this repository, and you have write")
	require.Empty(t, s.commits())
	require.Empty(t, s.reactions(c.ID))
	s.tick("maria", c, 1)
	s.untilBox(c, 1, "committed in [`")
	require.Len(t, s.answers(), 2)
}

func TestAnUntickedBoxAndOneOfACommittedEditDoNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t, threeEdits)
	s.start()
	c := s.preview("/tenon preview `main.go` and `greet.go`")
	s.tick("maria", c, 1)
	s.untilBox(c, 1, "committed in [`")
	body := s.shown(s.pull, c.ID)
	require.NoError(t, s.github.EditComment("maria", c.ID, strings.Replace(body, "- [x] **1**", "- [ ] **1**", 1)))
	require.NoError(t, s.github.EditComment("maria", c.ID, body))
	s.tick("maria", c, 2)
	s.untilBox(c, 2, "committed in [`")
	require.Len(t, s.commits(), 2)
	require.Contains(t, s.boxLine(c, 1), "- [x] ")
	require.Len(t, s.answers(), 1)
}

func TestATickOfAnEditThatFitsNoMoreSaysWhyAndCanBeTickedAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t, threeEdits)
	s.start()
	c := s.preview("/tenon preview `main.go` and `greet.go`")
	s.push(map[string]string{"main.go": "package main // anew\n"})
	s.tick("maria", c, 1)
	s.untilBox(c, 1, "not committed: ")
	require.Contains(t, s.boxLine(c, 1), "- [ ] ")
	require.Empty(t, s.commits())
	require.Len(t, s.answers(), 1)
	s.push(map[string]string{"main.go": stageFiles["main.go"]})
	s.tick("maria", c, 1)
	s.untilBox(c, 1, "committed in [`")
}

func TestATickOnAClosedPullRequestIsTakenBackWithASentence(t *testing.T) {
	t.Parallel()
	s := newStage(t, threeEdits)
	s.start()
	c := s.preview("/tenon preview `main.go` and `greet.go`")
	require.NoError(t, s.github.SetOpen(s.repo, s.pull, false))
	s.tick("maria", c, 1)
	s.until("a sentence", func() bool { return len(s.answers()) == 2 })
	require.Contains(t, s.answers()[1], "This pull request is closed")
	s.untilBox(c, 1, "- [ ] ")
}

// Killed at the worst moments of a tick: one commit, and the box tells of it.
func TestATickThatWasKilledIsCommittedOnce(t *testing.T) {
	t.Parallel()
	isEdit := func(r *http.Request) bool {
		return r.Method == http.MethodPatch && strings.Contains(r.URL.Path, "/issues/comments/")
	}
	for moment, c := range map[string]struct {
		stage ghtest.Stage
		match func(*http.Request) bool
	}{
		"after the push":                    {ghtest.AfterEffect, isPush},
		"before the preview is edited":      {ghtest.BeforeEffect, isEdit},
		"after the preview has been edited": {ghtest.AfterEffect, isEdit},
	} {
		t.Run(moment, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, threeEdits)
			s.start()
			shown := s.preview("/tenon preview `main.go` and `greet.go`")
			k := newKiller(s)
			s.github.WaitDeliveries()
			k.at(c.stage, c.match)
			s.tick("maria", shown, 2)
			k.wait()
			s.github.Gate(nil)
			s.start()
			s.untilBox(shown, 2, "committed in [`")
			s.tick("maria", shown, 1)
			s.untilBox(shown, 1, "committed in [`")
			require.Len(t, s.commits(), 2)
			require.Len(t, s.answers(), 1)
		})
	}
}

func TestAPreviewOfAnIssueMakesNoBranchUntilItIsApplied(t *testing.T) {
	t.Parallel()
	s := newStage(t, threeEdits)
	s.start()
	number, err := s.github.OpenIssue("maria", s.repo, "It greets", "`main.go` should part.")
	require.NoError(t, err)
	c := s.previewIn(number, "/tenon preview --base speed it")
	require.Contains(t, c.Body, "3 of 3 edits fit")
	require.Empty(t, s.gitAt("for-each-ref", "refs/heads/tenon/"))
	require.Contains(t, s.settled(s.commentIn(number, "/tenon apply")), "rocket")
	pull := s.pullOf(fmt.Sprintf("tenon/issue-%d", number))
	require.Equal(t, "speed", pull.Base)
	require.Contains(t, pull.Body, fmt.Sprintf("Fixes #%d", number))
	s.until("the preview to tell", func() bool { return strings.Contains(s.shown(number, c.ID), "3 committed") })
}

func TestAPreviewOfAForkThatCannotBePushedToComesAsAPatch(t *testing.T) {
	t.Parallel()
	s := newStage(t, forkReply)
	s.fromFork(ghtest.Pull{NoMaintainerEdits: true})
	s.start()
	c := s.preview("/tenon preview `theirs.txt`")
	require.Contains(t, c.Body, "It will come as a patch, and as suggestions on the diff")
	s.tick("maria", c, 1)
	s.untilBox(c, 1, "not committed: ")
	require.Contains(t, s.boxLine(c, 1), "- [ ] ")
	s.until("the suggestions", func() bool { return len(s.answers()) == 3 })
	require.Contains(t, strings.Join(s.answers()[1:], "\n"), "-two\n+2\n", "the patch")
}

func TestAPreviewOfAForkCommitsThere(t *testing.T) {
	t.Parallel()
	s := newStage(t, forkReply)
	s.fromFork(ghtest.Pull{})
	s.start()
	c := s.preview("/tenon preview `theirs.txt`")
	s.tick("maria", c, 1)
	s.untilBox(c, 1, "committed in [`")
	data, err := s.github.File("stranger/lathe", "theirs", "theirs.txt")
	require.NoError(t, err)
	require.Equal(t, "one\n2\nthree\n", string(data))
}

func TestAPreviewInTheThreadOfALineStandsInTheConversation(t *testing.T) {
	t.Parallel()
	s := newStage(t, "speed.txt\n<<<<<<< SEARCH\nfast\n=======\nfaster\n>>>>>>> REPLACE\n")
	s.start()
	_, err := s.github.ReviewComment("maria", s.repo, s.pull, ghtest.Place{Path: "speed.txt", Line: 1},
		"/tenon preview this")
	require.NoError(t, err)
	s.until("a preview", func() bool {
		list := s.answers()
		return len(list) == 1 && strings.Contains(list[0], "- [ ] **1** `speed.txt:1`")
	})
	list, err := s.github.ReviewComments(s.repo, s.pull)
	require.NoError(t, err)
	require.Len(t, list, 1)
}

func TestAPreviewWithoutEditsSaysWhatTheModelSaid(t *testing.T) {
	t.Parallel()
	s := newStage(t, "NO CHANGE: it greets as it should.")
	s.start()
	id := s.comment("maria", "/tenon preview `main.go`")
	require.Contains(t, s.settled(id), "confused")
	require.Contains(t, s.answers()[0], "it greets as it should.")
	require.NotContains(t, s.answers()[0], "/tenon apply")
}

// The second edit has lost its indentation, which is forgiven in the file as the model saw it, and as the first edit
// left it.
func TestEditsOfOneFileCanBeTickedOneByOne(t *testing.T) {
	t.Parallel()
	s := newStage(t, edit("two.go", "package two", "package pair")+edit("two.go", "func two() {\n\treturn 2 + 2 + 2\n}",
		"func two() {\n\treturn 6 + 0 + 0\n}"))
	s.push(map[string]string{"two.go": "package two\n\n\tfunc two() {\n\t\treturn 2 + 2 + 2\n\t}\n"})
	s.start()
	c := s.preview("/tenon preview `two.go`")
	require.Contains(t, c.Body, "2 of 2 edits fit")
	s.tick("maria", c, 1)
	s.untilBox(c, 1, "committed in [`")
	s.tick("maria", c, 2)
	s.untilBox(c, 2, "committed in [`")
	require.Contains(t, s.file("two.go"), "\t\treturn 6 + 0 + 0\n")
}

func TestAPreviewThatNobodyCanHaveReadIsNotApplied(t *testing.T) {
	t.Parallel()
	s := newStage(t, threeEdits)
	release := s.hold()
	s.start()
	s.comment("maria", "/tenon preview `main.go` and `greet.go`")
	s.questioned(1)
	waits := s.comment("maria", "/tenon apply")
	s.said("**Waiting**")
	release()
	require.Contains(t, s.settled(waits), "confused")
	require.Contains(t, s.said("was not there yet"), "Nothing was committed. Read it, and give the command again.")
	require.Empty(t, s.commits())
	require.Equal(t, "rocket", s.say("/tenon apply").verdict)
}

func TestATickThatWaitsAndIsCancelledIsTakenBack(t *testing.T) {
	t.Parallel()
	s := newStage(t, threeEdits, goodReply)
	s.start()
	c := s.preview("/tenon preview `main.go` and `greet.go`")
	release := s.hold()
	s.comment("maria", "/tenon fix `main.go`")
	s.questioned(2)
	s.tick("maria", c, 2)
	s.comment("maria", "/tenon cancel")
	s.untilBox(c, 2, "- [ ] ")
	release()
	s.said("**Cancelled**")
	require.Empty(t, s.commits())
	s.tick("maria", c, 2)
	s.untilBox(c, 2, "committed in [`")
}
