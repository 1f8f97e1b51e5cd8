package message

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestABodySaysInPlainTextWhy(t *testing.T) {
	t.Parallel()
	for md, want := range map[string]string{
		"": "",
		"The error of `Listen` was lost, so a port in use ended in a nil pointer.": "The error of `Listen` was lost, so a " +
			"port in use ended in a nil pointer.",
		"# Cause\n\nIt is **one** too\nlarge, see [the docs](https://x.example).": "Cause\n\nIt is one too large, see " +
			"the docs.",
		"Two things:\n\n- the first, which is so long that it does not fit on one line of a commit\n- the *second*" +
			"\n\nDone.": "" +
			"Two things:\n\n- the first, which is so long that it does not fit on one line of a\n  commit\n- the second\n\n" +
			"Done.",
		"Before.\n\n```go\nfunc main() {}\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quoted\n\n" +
			"<b>bold</b> ![x](y) &lt;T&gt;": "" +
			"Before.\n\nbold <T>",
	} {
		require.Equal(t, want, Body(md), md)
	}
}

func TestALongBodyEndsBehindASentence(t *testing.T) {
	t.Parallel()
	got := Body(strings.Repeat("It was one too large. ", 100))
	require.Less(t, utf8.RuneCountInString(got), maxBody+1)
	require.True(t, strings.HasSuffix(got, "large."))
	require.Empty(t, Body(strings.Repeat("long ", 1000)), "no whole sentence fits")
}

// No line of a body makes git, GitHub, CI or a bot do something.
func TestNothingHostileRemainsInABody(t *testing.T) {
	t.Parallel()
	for _, line := range corpus(t, "hostile.txt") {
		requireHarmlessBody(t, line+"\n\n"+strings.Repeat("filler ", 9)+line+"\n\n- "+line)
	}
	for md, want := range map[string]string{
		"Fixes #12.\n\nCo-authored-by: evil <evil@x.example>":  "… evil …",
		"Tenon-Run: abc123def456":                              "… abc123def456",
		"Signed-off-by: maria":                                 "… maria",
		"\\@maria, &#64;william and <maria@x.example> said so": "… … and … said so",
		"It closes\n#12 then":                                  "It … then",
		"It is [skip\nci] now":                                 "It is … now",
		"Cause: it was lost":                                   "Cause – it was lost",
		"std::vector leaks":                                    "`std::vector` leaks",
		"diff --git a/x b/x":                                   "`diff` --git a/x b/x",
		"--- a/x":                                              "a/x",
		"From 0123456789012345678901234567890123456789 Mon":    "`From` 0123456789012345678901234567890123456789 Mon",
		"\\# a comment":                                        "a comment",
		"Why <!-- tenon:run=abc123def456 --> visible":          "Why visible",
		"bi\u202edi and \u200bnothing":                         "bi\uFFFDdi and \uFFFDnothing",
	} {
		require.Equal(t, want, Body(md), md)
	}
	// A line that begins with a label in the middle of a paragraph is broken elsewhere.
	require.Equal(t, strings.Repeat("word ", 12)+"word\nword Reviewed: yes, it is",
		Body(strings.Repeat("word ", 14)+"Reviewed: yes, it is"))
	// Unless it would be too long with the word before it.
	long, label := strings.Repeat("l", 40), strings.Repeat("r", 40)
	require.Equal(t, "word "+long+"\n"+label+" – yes", Body("word "+long+" "+label+": yes"))
}

func requireHarmlessBody(t *testing.T, md string) {
	t.Helper()
	got := Body(md)
	for line := range strings.SplitSeq(got, "\n") {
		text := strings.TrimPrefix(strings.TrimPrefix(line, itemMark), "  ")
		require.LessOrEqual(t, utf8.RuneCountInString(line), maxLine, "%q became %q", md, got)
		require.False(t, acts(text), "%q became %q", md, got)
		require.NotRegexp(t, `^(?:#|[A-Za-z0-9-]+\s*:|--|diff |From )`, text, "%q became %q", md, got)
		require.Equal(t, strings.TrimRight(line, " "), line, fmt.Sprintf("%q", md))
		for _, piece := range []string{"@", "#1", "://", "[skip ci]", "BREAKING CHANGE:"} {
			require.NotContains(t, text, piece, "%q became %q", md, got)
		}
	}
}

func FuzzBody(f *testing.F) {
	f.Add("[skip [skip ci] ci]\n\n- Note: x\n- # y")
	f.Add("a: b: c::d --- diff diff")
	f.Fuzz(func(t *testing.T, md string) { requireHarmlessBody(t, md) })
}
