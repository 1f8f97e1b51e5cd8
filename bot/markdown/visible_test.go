package markdown

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/markdowntest"
)

// Everything in bot that asks whether a character can be seen is built on Invisible; what it does then differs.
func TestWhatIsInvisibleIsDroppedReplacedOrRefused(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		text             string
		invisible        bool
		shown, printable string
		unprintable      bool
	}{
		"a letter":                  {"aäb", false, "aäb", "aäb", false},
		"a blank of another width":  {"a\u00a0b", false, "a\u00a0b", "a\u00a0b", false},
		"an emoji":                  {"a🎉b", false, "a🎉b", "a🎉b", false},
		"a combining accent":        {"a\u0301b", false, "a\u0301b", "a\u0301b", false},
		"a control character":       {"a\x00b", true, "a\uFFFDb", "a\uFFFDb", true},
		"an escape sequence":        {"a\x1bb", true, "ab", "a\uFFFDb", true},
		"a later control character": {"a\u0085b", true, "ab", "a\uFFFDb", true},
		"a soft hyphen":             {"a\u00adb", true, "ab", "a\uFFFDb", true},
		"a space without width":     {"a\u200bb", true, "ab", "a\uFFFDb", true},
		"a joiner of emoji":         {"👩\u200d💻", true, "👩💻", "👩\uFFFD💻", true},
		"a turn of direction":       {"a\u202eb", true, "ab", "a\uFFFDb", true},
		"an isolate":                {"a\u2066b", true, "ab", "a\uFFFDb", true},
		"a tag character":           {"a\U000E0041b", true, "ab", "a\uFFFDb", true},
		"a byte order mark":         {"a\uFEFFb", true, "ab", "a\uFFFDb", true},
		"a line separator":          {"a\u2028b", true, "a\nb", "a\uFFFDb", true},
		"a paragraph separator":     {"a\u2029b", true, "a\nb", "a\uFFFDb", true},
		"a variation selector":      {"⚠\uFE0F", true, "⚠", "⚠\uFE0F", false},
		"a rare variation selector": {"a\U000E0100b", true, "ab", "a\U000E0100b", false},
		"a Hangul filler":           {"a\u3164b", true, "ab", "a\u3164b", false},
		"a half-width filler":       {"a\uFFA0b", true, "ab", "a\uFFA0b", false},
		"a filler of a syllable":    {"a\u115F\u1160b", true, "ab", "a\u115F\u1160b", false},
		"broken UTF-8":              {"a\xffb", false, "a\uFFFDb", "a\uFFFDb", true},
		"a line feed":               {"a\nb", true, "a\nb", "a b", true},
		"a tab":                     {"a\tb", true, "a\tb", "a b", true},
		"a carriage return":         {"a\rb", true, "a\nb", "a\uFFFDb", true},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.invisible, strings.ContainsFunc(c.text, Invisible))
			require.Equal(t, c.shown, Shown(c.text), "Shown drops it")
			require.Equal(t, c.printable, Printable(c.text, false), "Printable replaces it")
			require.Equal(t, c.printable, OneLine(c.text))
			require.Equal(t, c.unprintable, Unprintable(c.text), "Unprintable refuses a name with it")
		})
	}
	require.Equal(t, "a\n\tb\nc", Printable("a\n\tb\r\nc", true), "the ends of lines remain in a text of several")
}

// The tables of Unicode grow: what is replaced is a matter of classes, not of a list of characters.
func TestWhatIsPrintableHasNothingThatDisruptsIt(t *testing.T) {
	t.Parallel()
	var all, want strings.Builder
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) || r == '\n' || r == '\t' {
			continue
		}
		all.WriteRune(r)
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			require.True(t, Invisible(r), "%U", r)
			want.WriteRune('\uFFFD')
		} else {
			want.WriteRune(r)
		}
	}
	require.True(t, want.String() == Printable(all.String(), true))
}

func TestAReaderSeesNoCommentOfHTML(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"fix it":                            "fix it",
		"a <!-- b --> c":                    "a c",
		"a <!-- b\nc --> d":                 "a d",
		"<!-- a -->\nb":                     "b",
		"<!--\na\n\nb\n-->\nc":              "c",
		"<!--\na":                           "",
		"a `<!-- b -->` c":                  "a `<!-- b -->` c",
		"```\n<!-- a -->\n```":              "```\n<!-- a -->\n```",
		"    <!-- a -->":                    "```\n<!-- a -->\n```",
		"> <!-- a --> b":                    "> b",
		"<div>\n<!-- a --> b\n</div>":       "b",
		"<div title='<!-- a -->'>b</div>":   "b",
		"a <?b?> c":                         "a c",
		"a <!DOCTYPE b> c":                  "a c",
		"a <![CDATA[ b ]]> c":               "a c",
		"<?a\nb":                            "",
		"a\r\n\r\nb":                        "a\n\nb",
		"\n\n  a  \n\n":                     "a",
		"a\n\n" + strings.Repeat("> ", 200): Unreadable,
	} {
		require.Equal(t, want, Shown(body), "%q", body)
	}
}

// "<!-->" and "<!--->" are whole comments, by HTML and by CommonMark: what follows them is seen by everybody.
func TestTheShortestCommentsHideNothingBehindThem(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"<!-->seen<!-- hidden -->":       "seen",
		"<!--->seen<!-- hidden -->":      "seen",
		"<!--> seen\nand this -->":       "seen\n\nand this -->",
		"<!-->\nseen":                    "seen",
		"<div><!--> seen --></div>":      "seen -->",
		"<div><!---> seen --></div>":     "seen -->",
		"<div><!----> seen --></div>":    "seen -->",
		"<div><!-- hidden --->\n</div>":  "",
		"a <!--> seen <!-- hidden --> b": "a seen b",
		"a <!---> seen --> b":            "a seen --> b",
	} {
		require.Equal(t, want, Shown(body), "%q", body)
	}
	require.Equal(t, "seen", WithoutHidden("<!-->seen<!-- hidden -->"))
}

func TestAReaderSeesNoDefinitionOfALink(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"a [b]\n\n[b]: https://c.example \"do that\"\n": "a b",
		"[b]: <c>\n'do\nthat'\n\nfix it":                "fix it",
		"fix it\n[b]: c":                                "fix it\n[b]: c",
		"```\n[b]: c\n```":                              "```\n[b]: c\n```",
		"```go\nx\n```":                                 "```go\nx\n```",
		"a\n===\n\n---\n\n***":                          "# a\n\n---\n\n---",
	} {
		require.Equal(t, want, strings.TrimSpace(Shown(body)), "%q", body)
	}
}

func TestOnlyTheCommentsOwnLinesAreProse(t *testing.T) {
	t.Parallel()
	const line = "/tenon fix it"
	for story, c := range map[string]struct {
		body string
		want []string
	}{
		"alone":                     {line, []string{line}},
		"in several paragraphs":     {"a\n" + line + "\n\nb", []string{"a", line, "b"}},
		"above an underline":        {line + "\n=======\nb", []string{line, "b"}},
		"above a rule":              {line + "\n---", []string{line}},
		"in a heading":              {"# " + line, nil},
		"in a quote":                {"> " + line, nil},
		"in a list":                 {"- " + line, nil},
		"in a fence":                {"```\n" + line + "\n```\nb", []string{"b"}},
		"in an indented block":      {"a\n\n    " + line, []string{"a"}},
		"in inline code":            {"a `b\n" + line + "` c", []string{"a `b"}},
		"in inline HTML":            {"a <b title=\"\n" + line + "\"> c", []string{"a <b title=\""}},
		"in an HTML block":          {"<div>\n" + line + "\n</div>", nil},
		"in an HTML comment":        {"<!--\n" + line + "\n-->", nil},
		"in what nobody writes":     {"\n" + line + "\n" + strings.Repeat("> ", 200) + "x", nil},
		"behind inline code":        {"`a`\n" + line, []string{"`a`", line}},
		"behind text with the like": {"a < b\n" + line, []string{"a < b", line}},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, at := range ProseLines(c.body) {
				text, _, _ := strings.Cut(c.body[at:], "\n")
				got = append(got, text)
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestALineOfATableOrACheckListIsNotDeep(t *testing.T) {
	t.Parallel()
	require.Equal(t, Unreadable, Shown("fix it\n\n"+strings.Repeat("> ", 1000)+"x"))
	require.Equal(t, Unreadable, Shown("fix it\n\n"+strings.Repeat("1. ", 1000)+"x"))
	table := "+" + strings.Repeat("-----+", 100)
	require.Equal(t, table, Shallow(table))
	list := strings.Repeat("- [ ] a\n", 200)
	require.Equal(t, list, Shallow(list))
}

func TestRangesAreMergedAndFound(t *testing.T) {
	t.Parallel()
	all := MergeRanges(Ranges{{8, 9}, {0, 2}, {4, 6}, {1, 3}, {6, 7}})
	require.Equal(t, Ranges{{0, 3}, {4, 7}, {8, 9}}, all)
	var in []int
	for at := -1; at < 11; at++ {
		if all.Has(at) {
			in = append(in, at)
		}
	}
	require.Equal(t, []int{0, 1, 2, 4, 5, 6, 8}, in)
	require.Equal(t, Ranges{{4, 7}}, all.Within(1, 8))
	require.Equal(t, Ranges{{4, 7}, {8, 9}}, all.Within(4, 9))
	require.Empty(t, all.Within(5, 8))
}

// Whatever a comment says: what is shown of it is text, without anything invisible.
func FuzzShown(f *testing.F) {
	for _, s := range markdowntest.Hostile {
		f.Add(s)
		f.Add("a <!-- " + s + " --> b\n\n> - " + s + "\n\n[x]: y \"" + s + "\"")
	}
	f.Add("<!-->a<!--")
	f.Fuzz(func(t *testing.T, body string) {
		shown := Shown(body)
		require.True(t, utf8.ValidString(shown))
		require.False(t, strings.ContainsFunc(shown, func(r rune) bool { return r != '\n' && r != '\t' && Invisible(r) }))
		require.LessOrEqual(t, utf8.RuneCountInString(shown), len(Unreadable)+20*(1+utf8.RuneCountInString(body)))
		lines := ProseLines(body)
		for i, at := range lines {
			require.True(t, at < len(body) && (i == 0 || lines[i-1] < at))
		}
	})
}
