package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/ghtest"
)

func TestApplyCommitsAllThatFitsOnTodaysTip(t *testing.T) {
	t.Parallel()
	s := newStage(t, threeEdits+edit("nowhere.go", badGreet, betterGreet))
	s.start()
	c := s.preview("/tenon preview `main.go` and `greet.go`")
	asked := len(s.model.questions())
	s.push(map[string]string{"other.txt": "x\n"})
	apply := s.say("/tenon apply")
	require.Equal(t, "rocket", apply.verdict)
	require.Contains(t, apply.answer, "**Applied 3, failed 0, skipped 0 of 3 edits** in 3 files")
	require.Contains(t, apply.answer, "Edits 1-3 of [the preview](")
	require.Contains(t, s.file("main.go"), "goodbye")
	require.Equal(t, "x\n", s.file("other.txt"))
	require.Len(t, s.commits(), 1)
	require.Len(t, s.model.questions(), asked, "no model is asked")
	require.Contains(t, s.boxLine(c, 2), "committed in [`")
	require.Contains(t, s.shown(s.pull, c.ID), "3 committed")

	again := s.say("/tenon apply")
	require.Equal(t, "confused", again.verdict)
	require.Contains(t, again.answer, "All edits of [the preview]")
	require.Len(t, s.commits(), 1)
}

func TestApplyCommitsTheEditsThatAreNamed(t *testing.T) {
	t.Parallel()
	s := newStage(t, threeEdits)
	s.start()
	c := s.preview("/tenon preview `main.go` and `greet.go`")
	apply := s.say("/tenon apply 3,1")
	require.Equal(t, "rocket", apply.verdict)
	require.Contains(t, apply.answer, "Edits 1, 3 of [the preview](")
	require.Contains(t, apply.answer, "| 3 | [`new.txt:1`]", "rows have the preview's numbers")
	require.Equal(t, stageFiles["greet.go"], s.file("greet.go"))
	require.Equal(t, "new\n", s.file("new.txt"))

	rest := s.say("/tenon apply 1-2")
	require.Equal(t, "rocket", rest.verdict)
	require.Contains(t, rest.answer, "Edit 2 of [the preview](")
	require.Contains(t, rest.answer, "Edit 1 was passed over: committed already.")
	require.Len(t, s.commits(), 2)
	require.Contains(t, s.boxLine(c, 2), "committed in [`")

	require.Contains(t, s.say("/tenon apply 2").answer, "committed already")
	none := s.say("/tenon apply 2,7-9")
	require.Equal(t, "confused", none.verdict)
	require.Contains(t, none.answer, "has 3 edits, so there is no 7-9. Nothing was committed.")
	require.Len(t, s.commits(), 2)
}

func TestWhatWasUndoneCanBeAppliedAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t, threeEdits)
	s.start()
	s.preview("/tenon preview `main.go` and `greet.go`")
	require.Equal(t, "rocket", s.say("/tenon apply 1").verdict)
	require.Equal(t, "rocket", s.say("/tenon undo").verdict)
	require.Equal(t, stageFiles["main.go"], s.file("main.go"))
	require.Equal(t, "rocket", s.say("/tenon apply 1").verdict)
	require.Contains(t, s.file("main.go"), "goodbye")
}

func TestApplyMeansTheNewestPreview(t *testing.T) {
	t.Parallel()
	s := newStage(t, threeEdits, edit("greet.go", greetLine, "func greet() string { return \"ahoy\" }"))
	s.start()
	first := s.preview("/tenon preview `main.go` and `greet.go`")
	s.comment("maria", "Let me see something else.")
	s.preview("/tenon preview `greet.go` as sailors do")
	require.Equal(t, "rocket", s.say("/tenon apply").verdict)
	require.Contains(t, s.file("greet.go"), "ahoy")
	require.Equal(t, stageFiles["main.go"], s.file("main.go"))
	s.tick("maria", first, 1)
	s.untilBox(first, 1, "committed in [`")
	require.Contains(t, s.file("main.go"), "goodbye", "the boxes of the older one count for that")
}

func TestTheApplyButtonCommitsThePreviewOfItsCheck(t *testing.T) {
	t.Parallel()
	s := newStage(t, threeEdits)
	s.start()
	c := s.preview("/tenon preview `main.go` and `greet.go`")
	s.until("the check", func() bool {
		checks, err := s.github.CheckRuns(s.repo)
		require.NoError(t, err)
		return len(checks) == 1 && checks[0].Status == "completed"
	})
	checks, err := s.github.CheckRuns(s.repo)
	require.NoError(t, err)
	require.NoError(t, s.github.PressButton("maria", checks[0].ID, "apply"))
	s.untilBox(c, 3, "committed in [`")
	require.Len(t, s.commits(), 1)
	require.Contains(t, s.file("main.go"), "goodbye")
	require.Len(t, s.answers(), 2)
}

func TestApplyWithoutAnythingToApplySaysHow(t *testing.T) {
	t.Parallel()
	s := newStage(t, threeEdits)
	s.start()
	got := s.say("/tenon apply")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "There is nothing to apply")
	require.Contains(t, got.answer, "`/tenon preview <what>`")
}

func TestAPastedReplyBecomesACommit(t *testing.T) {
	t.Parallel()
	quote := func(text string) string {
		return "> " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n> ")
	}
	for story, body := range map[string]string{
		"below the command": "/tenon apply\n\n" + threeEdits,
		"above the command": threeEdits + "\n\n/tenon apply",
		"right below the command": "/tenon apply\nmain.go\n<<<<<<< SEARCH\n" + helloLine + "\n=======\n" + byeLine +
			"\n>>>>>>> REPLACE\n",
		"quoted":                 quote(threeEdits) + "\n\n/tenon apply",
		"with a browser's lines": strings.ReplaceAll("@tenon apply\n\n"+threeEdits, "\n", "\r\n"),
		"named by number":        "/tenon apply 1\n\n" + threeEdits,
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, goodReply)
			s.start()
			got := s.say(body)
			require.Equal(t, "rocket", got.verdict, got.answer)
			require.Contains(t, s.file("main.go"), "goodbye")
			require.Contains(t, got.answer, "of `maria`; no model was asked.")
			require.Empty(t, s.model.questions())
			require.Len(t, s.commits(), 1)
		})
	}
}

// Nobody knows which file the reply was written for, so it must fit as it is.
func TestAPastedReplyMustFitAlmostLetterByLetter(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	got := s.say("/tenon apply\n\n" + edit("main.go", "func main() {\nprintln(\"hello\")\n}",
		"func main() {\nprintln(\"goodbye\")\n}") + edit(".github/workflows/ci.yml", "", "on: push"))
	require.Equal(t, "confused", got.verdict)
	require.Equal(t, stageFiles["main.go"], s.file("main.go"))
	require.Empty(t, s.commits())
}

func TestAPastedReplyWithHiddenTextIsRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	for story, c := range map[string]struct{ body, want string }{
		"in an HTML comment": {edit("greet.go", greetLine, betterGreet) + "<!--\nmain.go\n<<<<<<< SEARCH\n" + helloLine +
			"\n=======\n" + byeLine + "\n>>>>>>> REPLACE\n-->", "does not show everything"},
		"turned around": {edit("main.go", helloLine, "\tprintln(\"\u202ehello\")"), "characters that cannot be seen"},
		"of no width":   {edit("main.go", helloLine, "\tprintln(\"\u200bhello\")"), "characters that cannot be seen"},
	} {
		got := s.say("/tenon apply\n\n" + c.body)
		require.Equal(t, "confused", got.verdict, story)
		require.Contains(t, got.answer, "Your comment holds edit blocks", story)
		require.Contains(t, got.answer, c.want, story)
	}
	require.Empty(t, s.commits())
}

// later waits for the next second: GitHub tells no times between.
func later() { time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(time.Second))) }

func TestApplyTakesTheBlocksOfTheCommentThatItAnswers(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	require.NoError(t, s.github.AddUser("victor"))
	require.NoError(t, s.github.SetRole(s.repo, "victor", ghtest.RoleWrite))
	s.start()
	s.comment("victor", "What about this?\n\n"+threeEdits)
	later()
	got := s.say("/tenon apply")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Contains(t, got.answer, "of `victor`; no model was asked.")
	require.Contains(t, s.file("main.go"), "goodbye")
}

func TestApplyInTheThreadOfALineTakesTheNearestBlocks(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	require.NoError(t, s.github.AddUser("victor"))
	require.NoError(t, s.github.SetRole(s.repo, "victor", ghtest.RoleWrite))
	s.start()
	first, err := s.github.ReviewComment("victor", s.repo, s.pull, ghtest.Place{Path: "speed.txt", Line: 1},
		edit("speed.txt", "fast", "faster"))
	require.NoError(t, err)
	for _, body := range []string{edit("speed.txt", "fast", "fastest"), "I would.", "/tenon apply"} {
		later()
		_, err = s.github.ReplyTo("maria", s.repo, s.pull, first, body)
		require.NoError(t, err)
	}
	s.until("the commit", func() bool { return len(s.commits()) == 1 })
	require.Equal(t, "fastest\n", s.file("speed.txt"))
}

func TestBlocksOfOthersAreTakenOnlyFromThoseWhoMayWrite(t *testing.T) {
	t.Parallel()
	s := newStage(t, threeEdits)
	require.NoError(t, s.github.AddBot("other[bot]"))
	s.start()
	hidden := "main.go\n<<<<<<< SEARCH\n" + helloLine + "\n=======\n" + byeLine + "\n>>>>>>> REPLACE\n"
	for story, c := range map[string]struct{ as, body, want string }{
		"a stranger":          {"stranger", threeEdits, "its author may not write to this repository"},
		"an app":              {"other[bot]", threeEdits, "was written by an app"},
		"out of a code block": {"victor", hidden, "outside of code blocks"},
		"a path that is not shown": {"victor", "```main.go\n" + strings.TrimPrefix(hidden, "main.go\n") + "```",
			"behind the backticks"},
	} {
		if c.as == "victor" {
			_ = s.github.AddUser("victor")
			require.NoError(t, s.github.SetRole(s.repo, "victor", ghtest.RoleWrite))
		}
		s.comment(c.as, c.body)
		later()
		got := s.say("/tenon apply")
		require.Equal(t, "confused", got.verdict, story)
		require.Contains(t, got.answer, c.want, story)
		require.Contains(t, got.answer, "paste them into a comment of your own", story)
	}
	require.Empty(t, s.commits())
	c := s.preview("/tenon preview `main.go` and `greet.go`")
	require.Equal(t, "rocket", s.say("/tenon apply").verdict, "the preview is newer")
	require.Contains(t, s.boxLine(c, 1), "committed in [`")
}

func TestACommentThatWasEditedAfterTheCommandIsNotTaken(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	require.NoError(t, s.github.AddUser("victor"))
	require.NoError(t, s.github.SetRole(s.repo, "victor", ghtest.RoleWrite))
	blocks := s.comment("victor", edit("main.go", helloLine, byeLine))
	later()
	s.github.Gate(func(stage ghtest.Stage, r *http.Request) {
		if stage == ghtest.BeforeEffect && r.Method == http.MethodGet &&
			hasSuffix(r, fmt.Sprintf("/issues/%d/comments", s.pull)) {
			s.github.Gate(nil)
			require.NoError(t, s.github.EditComment("victor", blocks, edit("main.go", helloLine, "\tpanic(1)")))
		}
	})
	s.start()
	got := s.say("/tenon apply")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "was edited when you had given the command")
	require.Empty(t, s.commits())
}

func TestAnApplyThatWasKilledAfterItsCommitIsToldOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	k := newKiller(s)
	k.at(ghtest.AfterEffect, isPush)
	id := s.comment("maria", "/tenon apply\n\n"+threeEdits)
	k.wait()
	s.github.Gate(nil)
	s.start()
	require.Equal(t, []string{"eyes", "rocket"}, s.settled(id))
	require.Len(t, s.commits(), 1)
	require.Len(t, s.answers(), 1)
	require.Contains(t, s.answers()[0], "**Applied 3")
}
