package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/policy"
)

const (
	// brokenMain is main.go after breaksMain.
	brokenMain = "package main\n\nfunc main() {\n\tif true {\n\t\tprintln(\"goodbye\")\n}\n"
	fixBoth    = "/tenon fix the words in `main.go` and `greet.go`"
)

var (
	// breaksMain is an edit after which main.go lacks a brace.
	breaksMain = edit("main.go", helloLine, "\tif true {\n\t\tprintln(\"goodbye\")")
	politeness = edit("greet.go", greetLine, betterGreet)
)

// brokenStory is a story in which the model breaks main.go whatever it is told, and edits greet.go.
func brokenStory(t *testing.T) *story {
	t.Helper()
	return newStory(t, "COMMIT: fix: be polite\n\n"+politeness+breaksMain, breaksMain)
}

// requireUnbroken requires that main.go is as it was, and greet.go edited.
func (s *story) requireUnbroken() {
	s.t.Helper()
	require.Equal(s.t, bottest.LatheFiles["main.go"], s.File("speed", "main.go"))
	require.Contains(s.t, s.File("speed", "greet.go"), "good day")
}

func TestAnEditThatBreaksItsFileIsRepaired(t *testing.T) {
	t.Parallel()
	s := newStory(t, politeness+breaksMain, edit("main.go", helloLine, "\tif true {\n\t\tprintln(\"goodbye\")\n\t}"))
	got := s.say(fixBoth)
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer, " · 2 edits committed")
	require.NotContains(t, got.answer, "parse")
	require.Equal(t, strings.Replace(brokenMain, "\n}\n", "\n\t}\n}\n", 1), s.File("speed", "main.go"))
	require.Len(t, s.Commits("speed"), 1)
	ask := s.Model.Questions()[1]
	require.Contains(t, ask, "Applied, and not to be sent again: edit 1.")
	require.Contains(t, ask, "After your edit 2, main.go does not parse:")
	require.Regexp(t, `problems of main.go>>\nline [67]: `, ask)
	require.Contains(t, ask, "After the edits, the file would have, starting at line ")
	require.Contains(t, ask, "\n\tif true {\n\t\tprintln(\"goodbye\")\n}\n<<")
	require.Contains(t, ask, "The edit was not made: the file is as it was before. Send it again, whole and corrected")
}

func TestWhatStillBreaksItsFileIsShownAndNotCommitted(t *testing.T) {
	t.Parallel()
	s := brokenStory(t)
	got := s.say(fixBoth)
	require.Equal(t, "rocket", got.verdict, "the other file is committed")
	require.Len(t, s.Model.Questions(), 3, "it was asked to repair twice")
	s.requireUnbroken()
	require.Contains(t, got.answer, " · 1 of 2 edits committed")
	require.Regexp(t, "\\*\\*Edit 2\\*\\*, .*: the file would no longer parse \\(line [67]: .*\\); "+
		"`/tenon retry` asks again",
		got.answer)
	require.Contains(t, got.answer, "`/tenon apply 2` commits edit 2 anyway.")
	require.Contains(t, got.answer, "-\tprintln(\"hello\")\n+\tif true {\n+\t\tprintln(\"goodbye\")\n", "its diff")
	require.Contains(t, got.answer, "\n4  \tif true {\n5  \t\tprintln(\"goodbye\")\n6  }\n", "the lines around")
	checks := s.Repo.CheckRuns()
	require.Equal(t, "neutral", checks[len(checks)-1].Conclusion)
	require.Contains(t, checks[len(checks)-1].Text, "`main.go` does not parse: line ")
}

func TestAnEditThatBreaksItsFileIsCommittedByItsNumber(t *testing.T) {
	t.Parallel()
	s := brokenStory(t)
	s.say(fixBoth)
	asked := len(s.Model.Questions())
	require.Contains(t, s.say("/tenon apply").answer, "There is nothing to apply", "without a number it means none")
	s.requireUnbroken()
	got := s.say("/tenon apply 2")
	require.Equal(t, "rocket", got.verdict)
	require.Equal(t, brokenMain, s.File("speed", "main.go"))
	require.Contains(t, got.answer, "Edit 2 of [the answer](")
	require.Regexp(t, "⚠️ \\*\\*Committed, though `main.go` does not parse\\*\\* after edit 2: line [67]: ", got.answer)
	check := s.Repo.CheckRuns()[len(s.Repo.CheckRuns())-1]
	require.Equal(t, "neutral", check.Conclusion)
	require.Equal(t, "1 edit committed · fix: be polite · not all files parse", check.Title)
	require.Contains(t, []int{6, 7}, check.Annotations[0].StartLine)
	require.Len(t, s.Model.Questions(), asked, "no model is asked")

	require.Contains(t, s.say("/tenon apply 1,2").answer, "Edits 1 and 2 of [the answer]", "all of it is committed")
	require.Contains(t, s.say("/tenon retry").answer, "Nothing is left to retry here")
	require.Equal(t, "rocket", s.say("/tenon undo").verdict)
	s.requireUnbroken()
	require.Equal(t, "rocket", s.say("/tenon apply 2").verdict, "what was undone can be applied again")
	require.Contains(t, s.say("/tenon apply 3").answer, "[The answer](")
}

func TestARetryAsksForWhatBrokeItsFile(t *testing.T) {
	t.Parallel()
	s := brokenStory(t)
	s.say(fixBoth)
	s.Model.Forget()
	s.Model.Says(goodbye)
	require.Equal(t, "rocket", s.say("/tenon retry").verdict)
	require.Regexp(t, "Edit 2 of main.go: It broke its file, so it was not applied. After its edits, the file had:\n\n"+
		"<<\\w+ problems>>\nline [67]: .*\n<<\\w+ end>>\n\nThe edit was meant to remove the lines", s.Model.LastQuestion())
	require.Contains(t, s.Model.LastQuestion(), "+\tif true {\n")
	require.Contains(t, s.File("speed", "main.go"), byeLine)
}

func TestSettingsMayHaveBrokenFilesCommittedWithAWarning(t *testing.T) {
	t.Parallel()
	s := brokenStory(t)
	s.settings("syntax: warn\n")
	got := s.say(fixBoth)
	require.Equal(t, "rocket", got.verdict)
	require.Len(t, s.Model.Questions(), 3, "it is asked to repair anyway")
	require.Equal(t, brokenMain, s.File("speed", "main.go"))
	require.Contains(t, got.answer, " · 2 edits committed")
	require.Contains(t, got.answer, "⚠️ **Committed, though `main.go` does not parse** after edit 2: line ")
	check := s.Repo.CheckRuns()[len(s.Repo.CheckRuns())-1]
	require.Equal(t, "neutral", check.Conclusion)
	require.Contains(t, check.Title, "not all files parse")
	require.Contains(t, check.Summary, "does not parse")
}

func TestAServerMayWarnAndARepositoryRefuse(t *testing.T) {
	t.Parallel()
	s := brokenStory(t)
	layer, err := policy.Layer{}.With("syntax", "warn")
	require.NoError(t, err)
	s.bot.Policy = policy.ServerPolicy(layer)
	s.settings("syntax: refuse\n")
	require.Contains(t, s.say(fixBoth).answer, "the file would no longer parse")
	s.requireUnbroken()
}

func TestAFileThatDidNotParseBeforeIsNoObstacle(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("main.go", "\t\tprintln(\"goodbye\")", "\t\tprintln(\"farewell\")"))
	s.push(map[string]string{"main.go": brokenMain})
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, "rocket", got.verdict)
	require.NotContains(t, got.answer, "parse")
	require.Contains(t, s.File("speed", "main.go"), "farewell")
}

func TestWhatWaitsForAnEditOfTheSameFileIsTriedWithIt(t *testing.T) {
	t.Parallel()
	opens, closes := edit("main.go", "func main() {", "func main() {\n\tif true {"), "\t\tprintln(\"bye\")\n\t}"
	s := newStory(t, opens+edit("main.go", "\tprintln(\"hi\")", closes), edit("main.go", helloLine, closes))
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	ask := s.Model.Questions()[1]
	require.Contains(t, ask, "Edit 2, main.go: Content sequence not found in file")
	require.Contains(t, ask, "Edit 1 of the same files will be applied as written")
	require.NotContains(t, ask, "parse")
	require.Equal(t,
		"package main\n\nfunc main() {\n\tif true {\n\t\tprintln(\"bye\")\n\t}\n}\n", s.File("speed", "main.go"))
}

func TestAPreviewShowsWhatBreaksAFile(t *testing.T) {
	t.Parallel()
	s := brokenStory(t)
	c := s.preview("/tenon preview the words in `main.go` and `greet.go`")
	require.Contains(t, c.Body(), "2 edits fit")
	require.Regexp(t, "⚠️ the file would not parse: line [67]: ", box(c, 2))
	require.NotContains(t, box(c, 1), "⚠️")
	require.Contains(t, c.Body(),
		"`/tenon apply` for all except edit 2, which breaks a file; `/tenon apply 2` commits that one anyway.")
	check := s.Repo.CheckRuns()[0]
	require.Equal(t, "⚠️ Preview: 2 edits fit; not all files parse", check.Title)

	all := s.say("/tenon apply")
	require.Equal(t, "rocket", all.verdict)
	require.Contains(t, all.answer, "Edit 1 of [the preview](")
	require.Contains(t, all.answer,
		"Edit 2 is left out, because a file would no longer parse: `/tenon apply 2` commits it anyway.")
	s.requireUnbroken()
	require.Contains(t, s.say("/tenon apply").answer, "No other edit of [the preview](")

	s.tick("maria", c, 2)
	require.Equal(t, brokenMain, s.File("speed", "main.go"))
	require.Contains(t, box(c, 2), "committed in [`")
}

func TestAnApplyOfAllTakesWhatBreaksAFileWhereSettingsWarn(t *testing.T) {
	t.Parallel()
	s := brokenStory(t)
	s.settings("syntax: warn\n")
	c := s.preview("/tenon preview the words in `main.go` and `greet.go`")
	require.Contains(t, box(c, 2), "⚠️")
	require.Contains(t, c.Body(), "`/tenon apply` for all of them")
	require.Contains(t, s.say("/tenon apply").answer, "⚠️ **Committed, though `main.go` does not parse**")
	require.Equal(t, brokenMain, s.File("speed", "main.go"))
}

func TestPastedEditsThatBreakAFileAreCommittedByTheirNumbers(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	got := s.say("/tenon apply\n\n" + politeness + breaksMain)
	require.Contains(t, got.answer, "`/tenon apply 2` commits edit 2 anyway.")
	s.requireUnbroken()
	again := s.say("/tenon apply 2")
	require.Equal(t, "rocket", again.verdict)
	require.Contains(t, again.answer, "Edit 2 of [the answer](")
	require.Equal(t, brokenMain, s.File("speed", "main.go"))
	require.Empty(t, s.Model.Questions())
}

// A number in the comment with the edits says which of them are meant, and not that they may break a file: nobody has
// been shown that.
func TestANumberedEditIsRefusedUntilItsProblemWasShown(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	require.Contains(t, s.say("/tenon apply 2\n\n"+politeness+breaksMain).answer,
		"❌ **Nothing committed:** the file would no longer parse")
	require.Empty(t, s.Commits("speed"))
	require.Contains(t, s.say("/tenon apply 1").answer, "Edit 1 of [the answer](", "the other one can be named too")
	s.requireUnbroken()
	require.Contains(t, s.say("/tenon apply 2").answer, "**Committed, though")
}

// numbers.json parses without its last line, unless a line was added meanwhile, which is farther from that than what a
// diff shows around it.
const oneNumber, twoNumbers = "[\n\n\n\n\n  1\n]\n", "[\n  2,\n\n\n\n\n  1\n]\n"

func TestABranchThatMovedIsCheckedAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("numbers.json", "  1", ""))
	s.push(map[string]string{"numbers.json": oneNumber})
	s.Before("Upload").Do(func() { s.push(map[string]string{"numbers.json": twoNumbers}) })
	got := s.say("/tenon fix `numbers.json`")
	require.Contains(t, got.answer, ": the file would no longer parse (line ")
	require.Equal(t, twoNumbers, s.File("speed", "numbers.json"))
	require.Equal(t, "rocket", s.say("/tenon apply 1").verdict)
	require.Equal(t, "[\n  2,\n\n\n\n\n\n]\n", s.File("speed", "numbers.json"))
}

// The box said nothing of it, so the first tick does not mean it.
func TestATickedEditThatBreaksItsFileByNowSaysSo(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("numbers.json", "  1", ""))
	s.push(map[string]string{"numbers.json": oneNumber})
	c := s.preview("/tenon preview `numbers.json`")
	require.NotContains(t, c.Body(), "⚠️")
	s.push(map[string]string{"numbers.json": twoNumbers})
	s.tick("maria", c, 1)
	require.Contains(t, box(c, 1), "not committed: After this edit `numbers.json` does not parse: line 8: ")
	require.Contains(t, box(c, 1), "- [ ] ")
	require.Equal(t, twoNumbers, s.File("speed", "numbers.json"))
	require.Contains(t, c.Body(), "`/tenon apply 1`: no file parses after the edits that are left")
	s.tick("maria", c, 1)
	require.Contains(t, box(c, 1), "committed in [`")
	require.Equal(t, "[\n  2,\n\n\n\n\n\n]\n", s.File("speed", "numbers.json"))
}

func TestAnApplyThatBreaksAFileByNowIsRepeatedByNumber(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("numbers.json", "  1", ""))
	s.push(map[string]string{"numbers.json": oneNumber})
	s.preview("/tenon preview `numbers.json`")
	s.push(map[string]string{"numbers.json": twoNumbers})
	require.Contains(t, s.say("/tenon apply").answer, "`/tenon apply 1` commits edit 1 anyway.")
	require.Equal(t, "rocket", s.say("/tenon apply 1").verdict)
	require.Equal(t, "[\n  2,\n\n\n\n\n\n]\n", s.File("speed", "numbers.json"))
}

// The second command was written before the answer to the first, so it does not mean what that answer says.
func TestANumberGivenBeforeItsProblemWasShownDoesNotMeanTheProblem(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("numbers.json", "  1", ""))
	s.push(map[string]string{"numbers.json": oneNumber})
	s.preview("/tenon preview `numbers.json`")
	s.push(map[string]string{"numbers.json": twoNumbers})
	s.pull.Comment("maria", "/tenon apply")
	second := s.pull.Comment("maria", "/tenon apply 1")
	s.Clock.Advance(time.Second)
	s.Run()
	require.Equal(t, "confused", reactions(second)[1])
	require.Equal(t, twoNumbers, s.File("speed", "numbers.json"))
	require.Equal(t, 2, s.saying("**Nothing committed:** the file would no longer parse"))
	require.Equal(t, "rocket", s.say("/tenon apply 1").verdict)
}

func TestAllOrNothingHoldsForWhatDoesNotParse(t *testing.T) {
	t.Parallel()
	s := brokenStory(t)
	s.settings("partial: hold\n")
	require.Contains(t, s.say(fixBoth).answer,
		"❌ **Nothing committed:** only 1 of 2 edits fits, and the settings require that all fit")
	require.Empty(t, s.Commits("speed"))
	require.Equal(t, "rocket", s.say("/tenon apply 1,2").verdict, "both are named")
	require.Equal(t, brokenMain, s.File("speed", "main.go"))
}

func TestOnAnIssueWhatBreaksItsFileIsCommittedToTheBranchOfTheIssue(t *testing.T) {
	t.Parallel()
	s := newStory(t, politeness+breaksMain, breaksMain)
	issue := s.issue("Wrong words in `main.go` and `greet.go`.")
	s.sayIn(issue, "/tenon fix")
	pull := s.Repo.PullOf(issueBranch(issue))
	require.Contains(t, pull.Text(), " · 1 of 2 edits\n")
	require.Equal(t, "rocket", s.sayIn(issue, "/tenon apply 2").verdict)
	require.Contains(t, pull.Text(), "/main.go) (+2 −1), because it does not parse.\n\n**Checked:** ⚠️ `main.go` does "+
		"not parse.")
	require.Equal(t, brokenMain, s.File(issueBranch(issue), "main.go"))
}

func TestAnOlderAnswerDoesNotComeBeforeANewerPreview(t *testing.T) {
	t.Parallel()
	s := newStory(t, breaksMain, breaksMain, breaksMain, politeness)
	s.say("/tenon fix `main.go`")
	s.preview("/tenon preview `greet.go`")
	require.Contains(t, s.say("/tenon apply 1").answer, "Edit 1 of [the preview](")
	s.requireUnbroken()
}

// What a file says is in the message, and what the answer says of it is text.
func TestAMessageThatQuotesTheFileIsEscaped(t *testing.T) {
	t.Parallel()
	const nasty = "<img src=x> @maria [x](https://evil.example) | `y` ![z](//evil.example)"
	s := newStory(t, edit("data.json", "{}", "{\""+strings.ReplaceAll(nasty, "\"", "")+"\" 1}"))
	s.push(map[string]string{"data.json": "{}\n"})
	got := s.say("/tenon fix `data.json`")
	require.Contains(t, got.answer, "the file would no longer parse (")
	_, shown, _ := strings.Cut(got.answer, "the file would no longer parse (")
	shown, _, _ = strings.Cut(shown, "\n")
	for _, text := range []string{"<img", " @maria", "](https://evil"} {
		require.NotContains(t, shown, text)
	}
}

// Each of many edits of a file would be shown with the same problem; the answer stays within its bounds.
func TestAnAnswerWithManyBrokenFilesIsWithinItsBounds(t *testing.T) {
	t.Parallel()
	var reply strings.Builder
	for n := range 100 {
		fmt.Fprintf(&reply, "%s", edit(fmt.Sprintf("f%d.go", n), "", "package x\n\nfunc f() {"))
	}
	s := newStory(t, reply.String())
	got := s.say("/tenon fix `main.go`")
	require.Contains(t, got.answer, "❌ **Nothing committed:** ")
	require.Contains(t, got.answer, "<summary>98 more edits could not be made</summary>")
	require.Less(t, len(got.answer), 65536)
	require.Empty(t, s.Commits("speed"))
}

// applyOfABreak commits by its number what was not committed because it breaks a file, killed at any point.
var applyOfABreak = resumable{
	func(t *testing.T) *story {
		s := newStory(t, breaksMain+faster, breaksMain)
		s.say("/tenon fix `main.go` and `speed.txt`")
		return s
	},
	func(s *story) { s.pull.Comment("maria", "/tenon apply 1") },
}
