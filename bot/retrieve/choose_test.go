package retrieve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/prompts"
)

// gears is an issue about gears in a repository with n sources, of which g00.py fits best, then g01.py, and so on. Each
// has about 4 kB.
func gears(n int) story {
	st := story{about: "the gear slips", files: map[string]string{}}
	for i := range n {
		st.files[fmt.Sprintf("g%02d.py", i)] = strings.Repeat("slip\n", n-i) + "class Gear:\n    def turn(self):\n" +
			strings.Repeat("        pass\n", 300) + "def other():\n" + strings.Repeat("    gear\n", 20)
	}
	return st
}

// offers returns what is offered for the story.
func (st story) offers(t *testing.T, room int) []prompts.Offered {
	t.Helper()
	repos := st.repository()
	checkout, err := repos.Open(t.Context(), port.RepoRef{}, "refs/heads/speed", headSHA)
	require.NoError(t, err)
	out, err := Offer(t.Context(), checkout, st.query(repos), RoomOf(room))
	require.NoError(t, err)
	return out
}

// chooses returns what is selected when the model chose files by a reply.
func (st story) chooses(t *testing.T, reply string) found {
	t.Helper()
	repos := st.repository()
	checkout, err := repos.Open(t.Context(), port.RepoRef{}, "refs/heads/speed", headSHA)
	require.NoError(t, err)
	q := st.query(repos)
	q.Chosen = ParseChoice(reply, nil)
	out, err := Select(t.Context(), checkout, q, RoomOf(st.room))
	require.NoError(t, err)
	return found{out, repos.loads, len(repos.fetched)}
}

func TestAModelIsOfferedTheLikeliestFilesWithWhatFitsInThem(t *testing.T) {
	t.Parallel()
	st := gears(60)
	st.files["docs/gear.md"] = "gear slips\n"
	st.files["g00_test.py"] = "gear slips\n"
	offered := st.offers(t, 30_000)
	require.Len(t, offered, maxOffered)
	require.Contains(t, offered[:5], prompts.Offered{Path: "g00.py", Lines: 383,
		Outline: []string{"61: class Gear:", "62: def turn(self):", "363: def other():"}})
	for _, o := range offered {
		require.True(t, strings.HasPrefix(o.Path, "g"), o.Path)
		require.NotEqual(t, "g00_test.py", o.Path, "a test is not what is wrong")
	}
}

func TestNothingIsOfferedWhereThereIsNothingToChoose(t *testing.T) {
	t.Parallel()
	st := gears(20)
	require.NotEmpty(t, st.offers(t, 30_000))
	require.Empty(t, st.offers(t, 300_000), "all of them fit")
	st.body = "fix g03.py"
	require.Empty(t, st.offers(t, 30_000), "the command names its file")
	st.body = "fix g03.py, where `slipped` should be defined"
	require.Empty(t, st.offers(t, 30_000), "other files are ranked for the list of paths alone")
	st.body, st.about = "", "the gear slips, see g03.py"
	require.Equal(t, "g03.py", st.offers(t, 30_000)[0].Path, "an issue may only mention a file")
	require.Empty(t, story{body: "hello"}.offers(t, 30_000), "an empty repository")
}

func TestWhatIsNotShownIsNotOffered(t *testing.T) {
	t.Parallel()
	key := "AKIA" + "Q3EGRIPLKJHGFDSA"
	st := gears(20)
	st.ignore = []string{"g01.py"}
	st.files["g02.py"] = "# DO NOT EDIT\n" + st.files["g02.py"]
	st.files["g03.py"] = "def gear(): return '" + key + "'\n" + st.files["g03.py"]
	text := ""
	for _, o := range st.offers(t, 30_000) {
		text += o.Path + "\n" + strings.Join(o.Outline, "\n") + "\n"
	}
	require.NotContains(t, text, "g01.py")
	require.NotContains(t, text, "g02.py")
	require.Contains(t, text, "g03.py")
	require.Contains(t, text, "def gear()")
	require.NotContains(t, text, key)
}

// However long paths and definitions are, an offer has its bound.
func TestAnOfferIsBounded(t *testing.T) {
	t.Parallel()
	st := gears(80)
	for i := range 40 {
		name := strings.Repeat(fmt.Sprintf("gear%d/", i), 100) + "slip.py"
		st.files[name] = "def gear(" + strings.Repeat("slip, ", 40) + "):\n"
	}
	n := 0
	for _, o := range st.offers(t, 30_000) {
		n += offeredBytes(o)
		for _, line := range o.Outline {
			require.LessOrEqual(t, len(line), maxOfferedLine+len("1000: …"))
		}
	}
	require.LessOrEqual(t, n, maxOfferBytes)
}

func TestWhatAPullRequestChangesIsOffered(t *testing.T) {
	t.Parallel()
	st := gears(40)
	for i := range 30 {
		name := fmt.Sprintf("changed/c%02d.py", i)
		st.files[name] = strings.Repeat("nothing\n", 500)
		st.changed = append(st.changed, name)
	}
	offered := st.offers(t, 30_000)
	require.Equal(t, "changed/c00.py", offered[0].Path)
	require.Equal(t, "changed/c24.py", offered[maxOfferedChanged-1].Path)
	require.Equal(t, "g00.py", offered[maxOfferedChanged].Path, "the ranking has its places")
}

// The bound on changed files is on these alone: what is worth less than a change may still be named.
func TestWhatIsNamedIsOfferedBehindManyChangedFiles(t *testing.T) {
	t.Parallel()
	s := &selector{candidates: candidates{}}
	for i := range 30 {
		s.add(fmt.Sprintf("changed/c%02d.py", i), byChange, reasons[byChange].score, Span{})
	}
	s.add("frame.py", byFrame, reasons[byChange].score-1, Span{})
	names := s.offered()
	require.Len(t, names, maxOfferedChanged+1)
	require.Equal(t, "frame.py", names[maxOfferedChanged])
}

func TestWhatTheModelChoseIsShownWithTheBestTwoOthers(t *testing.T) {
	t.Parallel()
	st := gears(20)
	st.room = 30_000
	q := st.chooses(t, "NEED: g07.py\nNEED: g12.py other")
	require.Equal(t, []string{"g07.py", "g12.py"}, q.shownFor(byRequest))
	require.Equal(t, []string{"g00.py", "g01.py"}, q.shownFor(byRank), "it may have chosen wrongly")
	require.True(t, q.file(t, "g07.py").Whole())
	require.Contains(t, q.text(), "def other")
	require.Less(t, sizes(q.Files[2:]), 4*maxFirstBytes+8_000, "the others are only an insurance")
	require.LessOrEqual(t, sizes(q.Files)+listingBytes(q.Paths), st.room)
}

func TestTheModelChoosesLinesAndDefinitions(t *testing.T) {
	t.Parallel()
	st := gears(20)
	st.files["wheel.py"] = numbered("x =", 500) + "def spin():\n    return 1\n\n\n\n\n\n\n\n" + numbered("y =", 500) +
		"def stop():\n    return 2\n" + numbered("z =", 500)
	st.room = 3_000
	require.Contains(t, st.chooses(t, "NEED: wheel.py spin").text(), "def spin")
	require.NotContains(t, st.chooses(t, "NEED: wheel.py spin").text(), "def stop")
	require.Contains(t, st.chooses(t, "NEED: wheel.py stop").text(), "def stop")
	require.Contains(t, st.chooses(t, "NEED: wheel.py:1200-1210").text(), "z = 190\n")
}

// Each file that the model chose is shown, however large another one is.
func TestChosenFilesShareTheRoom(t *testing.T) {
	t.Parallel()
	st := gears(8)
	st.files["huge.py"] = strings.Repeat("gear slip gear slip\n", 5000)
	st.files["small.py"] = numbered("x =", 300)
	st.room = 24_000
	q := st.chooses(t, "NEED: huge.py\nNEED: small.py")
	require.True(t, q.file(t, "small.py").Whole())
	require.Greater(t, size(q.file(t, "huge.py")), 10_000, "what another file does not need is left to it")
}

func TestAChoiceOfNothingThatThereIsChangesNothing(t *testing.T) {
	t.Parallel()
	st := gears(20)
	st.room = 30_000
	ranked := st.selects(t)
	require.Equal(t, ranked.names(), st.chooses(t, "I cannot say").names())
	require.Equal(t, ranked.shownFor(byRank), st.chooses(t, "NEED: gone.py").shownFor(byRank))
	q := st.chooses(t, "NEED: g02.py, "+strings.Repeat("g03.py, ", 20)+"g19.py\nNEED: .env")
	require.Empty(t, q.why("g02.py"))
	st.files[".env"] = "KEY=hunter2\n"
	q = st.chooses(t, "NEED: .env\nNEED: g04.py")
	require.NotContains(t, q.text(), "hunter2")
	require.Contains(t, q.why(".env"), "secrets")
}

func TestAChoiceIsReadFromAPlainList(t *testing.T) {
	t.Parallel()
	offered := []prompts.Offered{{Path: "a/b.go"}, {Path: "c.py"}, {Path: "Makefile"}}
	for reply, want := range map[string][]Ask{
		"NEED: a/b.go\nNEED: c.py:3-9":  {{Path: "a/b.go"}, {Path: "c.py", Lines: Span{3, 9}}},
		"NEED: other.go Start":          {{Path: "other.go", Name: "Start"}},
		"- a/b.go\n- `c.py`\n":          {{Path: "a/b.go"}, {Path: "c.py"}},
		"1. a/b.go: Start\n2. Makefile": {{Path: "a/b.go", Name: "Start"}, {Path: "Makefile"}},
		`["a/b.go", "c.py"]`:            {{Path: "a/b.go"}, {Path: "c.py"}},
		"a/b.go\na/b.go\nother.go":      {{Path: "a/b.go"}},
		"The bug is in the parser.":     nil,
		"NEED: none":                    nil,
		"FIND: gear":                    nil,
		"":                              nil,
		strings.Repeat("x", 100_000) + "\nNEED: c.py":         {{Path: "c.py"}},
		"I think of a/b.go first, as it parses the header:\n": {{Path: "a/b.go"}},
	} {
		require.Equal(t, want, ParseChoice(reply, offered), reply[:min(len(reply), 80)])
	}
}
