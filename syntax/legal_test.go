package syntax_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/syntax"
)

func TestWhatALanguageAllowsIsNoProblem(t *testing.T) {
	t.Parallel()
	conflict := "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> c\n"
	for _, c := range []struct{ path, before, after string }{
		{"a.d.ts", "export const A: string;\n", "export const A: number;\ndeclare namespace B {\n  const c: D;\n}\n"},
		{"a.d.mts", "", "declare const a: string;\n"},
		{"a.css.d.ts", "", "declare const a: { b: string };\n"},
		{"a.ts", "interface A { b: 1 }\nlet c = 1;\n", "interface A { b: 1 }\nlet c = 1;\ninterface A { b: 1 }\n"},
		{"a.ts", "enum A { B }\nlet c = 1;\n", "enum A { B }\nlet c = 1;\nenum A { C = 1 }\n"},
		{"a.ts", "class A {\n  f() {}\n}\n", "class A {\n  f(): void;\n  f() {}\n  static f() {}\n" +
			"  get g() {}\n  set g(a) {}\n}\n"},
		{"a.css", "a { b: c }\n", "a { @apply d-1 }\na {\n  @apply d-1\n}\n"},
		{"a.pl", "f(1);\n", "f(<<'E', 2);\n(\nE\nf(<<~E);\n  (\n  E\n"},
		{"a.pl", "f(1);\n", "(my $y = $x) =~ tr/(/)/;\n$x =~ y/{/[/;\n"},
		{"a.rb", "f(1)\n", "f(%i[Escape /])\n"},
		{"a.cs", "class A {}\n", "#region it's (\nclass A {}\n#endregion\n"},
		{"a.swift", "let a = 1\n", "let a = #\"a\"b(\"#\n"},
		{"a.c", "", "#ifdef A\nint f() {\n#else\nint f() { if (1) {\n#endif\n}\n#ifndef A\n}\n#endif\n"},
		{"a_test.go", "package a\n", "package a\n\nconst b = `\n" + conflict + "`\n"},
		{"a.py", "a = 1\n", "a = \"\"\"\n" + conflict + "\"\"\"\n"},
		{"a.sh", "a\n", "cat <<EOF\n" + conflict + "EOF\n"},
		{"a.yml", "a: 1\n", "a: the dogs'\nb: 5\"\nc: smile :]\n"},
		{"a.yml", "a: 1\n", "a: [ ::b ]\n"},
		{"a.yml", "a: 1\n", "a: {\n\tb: 1\n}\n"},
		{"a.tab", "a\n", "it's (\n"},
		{"a.json", "{\"a\": 1}\n", "{\"a\": ${b.c}}\n"},
		{"a.json", "// a\n{}\n", "// a\n{}\n// b\n"},
		{"a.xml", "<a/>\n<b/>\n", "<a/>\n<b/>\n<c/>\n"},
	} {
		require.Empty(t, syntax.Check(nil, c.path, []byte(c.before), []byte(c.after)).Problems, "%s: %s", c.path, c.after)
	}
}

func TestWhatALanguageDoesNotAllowIsFound(t *testing.T) {
	t.Parallel()
	conflict := "<<<<<<< HEAD\nb = 1\n=======\nb = 2\n>>>>>>> c\n"
	for _, c := range []struct {
		path, before, after string
		line                int
		kind                syntax.Kind
	}{
		{"a.d.ts", "export const A: string;\n", "export const A: {b: string;\n", 1, syntax.Syntax},
		{"a.css", "a { b: c }\n", "a { @apply d-1\n", 1, syntax.Syntax},
		{"a.css", "", "a {\n", 1, syntax.Syntax},
		{"a.go", "\n", "package a\nfunc f() {\n", 2, syntax.Syntax},
		{"a.py", "a = 1\n", "a = 1\ndef f(a)\n    b\n", 2, syntax.Syntax},
		{"a.ipynb", "{}\n", "{\n", 1, syntax.Syntax},
		{"a.json", "{}\n", "{\n// a\n}\n", 2, syntax.Suspect},
		{"a.xml", "<a/>\n", "<a/>\n<b/>\n", 2, syntax.Suspect},
		{"a.yml", "- echo \"a b\"\n", "- echo a b\"\n", 1, syntax.Suspect},
		{"a.js", "class A {\n  f(a) {}\n}\n", "class A {\n  f(a) {}\n  f(a) {}\n}\n", 3, syntax.Redefined},
		{"a.proto", "message A {\n}\n", "message A {\n}\nmessage A {\n}\n", 3, syntax.Redefined},
		{"a.unknown", "a\n", "a\n// rest of the file unchanged\n", 2, syntax.Placeholder},
		{"a.unknown", "a\n", "a\n# (unchanged)\n", 2, syntax.Placeholder},
	} {
		problems := syntax.Check(nil, c.path, []byte(c.before), []byte(c.after)).Problems
		require.Len(t, problems, 1, "%s: %s", c.path, c.after)
		require.Equal(t, c.line, problems[0].Line, c.after)
		require.Equal(t, c.kind, problems[0].Kind, c.after)
	}
	for _, path := range []string{"a.py", "a.go", "a.sh"} {
		problems := syntax.Check(nil, path, []byte("package a\n"), []byte("package a\n"+conflict)).Problems
		require.GreaterOrEqual(t, len(problems), 2, path)
		require.Equal(t, syntax.ConflictMarker, problems[0].Kind, path)
	}
}

func TestALongFileThatIsNotDeepIsChecked(t *testing.T) {
	t.Parallel()
	for path, line := range map[string]string{
		"a.ts":  "// x\n",
		"b.ts":  "f({ a: 1, b: [2] });\n",
		"a.js":  "f(a, b);\n",
		"a.sh":  "echo a\n",
		"a.css": "a { b: c }\n",
	} {
		before := strings.Repeat(line, 6_500)
		problems := syntax.Check(nil, path, []byte(before), []byte(before+"if (\n")).Problems
		require.NotEmpty(t, problems, path)
	}
}
