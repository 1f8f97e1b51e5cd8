package bot_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	// hostLine names a host that no file has, and makefile is a new file that CI runs.
	hostLine = "\tprintln(\"https://api.partner.io/v1\")"
	makefile = "all:\n\techo all"
	// notYet is why edits with a caution are only shown.
	notYet = "Nothing is committed yet, because `caution: hold` in the settings leaves edits with a caution to people."
)

// deservesALook is a reply whose edits get two cautions.
func deservesALook() string {
	return "COMMIT: fix: partner\n\n" + edit("main.go", helloLine, hostLine) + edit("Makefile", "", makefile)
}

const (
	fixPartner  = "/tenon fix `main.go`"
	cautionLine = "⚠️ **caution:** runs in CI or on people's machines: `Makefile`; new host: `api.partner.io` in `main.go`"
)

func TestAnAnswerSaysWhatDeservesALook(t *testing.T) {
	t.Parallel()
	s := newStory(t, deservesALook())
	got := s.say(fixPartner)
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer, " · 2 edits committed")
	lines := strings.Split(got.answer, "\n")
	require.Contains(t, strings.Join(lines[:6], "\n"), cautionLine, "at the top")
	require.Contains(t, s.Repo.CheckRuns()[len(s.Repo.CheckRuns())-1].Summary, cautionLine)
	require.Contains(t, s.File("speed", "Makefile"), "echo all")
}

func TestAnAnswerAboutOrdinaryEditsHasNoCaution(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	require.NotContains(t, s.say("/tenon fix `main.go` and `greet.go`").answer, "caution")
}

func TestAPreviewAndItsApplySayWhatDeservesALook(t *testing.T) {
	t.Parallel()
	s := newStory(t, deservesALook())
	c := s.preview("/tenon preview `main.go`")
	require.Contains(t, c.Body(), cautionLine)
	require.NotContains(t, c.Body(), notYet, "it would not commit anyway")
	got := s.say("/tenon apply 2")
	require.Contains(t, got.answer, "⚠️ **caution:** runs in CI or on people's machines: `Makefile`\n")
	require.Contains(t, c.Body(), cautionLine, "it is still shown when the preview is drawn again")
}

func TestWhatIsRemovedAndRenamedIsWeighedToo(t *testing.T) {
	t.Parallel()
	s := newStory(t, "```diff\n"+`diff --git a/a_test.py b/a_test.py
deleted file mode 100644
--- a/a_test.py
+++ /dev/null
@@ -1,2 +0,0 @@
-def test_a():
-    check_everything()
diff --git a/note.txt b/conftest.py
similarity index 100%
rename from note.txt
rename to conftest.py
`+"```\n")
	s.push(map[string]string{"a_test.py": "def test_a():\n    check_everything()\n", "note.txt": "print(1)\nprint(2)\n"})
	got := s.say("/tenon fix `a_test.py` and `note.txt`")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Contains(t, got.answer,
		"⚠️ **caution:** runs in CI or on people's machines: `conftest.py`; deletes or skips a test: `a_test.py`\n")
}

func TestFileOperationsAreWeighedToo(t *testing.T) {
	t.Parallel()
	s := newStory(t, "Remove the test.\n\n```sh\nrm a_test.py\n```\n")
	s.push(map[string]string{"a_test.py": "def test_a():\n    check_everything()\n"})
	s.say("/tenon fix `a_test.py`")
	got := s.say("/tenon run 1")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Contains(t, got.answer, "⚠️ **caution:** deletes or skips a test: `a_test.py`\n")
	require.NotContains(t, s.say("/tenon undo").answer, "caution", "what was there before is no news")
}

func TestThePullRequestOfAnIssueSaysWhatDeservesALook(t *testing.T) {
	t.Parallel()
	s := newStory(t, deservesALook())
	_, pull := s.solved()
	require.Contains(t, pull.Text(), sectionBegins+"\n\n"+cautionLine+"\n\n")
}

// A setting holds edits with a caution: each command that would commit what a model wrote shows it instead.
func TestEditsWithACautionAreHeldIfTheSettingsSaySo(t *testing.T) {
	t.Parallel()
	s := newStory(t, deservesALook())
	s.settings("caution: hold\n")
	before := s.tree()
	c := s.preview(fixPartner)
	require.Equal(t, before, s.tree())
	require.Contains(t, c.Body(), "👀 **Preview: fix: partner** · 2 edits fit\n\n"+cautionLine+"\n\n"+notYet)
	require.Contains(t, box(c, 1), "- [ ] **1** `main.go")
	require.Equal(t, "neutral", s.Repo.CheckRuns()[len(s.Repo.CheckRuns())-1].Conclusion)
	s.tick("maria", c, 2)
	require.Contains(t, s.File("speed", "Makefile"), "echo all")
	require.Contains(t, box(c, 2), "committed in [`")
	require.Equal(t, "rocket", s.say("/tenon apply").verdict, "a person takes the rest")
	require.Contains(t, s.File("speed", "main.go"), "api.partner.io")
	require.Len(t, s.Model.Questions(), 1)
}

func TestEditsWithoutACautionAreNotHeld(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.settings("caution: hold\n")
	require.Equal(t, "rocket", s.say(fixPartner).verdict)
	require.Len(t, s.Commits("speed"), 1)
}

func TestARetryAndReviewThreadsAreHeldToo(t *testing.T) {
	t.Parallel()
	s := newStory(t, halfReplies()...)
	s.settings("caution: hold\n")
	require.Equal(t, "rocket", s.say("/tenon fix `main.go` and `greet.go`").verdict)
	s.Model.Forget()
	s.Model.Says(edit("greet.go", greetLine, hostLine))
	commits := len(s.Commits("speed"))
	require.Contains(t, s.preview("/tenon retry").Body(), notYet)
	require.Len(t, s.Commits("speed"), commits)

	s = newStory(t, edit("a.go", "var x = 1", "var x = \"https://api.partner.io\""))
	s.settings("caution: hold\n")
	s.reviewed()
	s.pull.ReviewComment("maria", "a.go", 3, "Make it 10.")
	commits = len(s.Commits("speed"))
	require.Contains(t, s.preview("/tenon address").Body(), notYet)
	require.Len(t, s.Commits("speed"), commits)
}

func TestARoundOfAutofixIsHeldToo(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, edit("main.go", "\tprintln(\"goodbye\")", hostLine))
	s.settings("autofix: 2\ncaution: hold\n")
	s.Repo.CIWill(red(1), red(2))
	got := s.say(fixPartner)
	require.Len(t, s.Commits("speed"), 1, "the first edit has no caution")
	lines := s.rounds(got)
	require.Len(t, lines, 2)
	require.Equal(t, "- Autofix ended: the settings leave edits with a caution to a person.", lines[1])
	answers := s.answersTo(s.pull, roundRun(got, 1))
	require.Len(t, answers, 1)
	require.Contains(t, answers[0], notYet)
	said := s.pull.Said()
	s.tick("maria", said[len(said)-1], 1)
	require.Contains(t, s.File("speed", "main.go"), "api.partner.io", "a person takes it")
}

// The settings change after the edits were tried, or the edits do: nothing with a caution is committed then.
func TestSettingsThatHoldNowAreObeyedRightBeforeTheCommit(t *testing.T) {
	t.Parallel()
	s := newStory(t, deservesALook())
	s.After("Complete").Do(func() { s.settings("caution: hold\n") })
	before := s.tree()
	got := s.say(fixPartner)
	require.Equal(t, before, s.tree())
	require.Contains(t, got.answer, "the settings leave edits with a caution to a person")
	require.Contains(t, got.answer, cautionLine)
}

func TestAMergeHasNoCaution(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.settings("caution: hold\n")
	s.Repo.Push("main", map[string]string{"Makefile": makefile + "\n"})
	got := s.say("/tenon update")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.NotContains(t, got.answer, "caution")
}

// heldBack is a fix that becomes a preview, killed at any point.
var heldBack = resumable{
	func(t *testing.T) *story {
		s := newStory(t, deservesALook())
		s.settings("caution: hold\n")
		return s
	},
	func(s *story) { s.pull.Comment("maria", fixPartner) },
}

func obeysCaution(t *testing.T, s *story) {
	s.Model.Forget()
	s.Model.Says(deservesALook())
	require.Contains(t, s.preview(fixPartner).Body(), notYet)
	require.Empty(t, s.Commits("speed"))
}
