package syntax_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/meter"
	"github.com/tenon-bot/tenon/syntax"
	"github.com/tenon-bot/tenon/syntax/lexer"
)

// unchecked are all reasons why a file is not checked.
var unchecked = []syntax.Unchecked{
	syntax.TooLarge, syntax.TooCostly, syntax.Undecided, syntax.BrokenBefore, syntax.NotText, syntax.NoParser,
}

func TestAFileThatIsNotCheckedSaysWhy(t *testing.T) {
	t.Parallel()
	lines := func(n int) string { return strings.Repeat("\n", n) }
	for _, c := range []struct {
		path, before, after string
		want                syntax.Unchecked
	}{
		{"a.json", "[1]", "[1,", ""},
		{"a.json", "[1,", "[1]", ""},
		{"a.json", "[1]", " \n", ""},
		{"a.txt", "a", " \n", ""},
		{"a.py", "", "f()\n", ""},
		{"a.vue", "", "<script>\nlet a = 1\n</script>\n", ""},
		{"a.vue", "", "<script>\nlet a = 1\n</script>\n<style>\n\n</style>\n", ""},
		{"a.html", "", "{{ .A }}", ""},

		{"a.json", "[1]", "[1]" + lines(syntax.MaxBytes), syntax.TooLarge},
		{"a.json", "[1]" + lines(syntax.MaxBytes), "[1]", syntax.TooLarge},
		{"a.txt", "a", "a" + lines(syntax.MaxBytes), syntax.TooLarge},
		{"a.go", "", "package a\n" + lines(512<<10), syntax.TooLarge},
		{"a.go", "package a\n" + lines(512<<10), "package\n", syntax.TooLarge},
		{"a.py", "", "a = 1\n" + lines(lexer.MaxText), syntax.TooLarge},
		{"a.py", "a = 1\n" + lines(lexer.MaxText), "a = (\n", syntax.TooLarge},
		{"a.vue", "", "<script>\n</script>\n" + lines(256<<10), syntax.TooLarge},

		{"a.go", "", "package a\nvar a = " + strings.Repeat("(", 1000), syntax.TooCostly},
		{"a.go", "package a\nvar a = " + strings.Repeat("(", 1000), "package\n", syntax.TooCostly},
		{"a.c", "", strings.Repeat("(", 60_000), syntax.TooCostly},
		{"a.vue", "", "<style lang=styl>\na\n</style>\n<script>\n" + strings.Repeat("a=1\n", 20_000) + "</script>\n",
			syntax.TooCostly},
		{"a.svelte", "", strings.Repeat("<style>\na {}\n</style>\n", 20), syntax.TooCostly},

		{"a.yaml", "", "a: {{ b }}\n", syntax.Undecided},
		{"a.zsh", "", "for a (b) { c }\n", syntax.Undecided},
		{"template/a.go", "", "package {{ .Name }}\n", syntax.Undecided},
		{"testdata/a.go", "", "package\n", syntax.Undecided},
		{"a.swift", "", "let a = \"\"\"\n", syntax.Undecided},
		{"a.vue", "", "<style>\na {}\n</style>\n<script>\nlet a = {{ b }}\n</script>\n", syntax.Undecided},
		{"a.vue", "<script>\na\n</script>\n", "<script>\na\n</script>\n<style>\na {}\n</style>\n", syntax.Undecided},

		{"a.json", "[1,", "[2,", syntax.BrokenBefore},
		{"a.py", "f(\n", "g(\n", syntax.BrokenBefore},

		{"a.json", "", "[\xff]", syntax.NotText},
		{"a.json", "", "[\x00]", syntax.NotText},
		{"a.py", "", "f(\xff)\n", syntax.NotText},

		{"a.txt", "", "a", syntax.NoParser},
		{"README.md", "", "# a\n", syntax.NoParser},
		{"a.unknown", "", "a\n", syntax.NoParser},
		{"a.html", "", "<p>{% if a %}", syntax.NoParser},
		{"a.zig", "", "const a = 1;\n", syntax.NoParser},
		{"a.vue", "", "<template>\n<p>a</p>\n</template>\n", syntax.NoParser},
		{"a.vue", "", "<template>\n</template>\n<script>\nlet a = 1\n</script>\n", syntax.NoParser},
		{"a.vue", "", "<script\n  lang=\"ts\">\nlet a = [1\n</script>\n<style>\na {}\n</style>\n", syntax.Undecided},
		{"a.vue", "", "<script>let a = [1</script>\n<style>\na {}\n</style>\n", syntax.Undecided},
		{"a.vue", "", "<style>\na {}\n</style>\n<script>\nlet a = [1\n", syntax.Undecided},
		{"a.vue", "<script>\nlet a = [1\n</script>\n<style>\na {}\n</style>\n",
			"<script>\nlet a = [1\n</script>\n<style>\n" + strings.Repeat("a{\n", 30_000) + "</style>\n", syntax.TooCostly},
		{"a.vue", "", "<style lang=styl>\na\n</style>\n<script>\nlet a = 1\n</script>\n", syntax.NoParser},
	} {
		r := syntax.Check(nil, c.path, []byte(c.before), []byte(c.after))
		require.Equal(t, c.want, r.Unchecked, "%s: %.40q", c.path, c.after)
		if c.want != "" {
			require.Empty(t, r.Problems, "%s: %.40q", c.path, c.after)
		}
	}
}

func TestAFileForWhichNotEnoughWorkIsLeftSaysSo(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"a.json", "a.py", "a.txt"} {
		r := syntax.Check(meter.Of(100), path, nil, []byte(strings.Repeat("[\n", 3000)))
		require.Equal(t, syntax.Result{Unchecked: syntax.TooCostly}, r, "%s is not even read", path)
	}
	for path, text := range map[string]string{"a.json": "[\n", "a.py": "f(\n"} {
		r := syntax.Check(meter.Of(1100), path, nil, []byte(strings.Repeat("\n", 3000)+text))
		require.Equal(t, syntax.Result{Unchecked: syntax.TooCostly}, r, "%s is read, and not parsed", path)
	}
}

// Markers are found by their lines: no parser is needed for that.
func TestAFileThatIsNotCheckedMayHaveProblems(t *testing.T) {
	t.Parallel()
	r := syntax.Check(nil, "a.unknown", []byte("a\n"), []byte("a\n<<<<<<< HEAD\n"))
	require.Len(t, r.Problems, 1)
	require.Equal(t, syntax.NoParser, r.Unchecked)
}
