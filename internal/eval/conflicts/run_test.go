package conflicts

import (
	"bytes"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/eval/conflicts/gitmerge"
)

const (
	base = "one\ntwo\nthree\n"
	top  = "1\n2\n3\n"
	end  = "7\n8\n9\n"
)

func TestWhatAPersonMadeOfAConflictIsAChoice(t *testing.T) {
	t.Parallel()
	for person, class := range map[string]Class{
		"OURS\n": Ours, "THEIRS\n": Theirs, "OURS\nTHEIRS\n": OursTheirs, "THEIRS\nOURS\n": TheirsOurs, "two\n": Base,
		"": None, "two\nOURS\n": Lines, "written\n": New,
	} {
		h := newHistory(t)
		h.merge(top+"two\n"+end, top+"OURS\n"+end, top+"THEIRS\n"+end, top+person+end)
		figures, files := h.measure(Options{})
		require.Equal(t, map[Class]int{class: 1}, figures.Classes, person)
		require.Equal(t, 1, figures.Merges)
		require.Equal(t, 1, figures.Compared)
		require.Zero(t, figures.Outside+figures.OnlyGit+figures.OnlyHere+figures.NotExact+figures.NotLocated)
		require.Len(t, files, 1)
		require.Equal(t, person, files[0].Conflicts[0].Person)
		require.True(t, files[0].Conflicts[0].Exact)
		require.Equal(t, "C1", files[0].Conflicts[0].Name)
	}
}

func TestAMergeThatGitMakesIsComparedToo(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	h.merge(top+base+end, "0\n"+top+base+end, top+base+end+"10\n", "anything\n")
	figures, files := h.measure(Options{})
	require.Empty(t, files)
	require.Equal(t, map[Kind]int{CleanFile: 1}, figures.Files)
	require.Equal(t, 1, figures.Compared)
	require.Zero(t, figures.InConflict)
}

func TestAConflictWhoseNeighborsThePersonChangedIsNotLocated(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	h.merge(top+"two\n"+end, top+"OURS\n"+end, top+"THEIRS\n"+end, "another text\n")
	figures, _ := h.measure(Options{})
	require.Equal(t, 1, figures.NotLocated)
	require.Empty(t, figures.Classes)
}

func TestMarkersThatThePersonLeftAreNoResolution(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	h.merge(top+"two\n"+end, top+"OURS\n"+end, top+"THEIRS\n"+end,
		top+"<<<<<<< HEAD\nOURS\n=======\nTHEIRS\n>>>>>>> theirs\n"+end)
	figures, _ := h.measure(Options{})
	require.Equal(t, 1, figures.Unsettled)
	require.Empty(t, figures.Classes)
}

func TestWhatIsLeftOutIsCounted(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	root := h.commit("root", nil, "a", "1\n")
	a, b := h.commit("a", []string{root}, "a", "2\n"), h.commit("b", []string{root}, "a", "1\n", "b", "1\n")
	other := h.commit("other", nil, "c", "1\n")
	h.commit("one", []string{a, b}, "a", "2\n", "b", "1\n")
	h.commit("again", []string{a, b}, "a", "2\n", "b", "2\n")
	h.commit("octopus", []string{a, b, other}, "a", "2\n")
	h.commit("unrelated", []string{a, other}, "a", "2\n")
	figures, _ := h.measure(Options{})
	require.Equal(t, map[LeftOut]int{Octopus: 1, Repeated: 1, Unrelated: 1}, figures.LeftOut)
	require.Equal(t, 1, figures.Merges)
}

func TestARecordedReplyIsJudged(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]Reply{
		"C1: theirs": AsPerson, "C1: ours": Different, "C1: open Which?": LeftOpen, "Take theirs.": NoAnswer,
	} {
		h := newHistory(t)
		id := h.merge(top+"two\n"+end, top+"OURS\n"+end, top+"THEIRS\n"+end, top+"THEIRS\n"+end)
		figures, _ := h.measure(Options{Replies: fstest.MapFS{"ada+app/" + id + ".md": {Data: []byte(reply)}}})
		require.Equal(t, map[Reply]int{want: 1}, figures.Replies, reply)
	}
}

func TestNothingIsWrittenToTheMirror(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	h.merge(top+"two\n"+end, top+"OURS\n"+end, top+"THEIRS\n"+end, top+end)
	before := listing(t, h.mirror)
	h.measure(Options{})
	require.Equal(t, before, listing(t, h.mirror))
}

func listing(t *testing.T, folder string) (paths []string) {
	t.Helper()
	require.NoError(t, fs.WalkDir(os.DirFS(folder), ".", func(path string, _ fs.DirEntry, err error) error {
		paths = append(paths, path)
		return err
	}))
	return paths
}

func TestTheLastLineHasTheFiguresOfAll(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	h.merge(top+"two\n"+end, top+"OURS\n"+end, top+"THEIRS\n"+end, top+"OURS\n"+end)
	figures, _ := h.measure(Options{})
	var out bytes.Buffer
	require.NoError(t, PrintTable(&out, []Of{{"ada/app", figures}}))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Equal(t, "merges=1 hunks=1 outside=0 choices=100.0 settled=0.0 wrong=0", lines[len(lines)-1])
}

func TestAFolderWithoutARepositoryIsAnError(t *testing.T) {
	t.Parallel()
	missing := func(string) string { return t.TempDir() }
	_, err := Run(t.Context(), []string{"ada/app"}, missing, Options{Merges: 1})
	require.ErrorIs(t, err, gitmerge.ErrNoRepository)
}
