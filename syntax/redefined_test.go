package syntax

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/syntax/lexer"
)

func TestADefinitionInsertedOnceMoreIsReported(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, head, definition, tail string }{
		{"a.go", "package a\n\n", "func f() {\n}\n", ""},
		{"a.go", "package a\n\ntype T struct{}\n\n", "func (t *T) F() {\n}\n", ""},
		{"a.go", "package a\n\n", "type T struct{}\n", ""},
		{"a.go", "package a\n\n", "var x = 1\n", ""},
		{"a.py", "import a\n", "def f(a):\n    return a\n", ""},
		{"a.py", "class A:\n", "    @b\n    def f(self):\n        pass\n", ""},
		{"a.py", "import a\n", "class A:\n    pass\n", ""},
		{"A.java", "class A {\n", "  @Override\n  public void f(int a) {\n  }\n", "}\n"},
		{"a.c", "#include <a.h>\n", "static int f(int a) {\n  return a;\n}\n", ""},
		{"a.cpp", "namespace a {\n", "void A::f() const {\n}\n", "}\n"},
		{"a.cs", "class A {\n", "  public int F(int a) {\n    return a;\n  }\n", "}\n"},
		{"a.kt", "class A {\n  val b = 1\n", "  fun f(a: Int): Int {\n    return a\n  }\n", "}\n"},
		{"a.rs", "impl A {\n", "  pub fn f(&self) -> u8 {\n    1\n  }\n", "}\n"},
		{"a.php", "<?php\nclass A {\n", "  public function f(int $a) {\n  }\n", "}\n"},
		{"a.swift", "struct A {\n", "  func f() -> Int {\n    return 1\n  }\n", "}\n"},
		{"a.scala", "object A {\n", "  def f(a: Int): Int = {\n    a\n  }\n", "}\n"},
		{"a.pl", "package A;\n", "sub f {\n}\n", ""},
		{"a.rb", "class A\n", "  def f(a)\n    a\n  end\n", "end\n"},
		{"a.lua", "local M = {}\n", "function M.f(a)\n  return a\nend\n", ""},
		{"a.ts", "import a from 'a'\n", "export function f(a: string) {\n}\n", ""},
		{"a.ts", "import a from 'a'\n", "function f({ a }: { a: string }): { b: string } {\n  return g(a)\n}\n", ""},
		{"a.ts", "class A {\n", "  f(\n    { a }: B,\n  ) {\n  }\n", "}\n"},
		{"a.ts", "class A {\n  b = c(() => { function d() {} })\n", "  f() {\n  }\n", "}\n"},
	} {
		once := c.head + c.definition + c.tail
		twice := c.head + c.definition + "\n" + c.definition + c.tail
		problems := Check(nil, c.name, []byte(once), []byte(twice)).Problems
		require.NotEmpty(t, problems, twice)
		require.Equal(t, Redefined, problems[len(problems)-1].Kind, twice)
		require.Regexp(t, `is defined twice, here and in line \d`, problems[len(problems)-1].Message)
		require.Empty(t, Check(nil, c.name, []byte(twice), []byte(twice+"\n")).Problems, "it was there twice before")
	}
}

func TestDefinitionsThatMayBeTwiceInAFileAreNoProblem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text string }{
		{"a.go", "package a\n\nfunc init() {}\nfunc init() {}\nvar _ = 1\nvar _ = 2\n"},
		{"a.go", "package a\n\ntype A struct{}\ntype B struct{}\nfunc (A) f() {}\nfunc (B) f() {}\n"},
		{"A.java", "class A {\n  void f(int a) {\n  }\n  void f(long a) {\n  }\n}\n"},
		{"A.java", "class A {\n  class B {\n    void f() {\n    }\n  }\n  void f() {\n  }\n}\n"},
		{"A.java", "class A {\n  B b = new B() {\n    void f() {\n    }\n  };\n  B c = new B() {\n    void f() {\n" +
			"    }\n  };\n}\n"},
		{"a.c", "#ifdef A\nint f(int a) {\n}\n#else\nint f(int a) {\n}\n#endif\n"},
		{"a.c", "int f(int a);\nint f(int a);\nint f(int a) {\n}\n"},
		{"a.cpp", "namespace a {\nvoid f() {\n}\n}\nnamespace b {\nvoid f() {\n}\n}\n"},
		{"a.cs", "partial class A {\n}\npartial class A {\n}\n"},
		{"a.py", "if a:\n    def f():\n        pass\nelse:\n    def f():\n        pass\n"},
		{"a.py", "try:\n    from a import f\nexcept ImportError:\n    def f():\n        pass\n"},
		{"a.py", "class A:\n    @property\n    def f(self):\n        pass\n    @f.setter\n    def f(self):\n" +
			"        pass\n"},
		{"a.py", "@a.register\ndef _(b):\n    pass\n@a.register\ndef _(b):\n    pass\n"},
		{"a.py", "class A:\n    def f(self):\n        pass\nclass B:\n    def f(self):\n        pass\n"},
		{"a.rb", "class A\n  def f\n  end\nend\nclass B\n  def f\n  end\nend\n"},
		{"a.rs", "#[cfg(a)]\nfn f() {\n}\n#[cfg(b)]\nfn f() {\n}\nimpl A {\n}\nimpl A {\n}\n"},
		{"a.pl", "package A;\nsub f {\n}\npackage B;\nsub f {\n}\n"},
		{"a.kt", "fun A.f() {\n}\nfun B.f() {\n}\n"},
		{"a.ex", "defmodule A do\n  def f(1) do\n    1\n  end\n  def f(2) do\n    2\n  end\nend\n"},
		{"a.ts", "function f<A extends {\n  a: 1\n}>(b: A): void;\nfunction f<A extends {\n  b: 1\n}>(b: A): void;\n" +
			"function f(b: any) {\n}\n"},
		{"a.ts", "function f(\n  a: 1,\n): {\n  b: 1\n};\nfunction f(\n  a: 2,\n): {\n  b: 2\n};\n" +
			"function f(\n  a: any,\n) {\n}\n"},
		{"a.ts", "class A {\n  f(\n    a: { b: 1 },\n    c: (d: 1) => { e: 1 },\n  ): void;\n  f(\n    a: { b: 2 },\n" +
			"    c: (d: 1) => { e: 1 },\n  ): void;\n  f(a: any) {\n  }\n}\n"},
		{"a.ts", "class A {\n  f(\n    a: 1,\n  ): {\n    b: 1\n  };\n  f(\n    a: 1,\n    c?: 2,\n  ): {\n    b: 2\n  };\n" +
			"  f(a: any) {\n  }\n}\n"},
		{"a.swift", "extension A {\n}\nextension A {\n}\n"},
		{"a.js", "test('a', function () {\n})\ntest('a', function () {\n})\n"},
	} {
		before, _, _ := strings.Cut(c.text, "\n")
		require.Empty(t, Check(nil, c.name, []byte(before+"\n"), []byte(c.text)).Problems, c.text)
	}
}

func TestADefinitionThatMovedIsNoProblem(t *testing.T) {
	t.Parallel()
	before := "def f():\n    pass\n\ndef g():\n    pass\n"
	after := "def g():\n    pass\n\ndef f():\n    pass\n"
	require.Empty(t, Check(nil, "a.py", []byte(before), []byte(after)).Problems)
}

func TestAFileThatWasNotReadToItsEndTellsNothingOfDefinitions(t *testing.T) {
	t.Parallel()
	python := "def f():\n    pass\n\n\ndef f():\n    pass\n"
	long := python + strings.Repeat("# a long comment\n", lexer.MaxText/16)
	require.Empty(t, Check(nil, "a.py", []byte(long), []byte(python)).Problems, "it may have had two")
	require.NotEmpty(t, Check(nil, "a.py", []byte("def f():\n    pass\n"), []byte(python)).Problems)
	goFile := "package a\n\nfunc f() {}\n\nfunc f() {}\n"
	require.Empty(t, Check(nil, "a.go", []byte(goFile+"}\n"), []byte(goFile)).Problems, "it had two and did not parse")
}
