package retrieve

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
)

// divided returns a file of which the pieces are ranked by a text.
func divided(name, text, query string) dividedFile {
	f := dividedFile{path: name, outline: lexical.Outline(name, []byte(text))}
	f.weights = lexical.NewQuery("", query).Weights()
	if text != "" {
		f.lines = splitLines(text)
	}
	return f
}

// all are all lines of a file.
func (f dividedFile) all() markdown.Ranges { return markdown.Ranges{{0, len(f.lines)}} }

// longFunction is a function in Python of n paragraphs, each of some lines and a blank one.
func longFunction(name string, paragraphs, lines int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "def %s():\n", name)
	for i := range paragraphs {
		for j := range lines - 1 {
			fmt.Fprintf(&b, "    %s_%d = %d\n", name, i, j)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestPiecesBeginAtDefinitionsWithWhatIsAboveThem(t *testing.T) {
	t.Parallel()
	text := "import os\n" + strings.Repeat("x = 1\n", 10) + // 11 lines
		"\n# Turns the work piece.\n@traced\n@retried(3)\n" + longFunction("turn", 1, 12) + // from line 13
		"def tiny():\n    pass\n\n" + // too short for a piece of its own
		longFunction("stop", 1, 12)
	for name, text := range map[string]string{"LF": text, "CRLF": strings.ReplaceAll(text, "\n", "\r\n")} {
		f := divided("a.py", text, "")
		bounds := pieces(f.lines, f.outline)
		require.Equal(t, []int{0, 12, 28, len(f.lines)}, bounds, name)
		require.Contains(t, f.lines[12], "# Turns", name)
		require.Contains(t, f.lines[28], "def tiny", "%s: a short definition is in one piece with the next", name)
	}
}

func TestLongFunctionsAreDividedAtBlankLines(t *testing.T) {
	t.Parallel()
	f := divided("a.py", longFunction("turn", 10, 14), "")
	bounds := pieces(f.lines, f.outline)
	require.Equal(t, []int{0, 57, 113, 141}, bounds)
	for _, at := range bounds[1 : len(bounds)-1] {
		require.Equal(t, "\n", f.lines[at-1], "a piece ends with a blank line")
	}
	f = divided("a.txt", numbered("no blank line", 150), "")
	require.Equal(t, []int{0, 60, 120, 150}, pieces(f.lines, f.outline), "or else where it is too long")
	require.Equal(t, []int{0}, pieces(nil, nil), "a file without lines has no pieces")
}

func TestTheBestPiecesAreNotMerelyTheFirst(t *testing.T) {
	t.Parallel()
	text := longFunction("load", 4, 13) + longFunction("turn", 4, 13) + longFunction("stop", 4, 13)
	f := divided("a.py", text, "it cannot stop")
	require.Equal(t, markdown.Ranges{{106, 159}}, f.best(nil, f.all(), 3000))
	require.Empty(t, f.best(nil, f.all(), 300), "a piece is shown whole or not at all")
	require.Empty(t, divided("a.py", text, "nothing of this").best(nil, f.all(), 3000))
	require.Equal(t, markdown.Ranges{{20, 30}, {106, 159}}, f.best(markdown.Ranges{{20, 30}}, f.all(), 3000))
	require.Equal(t, markdown.Ranges{{20, 30}}, f.best(markdown.Ranges{{20, 30}}, f.all(), 10),
		"what must be shown is, whatever the room")
}

func TestPiecesAreOnlyRankedAmongSomeLines(t *testing.T) {
	t.Parallel()
	f := divided("a.py", longFunction("stop", 4, 13)+longFunction("turn", 4, 13)+longFunction("stop", 4, 13), "stop")
	both := f.best(nil, f.all(), 6000)
	require.Equal(t, markdown.Ranges{{0, 53}, {106, 159}}, both)
	require.Equal(t, markdown.Ranges{{106, 159}}, f.best(nil, without(f.all(), markdown.Ranges{{0, 53}}), 6000))
	require.Equal(t, markdown.Ranges{{30, 53}, {106, 140}}, f.best(nil, markdown.Ranges{{30, 140}}, 6000),
		"of a piece that is not wholly among them, the part that is")
}

// A gap of a few lines is shown with what is on either side: but not one with a line of a megabyte.
func TestGapsAreClosedOnlyWithinTheRoom(t *testing.T) {
	t.Parallel()
	gap := func(line string) dividedFile {
		return divided("a.txt", strings.Repeat("before\n", 10)+line+"\n"+strings.Repeat("after\n", 10), "")
	}
	must := markdown.Ranges{{0, 10}, {11, 21}}
	f := gap("between")
	require.Equal(t, markdown.Ranges{{0, 21}}, f.best(must, f.all(), 400))
	require.Equal(t, must, f.best(must, must, 400), "the line between is not asked for")
	f = gap(strings.Repeat("x", 1<<20))
	require.Equal(t, must, f.best(must, f.all(), 400))
	require.Equal(t, markdown.Ranges{{0, 21}}, f.best(must, f.all(), 2<<20))
}

func TestAFileOfOneHugeLineHasNoPieceThatFits(t *testing.T) {
	t.Parallel()
	huge := strings.Repeat("turn stop ", 100_000)
	f := divided("a.js", huge, "turn stop")
	require.Empty(t, f.best(nil, f.all(), 90_000))
	require.Empty(t, f.first(90_000))
	f = divided("a.js", numbered("turn", 59)+huge+"\n"+numbered("turn", 60), "turn")
	require.Equal(t, markdown.Ranges{{60, 120}}, f.best(nil, f.all(), 90_000), "the others are shown")
}

func FuzzPieces(f *testing.F) {
	f.Add("a.py", longFunction("turn", 12, 9), "turn", 3000, 5, 9, 20, 100)
	f.Add("a.go", "package a\r\n\r\n// x\r\nfunc x() {\r\n}\r\n", "x", 40, 0, 1, 0, 6)
	f.Add("a.md", "# x\n\n"+strings.Repeat("turn ", 500)+"\nturn\n", "turn", 200, 1, 2, 1, 3)
	f.Add("a.txt", "", "", 0, 0, 0, 0, 0)
	f.Fuzz(func(t *testing.T, name, text, query string, room, from, to, first, last int) {
		if len(text) > 50_000 || len(name) > 300 || room < -1<<30 || room > 1<<30 {
			return
		}
		d := divided(name, text, query)
		cut := func(a, b int) markdown.Ranges {
			a, b = max(0, min(a, len(d.lines))), max(0, min(b, len(d.lines)))
			if a >= b {
				return nil
			}
			return markdown.Ranges{{a, b}}
		}
		bounds := pieces(d.lines, d.outline)
		require.Equal(t, 0, bounds[0])
		require.Equal(t, len(d.lines), bounds[len(bounds)-1])
		for i := range len(bounds) - 1 {
			require.Less(t, bounds[i], bounds[i+1])
			require.LessOrEqual(t, bounds[i+1]-bounds[i], maxPiece+minPiece)
		}
		must, among := cut(from, to), cut(first, last)
		shown := d.best(must, among, room)
		for i, r := range shown {
			require.Less(t, r[0], r[1])
			require.LessOrEqual(t, r[1], len(d.lines))
			require.True(t, i == 0 || shown[i-1][1] < r[0], "in order and apart: %v", shown)
		}
		for _, r := range must {
			require.True(t, contains(shown, r), "%v must be shown, not only %v", r, shown)
		}
		require.Empty(t, without(shown, markdown.MergeRanges(slices.Concat(must, among))), "nothing else is shown")
		require.LessOrEqual(t, d.costAll(shown), max(room, d.costAll(must)))
		require.LessOrEqual(t, d.costAll(d.first(room)), max(0, room))
	})
}
