package bot_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

func TestApplyCommitsAllThatFitsOnTheNewTip(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits+edit("nowhere.go", badGreet, betterGreet))
	c := s.preview(previewThree)
	asked := len(s.Model.Questions())
	s.push(map[string]string{"other.txt": "x\n"})
	apply := s.say("/tenon apply")
	require.Equal(t, "rocket", apply.verdict)
	require.Contains(t, apply.answer, " · 3 edits committed")
	require.Contains(t, apply.answer, "Edits 1-3 of [the preview](")
	require.Contains(t, s.File("speed", "main.go"), "goodbye")
	require.Equal(t, "x\n", s.File("speed", "other.txt"))
	require.Len(t, s.Commits("speed"), 1)
	require.Len(t, s.Model.Questions(), asked, "no model is asked")
	require.Contains(t, box(c, 2), "committed in [`")
	require.Contains(t, c.Body(), "3 committed")

	again := s.say("/tenon apply")
	require.Equal(t, "confused", again.verdict)
	require.Contains(t, again.answer, "All edits of [the preview]")
	require.Len(t, s.Commits("speed"), 1)
}

func TestApplyCommitsTheEditsThatAreNamed(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	c := s.preview(previewThree)
	apply := s.say("/tenon apply 3,1")
	require.Equal(t, "rocket", apply.verdict)
	require.Contains(t, apply.answer, "Edits 1 and 3 of [the preview](")
	require.Contains(t, apply.answer, "](", "rows have the preview's numbers")
	require.Equal(t, bottest.LatheFiles["greet.go"], s.File("speed", "greet.go"))

	rest := s.say("/tenon apply 1-2")
	require.Equal(t, "rocket", rest.verdict)
	require.Contains(t, rest.answer, "Edit 2 of [the preview](")
	require.Contains(t, rest.answer, "Edit 1 was skipped: already committed.")
	require.Contains(t, box(c, 2), "committed in [`")
	require.Len(t, s.Commits("speed"), 2)
	require.Contains(t, s.say("/tenon apply 1-2").answer, "already committed")
	none := s.say("/tenon apply 2,7-9")
	require.Equal(t, "confused", none.verdict)
	require.Contains(t, none.answer, "has 3 edits, so there is no 7-9. Nothing was committed.")
	require.Len(t, s.Commits("speed"), 2)
}

func TestSeveralEditsThatArePassedOverAreNamed(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	s.preview(previewThree)
	s.say("/tenon apply 1,2")
	require.Contains(t, s.say("/tenon apply 1-3").answer, "Edits 1 and 2 were skipped: already committed.")
}

func TestWhatWasUndoneCanBeAppliedAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	s.preview(previewThree)
	require.Equal(t, "rocket", s.say("/tenon apply 1").verdict)
	require.Equal(t, "rocket", s.say("/tenon undo").verdict)
	require.Equal(t, bottest.LatheFiles["main.go"], s.File("speed", "main.go"))
	require.Equal(t, "rocket", s.say("/tenon apply 1").verdict)
	require.Contains(t, s.File("speed", "main.go"), "goodbye")
}

func TestApplyMeansTheNewestPreview(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits, edit("greet.go", greetLine, "func greet() string { return \"ahoy\" }"))
	first := s.preview(previewThree)
	s.pull.Comment("maria", "Let me see something else.")
	s.preview("/tenon preview `greet.go` as sailors do")
	require.Equal(t, "rocket", s.say("/tenon apply").verdict)
	require.Contains(t, s.File("speed", "greet.go"), "ahoy")
	require.Equal(t, bottest.LatheFiles["main.go"], s.File("speed", "main.go"))
	s.tick("maria", first, 1)
	require.Contains(t, s.File("speed", "main.go"), "goodbye", "the boxes of the older one count for that")
}

func TestTheApplyButtonCommitsThePreviewOfItsCheck(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	c := s.preview(previewThree)
	s.Repo.Press("maria", s.Repo.CheckRuns()[0], "apply")
	s.Run()
	require.Contains(t, box(c, 3), "committed in [`")
	require.Len(t, s.Commits("speed"), 1)
	require.NotContains(t, s.Commits("speed")[0], "Requested by maria in", "a button has no page")
	require.Len(t, s.pull.Answers(), 2)
}

func TestApplyWithoutAnythingToApplySaysHow(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	got := s.say("/tenon apply")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "There is nothing to apply")
	require.Contains(t, got.answer, "`/tenon preview <what>`")
	require.Contains(t, s.say("/tenon apply 1").answer,
		"Numbers name the edits of a preview, or edits that an answer left out")
}

func TestAPreviewOfWhichNothingFitsIsToldApart(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("greet.go", badGreet, betterGreet))
	s.say(previewThree)
	require.Contains(
		t,
		s.say("/tenon apply").answer,
		"so there is nothing to commit. To try some of them anyway, name them, as in `/tenon apply 1`.",
	)
	require.Equal(t, "confused", s.say("/tenon apply 1").verdict)
	s.push(map[string]string{"greet.go": "package main\n\n" + badGreet + "\n"})
	got := s.say("/tenon apply 1")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "nobody has seen what it would change now")
	require.Contains(t, got.answer, "-"+badGreet+"\n+"+betterGreet)
	require.Empty(t, s.Commits("speed"))
	require.Equal(t, "rocket", s.say("/tenon apply 1").verdict, "now it has been seen")
}

func TestAPastedReplyBecomesACommit(t *testing.T) {
	t.Parallel()
	quote := func(text string) string {
		return "> " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n> ")
	}
	for story, body := range map[string]string{
		"below the command":       "/tenon apply\n\n" + threeEdits,
		"above the command":       threeEdits + "\n\n/tenon apply",
		"right below the command": "/tenon apply\n" + bare("main.go", helloLine, byeLine),
		"quoted":                  quote(threeEdits) + "\n\n/tenon apply",
		"with a browser's lines":  strings.ReplaceAll("@tenon apply\n\n"+threeEdits, "\n", "\r\n"),
		"named by number":         "/tenon apply 1\n\n" + threeEdits,
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			s := newStory(t)
			got := s.say(body)
			require.Equal(t, "rocket", got.verdict, got.answer)
			require.Contains(t, s.File("speed", "main.go"), "goodbye")
			require.Contains(t, got.answer, "by `maria`; no model was asked.")
			require.Empty(t, s.Model.Questions())
			require.Len(t, s.Commits("speed"), 1)
		})
	}
}

func TestAPastedReplyWithHiddenTextIsRefused(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	for story, c := range map[string]struct{ body, want string }{
		"in an HTML comment": {
			edit("greet.go", greetLine, betterGreet) + "<!--\n" + bare("main.go", helloLine, byeLine) + "-->",
			"does not show completely",
		},
		"turned around": {edit("main.go", helloLine, "\tprintln(\"\u202ehello\")"), "invisible characters"},
	} {
		got := s.say("/tenon apply\n\n" + c.body)
		require.Equal(t, "confused", got.verdict, story)
		require.Contains(t, got.answer, "Your comment has edit blocks", story)
		require.Contains(t, got.answer, c.want, story)
	}
	require.Empty(t, s.Commits("speed"))
}

// Nobody knows which file the reply was written for, so it must fit as it is.
func TestAPastedReplyMustFitAlmostLetterByLetter(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	got := s.say(
		"/tenon apply\n\n" + edit(
			"main.go",
			"func main() {\nprintln(\"hello\")\n}",
			"func main() {\nprintln(\"goodbye\")\n}",
		) +
			edit(
				".github/workflows/ci.yml",
				"",
				"on: push",
			),
	)
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "neither edit could be made")
	require.Empty(t, s.Commits("speed"))
}

func TestApplyTakesTheBlocksOfTheCommentThatItAnswers(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.addVictor()
	s.pull.Comment("victor", "What about this?\n\n"+threeEdits)
	got := s.say("/tenon apply")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Contains(t, got.answer, "by `victor`; no model was asked.")
	require.Contains(t, s.File("speed", "main.go"), "goodbye")
}

func TestApplyInTheThreadOfALineTakesTheNearestBlocks(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.addVictor()
	first := s.pull.ReviewComment("victor", "speed.txt", 1, edit("speed.txt", "fast", "faster"))
	for _, body := range []string{edit("speed.txt", "fast", "fastest"), "I would.", "/tenon apply"} {
		first.Reply("maria", body)
	}
	s.Run()
	require.Equal(t, "fastest\n", s.File("speed", "speed.txt"))
}

func TestApplyInAReviewTakesNoOtherComment(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.pull.Comment("maria", threeEdits)
	s.pull.Review("maria", "/tenon apply")
	s.Run()
	require.Contains(t, s.pull.LastAnswer(), "There is nothing to apply")
}

func TestBlocksOfOthersAreTakenOnlyFromThoseWhoMayWrite(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	s.GitHub.AddUser("other[bot]")
	s.addVictor()
	hidden := bare("main.go", helloLine, byeLine)
	for story, c := range map[string]struct{ as, body, want string }{
		"a stranger":          {"stranger", threeEdits, "its author may not write to this repository"},
		"an app":              {"other[bot]", threeEdits, "was written by an app"},
		"out of a code block": {"victor", hidden, "outside of code blocks"},
		"a path that is not shown": {
			"victor", "```main.go\n" + strings.TrimPrefix(hidden, "main.go\n") + "```", "after the backticks",
		},
	} {
		s.pull.Comment(c.as, c.body)
		got := s.say("/tenon apply")
		require.Equal(t, "confused", got.verdict, story)
		require.Contains(t, got.answer, c.want, story)
		require.Contains(t, got.answer, "paste them into a comment of your own", story)
	}
	require.Empty(t, s.Commits("speed"))
	c := s.preview(previewThree)
	require.Equal(t, "rocket", s.say("/tenon apply").verdict, "the preview is newer")
	require.Contains(t, box(c, 1), "committed in [`")
}

func TestABlockOfMineMayBeTakenThoughIMayWriteBySettingsAlone(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.pull.Comment("maria", threeEdits)
	require.Equal(t, "rocket", s.say("/tenon apply").verdict)
	require.Len(t, s.Calls("Permission"), 2, "of maria alone: nobody else is asked for")
}

func TestWhenGitHubDoesNotSayWhoWroteBlocksItIsAskedAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.addVictor()
	s.pull.Comment("victor", threeEdits)
	s.Before("Permission").Of("victor").Fail(bottest.Retryable(time.Minute))
	require.Equal(t, "rocket", s.say("/tenon apply").verdict)
	s.pull.Comment("ghost", threeEdits)
	s.Before("Permission").Of("ghost").Fail(port.ErrNotFound)
	require.Contains(t, s.say("/tenon apply").answer, "its author may not write")
}

func TestACommentThatWasEditedAfterTheCommandIsNotTaken(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.addVictor()
	blocks := s.pull.Comment("victor", edit("main.go", helloLine, byeLine))
	s.Before("Comments").Do(func() { blocks.Edit("victor", edit("main.go", helloLine, "\tpanic(1)")) })
	got := s.say("/tenon apply")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "was edited after you gave the command")
	require.Empty(t, s.Commits("speed"))
}

func TestAPreviewThatNobodyCanHaveReadIsNotApplied(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	var waits *bottest.Comment
	s.while(func() {
		waits = s.pull.Comment("maria", "/tenon apply")
		s.NotifyQueued()
		s.Clock.Advance(time.Second)
	})
	s.say(previewThree)
	require.Equal(t, []string{"eyes", "confused"}, reactions(waits))
	require.Equal(t, 1, s.saying("did not exist yet"))
	require.Equal(t, 1, s.saying("Nothing was committed. Read it, and give the command again."))
	require.Empty(t, s.Commits("speed"))
	require.Equal(t, "rocket", s.say("/tenon apply").verdict)
}

// The preview is redrawn for the record; where that fails, the answer tells all.
func TestAPreviewThatCannotBeRedrawnStopsNothing(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	c := s.preview(previewThree)
	s.Before("Edit").Of("tenon:preview=").Fail(bottest.Retryable(time.Minute))
	require.Equal(t, "rocket", s.say("/tenon apply 1").verdict)
	require.NotContains(t, box(c, 1), "committed")
	s.Before("Comment").Fail(bottest.Retryable(time.Minute))
	require.Equal(t, "rocket", s.say("/tenon apply 2").verdict)
	require.Equal(t, "rocket", s.say("/tenon apply 3").verdict)
	require.Contains(t, box(c, 1), "committed")
}

func TestABlockThatRepeatsADoneOneIsSkipped(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	got := s.say("/tenon apply\n\n" + threeEdits + edit("main.go", helloLine, byeLine))
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer, " · 3 edits committed")
	require.Contains(t, got.answer, "Edit 4 was not needed: the files already have these lines.")
}
