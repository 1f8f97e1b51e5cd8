package text

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCharactersThatLookAlikeAreTheSame(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"say(“hi”)": "say(\"hi\")", "it’s": "it's", "a – b — c − d": "a - b - c - d", "a\u00a0b\u3000c": "a b c",
		"na\u00adme\u200b\ufeff": "name", "wait…": "wait...", "e\u0301": "é", "plain": "plain", "日本": "日本", "": "",
	} {
		require.Equal(t, want, Fold(s))
	}
}

func TestWhatAKindOfKeyIgnores(t *testing.T) {
	t.Parallel()
	const line = "\t “a” \r\f"
	for kind, want := range map[KeyKind]string{
		Exact: line, TrimRight: "\t “a”", TrimSpace: "“a”", FoldTrimRight: "\t \"a\"", FoldTrimSpace: "\"a\"",
	} {
		require.Equal(t, want, KeyOf(kind, line))
		require.Equal(t, []string{want, ""}, KeysOf(kind, []string{line, ""}))
	}
}

func TestABlankLineHasNothingToSee(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", " ", "\t\v\f\r ", "\u00a0\u3000"} {
		require.True(t, IsBlank(s), "%q", s)
	}
	for _, s := range []string{"a", " a", "é", "\x01", "\u200b"} {
		require.False(t, IsBlank(s), "%q", s)
	}
	lines := []string{"", " ", "a", "", "b", "\t"}
	require.Equal(t, []string{"a", "", "b"}, TrimBlank(lines))
	require.Empty(t, TrimBlank(lines[:2]))
	require.True(t, AllBlank(lines[:2]))
	require.False(t, AllBlank(lines))
	require.Equal(t, 2, FirstNonBlank(lines))
	require.Equal(t, 4, NextNonBlank(lines, 2, 1))
	require.Equal(t, 6, NextNonBlank(lines, 4, 1))
	require.Equal(t, -1, NextNonBlank(lines, 2, -1))
	require.Equal(t, NonBlank{[]string{"a", "b"}, []int{2, 4}}, NonBlankOf(Exact, lines))
}

func TestTheIndentationIsSpacesAndTabs(t *testing.T) {
	t.Parallel()
	require.Equal(t, " \t ", IndentOf(" \t a b"))
	require.Equal(t, "a b", TrimIndent(" \t a b"))
	require.Equal(t, "\fa", TrimIndent("\fa"))
	require.Equal(t, 2, MinIndent([]string{"    a", "", " \t", "  b"}))
	require.Equal(t, -1, MinIndent([]string{"", " "}))
	tabs, spaces := CountIndents([]string{"\ta", "\t", "  b", " * c", "d", "\t  e", "", "   "})
	require.Equal(t, 2, tabs)
	require.Equal(t, 1, spaces)
}

func TestALineOfASCIIIsToldByEveryByte(t *testing.T) {
	t.Parallel()
	for n := range 20 {
		s := strings.Repeat("x", n)
		require.True(t, IsASCII(s))
		for i := range n {
			require.False(t, IsASCII(s[:i]+"é"+s[i+1:]), "%d of %d", i, n)
		}
	}
}

func TestWordsAreNamesKeywordsAndNumbers(t *testing.T) {
	t.Parallel()
	words := func(s string) (all []string) {
		EachWord(s, func(w string) { all = append(all, w) })
		return all
	}
	require.Equal(t, []string{"a_b", "$x1", "naïve", "日本", "12"}, words("a_b($x1)+naïve.日本 12"))
	require.Equal(t, []string{"soft\u00adware"}, words("(soft\u00adware)"))
	require.Empty(t, words("}) == {"))
	require.True(t, HasWord("- é"))
	require.True(t, HasWord("[1]"))
	require.False(t, HasWord("}) _"))
}

func TestLongWordsAreThoseAtTheBeginning(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"ab", "c_d", "né", "12"}, slices.Collect(LongWords("ab x c_d(né) 12 3")))
	require.Empty(t, slices.Collect(LongWords("a b })")))
	require.Len(t, slices.Collect(LongWords(strings.Repeat("ab ", 1000))), MaxWordBytes/3)
	for word := range LongWords("first second") {
		require.Equal(t, "first", word, "a loop may end early")
		break
	}
}

func TestLinesAreThereOrNot(t *testing.T) {
	t.Parallel()
	file := []string{"a", "b", "c"}
	require.True(t, HasAt(file, 1, []string{"b", "c"}))
	require.True(t, HasAt(file, 3, nil))
	require.False(t, HasAt(file, 2, []string{"c", "d"}))
	require.False(t, HasAt(file, -1, nil))
	require.Equal(t, 2, CommonPrefix(file, []string{"a", "b", "d"}))
	require.Equal(t, 1, CommonSuffix(file, []string{"c"}))
}
