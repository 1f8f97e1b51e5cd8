package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/meter"
)

// workOf applies blocks to files of the same content, and returns what it took of the budget.
func workOf(t *testing.T, budget int, content string, blocks ...Block) (spent int, out Outcome) {
	t.Helper()
	tree := MemTree{}
	for _, b := range blocks {
		tree[b.Path] = []byte(content)
	}
	a := newApplier(tree, Options{DryRun: true, Work: meter.Of(budget)})
	out, err := a.apply(blocks)
	require.NoError(t, err)
	return a.work.Spent(), out
}

// hostileWork are files and blocks that cost much for their size, with about n lines.
var hostileWork = map[string]func(n int) (content string, b Block){
	"a find that is nowhere": func(n int) (string, Block) {
		return strings.Repeat("ab\n", n), blockOf("f", "some words that are nowhere\nab\nab\nx\nab", "y\nab")
	},
	"a find that is nearly everywhere": func(n int) (string, Block) {
		return strings.Repeat("a\nb\n", n/2), blockOf("f", strings.Repeat("a\nb\n", n/8)+"c", "x")
	},
	"a file of blank lines": func(n int) (string, Block) {
		return strings.Repeat("\n", n), blockOf("f", "some words that are nowhere\n\n\nab", "y\nab")
	},
	"characters beyond ASCII": func(n int) (string, Block) {
		return strings.Repeat("é“á”\n", n), blockOf("f", "some words that are nowhere\n\n\nab", "y\nab")
	},
	"many lines left out": func(n int) (string, Block) {
		dots := strings.Repeat("ab\n...\n", 19)
		return strings.Repeat("ab\n", n), blockOf("f", dots+"xyz", "y\n"+dots)
	},
	"one long line": func(n int) (string, Block) {
		return strings.Repeat("many words ", n), blockOf("f", "some words that are nowhere", "y")
	},
}

func TestWorkGrowsWithTheFile(t *testing.T) {
	t.Parallel()
	for story, shape := range hostileWork {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			var spent [2]int
			for i, n := range []int{4_000, 8_000} {
				content, b := shape(n)
				var out Outcome
				spent[i], out = workOf(t, meter.Default, content, b)
				require.Equal(t, Failed, out.Results[0].Status)
				require.NotEqual(t, TooLarge, out.Results[0].Reason)
				require.Greater(t, spent[i], n/2, "the work is counted")
				require.Less(t, spent[i], 200*n)
			}
			require.LessOrEqual(t, spent[1], spent[0]*21/10, "twice the lines, twice the work")
		})
	}
}

func TestHalvesWithLittleInCommonAreComparedWithinTheBudget(t *testing.T) {
	t.Parallel()
	var find, repl strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&find, "%d\n", i*7919%13)
		fmt.Fprintf(&repl, "%d\n", i*104729%11)
	}
	b := blockOf("f", find.String(), repl.String())
	spent, out := workOf(t, meter.Default, find.String(), b)
	require.Equal(t, Applied, out.Results[0].Status)
	require.Greater(t, spent, 10_000, "the steps are counted")
	spent, out = workOf(t, 10_000, find.String(), b)
	require.Equal(t, TooLarge, out.Results[0].Reason)
	require.Less(t, spent, 40_000, "a comparison ends soon after the budget is used up")
}

func TestBlocksAfterTheBudgetIsUsedUpFail(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	for i := range 5_000 {
		fmt.Fprintf(&lines, "\tset(%d)\n", i)
	}
	content, missing := lines.String(), blockOf("f", "\tset(7)\n\tgone()", "\tx()")
	one, _ := workOf(t, meter.Default, content, missing)
	var blocks []Block
	for i := range 10 {
		missing.Path = fmt.Sprintf("f%d", i)
		blocks = append(blocks, missing)
	}
	blocks = append(blocks, blockOf("g", "ab", "cd"))
	spent, out := workOf(t, 3*one+one/2, content, blocks...)
	for i, r := range out.Results {
		require.Equal(t, Failed, r.Status)
		if i < 3 {
			require.NotEqual(t, TooLarge, r.Reason)
			require.NotNil(t, r.ClosestMatch)
			continue
		}
		require.Equal(t, TooLarge, r.Reason, "block %d", i)
		require.Equal(t, tooMuchWork.detail, r.Detail)
		require.Nil(t, r.ClosestMatch)
		require.Nil(t, r.Difference)
	}
	require.Less(t, spent, 5*one, "later blocks cost nothing")
	_, again := workOf(t, 3*one+one/2, content, blocks...)
	require.Equal(t, out, again)
}

func TestABlockThatMatchesExactlyCostsLittle(t *testing.T) {
	t.Parallel()
	var content strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&content, "\tline%d()\n", i)
	}
	for find, most := range map[string]int{
		"\tline5000()\n\tline5001()\n\tline5002()": 6 * 10_000, // some passes over the lines, and none at another level
		"\tline5000()": 10 * 10_000, // it must have no rival at the next two levels
	} {
		spent, out := workOf(t, meter.Default, content.String(), blockOf("f", find, "\tline()"))
		require.Equal(t, Applied, out.Results[0].Status)
		require.Less(t, spent, most, find)
	}
}

func TestNamesOfFilesAreComparedWithinTheBudget(t *testing.T) {
	t.Parallel()
	tree, name := MemTree{}, strings.Repeat("n", 200)
	for i := range 1000 {
		tree[name+fmt.Sprint(1000+i)] = nil
	}
	b := blockOf(name+"10000", "a", "b")
	out, err := Apply(tree, []Block{b}, Options{})
	require.NoError(t, err)
	require.Contains(t, out.Results[0].Detail, "did you mean")
	out, err = Apply(tree, []Block{b, b}, Options{Work: meter.Of(10_000)})
	require.NoError(t, err)
	require.Equal(t, FileNotFound, out.Results[0].Reason)
	require.NotContains(t, out.Results[0].Detail, "did you mean")
	require.Equal(t, TooLarge, out.Results[1].Reason)
}

// Whatever a block is at when the budget is used up, it fails or has the outcome that it has with any budget.
func TestTheOutcomeDependsOnTheBudgetOnlyInThatTheWorkEnds(t *testing.T) {
	t.Parallel()
	const content = "package a\n\nfunc one() int {\n\treturn 1\n}\n\nfunc two() int {\n\treturn 2\n}\n"
	for story, b := range map[string]Block{
		"an exact match":      blockOf("f", "\treturn 2", "\treturn two"),
		"another indentation": blockOf("f", "return 2", "return two"),
		"some of the context": blockOf("f", "// Two.\nfunc two() int {\n\treturn 2\n}",
			"// Two.\nfunc two() int {\n\treturn 3\n}"),
		"several places":          blockOf("f", "}", "} // end"),
		"nothing that is like it": blockOf("f", "class Three:\n    pass", "x"),
		"something that is":       blockOf("f", "func two() string {\n\treturn \"2\"", "x"),
		"made already":            blockOf("f", "func zwei() int {", "func two() int {\n\treturn 2\n}"),
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			all, want := workOf(t, meter.Default, content, b)
			cut := 0
			for units := range all + 1 {
				_, out := workOf(t, units, content, b)
				if out.Results[0].Reason == TooLarge {
					require.Equal(t, tooMuchWork.detail, out.Results[0].Detail)
					require.Empty(t, out.Changed)
					cut++
					continue
				}
				require.Equal(t, want, out, "%d of %d units", units, all)
			}
			require.Positive(t, cut)
		})
	}
}
