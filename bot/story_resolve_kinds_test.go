package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// parting has both branches start from some files, and change them each in its own way.
func (s *story) parting(before, ours, theirs map[string]bottest.File) {
	s.Repo.PushFiles("main", before, "Before\n")
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.Repo.PushFiles("speed", ours, "Ours\n")
	s.Repo.PushFiles("main", theirs, "Theirs\n")
}

func data(text string) bottest.File { return bottest.File{Data: text} }

var gone = bottest.File{Gone: true}

// kinds are conflicts that are not of lines, in order of their paths.
func (s *story) kinds() {
	s.parting(
		map[string]bottest.File{"a.bin": data("\x00base"), "b.txt": data("base\n"), "c.txt": data("base\n"),
			"d": {Mode: port.ModeLink, Data: "one"}, "go.sum": data("base\n")},
		map[string]bottest.File{"a.bin": data("\x00ours"), "b.txt": data("ours\n"), "c.txt": gone,
			"d": {Mode: port.ModeLink, Data: "two"}, "go.sum": data("ours\n"),
			"new.sh": {Mode: port.ModeExecutable, Data: "echo\n"}, "sub": {Mode: port.ModeSubmodule, Data: pinned}},
		map[string]bottest.File{"a.bin": data("\x00theirs"), "b.txt": gone, "c.txt": data("theirs\n"),
			"d": {Mode: port.ModeLink, Data: "three"}, "go.sum": data("theirs\n"),
			"new.sh": data("echo\n"), "sub": {Mode: port.ModeSubmodule, Data: strings.Repeat("2", 40)}},
	)
}

func TestConflictsThatAreNotOfLinesAreSettledByTakingASide(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.kinds()
	c := s.resolves("/tenon resolve")
	require.Empty(t, s.Model.Questions(), "nothing is guessed")
	for _, want := range []string{
		"**C1** `a.bin` · ❔ open\\\n`speed` and `main` both changed `a.bin`, which is not text. Choose one of the two " +
			"versions.",
		"**C2** `b.txt` · ❔ open\\\n`main` deleted `b.txt`, which `speed` changed. Keep the file or delete it.",
		"- [ ] **C2** theirs: delete the file <!-- tenon:block=6 -->",
		"- [ ] **C3** ours: delete the file <!-- tenon:block=9 -->",
		"**C5** `go.sum` · ❔ open\\\n`speed` and `main` both changed the generated file `go.sum`. Settle the other " +
			"conflicts, " +
			"then run `go mod tidy` to make it again.",
	} {
		require.Contains(t, c.Body(), want)
	}
	require.NotContains(t, c.Body(), "both <!--")
	refused := s.say("/tenon resolve C1 lines o1")
	require.Contains(t, refused.answer, "C1: only `ours` or `theirs` can be chosen, since it is not a conflict of lines")
	got := s.say("/tenon resolve C1 theirs C2 theirs C3 theirs C4 theirs C5 theirs C6 theirs C7 theirs")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, "\x00theirs", s.File("speed", "a.bin"))
	require.Empty(t, s.Repo.Mode("speed", "b.txt"))
	require.Equal(t, "theirs\n", s.File("speed", "c.txt"))
	require.Equal(t, "theirs\n", s.File("speed", "go.sum"))
	require.Equal(t, port.ModeFile, s.Repo.Mode("speed", "new.sh"))
	require.Equal(t, port.ModeSubmodule, s.Repo.Mode("speed", "sub"))
	require.Equal(t, s.Repo.Branch("main"), s.Repo.Commits("speed")[0].Parents[1])
	theirs := s.tree()
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	require.Equal(t, s.tree(), theirs, "all of it is theirs")
}

func TestOursOfEachKindStaysAsItIs(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.kinds()
	before := s.tree()
	s.resolves("/tenon resolve")
	got := s.say("/tenon resolve C1 ours C2 ours C3 ours C4 ours C5 ours C6 ours C7 ours")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, before, s.tree())
	require.Equal(t, 1, s.merges())
}

// A side is taken with its mode, as by git checkout --ours and --theirs, whichever side changed that.
func TestASideIsTakenWithItsMode(t *testing.T) {
	t.Parallel()
	file := func(text string) bottest.File { return data(text) }
	script := func(text string) bottest.File { return bottest.File{Mode: port.ModeExecutable, Data: text} }
	link := func(text string) bottest.File { return bottest.File{Mode: port.ModeLink, Data: text} }
	for _, c := range []struct {
		path               string
		base, ours, theirs bottest.File
	}{
		{"a.bin", file("\x00base"), file("\x00ours"), script("\x00theirs")},
		{"a.bin", file("\x00base"), script("\x00ours"), file("\x00theirs")},
		{"a.bin", script("\x00base"), file("\x00ours"), script("\x00theirs")},
		{"a.bin", gone, file("\x00ours"), script("\x00theirs")},
		{"a.bin", file("\x00base"), link("ours"), script("\x00theirs")},
		{"a.bin", file("\x00base"), script("\x00ours"), link("theirs")},
		{"go.sum", file("base\n"), file("ours\n"), script("theirs\n")},
		{"go.sum", file("base\n"), script("ours\n"), file("theirs\n")},
		{"go.sum", link("base"), file("ours\n"), link("theirs")},
	} {
		for choice, want := range map[string]bottest.File{"ours": c.ours, "theirs": c.theirs} {
			s := newStory(t)
			s.noModel()
			one := func(f bottest.File) map[string]bottest.File { return map[string]bottest.File{c.path: f} }
			before := one(c.base)
			if c.base.Gone {
				before = map[string]bottest.File{"x.txt": data("1\n")}
			}
			s.parting(before, one(c.ours), one(c.theirs))
			s.resolves("/tenon resolve")
			require.Equal(t, "rocket", s.say("/tenon resolve C1 "+choice).verdict)
			if want.Mode == "" {
				want.Mode = port.ModeFile
			}
			require.Equal(t, want.Mode, s.Repo.Mode("speed", c.path), "%s of %+v", choice, c)
			require.Equal(t, want.Data, s.File("speed", c.path), "%s of %+v", choice, c)
		}
	}
}

func TestAFileThatWasRenamedAndDeletedIsKeptOrDeleted(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a line that is long enough\n", 20)
	for _, renames := range []string{"ours", "theirs"} {
		for _, keeps := range []bool{true, false} {
			s := newStory(t)
			renamed := map[string]bottest.File{"old.txt": gone, "new.txt": data(text)}
			deleted := map[string]bottest.File{"old.txt": gone}
			if renames == "ours" {
				s.parting(map[string]bottest.File{"old.txt": data(text)}, renamed, deleted)
			} else {
				s.parting(map[string]bottest.File{"old.txt": data(text)}, deleted, renamed)
			}
			c := s.resolves("/tenon resolve")
			require.Contains(t, c.Body(), "Keep the file or delete it.")
			choice := renames
			if !keeps {
				choice = map[string]string{"ours": "theirs", "theirs": "ours"}[renames]
			}
			got := s.say("/tenon resolve C1 " + choice)
			require.Equal(t, "rocket", got.verdict, got.answer)
			require.Equal(t, keeps, s.Repo.Mode("speed", "new.txt") != "", choice)
			require.Empty(t, s.Repo.Mode("speed", "old.txt"))
		}
	}
}

func TestAConflictInARenamedFileIsSettledAtItsNewName(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a line that is long enough\n", 20)
	for _, renames := range []string{"ours", "theirs"} {
		s := newStory(t, "C1: theirs, ours\n")
		moved := map[string]bottest.File{"old.txt": gone, "new.txt": data(text + renames + "\n")}
		edited := map[string]bottest.File{"old.txt": data(text + "edited\n")}
		if renames == "ours" {
			s.parting(map[string]bottest.File{"old.txt": data(text)}, moved, edited)
		} else {
			s.parting(map[string]bottest.File{"old.txt": data(text)}, edited, moved)
		}
		got := s.say("/tenon resolve")
		require.Equal(t, "rocket", got.verdict, got.answer)
		want := text + "edited\nours\n"
		if renames == "theirs" {
			want = text + "theirs\nedited\n"
		}
		require.Equal(t, want, s.File("speed", "new.txt"))
		require.Empty(t, s.Repo.Mode("speed", "old.txt"))
	}
}

func TestWhatIsAboutSeveralPathsIsLeftToGit(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a line that is long enough\n", 20)
	s := newStory(t)
	s.parting(map[string]bottest.File{"old.txt": data(text), "x.txt": data("1\n")},
		map[string]bottest.File{"old.txt": gone, "a.txt": data(text), "x.txt": data("2\n")},
		map[string]bottest.File{"old.txt": gone, "b.txt": data(text), "x.txt": data("3\n")})
	got := s.say("/tenon resolve")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "**C1** `a.txt` · ❌ to be settled with git\\\n`speed` renamed `old.txt` to `a.txt`")
	require.Contains(t, got.answer, "Not all of this can be settled here. At a terminal")
	require.Empty(t, markdown.Boxes(got.answer))
	require.Empty(t, s.Model.Questions(), "it would be in vain")
	require.Contains(t, s.say("/tenon resolve C1 ours").answer, "C1: it is about several paths")
	require.Zero(t, s.merges())
}

// Whichever is taken for the file, the other one is in its way.
func TestAChangedFileThatBecameADirectoryIsLeftToGit(t *testing.T) {
	t.Parallel()
	changed, directory := map[string]bottest.File{"x": data("2\n")}, map[string]bottest.File{"x": gone, "x/y": data("3\n")}
	for _, sides := range [][2]map[string]bottest.File{{changed, directory}, {directory, changed}} {
		s := newStory(t)
		s.parting(map[string]bottest.File{"x": data("1\n")}, sides[0], sides[1])
		got := s.say("/tenon resolve")
		require.Equal(t, "confused", got.verdict)
		require.Contains(t, got.answer, "**C1** `x` · ❌ to be settled with git")
		require.Empty(t, markdown.Boxes(got.answer))
		require.Contains(t, s.say("/tenon resolve C1 ours").answer, "C1: it is about several paths")
		require.Zero(t, s.merges())
	}
}

const workflow = ".github/workflows/ci.yml"

func TestOnAProtectedPathOnlyTheirsCanBeChosen(t *testing.T) {
	t.Parallel()
	s := newStory(t, "C2: ours\n")
	s.parting(map[string]bottest.File{workflow: data("on: push\n"), "x.txt": data("1\n")},
		map[string]bottest.File{workflow: data("on: [push]\n"), "x.txt": data("2\n")},
		map[string]bottest.File{workflow: data("on: pull_request\n"), "x.txt": data("3\n")})
	c := s.resolves("/tenon resolve")
	require.Contains(t, c.Body(), "changed `"+workflow+"` in the same place.\\\nOnly `theirs` can be chosen, since the "+
		"path is protected. It ")
	require.NotContains(t, markdown.Boxes(c.Body()), markdown.ChoiceNumber(1, 0))
	require.NotContains(t, s.Model.LastQuestion(), workflow)
	require.Contains(t, s.say("/tenon resolve C1 ours").answer, "C1: only `theirs` can be chosen")
	s.choose("maria", c, 1, 1)
	require.Equal(t, 1, s.merges(), c.Body())
	require.Equal(t, "on: pull_request\n", s.File("speed", workflow))
	require.Equal(t, "2\n", s.File("speed", "x.txt"))
}

func TestWhatAMergeMakesOfAProtectedPathKeepsItFromBeingMade(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.parting(map[string]bottest.File{workflow: data(limits("1", "1")), "x.txt": data("1\n")},
		map[string]bottest.File{workflow: data(limits("2", "1")), "x.txt": data("2\n")},
		map[string]bottest.File{workflow: data(limits("1", "2")), "x.txt": data("3\n")})
	got := s.say("/tenon resolve")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "⚠️ `"+workflow+"`: the file is protected")
	require.Empty(t, markdown.Boxes(got.answer))
	require.Zero(t, s.merges())
}

func TestAMergeWithoutConflictsIsMadeAsByAnUpdate(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
	got := s.say("/tenon resolve")
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer, "✅ **Merge branch 'main' into speed** · 1 file merged")
	require.Contains(t, s.say("/tenon resolve").answer, "💬 **Already up to date**")
	require.Empty(t, s.Model.Questions())
}

func TestAnIssueIsRefused(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	require.Contains(t, s.sayIn(s.issue(""), "/tenon resolve").answer, "and this is an issue.")
}

func TestWhatIsInAConflictIsShownWithoutSecretsAndInvisibleCharacters(t *testing.T) {
	t.Parallel()
	key := strings.Join([]string{"ghp", "zQ8vR3tL6mX1nB5kW9cJ2hF7dS4gA0pYxUeI"}, "_")
	s := newStory(t)
	s.noModel()
	huge := strings.Repeat("x", 100_000)
	s.parting(map[string]bottest.File{"a.txt": data("1\n")},
		map[string]bottest.File{"a.txt": data("token: " + key +
			"\n</details>\n```\n- [x] **C1** ours <!-- tenon:block=1 -->\n")},
		map[string]bottest.File{"a.txt": data("good\u202ebye @maria\n" + huge + "\n")})
	c := s.resolves("/tenon resolve")
	require.NotContains(t, c.Body(), key)
	require.NotContains(t, c.Body(), "\u202e")
	require.Contains(t, c.Body(), "U+202E")
	require.Less(t, len(c.Body()), 5_000)
	require.Empty(t, markdown.TickedBoxes(c.Body()))
	require.Len(t, markdown.Boxes(c.Body()), 3)
	s.choose("maria", c, 1, 1)
	require.Equal(t, "good\u202ebye @maria\n"+huge+"\n", s.File("speed", "a.txt"), "what a branch has can be taken")
}

func TestAMergeWithVeryManyConflictsIsSettledByName(t *testing.T) {
	t.Parallel()
	text := func(who string) string {
		var b strings.Builder
		for i := range 400 {
			fmt.Fprintf(&b, "%s %d\n%d\n%d\n%d\n%d\n", who, i, i, i, i, i)
		}
		return b.String()
	}
	s := newStory(t)
	s.noModel()
	s.parting(map[string]bottest.File{"a.txt": data(text("base"))}, map[string]bottest.File{"a.txt": data(text("ours"))},
		map[string]bottest.File{"a.txt": data(text("theirs"))})
	c := s.resolves("/tenon resolve")
	require.Contains(t, c.Body(), "· 400 conflicts")
	require.Contains(t, c.Body(), "**C400** ")
	require.Len(t, markdown.Boxes(c.Body()), 3*250, "the others are settled by name")
	require.LessOrEqual(t, len(c.Body()), markdown.MaxCommentBytes)
	command := "/tenon resolve"
	for i := range 400 {
		command += fmt.Sprintf(" C%d theirs", i+1)
	}
	require.Equal(t, "rocket", s.say(command).verdict)
	require.Equal(t, text("theirs"), s.File("speed", "a.txt"))
}

func TestAMergeWithTooManyConflictsIsRefused(t *testing.T) {
	t.Parallel()
	before, ours, theirs := map[string]bottest.File{}, map[string]bottest.File{}, map[string]bottest.File{}
	for i := range 1001 {
		name := fmt.Sprintf("f%d.txt", i)
		before[name], ours[name], theirs[name] = data("1\n"), data("2\n"), data("3\n")
	}
	s := newStory(t)
	s.parting(before, ours, theirs)
	got := s.say("/tenon resolve")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "There are more than 1,000 conflicts.")
	require.Empty(t, s.Model.Questions())
}

// A comment with edits that came after the conflicts is what an apply right below it means.
func TestAnApplyBelowACommentWithEditsMeansThese(t *testing.T) {
	t.Parallel()
	s := newStory(t, "C1: open Which?\n")
	s.parting(map[string]bottest.File{"a.txt": data("1\n")}, map[string]bottest.File{"a.txt": data("2\n")},
		map[string]bottest.File{"a.txt": data("3\n")})
	s.resolves("/tenon resolve")
	s.Clock.Advance(time.Minute)
	s.pull.Comment("maria", edit("main.go", helloLine, byeLine))
	require.Equal(t, "rocket", s.say("/tenon apply").verdict)
	require.Contains(t, s.File("speed", "main.go"), "goodbye")
	require.Zero(t, s.merges())
}
