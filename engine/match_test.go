package engine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// matchCase is a block and what it does to a file.
type matchCase struct {
	file, find, repl string
	level            Level
	after            string // of an applied block
	detail           string // of a block that was not applied
}

func (c matchCase) run(t *testing.T) {
	t.Helper()
	got, res := applyOne(t, c.file, c.find, c.repl)
	if c.detail != "" {
		require.Equal(t, Failed, res.Status)
		require.Contains(t, res.Detail, c.detail)
		require.Equal(t, c.file, got)
		return
	}
	require.Equal(t, Applied, res.Status, res.Detail)
	require.Equal(t, c.after, got)
	require.Equal(t, c.level, res.Level)
}

func TestBlankLinesThatOneSideLacks(t *testing.T) {
	t.Parallel()
	const uncertain = "the file has lines between those that the new ones belong between"
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
		"an insertion above a blank line at the start, which the file lacks": {file: "one(1)\ntwo(2)\n",
			find: "\none(1)", repl: "new(0)\n\none(1)", level: LevelBlankLines, after: "new(0)\n\none(1)\ntwo(2)\n"},
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
			detail: "the blank line that the new ones belong next to is not there"},
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

func TestNewLinesGetTheIndentationOfTheFile(t *testing.T) {
	t.Parallel()
	const deep = "if x:\n        one(1)\n        two(2)\n"
	const neither = "the new lines are indented neither as the lines to find nor as the file"
	for story, c := range map[string]matchCase{
		"common lines are indented otherwise": {file: deep,
			find: "  one(1)\n  two(2)", repl: "     one(1)\n     TWO(2)", detail: neither},
		"no line in common, indented as the file": {file: deep, find: "  one(1)\n  two(2)", repl: "        three(3)",
			level: LevelIndent, after: "if x:\n        three(3)\n"},
		"no line in common, indented as find": {file: deep, find: "  one(1)\n  two(2)", repl: "  three(3)",
			level: LevelIndent, after: "if x:\n        three(3)\n"},
		"no line in common, indented otherwise": {file: deep, find: "  one(1)\n  two(2)", repl: "    three(3)",
			detail: neither},
		"only the first line lost its indentation": {file: "if x:\n    one(1)\n    two(2)\n",
			find: "one(1)\n    two(2)", repl: "ONE(1)\n    TWO(2)",
			level: LevelIndent, after: "if x:\n    ONE(1)\n    TWO(2)\n"},
		"tabs in a file of spaces": {file: "def f():\n    a = 1\n    b = 2\n    c = 3\nx = 1\n",
			find: "x = 1", repl: "if y:\n\tx = 1",
			detail: "the new lines are indented with tabs, the file with blanks"},
		"spaces in a file of tabs": {file: "f:\n\ta = 1\n\tb = 2\n\tc = 3\nx = 1\n",
			find: "x = 1", repl: "if y:\n    x = 1",
			detail: "the new lines are indented with blanks, the file with tabs"},
		"tabs in a file with two lines of spaces": {file: "def f():\n    a = 1\n    b = 2\nx = 1\n",
			find: "x = 1", repl: "if y:\n\tx = 1",
			level: LevelExact, after: "def f():\n    a = 1\n    b = 2\nif y:\n\tx = 1\n"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}

func TestHomoglyphsAndLineNumbersAreIgnored(t *testing.T) {
	t.Parallel()
	const numbers = "one(1)\ntwo(2)\nthree(3)\n"
	for story, c := range map[string]matchCase{
		"no-break spaces as indentation": {file: "func f() {\n\tcall(one)\n}\n",
			find: "func f() {\n\u00a0\u00a0call(one)\n}", repl: "func f() {\n\u00a0\u00a0call(two)\n}",
			level: LevelHomoglyph, after: "func f() {\n\tcall(two)\n}\n"},
		"a zero-width space": {file: "say(hello)\nmore\n", find: "say(hel\u200blo)", repl: "say(bye)",
			level: LevelHomoglyph, after: "say(bye)\nmore\n"},
		"curly quotes that the new lines have as well": {file: "say(\"hello\")\nmore\n", find: "say(“hello”)",
			repl: "say(“bye”)", detail: "the new lines hold characters that stand for others in the lines to find"},
		"curly quotes, and a blank line too many": {file: "say(\"hello\")\n\nmore(things)\n",
			find: "say(“hello”)\n\n\nmore(things)", repl: "say(\"bye\")\n\n\nmore(things)",
			level: LevelHomoglyph, after: "say(\"bye\")\n\nmore(things)\n"},
		"line numbers before a tab": {file: numbers, find: "1\tone(1)\n2\ttwo(2)", repl: "1\tone(1)\n2\tTWO(2)",
			level: LevelHomoglyph, after: "one(1)\nTWO(2)\nthree(3)\n"},
		"line numbers in find only": {file: numbers, find: "1 | one(1)\n2 | two(2)", repl: "one(1)\nTWO(2)",
			level: LevelHomoglyph, after: "one(1)\nTWO(2)\nthree(3)\n"},
		"line numbers in part of the replacement": {file: numbers, find: "1 | one(1)\n2 | two(2)",
			repl: "1 | one(1)\nTWO(2)", detail: "not found"},
		"few lines with the numbers of others": {file: "zero(0)\n" + numbers, find: "1 | one(1)\n2 | two(2)",
			repl: "one(1)\nTWO(2)", detail: "not found"},
		"numbers that are not consecutive": {file: numbers, find: "1 | one(1)\n3 | two(2)", repl: "one(1)\nTWO(2)",
			detail: "not found"},
		"numbers without a separator": {file: numbers, find: "1 one(1)\n2 two(2)", repl: "one(1)\nTWO(2)",
			detail: "not found"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}

func TestLinesLeftOutForAnEllipsis(t *testing.T) {
	t.Parallel()
	const file = "alpha(one)\nbeta(two)\ngamma(three)\ndelta(four)\nepsilon(five)\n"
	for story, c := range map[string]matchCase{
		"at both ends": {file: file, find: "...\nbeta(two)\ngamma(three)\n...", repl: "...\nbeta(2)\ngamma(three)\n...",
			level: LevelEllipsis, after: "alpha(one)\nbeta(2)\ngamma(three)\ndelta(four)\nepsilon(five)\n"},
		"each segment keeps the file's trailing whitespace": {
			file: "alpha(one)  \nbeta(two)\ngamma(three)\ndelta(four)\n",
			find: "alpha(one)\nbeta(two)\n...\ndelta(four)", repl: "alpha(one)\n\nbeta(two)\n...\nDELTA(four)",
			level: LevelEllipsis, after: "alpha(one)  \n\nbeta(two)\ngamma(three)\nDELTA(four)\n"},
		"segments in another order": {file: file, find: "delta(four)\nepsilon(five)\n...\nalpha(one)\nbeta(two)",
			repl: "delta(four)\nepsilon(5)\n...\nalpha(one)\nbeta(two)", detail: "Old lines don't match"},
		"a segment that the file has twice": {file: file + "epsilon(five)\n",
			find: "alpha(one)\nbeta(two)\n...\nepsilon(five)", repl: "alpha(1)\nbeta(two)\n...\nepsilon(five)",
			detail: "not found"},
		"a segment of blank lines that gets content": {file: file, find: "alpha(one)\nbeta(two)\n...\n\n",
			repl: "alpha(one)\nbeta(2)\n...\nnew", detail: "Old lines don't match"},
		"a segment whose edits are ambiguous": {file: "alpha(one)\n\nbeta(two)\ngamma(three)\ndelta(four)\n",
			find: "alpha(one)\nbeta(two)\n...\ndelta(four)", repl: "alpha(one)\nnew()\nbeta(two)\n...\ndelta(four)",
			detail: "the file has lines between those that the new ones belong between"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}

// If the shorter find matches, and the file continues like the longer one, which does not match, the lines after the
// first divider may not be meant as the replacement.
func TestABlockWithTwoDividersIsMalformedIfTheFileContinuesWithOne(t *testing.T) {
	t.Parallel()
	const reply = "f\n<<<<<<< SEARCH\nTitle\n=======\nthe text\n=======\nanother text\n>>>>>>> REPLACE\n"
	for file, want := range map[string]struct {
		reason Reason
		after  string
	}{
		"Title\n=======\nother text\n": {Malformed, "Title\n=======\nother text\n"},
		"Title\n=======\nthe text\n":   {"", "another text\n"},
		"Title\nother text\n":          {"", "the text\n=======\nanother text\nother text\n"},
	} {
		tree := MemTree{"f": []byte(file)}
		blocks := Parse(reply, ParseOptions{}).Blocks
		require.Len(t, blocks, 1)
		require.Len(t, blocks[0].Splits, 2)
		out, err := Apply(tree, blocks, Options{})
		require.NoError(t, err)
		require.Equal(t, want.reason, out.Results[0].Reason, file)
		require.Equal(t, want.after, string(tree["f"]))
	}
}
