package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Files and blocks of equal or nearly equal lines are the worst case of a naive search: it compares every line of find
// at every line of the file.
func TestFindingAMatchTakesLinearTime(t *testing.T) {
	t.Parallel()
	const searches = 8 // one for each of five levels, and three to explain why none matched
	same := func(n int) string { return strings.Repeat("x = 1\n", n) }
	for story, find := range map[string]func(n int) string{
		"the last line differs":   func(n int) string { return same(n/2) + "y = 2\n" },
		"the first line differs":  func(n int) string { return "y = 2\n" + same(n/2) },
		"a line within differs":   func(n int) string { return same(n/4) + "y = 2\n" + same(n/4) },
		"all lines are the same":  func(n int) string { return same(n / 2) },
		"all but the indentation": func(n int) string { return strings.Repeat("    x = 1\n", n/2) + "y = 2\n" },
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			for _, n := range []int{400, 4_000, 40_000} {
				file, block := newText([]byte(same(n))), blockOf("f", find(n), "x = 2")
				loc := locate(file, block, nil)
				require.NotEmpty(t, loc.reason)
				res := Result{Block: block}
				res.explain(file, loc)
				require.GreaterOrEqual(t, file.comparisons, n/2, "the search counts its comparisons")
				// The algorithm compares each line of the file, and each of find, at most twice.
				require.LessOrEqual(t, file.comparisons, searches*2*(n+len(block.Find)), "%d lines", n)
			}
		})
	}
}
