package match_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

func TestNewLinesOfAnotherStyleGetThatOfTheFile(t *testing.T) {
	t.Parallel()
	const spaces = "def f():\n    a = 1\n    b = 2\n    c = 3\n"
	const tabs = "f {\n\ta\n\tb\n\tc\n}\n"
	for story, c := range map[string]matchCase{
		"tabs in a file of spaces": {file: spaces + "x = 1\n", find: "x = 1", repl: "if y:\n\tx = 1\n\tif z:\n\t\tx = 2",
			level: engine.LevelExact, after: spaces + "if y:\n    x = 1\n    if z:\n        x = 2\n"},
		"tabs in a file with two lines of spaces": {file: "def f():\n  a = 1\n  b = 2\nx = 1\n", find: "x = 1",
			repl: "if y:\n\tx = 1", level: engine.LevelExact, after: "def f():\n  a = 1\n  b = 2\nif y:\n  x = 1\n"},
		"tabs in a file of two and four spaces": {file: "f {\n  a\n    b\n}\nx\n", find: "x", repl: "y {\n\tx\n}",
			level: engine.LevelExact, after: "f {\n  a\n    b\n}\ny {\n  x\n}\n"},
		"tabs that go on, in a file of spaces": {file: "f {\n  a\n  b\n  c\n}\nx = 1\n", find: "x = 1", repl: "x = 1 \\\n\t2",
			level: engine.LevelExact, after: "f {\n  a\n  b\n  c\n}\nx = 1 \\\n  2\n"},
		"spaces in a file of tabs": {file: "f:\n\ta = 1\n\tb = 2\n\tc = 3\nx = 1\n", find: "x = 1",
			repl:  "if y:\n    x = 1\n    if z:\n        x = 2",
			level: engine.LevelExact, after: "f:\n\ta = 1\n\tb = 2\n\tc = 3\nif y:\n\tx = 1\n\tif z:\n\t\tx = 2\n"},
		"spaces below a line with a tab": {file: tabs, find: "}", repl: "    return x\n}",
			level: engine.LevelExact, after: "f {\n\ta\n\tb\n\tc\n\treturn x\n}\n"},
		"spaces below a tag, in a file of tabs": {file: "<a>\n\t<b>\n\t<c>\n\t<d>\n</a>\n<x>\n", find: "<x>",
			repl:  "<y>\n  <z>\n</y>",
			level: engine.LevelExact, after: "<a>\n\t<b>\n\t<c>\n\t<d>\n</a>\n<y>\n\t<z>\n</y>\n"},
		"spaces below a condition, in a file of tabs": {file: tabs + "x = 1;\n", find: "x = 1;", repl: "if (y)\n    x = 1;",
			level: engine.LevelExact, after: tabs + "if (y)\n\tx = 1;\n"},
		"spaces below an arrow, in a file of tabs": {file: tabs + "x\n", find: "x", repl: "x =>\n  y",
			level: engine.LevelExact, after: tabs + "x =>\n\ty\n"},
		"spaces below the target of a rule of tabs": {file: "a:\n\tone\n\ttwo\n\tthree\nx = 1\n", find: "x = 1",
			repl: "x = 1\nb: a\n    four", level: engine.LevelExact, after: "a:\n\tone\n\ttwo\n\tthree\nx = 1\nb: a\n\tfour\n"},
		"tabs in a file whose spaces show no unit": {file: "f {\n  a\n   b\n     c\n}\nx\n", find: "x", repl: "y {\n\tx\n}",
			detail: "the new lines are indented with tabs, the file with spaces"},
		"tabs in a file of one line so": {file: "f {\n          a\n}\nx\n", find: "x", repl: "y {\n\tx\n}",
			level: engine.LevelExact, after: "f {\n          a\n}\ny {\n\tx\n}\n"},
		"spaces that show no unit, in a file of tabs": {file: tabs + "x\n", find: "x", repl: "y {\n  x\n     z\n}",
			detail: "the new lines are indented with spaces, the file with tabs"},
		"spaces that show no unit, in a file of one tab": {file: "f {\n\ta\n}\nx\n", find: "x", repl: "y {\n  x\n     z\n}",
			level: engine.LevelExact, after: "f {\n\ta\n}\ny {\n  x\n     z\n}\n"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			c.path = "f.js"
			c.run(t)
		})
	}
}

// Nothing is known of a style where lines to find are indented, and spaces that are not those of a block mean more.
func TestWhatIsNotTheIndentationOfABlockIsKept(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]matchCase{
		"spaces below a comment, in a file of tabs": {file: "f {\n\ta\n\tb\n\tc\n}\nx = 1\n",
			find: "x = 1", repl: "// One of do\n  two\nx = 1", level: engine.LevelExact,
			after: "f {\n\ta\n\tb\n\tc\n}\n// One of do\n  two\nx = 1\n"},
		"spaces in the value of a variable, in a file of tabs": {file: "a:\n\tone\n\ttwo\n\tthree\nx = 1\n",
			find: "x = 1", repl: "x = 1 \\\n    2", level: engine.LevelExact,
			after: "a:\n\tone\n\ttwo\n\tthree\nx = 1 \\\n    2\n"},
		"spaces of a list in a comment, in a file of tabs": {file: "f {\n\ta\n\tb\n\tc\n}\nx = 1\n",
			find: "x = 1", repl: "/*\nOne of:\n  - a\n  - b\n*/\nx = 1", level: engine.LevelExact,
			after: "f {\n\ta\n\tb\n\tc\n}\n/*\nOne of:\n  - a\n  - b\n*/\nx = 1\n"},
		"spaces that align, in a file of tabs": {file: "f {\n\ta\n\tb\n\tc\n}\nx = 1\n",
			find: "x = 1", repl: "x = call(1,\n         2)", level: engine.LevelExact,
			after: "f {\n\ta\n\tb\n\tc\n}\nx = call(1,\n         2)\n"},
		"tabs and spaces in a file of spaces": {file: "def f():\n    a = 1\n    b = 2\n    c = 3\nx = 1\n",
			find: "x = 1", repl: "if y:\n\tx = 1\n    z = 2",
			level: engine.LevelExact, after: "def f():\n    a = 1\n    b = 2\n    c = 3\nif y:\n\tx = 1\n    z = 2\n"},
		"tabs in a file of tabs and spaces": {file: "\ta = 1\n    a = 1\n    b = 2\n    c = 3\nx = 1\n",
			find: "x = 1", repl: "\tx = 1",
			level: engine.LevelExact, after: "\ta = 1\n    a = 1\n    b = 2\n    c = 3\n\tx = 1\n"},
		"tabs in place of a line with spaces": {file: "def f():\n    a = 1\n    b = 2\n    c = 3\n",
			find: "    a = 1", repl: "\ta = 2",
			level: engine.LevelExact, after: "def f():\n\ta = 2\n    b = 2\n    c = 3\n"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}

// A tab at the start of a line of a makefile means more than its indentation.
func TestTheTabsOfAMakefileAreKept(t *testing.T) {
	t.Parallel()
	const file = "ifdef X\n  A = 1\n  B = 2\n  C = 3\nendif\nx: y\n"
	for _, path := range []string{"Makefile", "src/GNUmakefile", "rules.mk", "Makefile.am", "Kbuild"} {
		got, res := applyTo(t, path, file, "x: y", "x: y\n\tbuild")
		require.Equal(t, engine.Applied, res.Status, res.Detail)
		require.Equal(t, file+"\tbuild\n", got, path)
	}
}

// Blanks at the start of a line can be content: of a string, a here-document, a table or an example.
func TestIndentationThatMayBeContentIsNotChanged(t *testing.T) {
	t.Parallel()
	const spaces, tabs = "f {\n  a\n  b\n  c\n}\nx\n", "f {\n\ta\n\tb\n\tc\n}\nx\n"
	for story, c := range map[string]matchCase{
		"in a file for people":        {path: "f.md", file: spaces, repl: "x {\n\ty\n}"},
		"in a table":                  {path: "f.tsv", file: spaces, repl: "x {\n\ty\n}"},
		"in Go, whose tabs are given": {path: "f.go", file: spaces, repl: "x {\n\ty\n}"},
		"in a new string":             {path: "f.js", file: tabs, repl: "x {\n  y = `\n  z\n`\n}"},
		"in a string of the file":     {path: "f.py", file: "\"\"\"\n" + tabs + "\"\"\"\n", repl: "x {\n  y\n}"},
		"in a new here-document":      {path: "f.rb", file: spaces, repl: "x <<-END\n\ty\n\tEND"},
	} {
		got, res := applyTo(t, c.path, c.file, "x", c.repl)
		require.Equal(t, engine.Ambiguous, res.Reason, story)
		require.Contains(t, res.Detail, "the new lines are indented with", story)
		require.Equal(t, c.file, got, story)
	}
}

// A block whose lines were restyled is known by them when it is applied again.
func TestABlockOfAnotherStyleIsAppliedOnce(t *testing.T) {
	t.Parallel()
	tree := engine.MemTree{"f.py": []byte("def f():\n    a = 1\n    b = 2\n    c = 3\nx = 1\n")}
	blocks := []engine.Block{blockOf("f.py", "x = 1", "if ready:\n\tstart(x)")}
	out, err := engine.Apply(tree, blocks, engine.Options{})
	require.NoError(t, err)
	require.Equal(t, engine.Applied, out.Results[0].Status, out.Results[0].Detail)
	out, err = engine.Apply(tree, blocks, engine.Options{})
	require.NoError(t, err)
	require.Empty(t, out.Changed, out.Results[0].Detail)
}
