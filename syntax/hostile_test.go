package syntax_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/meter"
	"github.com/tenon-bot/tenon/syntax"
)

// Without a bound on nesting, most of these end the process: a stack that is full cannot be recovered from. The others
// take minutes.
func TestWhatIsNestedTooDeepIsNotParsed(t *testing.T) {
	t.Parallel()
	for path, units := range map[string][]string{
		"a.go":         {"package p; var x = " + strings.Repeat("(", 1000), "func() {"},
		"a.js":         {"(", "[", "{", "- ", "!", "a=>", "a:", "a?b:", "`${", "do ", "new ", "var a;", "if(a){/*)}*/"},
		"a.ts":         {"f<", "let a:[", "type T=(", "a as [", "namespace a{/*}*/"},
		"a.tsx":        {"<a>", "<a b={", "({/*)}*/"},
		"a.css":        {"a{", "(", "@media a{", ":not(", "a{/*}*/"},
		"a.toml":       {"a=[", "[", "{a=", "[#]\n"},
		"a.sh":         {"(", "$(", "((-", "${a:-", "if ", "{ ", "(#)\n"},
		"a.tf":         {"a {\n", "(", "-", "[", "${", "a::", "a {#}\n"},
		"a.proto":      {"message a {", "{a:", "[", "message a {/*}*/"},
		"a.gotmpl":     {"{{if .a}}", "{{(", "{{.a}}{{with .b}}"},
		"Dockerfile":   {"RUN $(", "RUN if a; then ", "FROM a\nRUN ((\\\n"},
		"package.json": {"[", `{"a":`},
		"a.yaml":       {"- ", "[", "{a: ", "? "},
		"a.xml":        {"<a>", "<!DOCTYPE a [<"},
	} {
		for _, unit := range units {
			t.Run(path+"/"+unit, func(t *testing.T) {
				t.Parallel()
				for _, size := range []int{30 << 10, 255 << 10} {
					text := []byte(strings.Repeat(unit, size/len(unit)))
					for _, p := range syntax.Check(nil, path, nil, text).Problems {
						require.LessOrEqual(t, len(p.Message), 200)
					}
				}
			})
		}
	}
}

// Without their bounds, each of these takes minutes and gigabytes: it copies what came before at each repetition.
func TestWhatRepeatsTooOftenIsNotChecked(t *testing.T) {
	t.Parallel()
	brackets := strings.Repeat("(", 60_000)
	for path, text := range map[string]string{
		"a.c":      brackets + strings.Repeat("\n#if a\n#else", 10_000),
		"a.vue":    strings.Repeat("<style>\n</style>\n", 50_000),
		"a.toml":   many("k%d = 1\n", 3_000) + "x = [\n",
		"b.toml":   many("[t%d]\n", 7_000) + "x = [\n",
		"a.svelte": strings.Repeat("<style>\n</style>\n", 10) + "<script>\nlet a = [\n</script>\n",
	} {
		require.Empty(t, syntax.Check(nil, path, nil, []byte(text)).Problems, path)
	}
	declared := strings.Repeat("const a = { b: 1, c: [2] };\n", 8_000)
	require.Empty(t, syntax.Check(nil, "a.ts", nil, []byte(declared)).Problems)
	require.NotEmpty(t, syntax.Check(nil, "a.ts", nil, []byte(declared[:len(declared)/10])).Problems)
	sections := strings.Repeat("<style>\n</style>\n", 9)
	require.NotEmpty(t, syntax.Check(nil, "a.svelte", nil, []byte(sections+"<script>\nlet a = [\n</script>\n")).Problems)
}

// many returns a text that repeats a line with a number in it.
func many(line string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, line, i)
	}
	return b.String()
}

// A parser cannot be interrupted, so what it may cost is known before it begins.
func TestWhatCannotBeAffordedIsNotParsed(t *testing.T) {
	t.Parallel()
	for path, c := range map[string]struct{ line, broken string }{
		"a.ts":   {"let v%d = 1;\n", "f(;\n"},
		"a.js":   {"let a; /* %d */" + strings.Repeat(" let a;", 12) + "\n", "f(;\n"},
		"a.css":  {".a%d { b: c }\n", ".a {\n"},
		"a.yaml": {"k%d: [a, b]\n", "k: [\n"},
		"a.py":   {"def f%d(a): return a\n", "f(\n"},
		"a.go":   {"var v%d = 1\n", "var (\n"},
	} {
		text := many(c.line, 16<<10/len(c.line))
		if path == "a.go" {
			text = "package p\n" + text
		}
		w := meter.Of(meter.Default)
		if path == "a.js" {
			require.Empty(t, syntax.Check(w, path, nil, []byte(strings.Repeat(text, 4)+c.broken)).Problems)
			require.Less(t, w.Spent(), meter.Default/20)
			continue
		}
		enough := meter.Of(1 << 40)
		require.NotEmpty(t, syntax.Check(enough, path, []byte(text), []byte(text+c.broken)).Problems, path)
		few := meter.Of(enough.Spent() / 3)
		require.Empty(t, syntax.Check(few, path, []byte(text), []byte(text+c.broken)).Problems, path)
		require.Less(t, few.Spent(), enough.Spent()/2, path)
	}
}

// Each alias doubles what it stands for: written out, the last one has 2^40 items.
func TestAliasesOfYAMLAreNotWrittenOut(t *testing.T) {
	t.Parallel()
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 x\n")
	for n := range 40 {
		fmt.Fprintf(&bomb, "a%d: &a%d [*a%d, *a%d]\n", n+1, n+1, n, n)
	}
	require.Empty(t, syntax.Check(nil, "a.yaml", nil, []byte(bomb.String())).Problems)
}

func TestWhatIsNotTextOrTooLargeIsNotChecked(t *testing.T) {
	t.Parallel()
	good := []byte("{}")
	for name, after := range map[string]string{
		"too large":    `{"a": [` + strings.Repeat(" ", syntax.MaxBytes),
		"binary":       "{\x00",
		"not UTF-8":    "{\xff",
		"blank":        " \n\n",
		"another kind": "{",
	} {
		path := "a.json"
		if name == "another kind" {
			path = "a.unknown"
		}
		require.Empty(t, syntax.Check(nil, path, good, []byte(after)).Problems, name)
	}
	require.NotEmpty(t, syntax.Check(nil, "a.json", good, []byte("{")).Problems)
}

func TestAMessageIsOneShortLine(t *testing.T) {
	t.Parallel()
	for path, after := range map[string]string{
		"a.go":   "package p\n\nvar " + strings.Repeat("é", 300) + "\n x y",
		"a.js":   "a " + strings.Repeat("é", 300),
		"a.json": "{\"a\":\n\u2028}",
		"a.yaml": "a: 'b\n" + strings.Repeat("é", 300),
		"a.tf":   "a = b " + strings.Repeat("é", 300),
	} {
		problems := syntax.Check(nil, path, nil, []byte(after)).Problems
		require.Len(t, problems, 1, path)
		require.LessOrEqual(t, len(problems[0].Message), 200, path)
		require.True(t, utf8.ValidString(problems[0].Message), path)
		require.NotContains(t, problems[0].Message, "\n", path)
	}
}

func FuzzCheck(f *testing.F) {
	for _, c := range parserCases {
		f.Add(c.path, c.good, c.good)
		for _, d := range c.damages {
			f.Add(c.path, c.good, strings.Replace(c.good, d.old, d.new, 1))
		}
	}
	f.Fuzz(func(t *testing.T, path, before, after string) {
		result := syntax.Check(nil, path, []byte(before), []byte(after))
		require.Contains(t, append(unchecked, ""), result.Unchecked)
		for _, p := range result.Problems {
			require.NotZero(t, p.Kind)
			require.NotEmpty(t, p.Message)
			require.LessOrEqual(t, len(p.Message), 200)
			require.False(t, strings.ContainsAny(p.Message, "\r\n"))
			require.GreaterOrEqual(t, p.Line, 1)
			require.LessOrEqual(t, p.Line, strings.Count(after, "\n")+1)
		}
		require.Empty(t, syntax.Check(nil, path, []byte(after), []byte(after)).Problems,
			"what was there before is no problem")
		require.Equal(t, result, syntax.Check(nil, path, []byte(before), []byte(after)), "the same twice")
	})
}
