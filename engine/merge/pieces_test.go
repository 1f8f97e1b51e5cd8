package merge

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// joined returns the text of pieces with conflicts as a function returns them.
func joined(pieces []Piece, conflict func(Sides) []string) string {
	var b strings.Builder
	for _, p := range pieces {
		lines := p.Lines
		if p.Conflict != nil {
			lines = conflict(*p.Conflict)
		}
		b.WriteString(strings.Join(lines, ""))
	}
	return b.String()
}

func requirePieces(t *testing.T, base, ours, theirs string) []Piece {
	t.Helper()
	pieces, refusal := Pieces([]byte(base), []byte(ours), []byte(theirs))
	require.Empty(t, refusal)
	for i, p := range pieces {
		require.Equal(t, p.Conflict == nil, len(p.Lines) > 0)
		require.True(t, i == 0 || p.Conflict != nil || pieces[i-1].Conflict != nil, "merged lines are one piece")
	}
	return pieces
}

func TestOnlyTheConflictsOfAMergeAreLeftToChoose(t *testing.T) {
	t.Parallel()
	base, ours, theirs := "a\nb\nc\nd\ne\nf\n", "A\nb\nc\nd1\ne\nf\ng\n", "a\nb\nc\nd2\ne\nF\nf\n"
	require.Equal(t, []Piece{
		{Lines: []string{"A\n", "b\n", "c\n"}},
		{Conflict: &Sides{Base: []string{"d\n"}, Ours: []string{"d1\n"}, Theirs: []string{"d2\n"}}},
		{Lines: []string{"e\n", "F\n", "f\n", "g\n"}},
	}, requirePieces(t, base, ours, theirs))
	require.Equal(t, []Piece{
		{Lines: []string{"a\n", "x\n"}},
		{Conflict: &Sides{Base: []string{"b\n"}, Ours: []string{"1\n"}, Theirs: []string{"2\n", "3\n"}}},
		{Lines: []string{"y\n", "c"}},
	}, requirePieces(t, "a\nb\nc", "a\nx\n1\ny\nc", "a\nx\n2\n3\ny\nc"), "what both sides have at the ends is merged")
	require.Equal(t, []Piece{{Conflict: &Sides{Base: []string{}, Ours: []string{"x\n"}, Theirs: []string{"y"}}}},
		requirePieces(t, "", "x\n", "y"))
	require.Empty(t, requirePieces(t, "", "", ""))
	require.Empty(t, requirePieces(t, "a\n", "", ""))
}

// git compares the sides of a conflict: here it takes the last line of one for the partner of the second line of the
// other.
func TestTheEndsOfAConflictAreMergedOnlyWhereGitDoes(t *testing.T) {
	t.Parallel()
	require.Equal(t, []Piece{
		{Lines: []string{"1\n", "b\n"}},
		{Conflict: &Sides{Base: []string{"q\n"}, Ours: []string{"a\n", "a\n"}, Theirs: []string{"b\n", "a\n"}}},
		{Lines: []string{"2\n"}},
	}, requirePieces(t, "1\nq\n2\n", "1\nb\na\na\n2\n", "1\nb\nb\na\n2\n"))
}

func TestTwoInsertionsAreWhole(t *testing.T) {
	t.Parallel()
	pieces := requirePieces(t, "1\n2\n", "1\nf {\n f\n}\n\n2\n", "1\ng {\n g\n}\n\n2\n")
	require.Equal(t, &Sides{Base: []string{}, Ours: []string{"f {\n", " f\n", "}\n", "\n"},
		Theirs: []string{"g {\n", " g\n", "}\n", "\n"}}, pieces[1].Conflict)
}

func TestPiecesOfVersionsThatCannotBeMergedAreRefused(t *testing.T) {
	t.Parallel()
	for want, v := range map[Refusal][3]string{
		NotText:  {"a\n", "a\x00\n", "b\n"},
		TooLarge: {"a\n", "b\n", strings.Repeat("x", MaxBytes+1)},
	} {
		pieces, got := Pieces([]byte(v[0]), []byte(v[1]), []byte(v[2]))
		require.Equal(t, want, got)
		require.Nil(t, pieces)
	}
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:%d\nsize %d\n"
	_, got := Pieces(nil, fmt.Appendf(nil, pointer, 1, 2), fmt.Appendf(nil, pointer, 3, 4))
	require.Equal(t, NotText, got, "lines of two pointers make one that points to nothing")
	var base, ours strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&base, "%d\nold\n", i)
		fmt.Fprintf(&ours, "%d\nnew %d\n", i, i)
	}
	_, got = Pieces([]byte(base.String()), []byte(ours.String()), []byte(base.String()+"more\n"))
	require.Equal(t, TooDifferent, got, "each of very many lines is compared with all that follow")
}

func TestTheWorkOfAnAlignmentIsBounded(t *testing.T) {
	t.Parallel()
	var base, side strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&base, "%d\nsame\nsame\n", i)
		fmt.Fprintf(&side, "%d\nother\n", i)
	}
	work, tab := 1<<20, table{}
	_, ok := alignByHistogram(tab.split([]byte(base.String())), tab.split([]byte(side.String())), &work)
	require.False(t, ok)
	require.Greater(t, work, -1<<18)
}

// sampleMerges returns merges of many shapes: with and without copies, of few and of many lines.
func sampleMerges(r *rand.Rand, n int) []merging {
	out := make([]merging, n)
	for i := range out {
		switch i % 3 {
		case 0:
			out[i] = randomMerging(r, 5+r.IntN(40), true)
		case 1:
			out[i] = randomMerging(r, 40+r.IntN(200), i%2 == 0)
		default:
			out[i] = randomRewriting(r)
		}
	}
	return out
}

func TestExchangingTheSidesExchangesNothingElse(t *testing.T) {
	t.Parallel()
	for _, m := range sampleMerges(rand.New(rand.NewPCG(7, 8)), 300) {
		one, other := requirePieces(t, m.base, m.ours, m.theirs), requirePieces(t, m.base, m.theirs, m.ours)
		for _, p := range other {
			if p.Conflict != nil {
				p.Conflict.Ours, p.Conflict.Theirs = p.Conflict.Theirs, p.Conflict.Ours
			}
		}
		require.Equal(t, one, other)
		same := requirePieces(t, m.base, m.ours, m.ours)
		require.Equal(t, m.ours, joined(same, func(Sides) []string { return []string{"conflict"} }))
		for _, side := range []string{m.ours, m.theirs} {
			alone := requirePieces(t, m.base, m.base, side)
			require.Equal(t, side, joined(alone, func(Sides) []string { return []string{"conflict"} }))
		}
	}
}

// Git merges the branches of a repository otherwise than the files of git merge-file.
func TestWhatIsMergedIsWhatGitMerges(t *testing.T) {
	t.Parallel()
	sample := sampleMerges(rand.New(rand.NewPCG(9, 10)), 240)
	g := newRepository(t, sample)
	clean, conflicts := 0, 0
	for i, m := range sample {
		pieces := requirePieces(t, m.base, m.ours, m.theirs)
		merged, ok := g.merged(t, i)
		hasConflict := slices.ContainsFunc(pieces, func(p Piece) bool { return p.Conflict != nil })
		require.Equal(t, ok, !hasConflict, "%d %+v", i, m)
		if ok {
			clean++
		} else {
			conflicts++
		}
		// What git shows of each side is the side of the conflicts.
		require.Equal(t, withSide(merged, true), joined(pieces, func(s Sides) []string { return s.Ours }))
		require.Equal(t, withSide(merged, false), joined(pieces, func(s Sides) []string { return s.Theirs }))
	}
	require.Greater(t, clean, 40)
	require.Greater(t, conflicts, 40)
}

// withSide returns a text with conflict markers as one side has it.
func withSide(marked string, ours bool) string {
	var b strings.Builder
	inOurs, inTheirs := false, false
	for line := range strings.Lines(marked) {
		switch {
		case strings.HasPrefix(line, "<<<<<<< "):
			inOurs = true
		case inOurs && line == "=======\n":
			inOurs, inTheirs = false, true
		case inTheirs && strings.HasPrefix(line, ">>>>>>> "):
			inTheirs = false
		case inOurs && !ours, inTheirs && ours:
		default:
			b.WriteString(line)
		}
	}
	return b.String()
}

// repository has a branch for each side of some merges.
type repository struct{ git, dir string }

func newRepository(t *testing.T, sample []merging) repository {
	t.Helper()
	path, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	r := repository{path, filepath.Join(t.TempDir(), "repo")}
	r.run(t, "", "init", "--quiet", "--bare", r.dir)
	if r.try(t, "merge-tree", "-h"); !strings.Contains(r.try(t, "merge-tree", "-h"), "--write-tree") {
		t.Skip("git is too old for git merge-tree --write-tree")
	}
	var in strings.Builder
	commit := func(branch, from, text string) {
		fmt.Fprintf(&in, "commit refs/heads/%s\ncommitter a <a> 0 +0000\ndata 0\n", branch)
		if from != "" {
			fmt.Fprintf(&in, "from refs/heads/%s\n", from)
		}
		fmt.Fprintf(&in, "M 100644 inline file\ndata %d\n%s\n", len(text), text)
	}
	for i, m := range sample {
		base := fmt.Sprint("base", i)
		commit(base, "", m.base)
		commit(fmt.Sprint("ours", i), base, m.ours)
		commit(fmt.Sprint("theirs", i), base, m.theirs)
	}
	r.run(t, in.String(), "-C", r.dir, "fast-import", "--quiet")
	return r
}

// merged returns git's merge, with conflict markers if it is not clean.
func (r repository) merged(t *testing.T, i int) (text string, clean bool) {
	t.Helper()
	out := r.try(t, "-C", r.dir, "merge-tree", "--write-tree", "--name-only", "--no-messages",
		fmt.Sprint("ours", i), fmt.Sprint("theirs", i))
	tree, rest, _ := strings.Cut(out, "\n")
	require.Len(t, tree, 40, out)
	return r.run(t, "", "-C", r.dir, "cat-file", "blob", tree+":file"), rest == ""
}

func (r repository) command(t *testing.T, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), r.git, args...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_DIR="+r.dir)
	return cmd
}

func (r repository) run(t *testing.T, in string, args ...string) string {
	t.Helper()
	cmd := r.command(t, args...)
	cmd.Stdin = strings.NewReader(in)
	out, err := cmd.Output()
	require.NoError(t, err, args)
	return string(out)
}

// try is run for a command whose status says something.
func (r repository) try(t *testing.T, args ...string) string {
	t.Helper()
	out, _ := r.command(t, args...).CombinedOutput()
	return string(out)
}

// FuzzPieces checks that pieces have what each side changed, and only that.
func FuzzPieces(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nb\nc\n", "a\nb\nc\ny\n")
	f.Add("a\nb\nc\nd", "a\r\nb\nc\nd", "a\nb\nd\n")
	f.Add("x\nx\nx\n", "x\nx\n", "x\nx\nx\nx\n")
	f.Add("", "a\n", "a\nb")
	f.Fuzz(func(t *testing.T, base, ours, theirs string) {
		pieces, refusal := Pieces([]byte(base), []byte(ours), []byte(theirs))
		if refusal != "" {
			require.Equal(t, NotText, refusal)
			require.Empty(t, pieces)
			return
		}
		require.Equal(t, pieces, requirePieces(t, base, ours, theirs))
		known := map[string]bool{}
		for line := range strings.Lines(ours + "\n" + theirs) {
			known[strings.TrimSuffix(line, "\n")] = true
		}
		for _, p := range pieces {
			for _, line := range p.Lines {
				require.True(t, known[strings.TrimSuffix(line, "\n")], "%q is of no side", line)
			}
			if s := p.Conflict; s != nil {
				require.NotEqual(t, s.Ours, s.Theirs)
			}
		}
		alone, _ := Pieces([]byte(base), []byte(ours), []byte(base))
		require.Equal(t, ours, joined(alone, func(Sides) []string { return []string{"conflict"} }))
	})
}
