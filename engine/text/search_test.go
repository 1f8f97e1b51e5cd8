package text

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/meter"
)

func TestASearchFindsEveryPlace(t *testing.T) {
	t.Parallel()
	split := func(s string) []string { return strings.Split(s, "") }
	for find, want := range map[string][]int{
		"aa": {0, 1, 4, 10}, "aba": {2, 8}, "abaab": {2}, "x": nil, "aaabaabbabaa": {0}, "aaabaabbabaac": nil,
	} {
		require.Equal(t, want, Search(nil, split("aaabaabbabaa"), split(find)), find)
	}
	require.Empty(t, Search(nil, split("abc"), nil), "nothing is nowhere")
	w := meter.Of(0)
	w.Spend(1)
	require.Empty(t, Search(w, split("abc"), split("a")), "there is no work left")
}

func TestASearchEndsAfterAHundredPlaces(t *testing.T) {
	t.Parallel()
	lines := slices.Repeat([]string{"a"}, 1000)
	w := meter.Of(10_000)
	found := Search(w, lines, []string{"a", "a"})
	require.Len(t, found, MaxFound)
	require.Equal(t, MaxFound-1, found[MaxFound-1])
	require.Less(t, w.Spent(), 4*MaxFound)
}

// Equal or nearly equal lines are the worst case of a naive search: it compares every line of find at every line of the
// file.
func TestASearchTakesLinearTime(t *testing.T) {
	t.Parallel()
	same := func(n int) []string { return slices.Repeat([]string{"x = 1"}, n) }
	for _, n := range []int{400, 4_000, 40_000} {
		for story, find := range map[string][]string{
			"the last line differs":  append(same(n/2), "y = 2"),
			"the first line differs": append([]string{"y = 2"}, same(n/2)...),
			"a line within differs":  slices.Concat(same(n/4), []string{"y = 2"}, same(n/4)),
			"all lines are the same": same(n),
		} {
			w := meter.Of(meter.Default)
			Search(w, same(n), find)
			require.GreaterOrEqual(t, w.Spent(), n, story)
			// The algorithm compares each line of the file, and each of find, at most twice.
			require.LessOrEqual(t, w.Spent(), 2*(n+len(find)), "%s: %d lines", story, n)
		}
	}
}

func TestComparingLongLinesCostsMore(t *testing.T) {
	t.Parallel()
	spent := func(file, find string) int {
		w := meter.Of(meter.Default)
		Search(w, []string{file, "x"}, []string{find})
		return w.Spent()
	}
	long := strings.Repeat("x", 100_000)
	require.Greater(t, spent(long, long[1:]+"y"), 1000)
	require.Less(t, spent(long, long+"y"), 10, "lines of other lengths are not compared")
}
