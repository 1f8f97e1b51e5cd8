package syntax

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// wholeFiles are small files, by name, each with what makes its language hard to split.
var wholeFiles = map[string]string{
	"a.c": "#include <stdio.h>\n#ifdef A\nint f(int a) {\n#else\nint f(void) {\n#endif\n  char c = '{', d = '\\'';\n" +
		"  puts(\"} /* \\\"\"); /* ( */ // {\n  return 0;\n}\n#if 0\n}}}\n#endif\n",
	"a.cpp": "#ifdef __cplusplus\nextern \"C\" {\n#endif\nauto s = R\"x()\" {)x\";\n" +
		"void f() { g([](int a) { return a; }); }\n" +
		"#ifdef __cplusplus\n}\n#endif\n",
	"A.java": "class A {\n  String s = \"{\\\"\"; char c = '\"';\n  /** { */\n" +
		"  void f(int[] a) { if (a[0] > 1) { g(); } }\n}\n",
	"a.kt": "/* /* nested ( */ { */\nval s = \"a ${f(\"b\")} {\"\nval t = \"\"\"x \"y\"\"\"\"\n" +
		"fun f(a: String) = listOf(a) { it }\n",
	"a.scala": "object A {\n  val s = s\"a ${f(1)} {\"\n  def f(a: Int): Int = { a }\n}\n",
	"a.swift": "struct A {\n  let s = \"a \\(b(1)) {\"\n  func b(_ a: Int) -> [Int] { return [a] }\n}\n",
	"a.rs": "#[derive(Debug)]\nstruct A<'a> { s: &'a str }\n" +
		"fn f<'a>(c: char) -> &'a str { match c { '{' | '\\'' => \"}\", _ => r#\"\"(\"# } }\n",
	"a.cs": "class A {\n  string s = @\"a \"\"{\", t = $\"{s} b\"; char c = '\"';\n  [Obsolete]\n" +
		"  void F(int a) { G(new[] { a }); }\n}\n",
	"a.php": "<p>{</p>\n<?php\n#[Attr(1)]\nfunction f(array $a) {\n  $s = \"x {$a['y']} $a[z]\";\n" +
		"  return <<<EOT\n  } $s\n  EOT;\n}\n?>\n<b>(\n",
	"a.rb": "def f(a)\n  s = \"x #{a[\"y\"]} {\"\n  r = /[({]/ =~ s\n  t = %w(a b)\n  <<~EOT\n    ( #{t}\n" +
		"  EOT\nend\n",
	"a.lua": "local s = [[ ( \" ]]\n-- {\nfunction f(a)\n  if a then return { a[1] } end\n" +
		"  repeat a() until true\nend\n",
	"a.pl": "sub f {\n  my ($a) = @_;\n  return $a =~ m{[(]} ? \"x {\" : 'y';\n}\n",
	"Makefile": "A = $(B:.c=.o) # $(\nall: $(A)\n" +
		"\t@for f in $(A); do echo \"$$(cat $$f)\"; case $$f in a) ;; esac; done\n" +
		"C = $(foreach a,(b),\\\n  ${a})\n# $(\n",
	"b.scala": "val a = b :+ \"(\"\nval c: List[String] = \"{\" :: \"x\" :: d\n",
	"b.pl":    "die if $] < 5.02;\nprint \"$)\", $), <DATA>;\n__DATA__\n((\n",
	"b.rb":    "f(<<~A, b) { |x| x }\n  ( { [ '\nA\nx = y << A[1]\n",
	"c.rb": "class A < B; end\nmodule C\n  attr_reader :end, :if\n  alias begin first\n  def one = 1\n" +
		"  def two?(a) =!a\n  def end=(a)\n    @end = a if a\n  end\n  def self.class(if: 1) = { end: 2 }\n" +
		"  private def f(range)\n    return range.begin if range.end\n" +
		"    a = \\\n      if range.empty? then 1 else 2 end\n    while a < 3 &&\n          range.any? do\n" +
		"      a += 1 until a > 2 unless done?\n    end\n    for b in [1, 2] do puts \"#{if b then a end}\" if b end\n" +
		"    case [a, unless b then 1 end]\n    when 1 then begin; f; end while a\n    end\n" +
		"    g(<<~X) do |c|\n      end if\n    X\n      c\n    rescue E => e\n      raise $! if e\n    end\n" +
		"  end\nend\n",
	"d.rb": "f(<<~A, <<~B)\n  a\nA\n  end\nB\n",
	"c.cpp": "#include \"a.h\" /* a\n  (b) */\nint f(int a /* (b) */) {\n  throw A(a, \"b (c) d\");\n" +
		"  return c('(', a, \") \");\n}\nauto d = f(L'\\x40e', U'\\U0001f600');\n",
	"c.c": "#include \"a.h\" /* a\n  (b) */\nint a;\n",
	"c.kt": "val a = \"b ${\n  if (c) { \"${d}\" } else { \"(\" }\n}, ${'A' + e} ${f { \"${it.g}=${h}\" }}\"\n" +
		"val i = \"\"\"\n  ${\n    j(\"k\")\n  } l ${m ?: \"\"}\n\"\"\"\n",
	"c.py": "# a \\\nif a:\n    b = f\"{c!r:>{d}} {{e}} \\N{DASH}\" f'{g[\"}\"]}' + \"}\" + rf\"\"\"\n" +
		"{h:{i}.{j}} }}\"\"\"\nk = f\"{l({1: '}'})}}}\" if m else F'{n=}'\n",
	"b.hs":           "import A (f', g)\n",
	"b.lua":          "function f(...)\n  local a = ...\n  return a, ...\nend\n",
	"b.ex":           "if nil?(a) do\n  [?(, ?\", ?\\s]\nend\n",
	"b.cs":           "var a = \"\"\"\n  { \" 'b\n  \"\"\";\n",
	"b.kts":          "plugins {\n  `java-gradle-plugin`\n}\n",
	"c.ts":           "class A {\n  constructor(@B() private c: D) {}\n  @E() declare f: G;\n}\n",
	"CMakeLists.txt": "if(A AND (B OR C)) # (\n  set(D \"( ${E}\")\nendif()\n",
	"b.php":          "<?php\nf(<<<'EOT'\n  it's \"(\n  EOT, $a[1]);\n",
	"b.rs":           "macro_rules! a {\n  ($($b:tt)*) => { c($($b)*) };\n}\n",
	"a.vue": "<template>\n  <p :a=\"{b: 1}\">{{ c }}</p>\n</template>\n\n<script setup lang=\"ts\">\n" +
		"const a: number = 1\n</script>\n\n<style lang=\"scss\" scoped>\n.a { &:b { c: d } } // {\n</style>\n",
	"a.svelte": "<script>\n  $: a = $b\n</script>\n\n{#if a}<p on:click={() => f()}>(</p>{/if}\n\n<style>\n" +
		"  p { a: b }\n</style>\n",
	"a.ex": "defmodule A do\n  def f(a), do: \"x #{a} {\"\n  def g(a) do\n    Enum.map(a, fn b -> [b] end)\n" +
		"  end\nend\n",
	"a.hs":   "module A where\nf' :: Int -> [Int]\nf' a = g '(' \"{\" (a, [a]) -- }\n{- ( -}\n",
	"a.sql":  "-- (\nCREATE TABLE a (b VARCHAR(10) DEFAULT 'it''s (', [c] INT);\n",
	"a.scss": "// {\n.a { &:hover { b: url(x.png); c: map.get($d, \"{\"); } }\n",
	"a.py": "def f(a, b=[1]):\n    \"\"\"( { \"\"\"\n    s = f\"x {a['y']} (\" + '\\'' # [\n    if a:\n" +
		"        return (s,\n  b)\n" +
		"    else:\n        pass\n\ntry:\n    f(1)\nexcept E:\n    pass\n",
}

// notTold are small files, by name, of which nobody could say that they were damaged.
var notTold = map[string]string{
	"b.swift": "let a = \"\"\"\n  \\(b.c(d: \",\")) is \"*/*\".\n  \"\"\"\n",
	"a.bash":  "#!/bin/sh\n'''exec' \"/a b/python\" \"$0\" \"$@\"\n' '''\nimport re\nf(re.sub(r'(a)', \"\"))\n",
	"b.css":   "a {\n  *zoom: 1;\n}\n",
}

func TestAFileThatCannotBeToldHasNoFlaw(t *testing.T) {
	t.Parallel()
	for name, text := range notTold {
		require.Empty(t, Check(nil, name, nil, []byte(text)).Problems, name)
	}
}

func TestAFileThatIsWholeHasNoFlaw(t *testing.T) {
	t.Parallel()
	for name, text := range wholeFiles {
		require.Empty(t, Check(nil, name, nil, []byte(text)).Problems, name)
		crlf := strings.ReplaceAll(text, "\n", "\r\n")
		require.Empty(t, Check(nil, name, nil, []byte("\ufeff"+crlf)).Problems, name)
	}
}

func TestAFileThatWasFlawedIsNotReported(t *testing.T) {
	t.Parallel()
	before, after := []byte("int f() { g(; }\n"), []byte("int f() { g(; }}\n")
	require.Empty(t, Check(nil, "a.c", before, after).Problems)
	require.NotEmpty(t, Check(nil, "a.c", []byte("int f() {}\n"), after).Problems)
	require.NotEmpty(t, Check(nil, "a.c", nil, after).Problems)
}

func TestWhatIsWrongIsNamedWithItsLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		line       int
		message    string
	}{
		{"a.c", "int f() {\n  g(1;\n}\n", 3, `"}" where ")" should close the "(" of line 2`},
		{"a.c", "int f() {\n  g(1);\n", 1, `"{" is not closed`},
		{"a.c", "int f() {\n}\n}\n", 3, `"}" closes nothing`},
		{"a.c", "int a;\n/* b\nint c;\n", 2, "a comment is not closed"},
		{"a.c", "int a;\nb */ int c;\n", 2, "*/ ends no comment"},
		{"a.c", "char *s = \"a;\nint b;\n", 1, "a string is not closed at the end of its line"},
		{"a.c", "char c = 'a;\nint b;\n", 1, "a string is not closed: '"},
		{"a.cs", "var s = \"a;\nvar t = 1;\n", 1, "a string is not closed at the end of its line"},
		{"a.rs", "fn f() {\n  g(\"a);\n}\n", 2, `a string is not closed: "`},
		{"a.rb", "def a\n  b if c\nend\nend\n", 4, `"end" closes nothing`},
		{"a.rb", "a.each do |b|\n  if b\nend\n", 1, `"do" is not closed`},
		{"a.rb", "a = \"b\n", 1, `a string is not closed: "`},
		{"a.php", "<?php\n$a = [1;\n", 2, `"[" is not closed`},
		{"a.vue", "<template>\n</template>\n<script lang=\"ts\">\nconst a: number = (1\n</script>\n" +
			"", 4, "Expected \")\" but found end of file"},
		{"a.vue", "<style lang=\"scss\">\n.a { .b { c: d }\n</style>\n", 2, `"{" is not closed`},
		{"a.svelte", "<script>\nlet a = [\n</script>\n", 2, "Unexpected end of file"},
		{"Makefile", "A = 1\nB = $(C\nD = $(E)\n", 2, `"$(" is not closed`},
		{"a.lua", "if a then\n  b()\n", 1, `"if" is not closed`},
		{"a.lua", "repeat\n  b()\nend\n", 3, `"end" does not close the "repeat" of line 1`},
		{"a.lua", "a = 1\nend\n", 2, `"end" closes nothing`},
		{"a.ex", "def f do\n  fn a -> a\nend\n", 1, `"do" is not closed`},
		{"a.py", "def f():\nreturn 1\n", 2, "an indented block is missing after line 1"},
		{"a.py", "if a:\n    b\nc:\n", 3, "an indented block is missing after this line"},
		{"a.py", "a = 1\n  b = 2\n", 2, "unexpected indentation"},
		{"a.py", "if a:\n    b\n  c\n", 3, "the indentation is that of no outer block"},
		{"a.py", "if a:\n    b\nc()\nelse:\n    d\n", 4, `"else" belongs to no statement before it`},
		{"a.py", "try:\n    b\nc()\n", 3, "the try of line 1 has neither except nor finally"},
		{"a.py", "try:\n    b\n", 2, "the try of line 1 has neither except nor finally"},
		{"a.py", "def f():\n    a\nreturn a\n", 3, "return outside of a function"},
		{"a.py", "a = f\"{b}}\"\n", 1, `"}" closes nothing in a formatted string`},
		{"a.py", "a = f'''\n{b:{c}} {{d}} {e\n}\n}'''\n", 4, `"}" closes nothing in a formatted string`},
		{"a.py", "@a\nb = 1\n", 1, "a decorator has nothing to decorate"},
	} {
		require.Equal(t, []Problem{{Syntax, c.line, c.message}}, Check(nil, c.name, nil, []byte(c.text)).Problems, c.text)
	}
}

func TestIndentationThatPythonAcceptsIsNoProblem(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"if a: b\nelse: c\n",
		"x = [\n  1,\n]\n",
		"if a and \\\n        b:\n    c\n",
		"def f():\n    '''a\nb'''\n    return 1\n",
		"class A:\n    # b\n# c\n    d = 1\n\n\n\tpass\n",
		"\tif a:\n\t    b\n",
		"for a in b:\n    c\nelse:\n    d\nwhile a:\n    b\nelse:\n    c\n",
		"try:\n    a\nexcept B:\n    c\nelse:\n    d\nfinally:\n    e\n",
		"@a\n@b(1)\nasync def f():\n    return 1\n",
		"async def f():\n    async for a in b:\n        c\n    else:\n        return d\n",
		"match a:\n    case {'b': 1}:\n        c\n    case _:\n        d\n",
		"a = b if c else (\n  d)\n",
		"if a:\n    b\n\f\nc = 1\n",
		"l = lambda: 1\nd = {1:\n  2}\n",
		"",
	} {
		if strings.HasPrefix(text, "\t") { // the first line is not indented
			text = "x:\n" + text
		}
		require.Empty(t, Check(nil, "a.py", nil, []byte(text)).Problems, text)
	}
}
