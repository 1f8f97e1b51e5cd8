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
				file, block := newText(nil, []byte(same(n))), blockOf("f", find(n), "x = 2")
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

func TestBlankLinesThatOneSideLacks(t *testing.T) {
	t.Parallel()
	const uncertain = "the file has lines between those that surround the new ones"
	for story, c := range map[string]matchCase{
		"a blank line removed with others, which the file lacks": {file: "one(1)\ntwo(2)\nthree(3)\n",
			find: "one(1)\n\ntwo(2)\nthree(3)", repl: "three(3)", level: LevelBlankLines, after: "three(3)\n"},
		"a blank line removed with others, which the file has twice": {file: "one(1)\n\n\ntwo(2)\nthree(3)\n",
			find: "one(1)\n\ntwo(2)\nthree(3)", repl: "three(3)", level: LevelBlankLines, after: "three(3)\n"},
		"a new blank line before a replaced one, which the file has": {file: "one(1)\n\ntwo(2)\nthree(3)\n",
			find: "one(1)\ntwo(2)\nthree(3)", repl: "one(1)\n\nTWO\nthree(3)",
			level: LevelBlankLines, after: "one(1)\n\nTWO\nthree(3)\n"},
		"a new blank line after a replaced one, which the file has": {file: "one(1)\ntwo(2)\n\nthree(3)\n",
			find: "one(1)\ntwo(2)\nthree(3)", repl: "one(1)\nTWO\n\nthree(3)",
			level: LevelBlankLines, after: "one(1)\nTWO\n\nthree(3)\n"},
		"a new blank line before the first line of find, where the file has one": {file: "x\n\none(1)\n",
			find: "one(1)", repl: "\nONE(1)", level: LevelExact, after: "x\n\n\nONE(1)\n"},
		"a new blank line after the last line of find, where the file has one": {file: "one(1)\n\nx\n",
			find: "one(1)", repl: "ONE(1)\n\n", level: LevelExact, after: "ONE(1)\n\n\nx\n"},
		"an insertion above a blank line at the start, which the file lacks": {file: "one(1)\ntwo(2)\n",
			find: "\none(1)", repl: "new(0)\n\none(1)", level: LevelBlankLines, after: "new(0)\n\none(1)\ntwo(2)\n"},
		"an insertion above a blank line at the start, which the file has": {file: "\none(1)\ntwo(2)\n",
			find: "\none(1)\n\ntwo(2)", repl: "new(0)\n\none(1)\n\ntwo(2)",
			level: LevelBlankLines, after: "new(0)\n\none(1)\ntwo(2)\n"},
		"an insertion below a blank line at the start, which the file lacks": {file: "one(1)\ntwo(2)\n",
			find: "\none(1)\ntwo(2)", repl: "\nnew(0)\none(1)\ntwo(2)",
			level: LevelBlankLines, after: "new(0)\none(1)\ntwo(2)\n"},
		"an insertion below a blank line at the end, which the file lacks": {file: "one(1)\ntwo(2)\n",
			find: "two(2)\n\n", repl: "two(2)\n\nnew(3)\n",
			level: LevelBlankLines, after: "one(1)\ntwo(2)\n\nnew(3)\n"},
		"an insertion above a blank line at the end, which the file lacks": {file: "one(1)\ntwo(2)\n",
			find: "one(1)\ntwo(2)\n\n", repl: "one(1)\ntwo(2)\nnew(3)\n\n",
			level: LevelBlankLines, after: "one(1)\ntwo(2)\nnew(3)\n"},
		"an insertion below a blank line that is elsewhere in the file": {file: "zero(0)\none(1)\ntwo(2)\n",
			find: "\none(1)", repl: "\nnew(0)\none(1)",
			detail: "the blank line next to the new ones is missing"},
		"an insertion next to a blank line of the file, on an unknown side": {file: "one(1)\n\ntwo(2)\n",
			find: "one(1)\ntwo(2)", repl: "one(1)\nnew(0)\ntwo(2)", detail: uncertain},
		"an insertion below a blank line of the file": {file: "one(1)\n\ntwo(2)\n",
			find: "one(1)\ntwo(2)", repl: "one(1)\n\nnew(0)\ntwo(2)",
			level: LevelBlankLines, after: "one(1)\n\nnew(0)\ntwo(2)\n"},
		"an insertion above a blank line of the file": {file: "one(1)\n\ntwo(2)\n",
			find: "one(1)\ntwo(2)", repl: "one(1)\nnew(0)\n\ntwo(2)",
			level: LevelBlankLines, after: "one(1)\nnew(0)\n\ntwo(2)\n"},
		"an insertion between two blank lines of the file, on an unknown side": {file: "a\n\n\nb\n",
			find: "a\n\nb", repl: "a\nx\n\ny\nb", detail: uncertain},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}

// A blank line that only find has says nothing about the change, if the replacement is as the file there.
func TestABlankLineThatOnlyFindHasIsLeftOut(t *testing.T) {
	t.Parallel()
	const file = "}\n\nfunc one() {\n\tcall(1)\n}\n\nfunc three() {\n\tcall(3)\n}\n"
	const two = "func two() {\n\tcall(2)\n}\n\n"
	after := strings.Replace(file, "func three", two+"func three", 1)
	for story, c := range map[string]matchCase{
		"next to an insertion that has such lines": {file: file,
			find: "}\n\nfunc three() {\n\n\tcall(3)", repl: "}\n\n" + two + "func three() {\n\tcall(3)",
			level: LevelBlankLines, after: after},
		"at the start": {file: file, find: "\n\tcall(1)\n}", repl: "\tcall(1)\n}\n\n" + strings.TrimSuffix(two, "\n\n"),
			level: LevelBlankLines, after: after},
		"at the end": {file: file, find: "func one() {\n\n\tcall(1)\n\n",
			repl:  "func zero() {\n}\n\nfunc one() {\n\tcall(1)",
			level: LevelBlankLines, after: strings.Replace(file, "func one", "func zero() {\n}\n\nfunc one", 1)},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}

func TestABlankLineThatTheReplacementMayHaveIsNotLeftOut(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct{ find, repl, left string }{
		"it lacks it":                    {"one(1)\n\ntwo(2)\n", "one(1)\ntwo(2)\nthree(3)\n", "one(1)\ntwo(2)\n"},
		"it has it":                      {"one(1)\n\ntwo(2)\n", "one(1)\n\ntwo(2)\nthree(3)\n", "one(1)\n\ntwo(2)\n"},
		"it has it once":                 {"one(1)\n\ntwo(2)\n", "one(1)\ntwo(2)\none(1)\n\ntwo(2)\n", "one(1)\n\ntwo(2)\n"},
		"it has other lines there":       {"one(1)\n\ntwo(2)\n", "one(1)\nnew(3)\ntwo(2)\n", "one(1)\n\ntwo(2)\n"},
		"it has other lines at an edge":  {"\none(1)\ntwo(2)\n\n", "x(0)\none(1)\ntwo(2)\ny(3)\n", "\none(1)\ntwo(2)\n\n"},
		"it begins and ends without one": {"\none(1)\ntwo(2)\n\n", "one(1)\nnew(3)\ntwo(2)\n", "one(1)\ntwo(2)\n"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			file := newText(nil, []byte("zero(0)\none(1)\ntwo(2)\nlast(9)\n"))
			b := blockOf("f", c.find, c.repl)
			m := matcher{file: file, find: b.Find, repl: b.Replace}
			ats := m.alignNonBlank(keyTrimRight)
			require.Len(t, ats, 1)
			plain, left := m.withoutStrayBlanks(ats[0])
			require.Equal(t, strings.TrimSuffix(c.left, "\n"), strings.Join(plain.find, "\n"))
			require.Len(t, left, len(plain.find))
		})
	}
}
