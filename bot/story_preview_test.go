package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// preview has maria ask for a preview, and returns the comment that shows it.
func (s *story) preview(command string) *bottest.Comment {
	s.t.Helper()
	return s.previewIn(s.pull, command)
}

func (s *story) previewIn(thread *bottest.Thread, command string) *bottest.Comment {
	s.t.Helper()
	s.sayIn(thread, command)
	said := thread.Said()
	require.NotEmpty(s.t, said)
	shown := said[len(said)-1]
	require.Contains(s.t, shown.Body(), "<!-- tenon:preview=")
	return shown
}

// tick has somebody tick boxes, and handles that.
func (s *story) tick(who string, c *bottest.Comment, numbers ...int) {
	s.t.Helper()
	c.Tick(who, numbers...)
	s.Run()
}

// box is the line of a box in a preview.
func box(c *bottest.Comment, n int) string {
	for line := range strings.Lines(c.Body()) {
		if strings.Contains(line, fmt.Sprintf("] **%d** ", n)) {
			return line
		}
	}
	return ""
}

const previewThree = "/tenon preview `main.go` and `greet.go`"

func TestAPreviewShowsEditsAndCommitsNothing(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits+edit("greet.go", badGreet, betterGreet))
	c := s.preview("/tenon preview `main.go` and `greet.go` politely")
	require.Equal(t, port.IssueComment, c.Kind())
	require.Contains(t, c.Body(), "👀 **Preview: fix: be polite** · 3 of 4 edits fit\n")
	require.Contains(
		t,
		c.Body(),
		"- [ ] **1** `main.go:4` · +1 −1 <!-- tenon:block=1 -->\n\n  ```diff\n",
	)
	require.NotContains(t, c.Body(), "**4**", "what does not fit has no box")
	require.Contains(t, c.Body(), "**Edit 4**, ")
	require.Contains(t, c.Body(), "`/tenon apply 1,3`")
	require.Empty(t, s.Commits("speed"))
	checks := s.Repo.CheckRuns()
	require.Len(t, checks, 1)
	require.Equal(t, "neutral", checks[0].Conclusion)
	require.Equal(t, "Preview: 3 of 4 edits fit", checks[0].Title)
	require.Equal(t, "apply", checks[0].Buttons[0].Verb)
}

func TestATickedBoxIsCommitted(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	c := s.preview(previewThree)
	s.tick("maria", c, 2)
	require.Contains(t, box(c, 2), "committed in [`")
	require.Equal(t, bottest.LatheFiles["main.go"], s.File("speed", "main.go"))
	require.Contains(t, s.File("speed", "greet.go"), "good day")
	require.True(t, strings.HasPrefix(s.Commits("speed")[0], "fix: be polite\n\nRequested by maria in "),
		s.Commits("speed")[0])
	require.Contains(t, box(c, 2), "- [x] ")
	require.Contains(t, box(c, 1), "- [ ] ")
	require.Contains(t, c.Body(), "3 edits fit · 1 committed")
	require.Len(t, s.pull.Answers(), 1, "the preview is the answer")
	require.Empty(t, reactions(c))
	require.Len(t, s.Model.Questions(), 1)

	s.tick("maria", c, 1, 3)
	require.Len(t, s.Commits("speed"), 2, "one commit for both")
	require.Contains(t, s.File("speed", "main.go"), "goodbye")
	require.Equal(t, "new\n", s.File("speed", "new.txt"))
}

// While one tick is being committed, another is made: it is not lost when the preview is edited, and committed after.
func TestTwoQuickTicksAreBothCommitted(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	c := s.preview(previewThree)
	s.Before("Upload").Do(func() { c.Tick("maria", 3) })
	s.tick("maria", c, 1)
	require.Len(t, s.Commits("speed"), 2)
	require.Contains(t, box(c, 1), "- [x] ")
	require.Contains(t, box(c, 1), "committed in [`")
	require.Contains(t, box(c, 3), "committed in [`")
	require.Contains(t, box(c, 2), "- [ ] ")
	require.Len(t, s.pull.Answers(), 1)
}

func TestATickOfSomebodyWhoMayNotIsTakenBack(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	s.addVictor()
	s.settings("who: admin\n")
	c := s.preview(previewThree)
	for range 2 {
		s.tick("victor", c, 1)
		require.Contains(t, box(c, 1), "- [ ] ")
		require.Len(t, s.pull.Answers(), 2)
	}
	require.Contains(t, s.pull.LastAnswer(),
		"`/tenon apply` needs admin permission in this repository, and you have write")
	require.Empty(t, s.Commits("speed"))
	s.tick("maria", c, 1)
	require.Contains(t, box(c, 1), "committed in [`")
	require.Len(t, s.pull.Answers(), 2)
}

// Nobody is answered more than ten times an hour who may not write, but no box stays ticked for that.
func TestATickOfSomebodyWhoIsAnsweredNoMoreIsTakenBack(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	c := s.preview(previewThree)
	for range 10 {
		s.sayAs("stranger", s.pull, "/tenon help")
	}
	require.Empty(t, s.sayAs("stranger", s.pull, "/tenon help").reactions)
	s.Repo.SetRole("stranger", port.PermissionWrite)
	s.Before("Permission").Do(func() { s.Repo.SetRole("stranger", port.PermissionRead) })
	s.tick("stranger", c, 1)
	require.Contains(t, box(c, 1), "- [ ] ")
	require.Empty(t, s.Commits("speed"))
}

func TestAnUntickedBoxAndOneOfACommittedEditDoNothing(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	c := s.preview(previewThree)
	s.tick("maria", c, 1)
	body := c.Body()
	c.Edit("maria", strings.Replace(body, "- [x] **1**", "- [ ] **1**", 1))
	s.Run()
	c.Edit("maria", body)
	s.Run()
	s.tick("maria", c, 2)
	require.Len(t, s.Commits("speed"), 2)
	require.Contains(t, box(c, 1), "- [x] ")
	require.Len(t, s.pull.Answers(), 1)
}

func TestATickOfAnEditThatFitsNoMoreSaysWhyAndCanBeTickedAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	c := s.preview(previewThree)
	s.push(map[string]string{"main.go": "package main // anew\n"})
	s.tick("maria", c, 1)
	require.Contains(t, box(c, 1), "not committed: ")
	require.Contains(t, box(c, 1), "- [ ] ")
	require.Empty(t, s.Commits("speed"))
	s.push(map[string]string{"main.go": bottest.LatheFiles["main.go"]})
	s.tick("maria", c, 1)
	require.Contains(t, box(c, 1), "committed in [`")
	require.Len(t, s.pull.Answers(), 1)
}

func TestATickOnAClosedPullRequestIsTakenBackWithASentence(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	c := s.preview(previewThree)
	s.pull.SetOpen(false)
	s.tick("maria", c, 1)
	require.Len(t, s.pull.Answers(), 2)
	require.Contains(t, s.pull.LastAnswer(), "This pull request is closed")
	require.Contains(t, box(c, 1), "- [ ] ")
}

func TestAPreviewOfAnIssueMakesNoBranchUntilItIsApplied(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	issue := s.issue("`main.go` should part.")
	c := s.previewIn(issue, "/tenon preview --base speed it")
	require.Contains(t, c.Body(), "3 edits fit")
	require.Empty(t, s.Repo.Branches("tenon/"))
	require.Equal(t, "rocket", s.sayIn(issue, "/tenon apply").verdict)
	pull := s.Repo.PullOf(issueBranch(issue))
	require.Equal(t, "speed", pull.Base())
	require.Contains(t, pull.Text(), fmt.Sprintf("Fixes #%d", issue.Number()))
	require.Contains(t, c.Body(), "3 committed")
}

func TestAPreviewOfAForkThatCannotBePushedToComesAsAPatch(t *testing.T) {
	t.Parallel()
	s := newStory(t, forkReply)
	s.fromFork("stranger")
	s.pull.RefuseEdits()
	c := s.preview("/tenon preview `theirs.txt`")
	require.Contains(t, c.Body(), "The change will come as a patch, and as suggestions on the diff")
	s.tick("maria", c, 1)
	require.Contains(t, box(c, 1), "not committed: ")
	require.Contains(t, box(c, 1), "- [ ] ")
	require.Contains(t, strings.Join(s.pull.Answers()[1:], "\n"), "-two\n+2\n", "the patch")
	require.Len(t, s.pull.Comments(port.ReviewComment), 1)
}

func TestAPreviewOfAForkCommitsThere(t *testing.T) {
	t.Parallel()
	s := newStory(t, forkReply)
	fork := s.fromFork("stranger")
	c := s.preview("/tenon preview `theirs.txt`")
	s.tick("maria", c, 1)
	require.Contains(t, box(c, 1), "committed in [`")
	require.Equal(t, "one\n2\nthree\n", theirs(t, fork))
}

func TestAPreviewInTheThreadOfALineIsInTheConversation(t *testing.T) {
	t.Parallel()
	s := newStory(t, faster)
	s.pull.ReviewComment("maria", "speed.txt", 1, "/tenon preview this")
	s.Run()
	require.Len(t, s.pull.Said(), 1)
	require.Equal(t, port.IssueComment, s.pull.Said()[0].Kind())
	require.Contains(t, s.pull.LastAnswer(), "- [ ] **1** `speed.txt:1`")
}

func TestAPreviewWithoutEditsSaysWhatTheModelSaid(t *testing.T) {
	t.Parallel()
	s := newStory(t, "NO CHANGE: it greets as it should.")
	got := s.say("/tenon preview `main.go`")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "it greets as it should.")
	require.NotContains(t, got.answer, "/tenon apply")
}

// The second edit has lost its indentation, which is forgiven in the file as the model saw it, and as the first edit
// left it.
func TestEditsOfOneFileCanBeTickedOneByOne(t *testing.T) {
	t.Parallel()
	for _, first := range []int{1, 2} {
		s := newStory(t, edit("two.go", "package two", "package pair")+
			edit("two.go", "func two() {\n\treturn 2 + 2 + 2\n}", "func two() {\n\treturn 6 + 0 + 0\n}"))
		s.push(map[string]string{"two.go": "package two\n\n\tfunc two() {\n\t\treturn 2 + 2 + 2\n\t}\n"})
		c := s.preview("/tenon preview `two.go`")
		require.Contains(t, c.Body(), "2 edits fit")
		s.tick("maria", c, first)
		require.Contains(t, box(c, first), "committed in [`")
		s.tick("maria", c, 3-first)
		require.Contains(t, box(c, 3-first), "committed in [`")
		require.Equal(t, "package pair\n\n\tfunc two() {\n\t\treturn 6 + 0 + 0\n\t}\n", s.File("speed", "two.go"))
	}
}

func TestAPreviewThatWasDeletedIsToldOfInAnAnswer(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	c := s.preview(previewThree)
	s.Before("Upload").Do(c.Delete)
	s.tick("maria", c, 1)
	require.Len(t, s.Commits("speed"), 1)
	require.Len(t, s.pull.Answers(), 1)
	require.Contains(t, s.pull.LastAnswer(), " · 1 edit committed")
}

// A copy of a preview is a comment of somebody else, whose boxes mean nothing.
func TestTheBoxesOfACopyMeanNothing(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	c := s.preview(previewThree)
	copied := s.pull.Comment("maria", c.Body())
	accepted := len(s.Accepted())
	copied.Tick("maria", 1)
	require.Len(t, s.Accepted(), accepted)

	// One that the app made, of the words of another comment, is none either.
	own, err := s.GitHub.Post(
		t.Context(),
		s.Repo.Ref(),
		port.Place{Number: s.pull.Number(), Kind: port.IssueComment},
		c.Body(),
	)
	require.NoError(t, err)
	for _, one := range s.pull.Comments(port.IssueComment) {
		if one.Port().ID == own.ID {
			s.tick("maria", one, 1)
		}
	}
	require.Empty(t, s.Commits("speed"))
}

func TestATickOfAPreviewThatIsNotOnRecordIsTakenBack(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	c := s.preview(previewThree)
	c.Edit("tenon[bot]", strings.ReplaceAll(c.Body(), port.RunID("delivery-0001"), "aaaabbbbcccc"))
	s.tick("maria", c, 1)
	require.Empty(t, s.Commits("speed"))
	require.Contains(t, box(c, 1), "- [ ] ")
}
