package merge

import (
	"errors"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// change replaces the lines [from,to) of a base.
type change struct {
	from, to int
	lines    []string
}

// randomChanges returns up to n changes of a text of so many lines, in order, no two of which touch.
func randomChanges(r *rand.Rand, lines, n int, line func() string) []change {
	var out []change
	for at := r.IntN(3); at <= lines && len(out) < n; {
		c := change{from: at, to: min(at+r.IntN(3), lines)}
		for range r.IntN(4) {
			c.lines = append(c.lines, line())
		}
		if c.to > c.from || len(c.lines) > 0 {
			out = append(out, c)
		}
		at = c.to + 1 + r.IntN(6)
	}
	return out
}

func changed(base []string, all ...change) string {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b change) int { return a.from - b.from })
	var out []string
	at := 0
	for _, c := range all {
		out = append(append(out, base[at:c.from]...), c.lines...)
		at = c.to
	}
	return strings.Join(append(out, base[at:]...), "")
}

// merging is a merge whose result is known, because the changes of both sides are.
type merging struct {
	base, ours, theirs string
	// apart reports whether a line is between each two changes of different sides; want is the result then. Otherwise
	// alike reports whether both sides removed the same lines somewhere.
	apart, alike bool
	want         string
}

// randomMerging makes changes of a text of n different lines or, with copies, of lines that both the text and the
// changes have more than once.
func randomMerging(r *rand.Rand, n int, copies bool) merging {
	next := 0
	line := func() string {
		next++
		if copies {
			return string(rune('a'+r.IntN(6))) + "\n"
		}
		return "line " + string(rune(0x4e00+next)) + "\n"
	}
	base := make([]string, n)
	for i := range base {
		base[i] = line()
	}
	ours, theirs := randomChanges(r, n, 1+r.IntN(4), line), randomChanges(r, n, 1+r.IntN(4), line)
	m := merging{base: changed(base), ours: changed(base, ours...), theirs: changed(base, theirs...), apart: true}
	for _, o := range ours {
		for _, t := range theirs {
			m.apart = m.apart && (o.from > t.to || t.from > o.to)
			m.alike = m.alike || o.from == t.from && o.to == t.to && len(o.lines)+len(t.lines) == 0
		}
	}
	if m.apart {
		m.want = changed(base, slices.Concat(ours, theirs)...)
	}
	return m
}

// randomRewriting rewrites long passages of a text, on both sides. Between their new lines are blank ones, as between
// the old ones; git does not take those for unchanged.
func randomRewriting(r *rand.Rand) merging {
	next := 0
	line := func() string {
		if next++; r.IntN(5) == 0 {
			return "\n"
		}
		return "line " + string(rune(0x4e00+next)) + "\n"
	}
	base := make([]string, 200)
	for i := range base {
		base[i] = line()
	}
	rewrite := func(at int) change {
		c := change{from: at, to: at + 10 + r.IntN(20)}
		for range 10 + r.IntN(20) {
			c.lines = append(c.lines, line())
		}
		return c
	}
	at := 20 + r.IntN(60)
	ours, theirs := rewrite(at), rewrite(at+10+r.IntN(40))
	return merging{base: changed(base), ours: changed(base, ours), theirs: changed(base, theirs)}
}

func TestTheResultOfChangesOfDifferentLinesIsTheKnownOne(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	clean := 0
	for range 4000 {
		m := randomMerging(r, 1+r.IntN(30), false)
		got := Merge([]byte(m.base), []byte(m.ours), []byte(m.theirs))
		if !m.alike {
			require.Equal(t, m.apart, got.Clean(), "%+v", m)
		}
		if m.apart {
			require.Equal(t, m.want, string(got.Text), "%+v", m)
			clean++
		}
	}
	require.Greater(t, clean, 400)
}

func TestAMergeIsCleanOnlyWhereGitHasTheSameResult(t *testing.T) {
	t.Parallel()
	g := newGit(t)
	r := rand.New(rand.NewPCG(3, 4))
	clean := 0
	for i := range 200 {
		m := randomMerging(r, 5+r.IntN(40), i%4 != 0)
		if got := Merge([]byte(m.base), []byte(m.ours), []byte(m.theirs)); got.Clean() {
			clean++
			g.requireSame(t, m, string(got.Text))
		}
	}
	require.Greater(t, clean, 10)
}

// Git's alignment is followed where it matters: in texts that have frequent lines among others, which git leaves out.
func TestTheAlignmentIsThatOfGit(t *testing.T) {
	t.Parallel()
	g := newGit(t)
	r := rand.New(rand.NewPCG(5, 6))
	conflicts := 0
	for i := range 150 {
		m := randomMerging(r, 40+r.IntN(200), true)
		if i%2 == 0 {
			m = randomRewriting(r)
		}
		work := Work
		tab := table{}
		v := versions{
			base: tab.split([]byte(m.base)), ours: tab.split([]byte(m.ours)), theirs: tab.split([]byte(m.theirs)), work: &work,
		}
		ours, theirs, ok := v.align(ways[0])
		require.True(t, ok)
		got := v.resolve(join(ours, theirs, touch))
		text, clean := g.merge(t, m)
		require.Equal(t, clean, got.Clean(), "%+v", m)
		if clean {
			require.Equal(t, text, string(got.Text))
		} else {
			conflicts++
		}
	}
	require.Greater(t, conflicts, 10)
	require.Less(t, conflicts, 140)
}

// git is git's merge of files; its zero value is for where git is not installed.
type git struct{ path, dir string }

func newGit(t *testing.T) git {
	t.Helper()
	path, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	return git{path, t.TempDir()}
}

func (g git) merge(t *testing.T, m merging) (text string, clean bool) {
	t.Helper()
	for name, text := range map[string]string{"base": m.base, "ours": m.ours, "theirs": m.theirs} {
		require.NoError(t, os.WriteFile(filepath.Join(g.dir, name), []byte(text), 0o600))
	}
	cmd := exec.CommandContext(t.Context(), g.path, "merge-file", "-p", "-q", "ours", "base", "theirs")
	cmd.Dir = g.dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() > 127) {
		require.NoError(t, err)
	}
	return string(out), err == nil
}

func (g git) requireSame(t *testing.T, m merging, text string) {
	t.Helper()
	got, clean := g.merge(t, m)
	require.True(t, clean, "git has a conflict in %+v", m)
	require.Equal(t, got, text, "%+v", m)
}

// FuzzMerge checks merges of any versions, and of some whose result is known.
func FuzzMerge(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nb\nc\n", "a\nb\nc\ny\n", uint64(1))
	f.Add("a\nb\nc\nd", "a\r\nb\nc\nd", "a\nb\nc\nd\n", uint64(2))
	f.Add("x\nx\nx\n", "x\nx\n", "x\nx\nx\nx\n", uint64(3))
	f.Add("f {\n  a\n}\n\ng {\n  a\n}\n", "f {\n}\n\ng {\n  a\n}\n",
		"f {\n  a\n}\n\nh {\n  a\n}\n\ng {\n  a\n}\n", uint64(4))
	f.Add("0", "\x00\x00A\x00a%", "0", uint64(19))
	f.Add("\ufeffa\n\n\nb\n", "\ufeffa\n\nb\n", "a\n\n\nb\n", uint64(5))
	path, err := exec.LookPath("git")
	if err != nil {
		path = ""
	}
	f.Fuzz(func(t *testing.T, base, ours, theirs string, seed uint64) {
		if len(base)+len(ours)+len(theirs) > 1<<14 {
			t.Skip("longer input shows nothing new")
		}
		r := rand.New(rand.NewPCG(seed, 1))
		known := randomMerging(r, 1+r.IntN(30), false)
		got := checkMerge(t, known)
		if known.apart {
			require.True(t, got.Clean())
			require.Equal(t, known.want, string(got.Text))
		}
		copies := randomMerging(r, 1+r.IntN(60), true)
		for _, m := range []merging{{base: base, ours: ours, theirs: theirs}, copies} {
			got := checkMerge(t, m)
			if path != "" && got.Clean() && sampled(m) {
				git{path, t.TempDir()}.requireSame(t, m, string(got.Text))
			}
		}
	})
}

// sampled says of one in 64 merges that git is asked too: starting a process takes longer than all else. Git merges no
// version with a NUL byte, even if only one side changed.
func sampled(m merging) bool {
	if strings.Contains(m.base+m.ours+m.theirs, "\x00") {
		return false
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(m.base + m.ours + m.theirs))
	return h.Sum32()%64 == 0
}

// checkMerge checks what is true of every merge, and returns its result.
func checkMerge(t *testing.T, m merging) Result {
	t.Helper()
	base, ours, theirs := []byte(m.base), []byte(m.ours), []byte(m.theirs)
	got, swapped := Merge(base, ours, theirs), Merge(base, theirs, ours)
	require.Equal(t, []string{m.base, m.ours, m.theirs}, []string{string(base), string(ours), string(theirs)})
	require.Equal(t, got.Clean(), swapped.Clean(), "symmetric")
	require.Equal(t, string(got.Text), string(swapped.Text), "symmetric")
	require.Equal(t, len(got.Conflicts), len(swapped.Conflicts), "symmetric")
	require.Equal(t, m.theirs, string(Merge(base, base, theirs).Text), "one side unchanged")
	require.Equal(t, m.ours, string(Merge(base, ours, ours).Text), "equal sides")
	for i, c := range got.Conflicts {
		s := swapped.Conflicts[i]
		require.Equal(t, Conflict{c.Uncertain, c.Base, c.Theirs, c.Ours}, s)
		for region, text := range map[*Region]string{&c.Base: m.base, &c.Ours: m.ours, &c.Theirs: m.theirs} {
			requireRegion(t, *region, text)
		}
	}
	if got.Clean() {
		requireNoLineLost(t, m, string(got.Text))
	}
	return got
}

func requireRegion(t *testing.T, r Region, text string) {
	t.Helper()
	lines := strings.Split(text, "\n")
	require.GreaterOrEqual(t, r.Line, 1)
	require.LessOrEqual(t, r.Line-1+len(r.Lines), len(lines))
	for i, line := range r.Lines {
		require.Equal(t, strings.TrimSuffix(lines[r.Line-1+i], "\r"), line)
	}
}

// requireNoLineLost requires that the result has each line as often as the changes of both sides leave it, or, where
// they made equal ones, as one of them does.
func requireNoLineLost(t *testing.T, m merging, text string) {
	t.Helper()
	times := func(text string) map[string]int {
		n := map[string]int{}
		for line := range strings.SplitAfterSeq(text, "\n") {
			n[line]++
		}
		delete(n, "")
		return n
	}
	base, ours, theirs, got := times(m.base), times(m.ours), times(m.theirs), times(text)
	for _, all := range []map[string]int{base, ours, theirs, got} {
		for line := range all {
			both := ours[line] + theirs[line] - base[line]
			require.GreaterOrEqual(t, got[line], min(ours[line], theirs[line], both), "%q is lost", line)
			require.LessOrEqual(t, got[line], max(ours[line], theirs[line], both), "%q is made up", line)
		}
	}
}
