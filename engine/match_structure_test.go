package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// methodsFile has the same statement in two methods.
const methodsFile = `class Queue:
    def push(self, item, urgent=False):
        self.items.append(item)
        self.items.sort()
        self.log("push")
        self.count()
        self.notify(self.listeners)
        return True

    def pull(self):
        item = self.items.pop()
        self.notify(self.listeners)
        return item
`

func TestTheDefinitionTellsThePlace(t *testing.T) {
	t.Parallel()
	const push = "    def push(self, item):\n        self.prepare(item)\n        self.notify(self.listeners)\n"
	notified := func(s string) string { return strings.Replace(s, "(self.listeners)", "(self.all())", 1) }
	for story, c := range map[string]struct{ file, find, repl, after string }{
		"a statement that is in two methods": {file: methodsFile, find: push, repl: notified(push),
			after: notified(methodsFile)},
		"a method that the file has twice": {file: methodsFile + "\n    def push(self):\n        return 1\n",
			find: push, repl: notified(push)},
		"a method that the file does not have": {file: methodsFile,
			find: strings.Replace(push, "push", "put", 1), repl: notified(strings.Replace(push, "push", "put", 1))},
		"a statement that the method does not have": {
			file: strings.Replace(methodsFile, "self.notify(", "self.tell(", 1),
			find: push, repl: notified(push)},
		"a statement that the method has twice": {
			file: strings.Replace(methodsFile, "        self.log(", "        self.notify(self.listeners)\n        self.log(", 1),
			find: push, repl: notified(push)},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			tree := MemTree{"queue.py": []byte(c.file)}
			out, err := Apply(tree, []Block{blockOf("queue.py", c.find, c.repl)}, Options{})
			require.NoError(t, err)
			if c.after == "" {
				require.Equal(t, Failed, out.Results[0].Status)
				require.Equal(t, c.file, string(tree["queue.py"]))
				return
			}
			require.Equal(t, Applied, out.Results[0].Status, out.Results[0].Detail)
			require.Equal(t, LevelStructure, out.Results[0].Level)
			require.Equal(t, c.after, string(tree["queue.py"]))
		})
	}
}

func TestANameIsOfItsDefinition(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"func (q *Queue) Push(item Item) error {": "func Queue.Push",
		"func New() *Queue {":                     "func New",
		"    async def push(self, item):":         "def push",
		"export class Queue extends List {":       "class Queue extends List",
		"impl fmt::Display for Queue {":           "impl fmt : : Display for Queue",
		"  public static int size(List l) {":      "size",
		"  it('pushes an item', () => {":          "it('pushes an item",
		`resource "aws_vpc" "main" {`:             `resource " aws_vpc " " main "`,
		"if (ready) {":                            "",
		"} else if (ready) {":                     "",
		"return call(a)":                          "",
		"// func is a word":                       "",
		"":                                        "",
		"func":                                    "",
	} {
		require.Equal(t, want, definitionName(line), line)
	}
}

func TestADefinitionEndsWhereItsBlockDoes(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		path, source string
		line         int
		want         span
	}{
		"by its closing brace": {"a.js", "function a() {\n  x()\n\n  y()\n}\nz()\n", 0, span{0, 5}},
		"by indentation":       {"a.py", "def a(\n    b\n):\n    c()\n\n\ndef d():\n    e()\n", 0, span{0, 4}},
		"by the last line":     {"a.py", "def d():\n    e()\n", 0, span{0, 2}},
		"by end":               {"a.rb", "def a\n  b\nend\nend\n", 0, span{0, 3}},
		"with its brace below": {"a.cs", "void A()\n{\n    B();\n}\nint c;\n", 0, span{0, 4}},
		"in Go, with a label and a raw string at the margin": {"a.go",
			"package a\n\nfunc a() {\nagain:\n\tb(`\n}\n`)\n\tgoto again\n}\n\nvar c = 1\n", 2, span{2, 9}},
		"in Go, one of a group": {"a.go", "package a\n\ntype (\n\tb struct {\n\t\tc int\n\t}\n\td int\n)\n", 3, span{3, 6}},
		"in Go that is cut off": {"a.go", "package a\n\nfunc a() {\n\tb()\n", 2, span{2, 4}},
	} {
		file := newText(nil, []byte(c.source))
		file.path = c.path
		require.Equal(t, c.want, file.extent(c.line), story)
	}
}

func FuzzDefinition(f *testing.F) {
	f.Add("a.go", "func (a *B) c(", 0)
	f.Add("a.py", "def a(\n):\n", 0)
	f.Add("a.js", "it('", 0)
	f.Fuzz(func(t *testing.T, path, source string, line int) {
		file := newText(nil, []byte(source))
		file.path = path
		for _, l := range file.lines {
			definitionName(l.text)
		}
		if line >= 0 && line < len(file.lines) {
			at := file.extent(line)
			require.Equal(t, line, at.from)
			require.Greater(t, at.to, line)
			require.LessOrEqual(t, at.to, len(file.lines))
		}
	})
}
