package match_test

import (
	"strings"
	"testing"

	"github.com/tenon-bot/tenon/engine"
)

func TestBlanksAtTheEndOfALineMayBeTheChange(t *testing.T) {
	t.Parallel()
	matchCase{
		file: "one(1)  \ntwo(2)\nthree(3)\n", find: "one(1)  \ntwo(2) \nthree(3)", repl: "one(1)\nTWO(2)\nthree(3)",
		level: engine.LevelTrailingSpace, after: "one(1)\nTWO(2)\nthree(3)\n",
	}.run(t)
}

func TestBlankLinesThatOneSideLacks(t *testing.T) {
	t.Parallel()
	const uncertain = "the file has lines between those that surround the new ones"
	for story, c := range map[string]matchCase{
		"a blank line removed with others, which the file lacks": {file: "one(1)\ntwo(2)\nthree(3)\n",
			find: "one(1)\n\ntwo(2)\nthree(3)", repl: "three(3)", level: engine.LevelBlankLines, after: "three(3)\n"},
		"a blank line removed with others, which the file has twice": {file: "one(1)\n\n\ntwo(2)\nthree(3)\n",
			find: "one(1)\n\ntwo(2)\nthree(3)", repl: "three(3)", level: engine.LevelBlankLines, after: "three(3)\n"},
		"a new blank line before a replaced one, which the file has": {file: "one(1)\n\ntwo(2)\nthree(3)\n",
			find: "one(1)\ntwo(2)\nthree(3)", repl: "one(1)\n\nTWO\nthree(3)",
			level: engine.LevelBlankLines, after: "one(1)\n\nTWO\nthree(3)\n"},
		"a new blank line after a replaced one, which the file has": {file: "one(1)\ntwo(2)\n\nthree(3)\n",
			find: "one(1)\ntwo(2)\nthree(3)", repl: "one(1)\nTWO\n\nthree(3)",
			level: engine.LevelBlankLines, after: "one(1)\nTWO\n\nthree(3)\n"},
		"a new blank line before the first line of find, where the file has one": {file: "x\n\none(1)\n",
			find: "one(1)", repl: "\nONE(1)", level: engine.LevelExact, after: "x\n\n\nONE(1)\n"},
		"a new blank line after the last line of find, where the file has one": {file: "one(1)\n\nx\n",
			find: "one(1)", repl: "ONE(1)\n\n", level: engine.LevelExact, after: "ONE(1)\n\n\nx\n"},
		"an insertion above a blank line at the start, which the file lacks": {file: "one(1)\ntwo(2)\n",
			find: "\none(1)", repl: "new(0)\n\none(1)", level: engine.LevelBlankLines, after: "new(0)\n\none(1)\ntwo(2)\n"},
		"an insertion above a blank line at the start, which the file has": {file: "\none(1)\ntwo(2)\n",
			find: "\none(1)\n\ntwo(2)", repl: "new(0)\n\none(1)\n\ntwo(2)",
			level: engine.LevelBlankLines, after: "new(0)\n\none(1)\ntwo(2)\n"},
		"an insertion below a blank line at the start, which the file lacks": {file: "one(1)\ntwo(2)\n",
			find: "\none(1)\ntwo(2)", repl: "\nnew(0)\none(1)\ntwo(2)",
			level: engine.LevelBlankLines, after: "new(0)\none(1)\ntwo(2)\n"},
		"an insertion below a blank line at the end, which the file lacks": {file: "one(1)\ntwo(2)\n",
			find: "two(2)\n\n", repl: "two(2)\n\nnew(3)\n",
			level: engine.LevelBlankLines, after: "one(1)\ntwo(2)\n\nnew(3)\n"},
		"an insertion above a blank line at the end, which the file lacks": {file: "one(1)\ntwo(2)\n",
			find: "one(1)\ntwo(2)\n\n", repl: "one(1)\ntwo(2)\nnew(3)\n\n",
			level: engine.LevelBlankLines, after: "one(1)\ntwo(2)\nnew(3)\n"},
		"an insertion below a blank line that is elsewhere in the file": {file: "zero(0)\none(1)\ntwo(2)\n",
			find: "\none(1)", repl: "\nnew(0)\none(1)",
			detail: "the blank line next to the new ones is missing"},
		"an insertion next to a blank line of the file, on an unknown side": {file: "one(1)\n\ntwo(2)\n",
			find: "one(1)\ntwo(2)", repl: "one(1)\nnew(0)\ntwo(2)", detail: uncertain},
		"an insertion below a blank line of the file": {file: "one(1)\n\ntwo(2)\n",
			find: "one(1)\ntwo(2)", repl: "one(1)\n\nnew(0)\ntwo(2)",
			level: engine.LevelBlankLines, after: "one(1)\n\nnew(0)\ntwo(2)\n"},
		"an insertion above a blank line of the file": {file: "one(1)\n\ntwo(2)\n",
			find: "one(1)\ntwo(2)", repl: "one(1)\nnew(0)\n\ntwo(2)",
			level: engine.LevelBlankLines, after: "one(1)\nnew(0)\n\ntwo(2)\n"},
		"an insertion between two blank lines of the file, on an unknown side": {file: "a\n\n\nb\n",
			find: "a\n\nb", repl: "a\nx\n\ny\nb", detail: uncertain},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}

// It may be a part of the change, or not.
func TestABlankLineThatOnlyFindHasIsDoubtfulBesideAnInsertion(t *testing.T) {
	t.Parallel()
	const file = "}\n\nfunc one() {\n\tcall(1)\n}\n\nfunc three() {\n\tcall(3)\n}\n"
	const two = "func two() {\n\tcall(2)\n}\n\n"
	for story, c := range map[string]matchCase{
		"within the lines to find": {file: file, find: "}\n\nfunc three() {\n\n\tcall(3)",
			repl: "}\n\n" + two + "func three() {\n\tcall(3)", detail: "in two ways"},
		"at their start": {file: file, find: "\n\tcall(1)\n}",
			repl: "\tcall(1)\n}\n\n" + strings.TrimSuffix(two, "\n\n"), detail: "in two ways"},
		"at their end": {file: file, find: "func one() {\n\n\tcall(1)\n\n",
			repl: "func zero() {\n}\n\nfunc one() {\n\tcall(1)", detail: "in two ways"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}
