package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
)

// turned is a reply that adds a character that changes the direction of text.
var turned = edit("main.go", helloLine, "\tprintln(\"good\u202ebye\")")

// numbered are so many lines.
func numberedLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// What is not shown whole beside a box is committed by its number alone, after it was shown whole elsewhere.
func TestAnEditThatIsNotShownWholeHasNoBoxAndIsLeftOut(t *testing.T) {
	t.Parallel()
	for why, put := range map[string]string{
		"a line of more than 300 characters": "x := \"" + strings.Repeat("y", 320) + "\"",
		"more than 150 lines":                numberedLines(200),
		"characters that are not shown":      "x = \"👩\u200d⚕️\"",
	} {
		t.Run(why, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, edit("main.go", helloLine, byeLine)+edit("new.txt", "", put))
			c := s.preview(previewThree)
			require.Contains(t, c.Body(), "- ⚠️ **2** `new.txt:1` · ")
			require.Contains(t, c.Body(), "no box, because its diff is not shown whole here: it has "+why)
			require.Contains(t, c.Body(), "`/tenon apply` for all that have a box")
			require.Contains(t, c.Body(), "Read the whole diff of edit 2 below: `/tenon apply 2` commits what it shows.")
			got := s.say("/tenon apply")
			require.Contains(t, got.answer, "Edit 2 is left out, because the whole diff is not shown next to a box. "+
				"`/tenon apply 2` commits what is shown")
			require.Len(t, s.Commits("speed"), 1)
			require.Contains(t, s.say("/tenon apply").answer, "No other edit of")
			require.Equal(t, "rocket", s.say("/tenon apply 2").verdict)
			require.Equal(t, put+"\n", s.File("speed", "new.txt"))
		})
	}
}

// A person's number means what the person could read.
func TestAnEditThatIsShownWholeNowhereIsNotCommitted(t *testing.T) {
	t.Parallel()
	key := "ghp_" + strings.Repeat("a1B2", 9)
	for why, put := range map[string]string{"too long": numberedLines(9000), "a secret": "token = \"" + key + "\""} {
		s := newStory(t, edit("new.txt", "", put))
		c := s.preview(previewThree)
		require.Contains(t, c.Body(),
			"The whole diff of edit 1 is not shown anywhere, so it cannot be committed from here.", why)
		require.NotContains(t, c.Body(), "- [ ]")
		for _, command := range []string{"/tenon apply", "/tenon apply 1"} {
			require.Equal(t, "confused", s.say(command).verdict, why)
		}
		require.Contains(t, s.pull.LastAnswer(), "Nobody has seen all that it would change", why)
		require.Empty(t, s.Commits("speed"))
	}
}

// The check run has room for what the answer has none for.
func TestAnEditThatTheCheckShowsWholeIsCommittedByItsNumber(t *testing.T) {
	t.Parallel()
	reply := edit("a.txt", "", numberedLines(4000)) + edit("b.txt", "", numberedLines(3000))
	s := newStory(t, reply)
	c := s.preview(previewThree)
	require.Contains(t, c.Body(), "is in [the check](")
	require.Contains(t, s.Repo.CheckRuns()[0].Text, "line 3999")
	require.Equal(t, "rocket", s.say("/tenon apply 1").verdict)
	other := newStory(t, reply)
	other.Before("CreateCheck").Fail(bottest.Permanent("no checks"))
	other.preview(previewThree)
	require.Equal(t, "confused", other.say("/tenon apply 1").verdict, "there is no check that shows it")
}

// A line that looks like a box in the preview, and is none, commits nothing.
func TestABoxThatSomebodyWroteIsNone(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("main.go", helloLine, byeLine)+edit("new.txt", "", numberedLines(200)))
	c := s.preview(previewThree)
	body := strings.Replace(c.Body(), "- ⚠️ **2** ", "- [ ] **2** ", 1)
	body = strings.Replace(body, "it has more than 150 lines\n", "it has more than 150 lines <!-- tenon:block=2 -->\n", 1)
	c.Edit("maria", body)
	s.Run()
	s.tick("maria", c, 2)
	require.Empty(t, s.Commits("speed"))
	require.Contains(t, c.Body(), "- ⚠️ **2** ", "the preview is as tenon wrote it")
}

// movedStory has a preview of an edit of a file that the model was not shown; what it removes has blanks behind it by
// now.
func movedStory(t *testing.T) (*story, *bottest.Comment) {
	t.Helper()
	s := newStory(t, edit("vendor/far.txt", "two", "2"))
	s.push(map[string]string{"vendor/far.txt": "one\ntwo\nthree\n"})
	c := s.preview("/tenon preview `main.go`")
	require.Contains(t, box(c, 1), "`vendor/far.txt:2`")
	s.push(map[string]string{"vendor/far.txt": "one\ntwo  \nthree\n"})
	return s, c
}

// A box commits what is beside it or nothing, and shows then what there would be to commit.
func TestATickCommitsWhatIsBesideItOrShowsWhatChanged(t *testing.T) {
	t.Parallel()
	s, c := movedStory(t)
	s.tick("maria", c, 1)
	require.Empty(t, s.Commits("speed"))
	require.Contains(t, box(c, 1), "not committed: The edit would now change other lines than those that were shown")
	require.Contains(t, box(c, 1), "- [ ] ")
	require.Contains(t, c.Body(), "-two  \n  +2")
	s.tick("maria", c, 1)
	require.Equal(t, "one\n2\nthree\n", s.File("speed", "vendor/far.txt"))
}

func TestAnApplyCommitsWhatWasShownOrShowsWhatChanged(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"/tenon apply", "/tenon apply 1"} {
		s, _ := movedStory(t)
		first := s.say(command)
		require.Equal(t, "confused", first.verdict)
		require.Contains(t, first.answer, "The edit would now change other lines than those that were shown")
		require.Contains(t, first.answer, "it would change something else now; read what it would change")
		require.Contains(t, first.answer,
			"What edit 1 would change</summary>\n\n```diff\n@@ -1,3 +1,3 @@\n one\n-two  \n+2\n three")
		require.Empty(t, s.Commits("speed"))
		s.push(map[string]string{"vendor/far.txt": "one\ntwo\t\nthree\n"})
		require.Equal(t, "confused", s.say(command).verdict, "and again")
		require.Equal(t, "rocket", s.say(command).verdict)
		require.Equal(t, "one\n2\nthree\n", s.File("speed", "vendor/far.txt"))
	}
}

// The place of a change is part of what was shown.
func TestAnEditIsNotCommittedInAnotherPlaceThanItWasShown(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("vendor/far.txt", "two", "2"))
	s.push(map[string]string{"vendor/far.txt": "safe {\none\ntwo\nthree\n}\n"})
	c := s.preview("/tenon preview `main.go`")
	s.push(map[string]string{"vendor/far.txt": "safe {\none\nthree\n}\nadmin {\ntwo\n}\n"})
	s.tick("maria", c, 1)
	require.Empty(t, s.Commits("speed"))
	require.Contains(t, box(c, 1), "The lines around the edit are no longer those that were shown")
}

// Edits of one preview may be committed one after another, in any order, though each shows the lines of the others.
func TestEditsBesideEachOtherAreCommittedInAnyOrder(t *testing.T) {
	t.Parallel()
	for _, order := range [][]int{{1, 2}, {2, 1}} {
		s := newStory(t, edit("notes.txt", "b", "B")+edit("notes.txt", "d", "D"))
		s.push(map[string]string{"notes.txt": "a\nb\nc\nd\ne\n"})
		c := s.preview("/tenon preview `notes.txt`")
		for _, n := range order {
			s.tick("maria", c, n)
		}
		require.Equal(t, "a\nB\nc\nD\ne\n", s.File("speed", "notes.txt"), "%v", order)
	}
}

func TestWhatAReaderDoesNotSeeIsRefusedWhoeverWroteIt(t *testing.T) {
	t.Parallel()
	odd := edit("main.go", helloLine, "\tp\u0430rse()")
	s := newStory(t, turned, turned, turned)
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "line 4 has a character that changes the direction of text (`U+202E`)")
	require.Contains(t, got.answer, "`unusual: mark`")
	pasted := s.say("/tenon apply\n\n" + odd)
	require.Equal(t, "confused", pasted.verdict)
	require.Contains(t, pasted.answer, "a word that looks like")
	require.Empty(t, s.Commits("speed"))
}

// What is marked is told, and never committed by a box.
func TestWhatIsMarkedIsSpelledOutAndNamed(t *testing.T) {
	t.Parallel()
	s := newStory(t, turned)
	s.settings("unusual: mark\n")
	c := s.preview("/tenon preview `main.go`")
	require.Contains(t, c.Body(), "no box, because its diff is not shown whole here: it has characters that are not shown")
	require.Contains(t, c.Body(), "+\tprintln(\"good⟨U+202E⟩bye\")")
	require.Contains(t, s.say("/tenon apply").answer, "No other edit of")
	got := s.say("/tenon apply 1")
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer, "⚠️ **Committed with text that readers cannot see** in edit 1: ")
	require.Contains(t, s.File("speed", "main.go"), "\u202e")
}

func TestNoFileIsMadeOrMovedBesideOneOfTheSameName(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("Main.go", "", "evil")+edit("main.go::$DATA", "", "evil")+edit("GREET~1.GO", "", "evil")+
		"\n```sh\ngit mv greet.go MAIN.GO\n```\n")
	got := s.say("/tenon fix `main.go`")
	require.Contains(t, got.answer, "❌ **Nothing committed:** ")
	require.Contains(t, got.answer, "`main.go` exists, and some systems treat the two names as the same")
	require.Contains(t, s.say("/tenon run 1").answer, "`MAIN.GO` cannot be the name of a file")
	require.Contains(t, s.say("/tenon apply\n\n"+edit("MAIN.go", "", "evil")).answer, "❌ **Nothing committed:** ")
	require.Empty(t, s.Commits("speed"))
}

// The lines around an edit are part of what was shown, whoever pushes others: also in a file that the model saw, into
// which the edit could be merged.
func TestAnEditIsShownAnewWhenTheLinesAroundItChanged(t *testing.T) {
	t.Parallel()
	const admin = "func isAdmin(u) {\n    log(u)\n    return false\n}\n"
	for _, how := range []string{"tick", "/tenon apply", "/tenon apply 1", "button"} {
		s := newStory(t, edit("theirs.txt", "    return false", "    return true"))
		fork := s.fromFork("stranger")
		fork.Push("theirs", map[string]string{"theirs.txt": strings.Replace(admin, "isAdmin", "isOwner", 1)})
		c := s.preview("/tenon preview `theirs.txt`")
		require.Contains(t, c.Body(), "\n   func isOwner(u) {\n", "the diff beside the box has this line")
		fork.Push("theirs", map[string]string{"theirs.txt": admin})
		switch how {
		case "tick":
			s.tick("maria", c, 1)
		case "button":
			runs := s.Repo.CheckRuns()
			s.Repo.Press("maria", runs[len(runs)-1], "apply")
			s.Run()
		default:
			s.say(how)
		}
		require.Equal(t, admin, theirs(t, fork), how)
		require.Contains(t, box(c, 1), "The lines around the edit are no longer those that were shown", how)
		require.Contains(t, c.Body(), "func isAdmin(u) {\n", how)
		s.tick("maria", c, 1)
		require.Contains(t, theirs(t, fork), "return true", "%s: it was shown again", how)
	}
}

func TestAnEditDoesNotMoveIntoAnotherFunction(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("f.txt", "two", "2"))
	const first = "safe {\none\ntwo\nthree\n}\nadmin {\nfour\nfive\n}\n"
	s.push(map[string]string{"f.txt": first})
	c := s.preview("/tenon preview `f.txt`")
	s.push(map[string]string{"f.txt": "safe {\nfour\nfive\n}\nadmin {\none\ntwo\nthree\n}\n"})
	s.tick("maria", c, 1)
	require.Empty(t, s.Commits("speed"))
	s.push(map[string]string{"f.txt": first})
	s.tick("maria", c, 1)
	require.Empty(t, s.Commits("speed"), "the diff beside the box is that in the other function")
	s.tick("maria", c, 1)
	require.Contains(t, s.File("speed", "f.txt"), "safe {\none\n2\n")
}

func TestAFileIsNotMovedToANameThatLooksLikeAnother(t *testing.T) {
	t.Parallel()
	s := newStory(t, "```sh\ngit mv main.go gr\u0435et.go\n```\n")
	s.say("/tenon fix `main.go`")
	require.Contains(t, s.say("/tenon run 1").answer, "it has a word that looks like")
	require.Empty(t, s.Commits("speed"))
}
