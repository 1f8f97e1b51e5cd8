package bot_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
)

// nested are lines that open more brackets than any parser is given, and deep is an edit that adds them to main.go.
var (
	nested = strings.Repeat("\t// "+strings.Repeat("(", 51)+"\n", 10)
	deep   = edit("main.go", helloLine, nested+byeLine)
)

func TestAFileThatIsTooMuchWorkIsCommittedAndTheAnswerSaysSo(t *testing.T) {
	t.Parallel()
	s := newStory(t, deep+politeness+edit("speed.txt", "fast", "faster"))
	got := s.say("/tenon fix `main.go`, `greet.go` and `speed.txt`")
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer, " · 3 edits committed")
	require.Contains(t, got.answer, "\n\n⚠️ **Not checked for syntax:** `main.go` (too much work).\n\n")
	require.Equal(t, 1, strings.Count(got.answer, "checked for syntax"), "nobody expects that of a text")
	require.Contains(t, s.File("speed", "main.go"), byeLine)
	check := s.Repo.CheckRuns()[len(s.Repo.CheckRuns())-1]
	require.Equal(t, "success", check.Conclusion)
	require.Contains(t, check.Summary, "**Not checked for syntax:** `main.go`")
}

func TestAFileWithAnErrorFromBeforeIsNamedInTheDetails(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("main.go", "\t\tprintln(\"goodbye\")", "\t\tprintln(\"farewell\")"))
	s.push(map[string]string{"main.go": brokenMain})
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, "rocket", got.verdict)
	above, details, _ := strings.Cut(got.answer, "<summary>Details</summary>")
	require.NotContains(t, above, "syntax")
	require.Contains(t, details, "Not checked for syntax: `main.go` (it had a syntax error before the edits).")
}

func TestAPreviewSaysWhichFilesAreNotChecked(t *testing.T) {
	t.Parallel()
	s := newStory(t, deep)
	c := s.preview("/tenon preview the words in `main.go`")
	require.Contains(t, c.Body(), "⚠️ **Not checked for syntax:** `main.go` (too much work).")
	require.Contains(t, s.Repo.CheckRuns()[0].Summary, "**Not checked for syntax:** `main.go`")
	s.tick("maria", c, 1)
	require.Contains(t, s.File("speed", "main.go"), byeLine)
}

func TestThePullRequestOfAnIssueSaysWhichFilesAreNotChecked(t *testing.T) {
	t.Parallel()
	s := newStory(t, deep)
	issue := s.issue("Wrong words in `main.go`.")
	s.sayIn(issue, "/tenon fix")
	require.Contains(t, s.Repo.PullOf(issueBranch(issue)).Text(),
		"Not checked: `main.go` (too much work). No tests were run.")
}

// refusesDeep requires that the edit of main.go is refused, and that of greet.go committed.
func (s *story) refusesDeep(got told) {
	s.t.Helper()
	require.Equal(s.t, "rocket", got.verdict, "the other file is committed")
	require.Contains(s.t, got.answer, " · 1 of 2 edits committed")
	require.Contains(s.t, got.answer,
		": the file was not checked for syntax (too much work), and the settings say unchecked: refuse; "+
			"change the file by hand, or allow such edits by `unchecked: commit` in the settings.")
	require.NotContains(s.t, got.answer, "**Not checked for syntax:**")
	s.requireUnbroken()
}

func TestSettingsMayRefuseWhatIsNotChecked(t *testing.T) {
	t.Parallel()
	s := newStory(t, "COMMIT: fix: be polite\n\n"+deep+politeness)
	s.settings("unchecked: refuse\n")
	s.refusesDeep(s.say(fixBoth))
	require.Len(t, s.Model.Questions(), 1, "no other words would help")
	require.Contains(t, s.say("/tenon apply 1").answer, "this thread has neither", "nor does a number")
	require.Equal(t, bottest.LatheFiles["main.go"], s.File("speed", "main.go"))
}

func TestWhatIsNotCheckedIsRefusedAlsoWhereBrokenFilesAreCommitted(t *testing.T) {
	t.Parallel()
	s := newStory(t, "COMMIT: fix: be polite\n\n"+deep+politeness)
	s.settings("unchecked: refuse\nsyntax: warn\n")
	s.refusesDeep(s.say(fixBoth))
}

func TestAPreviewOfWhatIsNotCheckedHasNoBoxWhereSettingsRefuseIt(t *testing.T) {
	t.Parallel()
	s := newStory(t, deep+politeness)
	s.settings("unchecked: refuse\n")
	c := s.preview("/tenon preview the words in `main.go` and `greet.go`")
	require.Contains(t, c.Body(), "1 of 2 edits fits")
	require.Contains(t, c.Body(), "the settings say unchecked: refuse")
	require.Equal(t, "confused", s.say("/tenon apply 1").verdict)
	require.Equal(t, bottest.LatheFiles["main.go"], s.File("speed", "main.go"))
}

// The settings may change between a preview and its commit.
func TestAnEditThatWasPreviewedIsRefusedIfSettingsDoSoByNow(t *testing.T) {
	t.Parallel()
	s := newStory(t, deep)
	c := s.preview("/tenon preview the words in `main.go`")
	s.settings("unchecked: refuse\n")
	s.tick("maria", c, 1)
	require.Contains(t, box(c, 1), "not committed: The file was not checked for syntax (too much work)")
	require.Equal(t, bottest.LatheFiles["main.go"], s.File("speed", "main.go"))
}

func obeysUnchecked(t *testing.T, s *story) {
	s.Model.Forget()
	s.Model.Says(deep, deep)
	require.Contains(t, s.say("/tenon fix `main.go`").answer,
		"❌ **Nothing committed:** the file cannot be checked for syntax")
	require.Equal(t, bottest.LatheFiles["main.go"], s.File("speed", "main.go"))
	s.settings("unchecked: commit\n")
	require.Contains(t, s.say("/tenon fix `main.go`").answer, "⚠️ **Not checked for syntax:** `main.go` (too much work)")
	require.Contains(t, s.File("speed", "main.go"), nested)
}
