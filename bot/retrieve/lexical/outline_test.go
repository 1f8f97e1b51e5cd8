package lexical

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOutlines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"a.go": {"package a\n\nconst (\n\tOne = iota\n\tTwo\n)\n\ntype T struct {\n\tx int\n}\n\n" +
			"func (t *T) Run(x int) error {\n\treturn nil\n}\n",
			"4 One, 5 Two, 8 T, 12 Run"},
		"cut.go":  {"package a\n\nfunc One() {}\n\nfunc Two( {\n", "3 One, 5 Two"},
		"line.go": {"package a\n\n//line other.y:900\nfunc One() {}\n", "4 One"},
		"a.py": {"MAX = 3\n\nclass Cart:\n    async def add(self):\n        if x: pass\n\ndef total():\n" +
			"    pass\n",
			"1 MAX, 3 Cart, 4 add, 7 total"},
		"a.ts": {"export interface A {\n}\nexport default class B {\n" +
			"  private async run(x: number): Promise<void> {\n    if (x) {\n    }\n  }\n}\n" +
			"const c = () => 1;\nexport async function d() {}\n",
			"1 A, 3 B, 4 run, 9 c, 10 d"},
		"a.java": {"public final class Cart {\n    private int total(List<Item> x) throws IOException {\n" +
			"        return new Foo();\n    }\n}\n",
			"1 Cart, 2 total"},
		"a.kt": {"data class Cart(val x: Int)\nsuspend fun <T> total(): T {\n}\n", "1 Cart, 2 total"},
		"a.rs": {"pub(crate) struct S;\nimpl<T> Display for S {\n    pub async fn run(&self) {}\n}\n" +
			"macro_rules! m {}\n",
			"1 S, 2 S, 3 run, 5 m"},
		"a.cs": {"namespace Acme\n{\n    public sealed record Cart\n    {\n" +
			"        public async Task<int> Total(int x)\n        {\n",
			"1 Acme, 3 Cart, 5 Total"},
		"a.rb": {"module Shop\n  class Cart\n    def self.total?(x)\n", "1 Shop, 2 Cart, 3 total?"},
		"a.c": {"#define MAX 3\nstruct cart {\nstatic int\ntotal(int x)\nint add(struct cart *c, int x)\n{\n" +
			"  if (x) return add(c, 1);\n",
			"1 MAX, 2 cart, 5 add"},
		"a.php":   {"final class Cart {\n    public static function total($x) {\n", "1 Cart, 2 total"},
		"a.swift": {"@objc public class Cart {\n  func total() {}\n", "1 Cart, 2 total"},
		"a.sh":    {"build() {\nfunction test-all {\n", "1 build, 2 test-all"},
		"a.txt":   {"def x():\n", ""},
		"a.md":    {"# One\ntext\n## Two\n", "1 One, 3 Two"},
	} {
		var got []string
		for _, d := range Outline(name, []byte(c.text)) {
			got = append(got, strings.TrimSpace(strings.Join([]string{strconv.Itoa(d.Line), d.Name}, " ")))
		}
		require.Equal(t, c.want, strings.Join(got, ", "), name)
	}
}

func TestOutlinesAreBounded(t *testing.T) {
	t.Parallel()
	require.Len(t, Outline("a.py", []byte(strings.Repeat("def x():\n", 5000))), maxDefinitions)
	require.Len(t, Outline("a.go", []byte("package a\n"+strings.Repeat("var x int\n", 5000))), maxDefinitions)
	require.Empty(t, Outline("a.py", []byte("def x("+strings.Repeat(" ", maxDefinitionLine)+"):\n")))
	list := Outline("a.py", []byte("def x("+strings.Repeat("ä", 140)+")\n"))
	require.LessOrEqual(t, len(list[0].Text), maxDefinitionBytes+len("…"))
}

// Regular expressions take long, so how much of a file they read is bounded, whether it defines something or not.
func TestHowMuchOfAFileIsMatchedIsBounded(t *testing.T) {
	t.Parallel()
	type hostile struct{ fails, defines string }
	for name, c := range map[string]hostile{
		"a.java": {
			"  " + strings.Repeat("public ", 40) + "a b c(x\n", "  " + strings.Repeat("public ", 40) + "a b(x\n",
		},
		"a.js":    {"  " + strings.Repeat("public ", 40) + "a(x)({\n", "  " + strings.Repeat("public ", 40) + "a(x){\n"},
		"a.c":     {strings.Repeat("a ", 140) + ",(\n", strings.Repeat("a ", 140) + "b(\n"},
		"a.swift": {strings.Repeat("@a ", 90) + "\n", strings.Repeat("@a ", 90) + "func a\n"},
		"a.rs":    {"pub " + strings.Repeat("unsafe ", 40) + "\n", "pub " + strings.Repeat("unsafe ", 40) + "fn a\n"},
	} {
		for _, size := range []int{40_000, 100_000, MaxBytes} {
			matched := minMatched + size/matchedShare
			text := strings.Repeat(c.defines, size/len(c.defines))
			require.LessOrEqual(t, len(Outline(name, []byte(text))), matched/len(c.defines), name)
			require.LessOrEqual(t, len(NewDocument(name, []byte(text)).defined), matched/len(c.defines), name)

			few := strings.Repeat(c.fails, (matched/2-len(c.defines))/len(c.fails))
			require.Len(t, Outline(name, []byte(few+c.defines+strings.Repeat("\n", size/2))), 1, name)
			text = strings.Repeat(c.fails, size/len(c.fails)) + c.defines
			require.Empty(t, Outline(name, []byte(text)), name)
		}
	}
}

// Files of nothing but definitions are ordinary if they are small; if they are large, most of their lines are others.
func TestAllDefinitionsOfAnOrdinaryFileAreFound(t *testing.T) {
	t.Parallel()
	require.Len(t, Outline("a.py", []byte(strings.Repeat("STATUS_OF_A_GEAR = 1\n", 250))), 250)
	method := "    public int total(List<Item> items) {\n" +
		strings.Repeat("        total += one.price(two);\n", 4) + "    }\n\n"
	require.Len(t, Outline("a.java", []byte(strings.Repeat(method, 1500))), 1500)
}
