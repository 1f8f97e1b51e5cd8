package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each pair is one program, broken into lines in two ways; or it is two programs.
func TestLineBreaksCountByTheLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		story, path, one, other string
		same                    bool
	}{
		{"a call", "a.go", "load(name, size)", "load(\n\tname,\n\tsize,\n)", true},
		{"after an operator", "a.go", "ok := left && right", "ok := left &&\n\tright", true},
		{"return ends a statement", "a.go", "return load(name)", "return\nload(name)", false},
		{"a group of constants", "a.go", "const (\n\tleft\n\tright\n)", "const (left right)", false},
		{"a call ends a statement", "a.go", "load(a) + b", "load(a)\n+ b", false},
		{"an argument list", "a.js", "load(name, size)", "load(\n  name,\n  size,\n)", true},
		{"a chain", "a.js", "tree.find(name).load(size)", "tree\n  .find(name)\n  .load(size)", true},
		{"after an operator", "a.ts", "const both = left && right", "const both =\n  left &&\n  right", true},
		{"return ends a statement", "a.js", "return load(name)", "return\nload(name)", false},
		{"throw", "a.js", "throw load(name)", "throw\nload(name)", false},
		{"break", "a.js", "break outer", "break\nouter", false},
		{"yield in parentheses", "a.js", "(yield left)", "(yield\nleft)", false},
		{"a postfix", "a.js", "left\n++right", "left ++\nright", false},
		{"a function in a call", "a.js", "on(() => { left\nright })", "on(() => { left right })", false},
		{"a next line that begins with a bracket", "a.js", "x = left\n(right)", "x = left(right)", false},
		{"a next line that begins with a sign", "a.ts", "x = left\n-right", "x = left -right", false},
		{"text of JSX", "a.tsx", "<b>{left} {right}</b>", "<b>{left}{right}</b>", false},
		{"brackets", "a.py", "load(name, size + 1)", "load(\n    name, size\n    + 1,\n)", true},
		{"a dictionary", "a.py", "x = {1: left, 2: right}", "x = {\n    1: left,\n    2: right,\n}", true},
		{"a statement", "a.py", "return load(name)", "return\nload(name)", false},
		{"a tuple of one", "a.py", "x = (left,)", "x = (left)", false},
		{"an index of one", "a.py", "x = m[left,]", "x = m[left]", false},
		{"return of a tuple", "a.py", "return(left,)", "return(left)", false},
		{"a list of one", "a.py", "x = [left,]", "x = [\n    left\n]", true},
		{"an argument list", "a.rb", "load(name, size)", "load(\n  name,\n  size\n)", true},
		{"a chain", "a.rb", "tree.find(name).load", "tree\n  .find(name)\n  .load", true},
		{"an argument of its own", "a.rb", "puts [left]", "puts\n[left]", false},
		{"a blank before a bracket", "a.rb", "puts [left]", "puts[left]", false},
		{"statements in parentheses", "a.rb", "(left\n-right)", "(left -right)", false},
		{"a chain", "a.kt", "tree.find(name).load(size)", "tree\n    .find(name)\n    .load(size)", true},
		{"return", "a.kt", "return load(name)", "return\nload(name)", false},
		{"a parameter list", "a.swift", "func f(left: Int, right: Int)", "func f(\n  left: Int,\n  right: Int\n)", true},
		{"a prefix operator", "a.swift", "let x = left\n-right", "let x = left -right", false},
		{"a value with a dot", "a.swift", "return .left", "return\n.left", false},
		{"a list", "a.scala", "f(left, right)", "f(\n  left,\n  right\n)", true},
		{"two expressions", "a.scala", "left\nright", "left right", false},
		{"a table", "a.lua", "f(left, right)", "f(\n  left,\n  right\n)", true},
		{"a call on the next line", "a.lua", "x = left\n(right)(1)", "x = left(right)(1)", false},
		{"anywhere", "a.rs", "let x = left.load()?;", "let x =\n    left\n    .load()?;", true},
		{"anywhere", "a.java", "return left + right;", "return left\n    + right;", true},
		{"anywhere", "A.cs", "return left + right;", "return\n    left + right;", true},
		{"anywhere", "a.proto", "int32 left = 1 [deprecated = true];", "int32 left = 1\n  [deprecated = true];", true},
		{"anywhere", "a.php", "return $left + $right;", "return $left\n  + $right;", true},
		{"between code and text", "a.php", "<?php f(); ?> <b>", "<?php f(); ?>\n<b>", false},
		{"anywhere", "a.cc", "auto x = left + right;", "auto x =\n    left + right;", true},
		{"a preprocessor line", "a.c", "#define LEFT right\nstop();", "#define LEFT\nright stop();", false},
		{"a macro with an argument", "a.c", "#define F(x) y", "#define F (x) y", false},
		{"a comment that takes in the next line", "a.c", "f(); // left\n// right", "f(); // left // right", false},
		{"code after a comment", "a.java", "f(a, // left\nb);", "f(a, b); // left", false},
		{"a comment that moves", "a.java", "f(); /* left */\nstop();", "f();\n/* left */ stop();", false},
		{"a declaration", "a.css",
			".left { color: red; margin: 0 auto }", ".left {\n  color:red;\n  margin: 0 auto\n}", true},
		{"a descendant", "a.css", ".left .right { color: red }", ".left.right { color: red }", false},
		{"a state of a descendant", "a.scss", ".left :hover { color: red }", ".left:hover { color: red }", false},
		{"two selectors", "a.less", ".left, .right { color: red }", ".left,\n.right {\n  color: red\n}", true},
		{"commands", "a.sh", "load left\nright", "load left right", false},
		{"arguments in quotes", "a.sh", "load left  right", "load left right", false},
		{"values", "a.toml", "left = 1\nright = 2", "left = 1 right = 2", false},
		{"a folded text", "a.yml", "left: >\n  one two", "left: > one\n  two", false},
		{"statements", "a.hs", "load left\nright", "load left right", false},
		{"recipes", "Makefile", "all: left\n\tright", "all: left right", false},
	} {
		file := &text{path: c.path}
		got := file.sameTokens(strings.Split(c.one, "\n"), strings.Split(c.other, "\n"))
		require.Equal(t, c.same, got, "%s: %s: %s", c.path, c.story, c.one)
		back := file.sameTokens(strings.Split(c.other, "\n"), strings.Split(c.one, "\n"))
		require.Equal(t, got, back, "%s: %s, the other way round", c.path, c.story)
		require.True(t, c.path == "a.sh" || c.path == "a.toml" || c.path == "a.yml" || c.path == "a.hs" ||
			c.path == "Makefile" || file.sameTokens(strings.Split(c.one, "\n"), strings.Split(c.one, "\n")), c.one)
	}
}

func TestADeletionBesideAWrappedCallIsMade(t *testing.T) {
	t.Parallel()
	const file = "package a\n\nfunc run() {\n\topen(left)\n\tforget(1, 2)\n\tload(left, right)\n\tclose(left, right)\n}\n"
	const find = "\topen(left)\n\tforget(1, 2)\n\tload(left,\n\t\tright)\n\tclose(left, right)\n"
	tree := MemTree{"a.go": []byte(file)}
	block := blockOf("a.go", find, strings.Replace(find, "\tforget(1, 2)\n", "", 1))
	for i, want := range []bool{true, false} {
		out, err := Apply(tree, []Block{block}, Options{})
		require.NoError(t, err)
		require.Equal(t, want, out.Results[0].Status == Applied, "application %d: %s", i+1, out.Results[0].Detail)
		require.Equal(t, strings.Replace(file, "\tforget(1, 2)\n", "", 1), string(tree["a.go"]))
	}
}
