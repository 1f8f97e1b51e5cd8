package view

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// marked returns the lines of a diff with brackets around what is marked.
func marked(d Diff) (out []string) {
	for _, h := range d.Hunks {
		for _, l := range h.Lines {
			text, from := string(l.Kind), 0
			for _, m := range l.Marks {
				text, from = text+l.Text[from:m[0]]+"["+l.Text[m[0]:m[1]]+"]", m[1]
			}
			out = append(out, text+l.Text[from:])
		}
	}
	return out
}

func TestTheWordsThatChangedAreMarked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		diff string
		want []string
	}{
		"one word":      {"-return one, nil\n+return two, nil\n", []string{"-return [one], nil", "+return [two], nil"}},
		"an added word": {"-f(a, b)\n+f(ctx, a, b)\n", []string{"-f(a, b)", "+f([ctx, ]a, b)"}},
		"words in a row": {"-say the old words now\n+say a new thing now\n",
			[]string{"-say [the old words] now", "+say [a new thing] now"}},
		"two places": {"-for i := 0; i < n; i++ {\n+for j := 0; j < n; j++ {\n",
			[]string{"-for [i] := 0; [i] < n; [i]++ {", "+for [j] := 0; [j] < n; [j]++ {"}},
		"indentation":   {"-\treturn\n+\t\treturn\n", []string{"-[\t]return", "+[\t\t]return"}},
		"other letters": {"-süß = \"日本\"\n+süß = \"日本語\"\n", []string{"-süß = \"[日本]\"", "+süß = \"[日本語]\""}},
		"another line":  {"-import os\n+panic(\"unreachable\")\n", []string{"-import os", "+panic(\"unreachable\")"}},
		"only added":    {"+one\n+two\n", []string{"+one", "+two"}},
		"a line before": {"-x := compute(1)\n+// It is slow.\n+x := compute(2)\n",
			[]string{"-x := compute([1])", "+// It is slow.", "+x := compute([2])"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, marked(ParseDiff(c.diff)))
		})
	}
}

func TestALineThatReplacesAnotherIsBesideIt(t *testing.T) {
	t.Parallel()
	d := ParseDiff("@@ -1,3 +1,4 @@\n a\n-x := compute(1)\n-gone\n+// It is slow.\n+x := compute(2)\n b\n")
	var rows []string
	for _, row := range d.Hunks[0].Rows() {
		side := func(l *Line) string {
			if l == nil {
				return "-"
			}
			return l.Text
		}
		rows = append(rows, side(row.Left)+" | "+side(row.Right))
	}
	require.Equal(t, []string{"a | a", "- | // It is slow.", "x := compute(1) | x := compute(2)", "gone | -", "b | b"},
		rows)
}

// Whoever writes a reply chooses its lines: marking them takes time in proportion to their length.
func TestLongLinesAreMarkedWithinBounds(t *testing.T) {
	t.Parallel()
	words := func(w string) string { return strings.Repeat(w+" ", 20_000) }
	d := Diff{Hunks: []Hunk{{Lines: []Line{
		{Kind: Removed, Text: "same " + words("a") + "same"}, {Kind: Added, Text: "same " + words("b") + "same"}}}}}
	d.Mark()
	require.Empty(t, d.Hunks[0].Lines[0].Marks, "it is too long to be compared")

	all := Diff{Hunks: []Hunk{{}}}
	for range 20_000 {
		all.Hunks[0].Lines = append(all.Hunks[0].Lines, Line{Kind: Removed, Text: "some a"})
	}
	for range 20_000 {
		all.Hunks[0].Lines = append(all.Hunks[0].Lines, Line{Kind: Added, Text: "some b"})
	}
	all.Mark()
	require.NotEmpty(t, all.Hunks[0].Lines[0].Marks)
	require.Empty(t, all.Hunks[0].Lines[19_999].Marks, "what is beyond the bound is not marked")
	require.Len(t, all.Hunks[0].Rows(), 20_000)
}

func FuzzParseDiff(f *testing.F) {
	f.Add("@@ -1,3 +1,4 @@\n a\n-x := compute(1)\n-gone\n+// It is slow.\n+x := compute(2)\n b\n")
	f.Add("-\x00\xff\u202e\n+é\u0301\n… and 3 more lines\n")
	f.Fuzz(func(t *testing.T, text string) {
		d := ParseDiff(text)
		for _, h := range d.Hunks {
			left, right := 0, 0
			for _, l := range h.Lines {
				if l.Kind != Added {
					left++
				}
				if l.Kind != Removed {
					right++
				}
				end := 0
				for _, m := range l.Marks {
					require.True(t, end <= m[0] && m[0] < m[1] && m[1] <= len(l.Text), "%q: %v", l.Text, l.Marks)
					end = m[1]
				}
			}
			for _, row := range h.Rows() {
				if row.Left != nil {
					left--
				}
				if row.Right != nil {
					right--
				}
			}
			require.Zero(t, left)
			require.Zero(t, right)
		}
	})
}
