package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnExplanationIsShownInThreeSentences(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Many words ", 80)
	for text, want := range map[string][2]string{
		"":                                   {"", ""},
		"It was lost.":                       {"It was lost.", ""},
		"One. Two.\n\nThree.":                {"One. Two. Three.", ""},
		"One. Two.\n\nThree. Four.\n\nFive.": {"One. Two. Three.", "Four.\n\nFive."},
		"It is lost, e.g. `a. B.` here. So.": {"It is lost, e.g. `a. B.` here. So.", ""},
		"## What is wrong\n\nIt was lost.":   {"It was lost.", ""},
		"It does two things:\n\n- one\n- two\n\nAnd so on.": {"It does two things:\n\n- one\n- two", "And so on."},
		"It was lost.\n\n## Why\n\nSo.":                     {"It was lost.", "**Why**\n\nSo."},
		"It does this:\n\n- a\n\nSo it is.":                 {"It does this:\n\n- a\n\nSo it is.", ""},
		"- one\n- two":                                      {"- one\n- two", ""},
		"One. Two. It is this:\n\n- a\n- b":                 {"One. Two. It is this:\n\n- a\n- b", ""},
		"One. Two. Three.\n\n- a\n- b":                      {"One. Two. Three.", "- a\n- b"},
		"One.\n\n```go\nx := 1\n```\n\nTwo.":                {"One.", "```go\nx := 1\n```\n\nTwo."},
		"```go\nx := 1\n```":                                {"", "```go\nx := 1\n```"},
		"- " + strings.Repeat("x ", 9) + "\n- b\n- c\n- d":  {"", "- " + strings.Repeat("x ", 8) + "x\n- b\n- c\n- d"},
		"One. " + long + ". Two.":                           {"One.", strings.TrimSpace(long) + " . Two."},
		"One. Two. Three. 1. Four":                          {"One. Two. Three.", `1\. Four`},
		"See @maria. closes #1 now. <b>Two</b>. Three. Four": {"See `@maria`. closes `#1` now. `<b>Two</b>`. Three.",
			"Four"},
		"It <!-- tenon:run=x --> is. Two. Three. - [ ] four. Five": {"It is. Two. Three.", `\- ` + "`[` `]` four. Five"},
	} {
		first, rest := explanation(text)
		require.Equal(t, want, [2]string{first, rest}, "%q", text)
		page(t, first)
		page(t, rest)
	}
}
