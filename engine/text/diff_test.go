package text_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/meter"
)

// lines returns the lines of a text of letters, one for each.
func lines(letters string) []string { return strings.Split(letters, "") }

// commonLines returns how many lines two sequences have in common at most, in the same order.
func commonLines(a, b []string) int {
	above := make([]int, len(b)+1)
	for _, s := range a {
		row := make([]int, len(b)+1)
		for j, other := range b {
			if row[j+1] = max(row[j], above[j+1]); s == other {
				row[j+1] = above[j] + 1
			}
		}
		above = row
	}
	return above[len(b)]
}

// requireWay requires that hunks lead from old to now, with a common line between each two of them.
func requireWay(t *testing.T, old, now []string, hunks []text.Hunk) {
	t.Helper()
	i, j := 0, 0
	for n, h := range append(hunks, text.Hunk{From: len(old), To: len(old), NewFrom: len(now), NewTo: len(now)}) {
		require.LessOrEqual(t, h.From, h.To)
		require.LessOrEqual(t, h.NewFrom, h.NewTo)
		if n < len(hunks) {
			require.Positive(t, h.To-h.From+h.NewTo-h.NewFrom, "a hunk changes something")
			require.True(t, n == 0 || h.From > i, "hunks do not meet")
		}
		require.Equal(t, old[i:h.From], now[j:h.NewFrom])
		i, j = h.To, h.NewTo
	}
}

// changedLines returns how many lines hunks remove and add.
func changedLines(hunks []text.Hunk) int {
	n := 0
	for _, h := range hunks {
		n += h.To - h.From + h.NewTo - h.NewFrom
	}
	return n
}

// requireShortest requires of both directions that they lead from old to now, and that no way changes fewer lines.
func requireShortest(t *testing.T, old, now []string) {
	t.Helper()
	a, b := slices.Clone(old), slices.Clone(now)
	fewest := len(old) + len(now) - 2*commonLines(old, now)
	for _, diff := range []func(*meter.Work, []string, []string) []text.Hunk{text.Diff, text.DiffUp} {
		hunks := diff(nil, old, now)
		requireWay(t, old, now, hunks)
		require.Equal(t, fewest, changedLines(hunks), "%q %q", old, now)
	}
	require.Equal(t, a, old, "what is compared is not modified")
	require.Equal(t, b, now, "what is compared is not modified")
}

func randomLines(r *rand.Rand, n, kinds int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = string(rune('a' + r.IntN(kinds)))
	}
	return out
}

func TestADiffIsAShortestWayFromOneTextToAnother(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		kinds := 1 + r.IntN(8)
		old := randomLines(r, r.IntN(40), kinds)
		requireShortest(t, old, randomLines(r, r.IntN(40), kinds))
		now := slices.Clone(old)
		for range r.IntN(5) {
			at := r.IntN(len(now) + 1)
			now = slices.Replace(now, at, min(at+r.IntN(4), len(now)), randomLines(r, r.IntN(4), kinds)...)
		}
		requireShortest(t, old, now)
	}
}

func FuzzDiff(f *testing.F) {
	for _, s := range [][2]string{{"", ""}, {"a", ""}, {"", "a"}, {"abcabba", "cbabac"}, {"aXb", "aYb"}, {"xxxx", "xx"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, old, now string) {
		if len(old)+len(now) > 600 {
			t.Skip("longer input shows nothing new")
		}
		requireShortest(t, lines(old), lines(now))
	})
}

// Where lines could be added or removed at several places, Diff takes the lowest, and DiffUp the highest.
func TestAGroupOfLinesMovesAsFarAsItGoes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		old, now string
		down, up text.Hunk
	}{
		{"aXXb", "aXXXb", text.Hunk{From: 3, To: 3, NewFrom: 3, NewTo: 4}, text.Hunk{From: 1, To: 1, NewFrom: 1, NewTo: 2}},
		{"aXXb", "aXb", text.Hunk{From: 2, To: 3, NewFrom: 2, NewTo: 2}, text.Hunk{From: 1, To: 2, NewFrom: 1, NewTo: 1}},
		{"f}g}", "f}h}g}", text.Hunk{From: 2, To: 2, NewFrom: 2, NewTo: 4}, text.Hunk{From: 1, To: 1, NewFrom: 1, NewTo: 3}},
		{"aXb", "aYb", text.Hunk{From: 1, To: 2, NewFrom: 1, NewTo: 2}, text.Hunk{From: 1, To: 2, NewFrom: 1, NewTo: 2}},
	} {
		require.Equal(t, []text.Hunk{c.down}, text.Diff(nil, lines(c.old), lines(c.now)), "%+v", c)
		require.Equal(t, []text.Hunk{c.up}, text.DiffUp(nil, lines(c.old), lines(c.now)), "%+v", c)
	}
	require.Equal(t, []text.Hunk{{From: 1, To: 1, NewFrom: 1, NewTo: 2}, {From: 4, To: 4, NewFrom: 5, NewTo: 7}},
		text.Diff(nil, lines("babb"), lines("bdabbbd")), "a group of added lines joins the one below it")
	above := text.Hunk{From: 1, To: 1, NewFrom: 1, NewTo: 2}
	require.Equal(t, []text.Hunk{above, {From: 4, To: 4, NewFrom: 5, NewTo: 7}},
		text.Diff(nil, lines("bcbb"), lines("bacbbbb")), "a group goes on among the common lines at the end")
	require.Equal(t, []text.Hunk{above, {From: 2, To: 2, NewFrom: 3, NewTo: 5}},
		text.DiffUp(nil, lines("bcbb"), lines("bacbbbb")))
}

func TestAGroupThatMovesJoinsAnotherAndStopsBesideTheOtherSides(t *testing.T) {
	t.Parallel()
	marksOf := func(s string) []bool {
		out := make([]bool, len(s))
		for i := range s {
			out[i] = s[i] == '^'
		}
		return out
	}
	for story, c := range map[string]struct {
		sequence, marks, other string
		up                     bool
		want                   string
	}{
		"down":                          {"aXXXb", ".^...", "....", false, "...^."},
		"up":                            {"aXXXb", "...^.", "....", true, ".^..."},
		"to the end":                    {"XXX", "^..", "..", false, "..^"},
		"to the start":                  {"XXX", "..^", "..", true, "^.."},
		"not over other lines":          {"aXYXb", ".^.^.", "...", false, ".^.^."},
		"down, and on with another":     {"aXXXXb", ".^.^..", "....", false, "...^^."},
		"up to another":                 {"aXYXYXb", ".^..^^.", "....", false, ".^^^..."},
		"up with another":               {"aXXXXb", ".^..^.", "....", true, ".^^..."},
		"no further than what was lost": {"aXXXb", ".^...", "..^..", false, "..^.."},
		"up no further than that":       {"aXXXb", "...^.", "..^..", true, "..^.."},
	} {
		marks := marksOf(c.marks)
		text.Compact([]byte(c.sequence), marks, marksOf(c.other), c.up)
		require.Equal(t, marksOf(c.want), marks, story)
	}
}

// shuffled returns n different lines in another order for each seed.
func shuffled(n int, seed uint64) []string {
	out := make([]string, n)
	for i, k := range rand.New(rand.NewPCG(seed, 9)).Perm(n) {
		out[i] = fmt.Sprint(k)
	}
	return out
}

func TestTextsWithLittleInCommonAreOneHunk(t *testing.T) {
	t.Parallel()
	old := slices.Concat([]string{"head"}, shuffled(20_000, 1), []string{"tail", "tail"})
	now := slices.Concat([]string{"head"}, shuffled(20_000, 2), []string{"tail", "tail"})
	w := meter.Of(meter.Default)
	want := []text.Hunk{{From: 1, To: 20_001, NewFrom: 1, NewTo: 20_001}}
	require.Equal(t, want, text.Diff(w, old, now))
	require.Equal(t, want, text.DiffUp(w, old, now))
	require.Less(t, w.Spent(), meter.Default/4)
}

func TestTheWorkOfADiffIsBounded(t *testing.T) {
	t.Parallel()
	old, now := shuffled(400, 1), shuffled(400, 2)
	w := meter.Of(1_000)
	require.Equal(t, []text.Hunk{{To: 400, NewTo: 400}}, text.Diff(w, old, now), "it is given up")
	require.True(t, w.UsedUp())
	require.Less(t, w.Spent(), 2_000)
	require.Equal(t, []text.Hunk{{To: 2, NewTo: 2}}, text.Diff(w, lines("ab"), lines("ba")), "nothing is left")
	w = meter.Of(1_000)
	require.Nil(t, text.Diff(w, old, old))
	require.Equal(t, []text.Hunk{{From: 400, To: 400, NewFrom: 400, NewTo: 401}}, text.Diff(w, old, append(old, "x")))
	require.Zero(t, w.Spent(), "what is only added needs no search")
}

func TestASearchEndsWithItsStepsAndRounds(t *testing.T) {
	t.Parallel()
	old, now := shuffled(400, 1), shuffled(400, 2)
	for _, most := range []int{0, 1, 10, 1_000, 10_000} {
		steps := most
		require.False(t, text.Shortest(old, now, text.NewMarks(400, 400), 1_000, &steps))
		require.LessOrEqual(t, steps, 0)
		require.GreaterOrEqual(t, steps, -len(old)-len(now), "not much more than that is done")
	}
	for rounds, want := range map[int]bool{1: false, 100: false, 1_000: true} {
		steps := 1 << 20
		require.Equal(t, want, text.Shortest(old, now, text.NewMarks(400, 400), rounds, &steps), rounds)
		require.Positive(t, steps)
	}
}
