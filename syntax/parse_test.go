package syntax_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/syntax"
)

// A parserCase is a file that is whole, and edits that break it: each replaces one text by another.
type parserCase struct {
	path, good string
	damages    []damage
}

type damage struct {
	old, new string
	line     int
	message  string
}

var parserCases = []parserCase{
	{"server/main.go", "package server\n\nfunc Start(port int) error {\n\tif port == 0 {\n\t\treturn errNoPort\n\t}\n" +
		"\treturn listen(\":%d\", port)\n}\n", []damage{
		{"\t}\n", "", 7, "expected '}', found 'EOF'"},
		{`":%d"`, `":%d`, 7, "string literal not terminated"},
		{"port)", "port", 7, "missing ',' before newline in argument list"},
	}},
	{"web/app.js", "import { run } from './run';\n\nexport function start(port) {\n  if (!port) {\n    return;\n  }\n" +
		"  run(`at ${port}`);\n}\n", []damage{
		{"  }\n", "", 7, "Unexpected end of file"},
		{"./run'", "./run", 1, "Unterminated string literal"},
		{"`);", ");", 8, "Unterminated string literal"},
	}},
	{"web/app.jsx", "export const App = () => (\n  <ul>\n    <li>one</li>\n  </ul>\n);\n", []damage{
		{"</li>", "", 4, `Unexpected closing "ul" tag does not match opening "li" tag`},
		{");", "", 4, `Expected ")" but found end of file`},
	}},
	{"web/app.ts", "interface Port {\n  number: number;\n}\n\nexport const open = <T,>(p: Port): T | undefined => {\n" +
		"  return all[p.number] as T;\n};\n", []damage{
		{"interface Port {\n", "interface Port\n", 2, `Expected "{" but found "number"`},
		{"[p.number]", "[p.number", 6, `Expected "]" but found ";"`},
	}},
	{"web/app.tsx", "export function App({ name }: { name: string }) {\n  return <p>{name}</p>;\n}\n", []damage{
		{"{name}</p>", "{name</p>", 2, "Unterminated regular expression"},
	}},
	{"web/app.css", "a:hover,\nb > c {\n  margin: calc(1px + 2em);\n  background: url(\"x.png\");\n}\n", []damage{
		{"}\n", "", 4, `Expected "}" to go with "{" (line 2: The unbalanced "{" is here)`},
		{"x.png\"", "x.png", 4, "Unterminated string token"},
		{"2em)", "2em", 5, `Expected ")" to go with "("`},
	}},
	{"package.json", "{\n  \"name\": \"a\",\n  \"files\": [\"x\", \"y\"]\n}\n", []damage{
		{"\"a\",", "\"a\"", 3, "invalid character '\"' after object key:value pair"},
		{"\"y\"]", "\"y\"", 4, "invalid character '}' after array element"},
		{"\"y\"]", "\"y\"],", 4, "invalid character '}' looking for beginning of object key string"},
		{"{\n", "{\n  // a comment\n", 2, "invalid character '/' looking for beginning of object key string"},
		{"]\n}", "]\n", 3, "unexpected end of JSON input"},
	}},
	{"tsconfig.json", "{\n  // What runs it: node's version.\n  \"a\": [1, 2,], /* \" */\n" +
		"  \"u\": \"http://a/\",\n}\n", []damage{
		{"2,]", "2,", 3, "invalid character ',' looking for beginning of value"},
		{"*/", "", 3, "invalid character '/' looking for beginning of object key string"},
		{"a/\",", "a/,", 4, `invalid character '\n' in string literal`},
	}},
	{"ci/build.yml", "on:\n  push:\n    branches: [main, dev]\njobs:\n  build:\n    name: \"a ${{ github.ref }}\"\n" +
		"    steps:\n      - run: make\n---\nsecond: 1\n", []damage{
		{"dev]", "dev", 2, "did not find expected ',' or ']'"},
		{"ref }}\"", "ref }}", 6, "found unexpected document indicator"},
		{"    steps:", "   steps:", 7, "did not find expected key"},
		{"      - run", "     run: x\n      - run", 9, "mapping values are not allowed in this context"},
		{"second: 1", "second: 1\n x: y", 11, "mapping values are not allowed in this context"},
	}},
	{"Cargo.toml", "[package]\nname = \"a\"\nkeys = [\n  \"x\", # one\n]\n\n[[bin]]\npath = 'm'\n", []damage{
		{"[[bin]]", "[[bin]", 7, "expected ']]' to close array table name"},
		{"\"a\"", "\"a", 2, "basic strings cannot have new lines"},
		{"]\n\n", "\n\n", 7, "unexpected character U+0062 'b' at start of value"},
	}},
	{"pom.xml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE project [<!ENTITY copy \"c\">]>\n<project>\n" +
		"  <name a=\"1\">&copy; me</name>\n  <!-- <open> -->\n</project>\n", []damage{
		{"</name>", "", 6, "element <name> closed by </project>"},
		{"a=\"1\"", "a=\"1", 4, "unescaped < inside quoted string"},
		{"</project>", "", 5, "unexpected EOF"},
		{"&copy; me", "you & me", 4, "invalid character entity & (no semicolon)"},
	}},
	{"chart/page.gotmpl", "{{ define \"a\" }}\n{{- range .Items }}\n  {{ upper .Name | quote }}\n" +
		"{{- end }}\n{{ end }}\n", []damage{
		{"{{- end }}\n", "", 4, "unexpected EOF"},
		{"quote }}", "quote", 4, `unexpected "{" in operand`},
	}},
	{"install.sh", "#!/bin/sh\nset -e\nif [ -n \"$1\" ]; then\n  echo \"at $(pwd)\"\nfi\n", []damage{
		{"fi\n", "", 3, "`if` statement must end with `fi`"},
		{"(pwd)\"", "(pwd)", 4, "reached EOF without closing quote `\"`"},
		{"(pwd)", "(pwd", 4, "reached EOF without closing quote `\"`"},
	}},
	{"main.tf", "resource \"a\" \"b\" {\n  name = \"x-${var.name}\"\n  tags = {\n    env = [\"a\"]\n  }\n}\n", []damage{
		{"  }\n", "", 1, "Unclosed configuration block"},
		{"var.name}\"", "var.name}", 2, "Invalid multi-line string"},
		{"[\"a\"]", "[\"a\"", 5, "Missing item separator"},
	}},
	{"api/a.proto", "syntax = \"proto3\";\n\nmessage A {\n  string name = 1;\n" +
		"  repeated B b = 2 [deprecated = true];\n}\n", []damage{
		{"}\n", "", 3, `"{" is not closed`},
		{"1;", "1", 5, `";" is missing before repeated`},
		{"proto3\"", "proto3", 1, "a string is not closed"},
	}},
	{"Dockerfile", "# escape=\\\nARG V=1\nFROM golang:${V} AS build\nRUN --mount=type=cache,target=/x \\\n" +
		"    # of the shell\n" +
		"    make \"all\" && \\\n    make install\nCOPY <<EOF /etc/a\nnot an instruction\nEOF\n" +
		"ENV A=\"b c\" D=e\nCMD [\"/bin/a\", \"-v\"]\n", []damage{
		{"CMD", "CDM", 12, "unknown instruction CDM"},
		{"\"-v\"]", "\"-v\"", 12, "the array is not valid JSON"},
		{"EOF\nENV", "ENV", 8, "here-document without end"},
		{"\"all\"", "\"all", 6, "reached EOF without closing quote"},
		{"b c\"", "b c", 11, "missing closing quote \""},
		{"${V}", "${V", 3, "missing } of a variable"},
	}},
	{"go.mod", "module example.com/a\n\ngo 1.24\n\nrequire (\n\texample.com/b v1.0.0\n" +
		"\texample.com/c latest // indirect\n)\n", []damage{
		{")\n", "", 7, "syntax error (unterminated block started at :5:1)"},
		{"example.com/b v1.0.0", "example.com/b", 6, "usage: require module/path v1.2.3"},
		{"go 1.24", "g 1.24", 3, "unknown directive: g"},
	}},
	{"go.work", "go 1.24\n\nuse (\n\t./a\n\t./b\n)\n", []damage{{"(\n", "\n", 3, "usage: use local/dir"}}},
}

func TestAFileThatIsWholeHasNoProblems(t *testing.T) {
	t.Parallel()
	for _, c := range parserCases {
		require.Empty(t, syntax.Check(nil, c.path, nil, []byte(c.good)).Problems, c.path)
		marked := []byte("\ufeff" + c.good)
		require.Empty(t, syntax.Check(nil, c.path, []byte(c.good), marked).Problems, "%s with a byte order mark", c.path)
		crlf := strings.ReplaceAll(c.good, "\n", "\r\n")
		require.Empty(t, syntax.Check(nil, c.path, nil, []byte(crlf)).Problems, "%s with CRLF", c.path)
	}
}

func TestAnErrorThatEditsBroughtIsFoundInItsLine(t *testing.T) {
	t.Parallel()
	for _, c := range parserCases {
		for _, d := range c.damages {
			t.Run(fmt.Sprintf("%s/%q", c.path, d.old), func(t *testing.T) {
				t.Parallel()
				require.Contains(t, c.good, d.old)
				after := strings.Replace(c.good, d.old, d.new, 1)
				for _, before := range [][]byte{[]byte(c.good), []byte(c.good + "\n")} {
					problems := syntax.Check(nil, c.path, before, []byte(after)).Problems
					require.Len(t, problems, 1)
					require.Equal(t, syntax.Syntax, problems[0].Kind)
					require.Contains(t, problems[0].Message, d.message)
					require.Equal(t, d.line, problems[0].Line, problems[0].Message)
				}
				require.Empty(t, syntax.Check(nil, c.path, []byte(after), []byte(after+"\n")).Problems, "it was there before")
			})
		}
	}
}
