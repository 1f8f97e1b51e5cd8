package pattern_test

import (
	"testing"
	"time"

	"github.com/dlclark/regexp2/v2"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/syntax/lexer/pattern"
)

// requireSame compares what we find at each position of a text with what regexp2 finds, if few steps are enough.
func requireSame(t *testing.T, expression, text string) {
	if _, err := pattern.Compile(expression); err != nil {
		return
	}
	expression = `\G(?:` + expression + `)`
	ours, err := pattern.Compile(expression)
	if err != nil {
		return
	}
	theirs, err := regexp2.Compile(expression)
	require.NoError(t, err)
	theirs.MatchTimeout = 100 * time.Millisecond // it may try what we see cannot match
	runes := []rune(text)
	for pos := range len(runes) + 1 {
		m := pattern.Matcher{Steps: 20_000}
		ok, known := m.Match(ours, runes, pos)
		if !known {
			return
		}
		match, err := theirs.FindRunesMatchStartingAt(runes, pos)
		if err != nil {
			return
		}
		require.Equal(t, match != nil, ok, "%s at %d of %q", expression, pos, text)
		if !ok {
			continue
		}
		require.Equal(t, match.GroupCount(), ours.Groups())
		for i, group := range match.Groups() {
			start, end := m.Group(i)
			if len(group.Captures) == 0 {
				require.Negative(t, start, "group %d of %s at %d of %q", i, expression, pos, text)
				continue
			}
			require.Equal(t, []int{group.RuneIndex, group.RuneIndex + group.RuneLength}, []int{start, end},
				"group %d of %s at %d of %q", i, expression, pos, text)
		}
	}
}

func FuzzPattern(f *testing.F) {
	for expression, text := range map[string]string{
		`(?m)^(a|b)*?$`:                        "ab\nba\n",
		`(?i)(["']?)(\w+)\1(?!x)`:              "'Ab' \"É\"",
		`(?s)/\*(?:.|\n)*?\*/`:                 "/* a */ */",
		`(?<=a{1,2}(b?))c|(?<!a)\b[^\s]{2,}?`:  "aabc dé",
		`(?>a+|b)(?:(c)|(d)){0,3}\z`:           "aacdc",
		`(?:(a)?b??){2,4}(?=\2)(?<n>.)\k<n>\Z`: "abab",
	} {
		f.Add(expression, text)
	}
	f.Fuzz(func(t *testing.T, expression, text string) {
		if len(expression) < 100 && len(text) < 100 {
			requireSame(t, expression, text)
		}
	})
}
