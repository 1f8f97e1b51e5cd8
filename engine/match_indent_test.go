package engine

import "testing"

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
		"tabs become as many spaces as in the file": {file: "    one(1)\n        two(2)\n",
			find: "\tone(1)\n\t\ttwo(2)", repl: "\tone(1)\n\t\tTWO(2)\n\t\t\tthree(3)",
			level: LevelIndent, after: "    one(1)\n        TWO(2)\n            three(3)\n"},
		"tabs become two spaces": {file: "  one(1)\n    two(2)\n",
			find: "\tone(1)\n\t\ttwo(2)", repl: "\tone(1)\n\t\tTWO(2)\n\t\t\tthree(3)",
			level: LevelIndent, after: "  one(1)\n    TWO(2)\n      three(3)\n"},
		"spaces become tabs": {file: "\tone(1)\n\t\ttwo(2)\n",
			find: "    one(1)\n        two(2)", repl: "    one(1)\n        TWO(2)\n            three(3)",
			level: LevelIndent, after: "\tone(1)\n\t\tTWO(2)\n\t\t\tthree(3)\n"},
		"tabs become spaces, and all lines are deeper": {file: "      one(1)\n          two(2)\n",
			find: "\tone(1)\n\t\ttwo(2)", repl: "\tone(1)\n\t\tTWO(2)\n\t\t\tthree(3)",
			level: LevelIndent, after: "      one(1)\n          TWO(2)\n              three(3)\n"},
		"a tab of eight is simpler than one of two and six more spaces": {file: "        one(1)\nx\n",
			find: "\tone(1)", repl: "\tONE(1)\n\t\ttwo(2)",
			level: LevelIndent, after: "        ONE(1)\n                two(2)\nx\n"},
		"only the first line lost its indentation, and a new line has none": {
			file: "if x:\n    one(1)\n    two(2)\n",
			find: "one(1)\n    two(2)", repl: "one(1)\nnew(0)\n    two(2)",
			level: LevelIndent, after: "if x:\n    one(1)\nnew(0)\n    two(2)\n"},
		"only the first line is too deep": {file: "if x:\n    one(1)\n    two(2)\n",
			find: "        one(1)\n    two(2)", repl: "        one(1)", detail: "Anchor not found"},
		"all lines are less deep, blank ones aside": {file: "one(1)\n\n  two(2)\n",
			find: "    one(1)\n\n      two(2)", repl: "    one(1)\n\n\n      TWO(2)",
			level: LevelIndent, after: "one(1)\n\n\n  TWO(2)\n"},
		"a new line is less deep than all lines of find": {file: "one(1)\ntwo(2)\n",
			find: "    one(1)\n    two(2)", repl: "    one(1)\n  TWO(2)",
			detail: "a new line is indented less than the block's own shift"},
		"find and file differ in more than one shift": {file: "one(1)\n    two(2)\n   three(3)\n",
			find: "one(1)\n  two(2)\n  three(3)", repl: "one(1)", detail: "Old lines don't match"},
		"wrapped, with the old lines indented as the file": {file: deep,
			find: "    one(1)\n    two(2)", repl: "    if y:\n        one(1)\n        two(2)", detail: neither},
		"wrapped so, and not as find": {file: "if x:\n    one(1)\n    two(2)\n",
			find: "        one(1)\n        two(2)", repl: "  if y:\n    one(1)\n    two(2)",
			level: LevelIndent, after: "if x:\n  if y:\n    one(1)\n    two(2)\n"},
		"tabs in a file of spaces": {file: "def f():\n    a = 1\n    b = 2\n    c = 3\nx = 1\n",
			find: "x = 1", repl: "if y:\n\tx = 1",
			detail: "the new lines are indented with tabs, the file with spaces"},
		"spaces in a file of tabs": {file: "f:\n\ta = 1\n\tb = 2\n\tc = 3\nx = 1\n",
			find: "x = 1", repl: "if y:\n    x = 1",
			detail: "the new lines are indented with spaces, the file with tabs"},
		"spaces below a line with a tab": {file: "f {\n\ta\n\tb\n\tc\n}\n", find: "}", repl: "    return x\n}",
			detail: "the new lines are indented with spaces, the file with tabs"},
		"spaces below a tag, in a file of tabs": {file: "<a>\n\t<b>\n\t<c>\n\t<d>\n</a>\n<x>\n",
			find: "<x>", repl: "<y>\n  <z>\n</y>", detail: "the new lines are indented with spaces, the file with tabs"},
		"spaces below a condition, in a file of tabs": {file: "f {\n\ta\n\tb\n\tc\n}\nx = 1;\n",
			find: "x = 1;", repl: "if (y)\n    x = 1;", detail: "the new lines are indented with spaces, the file with tabs"},
		"tabs of a value, in a file of spaces": {file: "f {\n  a\n  b\n  c\n}\nx = 1\n", find: "x = 1",
			repl: "x = 1 \\\n\t2", detail: "the new lines are indented with tabs, the file with spaces"},
		"spaces below the target of a rule of tabs": {file: "a:\n\tone\n\ttwo\n\tthree\nx = 1\n",
			find: "x = 1", repl: "x = 1\nb: a\n    four",
			detail: "the new lines are indented with spaces, the file with tabs"},
		"spaces in the value of a variable, in a file of tabs": {file: "a:\n\tone\n\ttwo\n\tthree\nx = 1\n",
			find: "x = 1", repl: "x = 1 \\\n    2", level: LevelExact,
			after: "a:\n\tone\n\ttwo\n\tthree\nx = 1 \\\n    2\n"},
		"spaces of a list in a comment, in a file of tabs": {file: "f {\n\ta\n\tb\n\tc\n}\nx = 1\n",
			find: "x = 1", repl: "/*\nOne of:\n  - a\n  - b\n*/\nx = 1", level: LevelExact,
			after: "f {\n\ta\n\tb\n\tc\n}\n/*\nOne of:\n  - a\n  - b\n*/\nx = 1\n"},
		"spaces that align, in a file of tabs": {file: "f {\n\ta\n\tb\n\tc\n}\nx = 1\n",
			find: "x = 1", repl: "x = call(1,\n         2)", level: LevelExact,
			after: "f {\n\ta\n\tb\n\tc\n}\nx = call(1,\n         2)\n"},
		"tabs in a file with two lines of spaces": {file: "def f():\n    a = 1\n    b = 2\nx = 1\n",
			find: "x = 1", repl: "if y:\n\tx = 1",
			level: LevelExact, after: "def f():\n    a = 1\n    b = 2\nif y:\n\tx = 1\n"},
		"tabs and spaces in a file of spaces": {file: "def f():\n    a = 1\n    b = 2\n    c = 3\nx = 1\n",
			find: "x = 1", repl: "if y:\n\tx = 1\n    z = 2",
			level: LevelExact, after: "def f():\n    a = 1\n    b = 2\n    c = 3\nif y:\n\tx = 1\n    z = 2\n"},
		"tabs in a file of tabs and spaces": {file: "\ta = 1\n    a = 1\n    b = 2\n    c = 3\nx = 1\n",
			find: "x = 1", repl: "\tx = 1",
			level: LevelExact, after: "\ta = 1\n    a = 1\n    b = 2\n    c = 3\n\tx = 1\n"},
		"tabs in place of a line with spaces": {file: "def f():\n    a = 1\n    b = 2\n    c = 3\n",
			find: "    a = 1", repl: "\ta = 2",
			level: LevelExact, after: "def f():\n\ta = 2\n    b = 2\n    c = 3\n"},
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
	const uncertain = "one line to find does not tell whether the others lost their indentation as well"
	for story, c := range map[string]matchCase{
		"the other lines could be correct, and it is changed": {file: class,
			find: "def fun():", repl: "def fun(x):\n        zero(0)", detail: uncertain},
		"the other lines could be correct, above it": {file: class,
			find: "def fun():", repl: "    @cached\ndef fun():", detail: uncertain},
		"the other lines have lost their indentation, above it": {file: class,
			find: "def fun():", repl: "@cached\ndef fun():",
			level: LevelIndent, after: "class A:\n    @cached\n    def fun():\n        one(1)\n"},
		"the other lines could be correct, deeper": {file: class,
			find: "def fun():", repl: "def fun():\n        zero(0)", detail: uncertain},
		"the other lines could be correct, as deep": {file: class, find: "def fun():", repl: "def fun():\n    zero(0)",
			detail: uncertain},
		"the other lines cannot be correct": {file: class, find: "def fun():", repl: "def fun():\n  zero(0)",
			level: LevelIndent, after: "class A:\n    def fun():\n      zero(0)\n        one(1)\n"},
		"the other lines could be correct, as deep as what follows": {file: call, find: "call(one)",
			repl: "call(one)\n    call(two)", detail: uncertain},
		"the other lines are less deep than what follows": {file: "if x:\n        call(one)\n     other(two)\n",
			find: "call(one)", repl: "call(one)\n    call(two)",
			level: LevelIndent, after: "if x:\n        call(one)\n            call(two)\n     other(two)\n"},
		"nothing follows": {file: "if x:\n        call(one)\n", find: "call(one)", repl: "call(one)\n    call(two)",
			level: LevelIndent, after: "if x:\n        call(one)\n            call(two)\n"},
		"it is removed": {file: call, find: "call(one)", repl: "",
			level: LevelIndent, after: "if x:\n\n    other(two)\n"},
		"another line of find has the same shift": {file: "if x:\n    call(one)\n    other(two)\n",
			find: "call(one)\nother(two)", repl: "call(one)\n    deep(1)\nother(two)",
			level: LevelIndent, after: "if x:\n    call(one)\n        deep(1)\n    other(two)\n"},
		"find is deeper than the file": {file: "if x:\n    call(one)\n    other(two)\n",
			find: "        call(one)", repl: "        call(one)\n        call(two)",
			level: LevelIndent, after: "if x:\n    call(one)\n    call(two)\n    other(two)\n"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}
