package match

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/meter"
)

// Files and blocks of equal or nearly equal lines are the worst case of a naive search: it compares every line of find
// at every line of the file.
func TestFindingAMatchTakesLinearTime(t *testing.T) {
	t.Parallel()
	same := func(n int) string { return strings.Repeat("x = 1\n", n) }
	for story, find := range map[string]func(n int) string{
		"the last line differs":   func(n int) string { return same(n/2) + "y = 2\n" },
		"the first line differs":  func(n int) string { return "y = 2\n" + same(n/2) },
		"a line within differs":   func(n int) string { return same(n/4) + "y = 2\n" + same(n/4) },
		"all lines are the same":  func(n int) string { return same(n / 2) },
		"all but the indentation": func(n int) string { return strings.Repeat("    x = 1\n", n/2) + "y = 2\n" },
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			for _, n := range []int{400, 4_000, 40_000} {
				w := meter.Of(meter.Default)
				file, p := File{Text: text.New(w, []byte(same(n)))}, patternOf(find(n), "x = 2")
				opening := w.Spent()
				loc := LocateUpTo(block.LevelFuzzyContext, file, p, nil)
				require.NotEmpty(t, loc.Reason)
				spent := w.Spent() - opening
				require.GreaterOrEqual(t, spent, n/2, "the work of a search is counted")
				require.LessOrEqual(t, spent, 20*(n+len(p.Find)), "%d lines", n)
			}
		})
	}
}

// A byte order mark at the start of a file is no part of its first line. Anywhere else, it is content.
func TestAByteOrderMarkOfABlockIsThatOfTheFile(t *testing.T) {
	t.Parallel()
	for file, first := range map[string]int{
		text.BOM + "x = 1\ny = 2\n":             0,
		"y = 2\n" + text.BOM + "x = 1\nx = 1\n": 1,
	} {
		f := File{Text: text.New(nil, []byte(file))}
		l := Locate(f, block.Block{Find: []string{text.BOM + "x = 1"}, Replace: []string{text.BOM + "x = 3"}}, nil)
		require.Empty(t, l.Reason, "%q", file)
		require.Equal(t, block.LevelExact, l.Level, "%q", file)
		require.Equal(t, first, l.Match.First(), "%q", file)
		f.Splice(l.Match.Edits)
		require.Equal(t, strings.Replace(file, text.BOM+"x = 1", text.BOM+"x = 3", 1), string(f.Bytes()))
	}
}

// Whatever a search is at when the work ends, it says so, or has found what it finds with any amount of work.
func TestASearchEndsWithItsWork(t *testing.T) {
	t.Parallel()
	const content = "package a\n\nfunc one() int {\n\tfirst(1)\n\tsecond(2)\n\treturn 1\n}\n\n" +
		"func two() int {\n\treturn 2\n}\n"
	for _, c := range []struct{ find, repl string }{
		{"\treturn 2", "\treturn two"},
		{"return 2", "return two"},
		{"func one() int {\n\tzero(0)\n\tfirst(1)\n\tthird(3)\n\tsecond(2)", "func one() int {\n\tzero(0)\n\tsecond(2)"},
		{"1 | class Three:\n2 |    pass", "1 | x"},
		{"func zwei() int {\n\treturn 3", "func two() int {\n\treturn 2\n}"},
	} {
		search := func(w *meter.Work) (Location, int, bool) {
			f := File{Text: text.New(nil, []byte(content)), Path: "a.go"}
			f.Work = w
			p := patternOf(c.find, c.repl)
			l := Locate(f, block.Block{Find: p.Find, Replace: p.Replace}, nil)
			line, ok := l.Replaced()
			return l, line, ok
		}
		all := meter.Of(meter.Default)
		want, line, ok := search(all)
		for units := range all.Spent() {
			w := meter.Of(units)
			got, l, is := search(w)
			if w.UsedUp() {
				continue
			}
			require.Equal(t, want.Reason, got.Reason, "%d units for %q", units, c.find)
			require.Equal(t, want.Match.Edits, got.Match.Edits)
			require.Equal(t, []any{line, ok}, []any{l, is})
		}
	}
}
