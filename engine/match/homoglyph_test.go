package match_test

import (
	"testing"

	"github.com/tenon-bot/tenon/engine"
)

func TestHomoglyphsAndLineNumbersAreIgnored(t *testing.T) {
	t.Parallel()
	const numbers = "one(1)\ntwo(2)\nthree(3)\n"
	for story, c := range map[string]matchCase{
		"no-break spaces as indentation": {file: "func f() {\n\tcall(one)\n}\n",
			find: "func f() {\n\u00a0\u00a0call(one)\n}", repl: "func f() {\n\u00a0\u00a0call(two)\n}",
			level: engine.LevelHomoglyph, after: "func f() {\n\tcall(two)\n}\n"},
		"a zero-width space": {file: "say(hello)\nmore\n", find: "say(hel\u200blo)", repl: "say(bye)",
			level: engine.LevelHomoglyph, after: "say(bye)\nmore\n"},
		"curly quotes that the new lines have as well": {file: "say(\"hello\")\nmore\n", find: "say(“hello”)",
			repl: "say(“bye”)", detail: "the new lines have characters that replace others in the lines to find"},
		"curly quotes that the file has as well": {file: "say(“hello”)–x\n",
			find: "say(“hello”)-x", repl: "say(“bye”)-x", level: engine.LevelHomoglyph, after: "say(“bye”)-x\n"},
		"curly quotes, and a blank line too many": {file: "say(\"hello\")\n\nmore(things)\n",
			find: "say(“hello”)\n\n\nmore(things)", repl: "say(\"bye\")\n\n\nmore(things)",
			level: engine.LevelHomoglyph, after: "say(\"bye\")\n\nmore(things)\n"},
		"line numbers before a tab": {file: numbers, find: "1\tone(1)\n2\ttwo(2)", repl: "1\tone(1)\n2\tTWO(2)",
			level: engine.LevelHomoglyph, after: "one(1)\nTWO(2)\nthree(3)\n"},
		"line numbers in find only": {file: numbers, find: "1 | one(1)\n2 | two(2)", repl: "one(1)\nTWO(2)",
			level: engine.LevelHomoglyph, after: "one(1)\nTWO(2)\nthree(3)\n"},
		"line numbers in part of the replacement": {file: numbers, find: "1 | one(1)\n2 | two(2)",
			repl: "1 | one(1)\nTWO(2)", detail: "not found"},
		"few lines with the numbers of others": {file: "zero(0)\n" + numbers, find: "1 | one(1)\n2 | two(2)",
			repl: "one(1)\nTWO(2)", detail: "not found"},
		"line numbers that repeat for new lines": {file: numbers, find: "1 | one(1)\n2 | two(2)",
			repl:  "1 | one(1)\n1 | new(0)\n2 | two(2)",
			level: engine.LevelHomoglyph, after: "one(1)\nnew(0)\ntwo(2)\nthree(3)\n"},
		"line numbers that fall": {file: numbers, find: "1 | one(1)\n2 | two(2)",
			repl: "1 | one(1)\n3 | x(2)\n2 | two(2)", detail: "not found"},
		"many lines with the numbers of others": {file: "zero(0)\n" + numbers,
			find: "1 | one(1)\n2 | two(2)\n3 | three(3)", repl: "1 | ONE(1)",
			level: engine.LevelHomoglyph, after: "zero(0)\nONE(1)\n"},
		"line numbers, and trailing whitespace": {file: "one(1)  \ntwo(2)\n", find: "1 | one(1)\n2 | two(2)",
			repl: "1 | one(1)\n2 | TWO(2)", level: engine.LevelHomoglyph, after: "one(1)  \nTWO(2)\n"},
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

// The tab after the number of an empty line is lost with the blanks at its end.
func TestANumberAloneIsAnEmptyLineOfAListing(t *testing.T) {
	t.Parallel()
	const file = "alpha(1)\n\nbeta(2)\ngamma(3)\n"
	const find = "1\talpha(1)\n2\n3\tbeta(2)\n4\tgamma(3)"
	for story, c := range map[string]matchCase{
		"in both halves": {file: file, find: find, repl: "1\talpha(1)\n2\n3\tBETA(2)\n4\n5\tgamma(3)",
			level: engine.LevelHomoglyph, after: "alpha(1)\n\nBETA(2)\n\ngamma(3)\n"},
		"in find": {file: file, find: find, repl: "alpha(1)\n\nBETA(2)\ngamma(3)",
			level: engine.LevelHomoglyph, after: "alpha(1)\n\nBETA(2)\ngamma(3)\n"},
		"after blanks, as cat -n aligns numbers": {file: file,
			find: "     1\talpha(1)\n     2\n     3\tbeta(2)", repl: "     1\talpha(1)\n     2\n     3\tBETA(2)",
			level: engine.LevelHomoglyph, after: "alpha(1)\n\nBETA(2)\ngamma(3)\n"},
		"in a listing with another separator": {file: file, find: "1: alpha(1)\n2\n3: beta(2)\n4: gamma(3)", repl: "x",
			detail: "not found"},
		"but not a number out of order": {file: file, find: "1\talpha(1)\n7\n3\tbeta(2)\n4\tgamma(3)", repl: "x",
			detail: "not found"},
		"nor one among new lines without numbers": {file: file, find: find, repl: "alpha(1)\n2\nBETA(2)\ngamma(3)",
			detail: "not found"},
		"nor one between new lines with and without numbers": {file: file, find: find, repl: "1\talpha(1)\n2\nBETA(2)",
			detail: "not found"},
		"nor one that is all there is": {file: file, find: find, repl: "2", detail: "not found"},
		"a number far from those of find is content": {file: file, find: find, repl: "alpha(1)\n2026\ngamma(3)",
			level: engine.LevelHomoglyph, after: "alpha(1)\n2026\ngamma(3)\n"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}

// Line numbers are part of a listing and never of a file, wherever those of the new lines begin.
func TestLineNumbersAreNotWritten(t *testing.T) {
	t.Parallel()
	const file = "alpha(1)\nbeta(2)\ngamma(3)\ndelta(4)\n"
	const find = "1 | alpha(1)\n2 | beta(2)\n3 | gamma(3)"
	for story, c := range map[string]matchCase{
		"the new lines begin with a later number": {file: file, find: find, repl: "2 | BETA(2)\n3 | gamma(3)",
			level: engine.LevelHomoglyph, after: "BETA(2)\ngamma(3)\ndelta(4)\n"},
		"only one new line, of a number between": {file: file, find: find, repl: "2 | BETA(2)",
			level: engine.LevelHomoglyph, after: "BETA(2)\ndelta(4)\n"},
		"the new lines begin with an earlier number": {file: "zero(0)\n" + file,
			find: "2 | alpha(1)\n3 | beta(2)\n4 | gamma(3)", repl: "1 | ZERO(0)\n2 | ALPHA(1)",
			level: engine.LevelHomoglyph, after: "zero(0)\nZERO(0)\nALPHA(1)\ndelta(4)\n"},
		"the new lines have none": {file: file, find: find, repl: "BETA(2)",
			level: engine.LevelHomoglyph, after: "BETA(2)\ndelta(4)\n"},
		"one of two new lines has none": {file: file, find: find, repl: "2 | BETA(2)\nnew(0)", detail: "not found"},
		"the numbers run backwards":     {file: file, find: find, repl: "3 | BETA(2)\n2 | x", detail: "not found"},
		"the numbers are far away":      {file: file, find: find, repl: "404 | x", detail: "not found"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}
