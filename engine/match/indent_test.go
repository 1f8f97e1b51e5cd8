package match_test

import (
	"testing"

	"github.com/tenon-bot/tenon/engine"
)

func TestNewLinesGetTheIndentationOfTheFile(t *testing.T) {
	t.Parallel()
	const deep = "if x:\n        one(1)\n        two(2)\n"
	const neither = "the new lines are indented neither as the lines to find nor as the file"
	for story, c := range map[string]matchCase{
		"common lines are indented otherwise": {file: deep,
			find: "  one(1)\n  two(2)", repl: "     one(1)\n     TWO(2)", detail: neither},
		"no line in common, indented as the file": {file: deep, find: "  one(1)\n  two(2)", repl: "        three(3)",
			level: engine.LevelIndent, after: "if x:\n        three(3)\n"},
		"no line in common, indented as find": {file: deep, find: "  one(1)\n  two(2)", repl: "  three(3)",
			level: engine.LevelIndent, after: "if x:\n        three(3)\n"},
		"no line in common, indented otherwise": {file: deep, find: "  one(1)\n  two(2)", repl: "    three(3)",
			detail: neither},
		"only the first line lost its indentation": {file: "if x:\n    one(1)\n    two(2)\n",
			find: "one(1)\n    two(2)", repl: "ONE(1)\n    TWO(2)",
			level: engine.LevelIndent, after: "if x:\n    ONE(1)\n    TWO(2)\n"},
		"tabs become as many spaces as in the file": {file: "    one(1)\n        two(2)\n",
			find: "\tone(1)\n\t\ttwo(2)", repl: "\tone(1)\n\t\tTWO(2)\n\t\t\tthree(3)",
			level: engine.LevelIndent, after: "    one(1)\n        TWO(2)\n            three(3)\n"},
		"tabs become two spaces": {file: "  one(1)\n    two(2)\n",
			find: "\tone(1)\n\t\ttwo(2)", repl: "\tone(1)\n\t\tTWO(2)\n\t\t\tthree(3)",
			level: engine.LevelIndent, after: "  one(1)\n    TWO(2)\n      three(3)\n"},
		"spaces become tabs": {file: "\tone(1)\n\t\ttwo(2)\n",
			find: "    one(1)\n        two(2)", repl: "    one(1)\n        TWO(2)\n            three(3)",
			level: engine.LevelIndent, after: "\tone(1)\n\t\tTWO(2)\n\t\t\tthree(3)\n"},
		"tabs become spaces, and all lines are deeper": {file: "      one(1)\n          two(2)\n",
			find: "\tone(1)\n\t\ttwo(2)", repl: "\tone(1)\n\t\tTWO(2)\n\t\t\tthree(3)",
			level: engine.LevelIndent, after: "      one(1)\n          TWO(2)\n              three(3)\n"},
		"a tab of eight is simpler than one of two and six more spaces": {file: "        one(1)\nx\n",
			find: "\tone(1)", repl: "\tONE(1)\n\t\ttwo(2)",
			level: engine.LevelIndent, after: "        ONE(1)\n                two(2)\nx\n"},
		"only the first line lost its indentation, and a new line has none": {
			file: "if x:\n    one(1)\n    two(2)\n",
			find: "one(1)\n    two(2)", repl: "one(1)\nnew(0)\n    two(2)",
			level: engine.LevelIndent, after: "if x:\n    one(1)\nnew(0)\n    two(2)\n"},
		"only the first line is too deep": {file: "if x:\n    one(1)\n    two(2)\n",
			find: "        one(1)\n    two(2)", repl: "        one(1)", detail: "Anchor not found"},
		"a blank line is missing as well": {file: "    one(1)\n    two(2)\n",
			find: "one(1)\n\ntwo(2)", repl: "one(1)\n\nTWO(2)", detail: "Anchor not found"},
		"all lines are less deep, blank ones aside": {file: "one(1)\n\n  two(2)\n",
			find: "    one(1)\n\n      two(2)", repl: "    one(1)\n\n\n      TWO(2)",
			level: engine.LevelIndent, after: "one(1)\n\n\n  TWO(2)\n"},
		"a new line is less deep than all lines of find": {file: "one(1)\ntwo(2)\n",
			find: "    one(1)\n    two(2)", repl: "    one(1)\n  TWO(2)",
			detail: "a new line is indented less than the block's own shift"},
		"find and file differ in more than one shift": {file: "one(1)\n    two(2)\n   three(3)\n",
			find: "one(1)\n  two(2)\n  three(3)", repl: "one(1)", detail: "Old lines don't match"},
		"wrapped, with the old lines indented as the file": {file: deep,
			find: "    one(1)\n    two(2)", repl: "    if y:\n        one(1)\n        two(2)", detail: neither},
		"wrapped so, and not as find": {file: "if x:\n    one(1)\n    two(2)\n",
			find: "        one(1)\n        two(2)", repl: "  if y:\n    one(1)\n    two(2)",
			level: engine.LevelIndent, after: "if x:\n  if y:\n    one(1)\n    two(2)\n"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}

// A find of one line without its indentation does not tell whether the replacement lost it on all lines or on the first
// one only.
func TestOneLineThatLostItsIndentation(t *testing.T) {
	t.Parallel()
	const class = "class A:\n    def fun():\n        one(1)\n"
	const call = "if x:\n        call(one)\n\n    other(two)\n"
	const uncertain = "one line to find does not tell how the other lines are indented"
	for story, c := range map[string]matchCase{
		"the other lines could be correct, and it is changed": {file: class,
			find: "def fun():", repl: "def fun(x):\n        zero(0)", detail: uncertain},
		"the other lines could be correct, above it": {file: class,
			find: "def fun():", repl: "    @cached\ndef fun():", detail: uncertain},
		"the other lines have lost their indentation, above it": {file: class,
			find: "def fun():", repl: "@cached\ndef fun():",
			level: engine.LevelIndent, after: "class A:\n    @cached\n    def fun():\n        one(1)\n"},
		"the other lines could be correct, deeper": {file: class,
			find: "def fun():", repl: "def fun():\n        zero(0)", detail: uncertain},
		"the other lines could be correct, as deep": {file: class, find: "def fun():", repl: "def fun():\n    zero(0)",
			detail: uncertain},
		"the other lines cannot be correct": {file: class, find: "def fun():", repl: "def fun():\n  zero(0)",
			level: engine.LevelIndent, after: "class A:\n    def fun():\n      zero(0)\n        one(1)\n"},
		"the other lines could be correct, as deep as what follows": {file: call, find: "call(one)",
			repl: "call(one)\n    call(two)", detail: uncertain},
		"the other lines are less deep than what follows": {file: "if x:\n        call(one)\n     other(two)\n",
			find: "call(one)", repl: "call(one)\n    call(two)",
			level: engine.LevelIndent, after: "if x:\n        call(one)\n            call(two)\n     other(two)\n"},
		"nothing follows": {file: "if x:\n        call(one)\n", find: "call(one)", repl: "call(one)\n    call(two)",
			level: engine.LevelIndent, after: "if x:\n        call(one)\n            call(two)\n"},
		"it is removed": {file: call, find: "call(one)", repl: "",
			level: engine.LevelIndent, after: "if x:\n\n    other(two)\n"},
		"another line of find has the same shift": {file: "if x:\n    call(one)\n    other(two)\n",
			find: "call(one)\nother(two)", repl: "call(one)\n    deep(1)\nother(two)",
			level: engine.LevelIndent, after: "if x:\n    call(one)\n        deep(1)\n    other(two)\n"},
		"it is too deep, and the line above it could be correct": {file: "if x:\n      one(1)\n  two(2)\n",
			find: "        two(2)", repl: "      new(0)\n        two(2)", detail: uncertain},
		"it is too deep, and the line below it could be correct": {file: "if x:\n  for y:\n    two(2)\n",
			find: "        for y:", repl: "        for y:\n    one(1)", detail: uncertain},
		"find is deeper than the file": {file: "if x:\n    call(one)\n    other(two)\n",
			find: "        call(one)", repl: "        call(one)\n        call(two)",
			level: engine.LevelIndent, after: "if x:\n    call(one)\n    call(two)\n    other(two)\n"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}
