package match_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

const (
	goBody   = "\tfirst := load(name)\n\tsecond := merge(first)\n\tstore(second)\n\treturn second\n}\n"
	pyBody   = "    def draw(self, area):\n        area.clear()\n        area.paint(self.shape)\n        area.show()\n"
	yamlBody = "    command: build\n    timeout: 30\n    retries: 2\n    output: log\n"
	keyBody  = "color = red\nwidth = 3\nheight = 4\n"
)

func TestAChangeIsNotMadeUnderAnotherName(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct{ path, file, find, old, new string }{
		"a function that the file has elsewhere": {"a.go",
			"package a\n\nfunc ReadOne(name string) int {\n" + goBody + "\nfunc ReadAll(name string) int {\n\treturn 0\n}\n",
			"func ReadAll(name string) int {\n" + goBody, "store(second)", "store(first)"},
		"a function that the file lacks": {"a.go",
			"package a\n\nfunc ReadOne(name string) int {\n" + goBody,
			"func ReadAll(name string) int {\n" + goBody, "store(second)", "store(first)"},
		"a name that differs by its last letter": {"a.go",
			"package a\n\nfunc ReadA(name string) int {\n" + goBody,
			"func ReadB(name string) int {\n" + goBody, "store(second)", "store(first)"},
		"a method of another type": {"a.go",
			"package a\n\nfunc (d *Disk) Read(name string) int {\n" + goBody,
			"func (d *Tape) Read(name string) int {\n" + goBody, "store(second)", "store(first)"},
		"a method of a type that the file has": {"a.go",
			"package a\n\ntype Tape struct{}\n\nfunc (d *Disk) Read(name string) int {\n" + goBody,
			"func (d *Tape) Read(name string) int {\n" + goBody, "\tstore(second)\n", "\tstore(second)\n\tlog(second)\n"},
		"a class around the method": {"a.py",
			"class Circle:\n" + pyBody + "\nclass Square:\n    pass\n",
			"class Square:\n" + pyBody, "        area.show()\n", "        area.show()\n        area.flush()\n"},
		"one of two overloads": {"A.java",
			"class A {\n    void put(int n) {\n        list.grow();\n        list.set(n);\n    }\n\n" +
				"    void put(long n) {\n        list.check(n);\n    }\n}\n",
			"class A {\n    void put(Text n) {\n        list.grow();\n        list.set(n);\n    }\n", "set(n)", "add(n)"},
		"a function around lines around which is none": {"a.go",
			"package a\n\n" + goBody, "func ReadAll(name string) int {\n" + goBody, "store(second)", "store(first)"},
		"a bracket on its own line": {"a.cs",
			"class A\n{\n    void Open()\n    {\n        one.Start();\n        two.Start();\n        three.Start();\n    }\n}\n",
			"class A\n{\n    void Shut()\n    {\n        one.Start();\n        two.Start();\n        three.Start();\n    }\n}\n",
			"two.Start()", "two.Stop()"},
		"a key of YAML that the file has elsewhere": {"a.yml",
			"jobs:\n  test:\n" + yamlBody + "  ship:\n    command: push\n",
			"jobs:\n  ship:\n" + yamlBody, "timeout: 30", "timeout: 60"},
		"a key of YAML that the file lacks": {"a.yml",
			"jobs:\n  test:\n" + yamlBody, "jobs:\n  ship:\n" + yamlBody, "timeout: 30", "timeout: 60"},
		"a key around a directive of a template": {"a.yml",
			"jobs:\n  test:\n    command: build\n{{- if .Slow }}\n    timeout: 30\n    retries: 2\n    output: log\n",
			"jobs:\n  ship:\n    command: build\n{{- if .Slow }}\n    timeout: 30\n    retries: 2\n    output: log\n",
			"retries: 2", "retries: 4"},
		"an item of a list": {"a.yaml",
			"steps:\n  - name: test\n" + yamlBody, "steps:\n  - name: ship\n" + yamlBody, "timeout: 30", "timeout: 60"},
		"a key of JSON": {"a.json",
			"{\n  \"left\": {\n    \"a\": 1,\n    \"b\": 2,\n    \"c\": 3\n  },\n  \"right\": {\n    \"a\": 4\n  }\n}\n",
			"  \"right\": {\n    \"a\": 1,\n    \"b\": 2,\n    \"c\": 3\n  }\n", "\"b\": 2", "\"b\": 5"},
		"a section that the file has elsewhere": {"a.toml",
			"[box]\n" + keyBody + "\n[line]\ncolor = blue\n", "[line]\n" + keyBody, "width = 3", "width = 9"},
		"a section that the file lacks": {"a.ini",
			"[box]\n" + keyBody, "[line]\n" + keyBody, "width = 3\n", "width = 3\ndepth = 9\n"},
		"a heading": {"a.md",
			"# Guide\n\n## Mac\n\nGet the file.\nOpen it twice.\nThen wait.\n\n## Linux\n\nUse the shell.\n",
			"## Linux\n\nGet the file.\nOpen it twice.\nThen wait.\n", "Open it twice.", "Open it once."},
		"a heading of another level": {"a.md",
			"# Linux\n\n## Mac\n\nGet the file.\nOpen it twice.\nThen wait.\n",
			"## Linux\n\nGet the file.\nOpen it twice.\nThen wait.\n", "Open it twice.", "Open it once."},
		"a rule of a style sheet": {"a.css",
			".menu {\n  color: red;\n  margin: 0;\n  border: none;\n}\n\n.page {\n  color: blue;\n}\n",
			".page {\n  color: red;\n  margin: 0;\n  border: none;\n}\n", "margin: 0", "margin: 1px"},
		"a condition that the file has elsewhere": {"a.c",
			"int f(int a) {\n  if (fast) {\n    run(a, 1);\n    run(a, 2);\n    run(a, 3);\n  }\n" +
				"  if (slow) {\n    run(a, 0);\n  }\n}\n",
			"  if (slow) {\n    run(a, 1);\n    run(a, 2);\n    run(a, 3);\n  }\n", "run(a, 2)", "run(a, 9)"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, c.find, c.old)
			got, res := applyTo(t, c.path, c.file, c.find, strings.Replace(c.find, c.old, c.new, 1))
			require.Equal(t, engine.Failed, res.Status, got)
			require.Equal(t, c.file, got)
		})
	}
}

func TestTheHeaderAroundAChangeMayHaveDrifted(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct{ path, file, find, old, new string }{
		"a parameter more": {"a.go",
			"package a\n\nfunc ReadOne(ctx Context, name string) int {\n" + goBody,
			"func ReadOne(name string) int {\n" + goBody, "store(second)", "store(first)"},
		"a parameter less": {"a.go",
			"package a\n\nfunc ReadOne(name string) int {\n" + goBody,
			"func ReadOne(ctx Context, name string) int {\n" + goBody, "store(second)", "store(first)"},
		"a typo": {"a.go",
			"package a\n\nfunc ReadOne(name string) int {\n" + goBody,
			"func RaedOne(name string) int {\n" + goBody, "store(second)", "store(first)"},
		"a typo, and the next line": {"a.go",
			"package a\n\nfunc ReadOne(name string) int {\n" + strings.Replace(goBody, "name", "ctx", 1),
			"func RaedOne(name string) int {\n" + goBody, "store(second)", "store(first)"},
		"a line, and what is added is above the header": {"a.go",
			"package a\n\nfunc ReadOne(name string) int {\n" + strings.Replace(goBody, "name", "ctx", 1),
			"func ReadOne(name string) int {\n" + goBody, "func ReadOne", "// ReadOne reads.\nfunc ReadOne"},
		"a parameter more, and an empty line is added": {"a.go",
			"package a\n\nfunc ReadOne(ctx Context, name string) int {\n" + goBody,
			"func ReadOne(name string) int {\n" + goBody, "\tstore(second)", "\n\tstore(second)"},
		"a base class, around a method of a name that another class has too": {"a.py",
			"class Circle(Shape):\n" + pyBody + "\nclass Square:\n    def draw(self, area):\n        pass\n",
			"class Circle:\n" + pyBody, "area.paint(self.shape)", "area.fill(self.shape)"},
		"a method of a name that another class has too": {"a.py",
			"class Circle:\n" + strings.Replace(pyBody, "area)", "area, deep)", 1) +
				"\nclass Square:\n    def draw(self, area, deep):\n        pass\n",
			"class Circle:\n" + pyBody, "area.paint(self.shape)", "area.fill(self.shape)"},
		"a condition": {"a.c",
			"int f(int a) {\n  if (fast && ready) {\n    run(a, 1);\n    run(a, 2);\n    run(a, 3);\n  }\n}\n",
			"  if (fast) {\n    run(a, 1);\n    run(a, 2);\n    run(a, 3);\n  }\n", "run(a, 2)", "run(a, 9)"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, c.find, c.old)
			got, res := applyTo(t, c.path, c.file, c.find, strings.Replace(c.find, c.old, c.new, 1))
			require.Equal(t, engine.Applied, res.Status, res.Detail)
			require.Equal(t, strings.Replace(c.file, c.old, c.new, 1), got)
		})
	}
}
