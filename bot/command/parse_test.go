package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

func TestCommandIsFound(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct{ body, verb, text string }{
		"a slash command":         {"/tenon fix the nil check", Fix, "the nil check"},
		"a colon behind the verb": {"/tenon fix: the nil check", Fix, "the nil check"},
		"in any case":             {"/Tenon FIX it", Fix, "it"},
		"after a paragraph":       {"There is a bug.\n\n/tenon fix it", Fix, "it"},
		"at the start of a later line of a paragraph": {"There is a bug.\n/tenon fix it", Fix, "it"},
		"with CRLF line ends, as GitHub sends them":   {"Hello\r\n\r\n/tenon fix it\r\nnow\r\n", Fix, "it\r\nnow"},
		"the text goes on to the end of the comment": {
			"/tenon fix this:\n\n```go\nx := 1\n```", Fix, "this:\n\n```go\nx := 1\n```",
		},
		"a mention":                                    {"@tenon rename it", Fix, "rename it"},
		"a mention with a comma":                       {"@tenon, rename it", Fix, "rename it"},
		"a mention of the login":                       {"@tenon[bot] rename it", Fix, "rename it"},
		"a mention with a verb":                        {"@Tenon fix the test", Fix, "the test"},
		"a mention whose text begins like a lone verb": {"@tenon help me with the parser", Fix, "help me with the parser"},
		"a mention that asks for help":                 {"@tenon help", Help, ""},
		"a mention alone":                              {"@tenon", Help, ""},
		"the slash alone":                              {"/tenon", Help, ""},
		"up to three spaces before it":                 {"   /tenon fix it", Fix, "it"},
		"above what takes too long to parse": {
			"/tenon fix it\n" + strings.Repeat("> ", 200), Fix, "it\n" + strings.TrimSpace(strings.Repeat("> ", 200)),
		},
		"the first of two": {"/tenon fix a\n/tenon fix b", Fix, "a\n/tenon fix b"},
		"behind a quote":   {"> what about this?\n\n/tenon fix it", Fix, "it"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			inv, ok := parseText(c.body, "tenon")
			require.True(t, ok)
			require.True(t, Contains(c.body, "tenon"))
			require.Empty(t, inv.Problem)
			require.Equal(t, c.verb, inv.Command.Verb)
			require.Equal(t, c.text, inv.Text)
		})
	}
}

func TestCommandIsNoCommand(t *testing.T) {
	t.Parallel()
	for story, body := range map[string]string{
		"a quoted command":                    "> /tenon fix it",
		"a line that a quote swallows":        "> so I wrote\n/tenon fix it",
		"a command in a fence":                "```\n/tenon fix it\n```",
		"a command in an unclosed fence":      "~~~\n/tenon fix it",
		"an indented code block":              "    /tenon fix it",
		"inline code":                         "`/tenon fix it`",
		"inline code over lines":              "see `a\n/tenon fix it\nb`",
		"a hidden HTML comment":               "<!--\n/tenon fix it\n-->",
		"a hidden HTML comment within a line": "x <!-- a\n/tenon fix it\n-->",
		"an HTML block":                       "<div>\n/tenon fix it\n</div>",
		"a list item":                         "- /tenon fix it",
		"a heading":                           "# /tenon apply\n",
		"the middle of a line":                "please /tenon fix it",
		"a longer word":                       "/tenonic fix it",
		"a longer name":                       "@tenon-team fix it",
		"a team":                              "@acme/tenon fix it",
		"an e-mail address":                   "a@tenon fix it",
		"an empty comment":                    "",
		"quotes in quotes, without end":       "Hm.\n\n/tenon fix it\n\n" + strings.Repeat("> ", 200),
		"lists in lists, without end":         "\n/tenon fix it\n\n" + strings.Repeat("1. ", 200),
		"broken UTF-8":                        "/tenon fix \xff",
		"a comment beyond GitHub's limit":     "/tenon fix " + strings.Repeat("x", markdown.MaxCommentBytes),
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			_, ok := parseText(body, "tenon")
			require.False(t, ok)
			require.False(t, Contains(body, "tenon"))
			_, _, ok = Line(body, "tenon")
			require.False(t, ok)
		})
	}
}

func TestACommandAboveALineThatUnderlinesItIsACommand(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"/tenon apply\nmain.go\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", "/tenon apply\n---\n",
	} {
		inv, ok := parseText(body, "tenon")
		require.True(t, ok, body)
		require.Equal(t, Apply, inv.Command.Verb)
	}
}

func TestTheLineOfACommandEndsBeforeItsLineFeed(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"/tenon apply":                 "/tenon apply",
		"Hello\n\n/tenon fix it\nnow":  "/tenon fix it",
		"> /tenon fix\n\n@tenon apply": "@tenon apply",
		"/tenon apply 1\r\na.go":       "/tenon apply 1\r",
	} {
		start, end, ok := Line(body, "tenon")
		require.True(t, ok, body)
		require.Equal(t, want, body[start:end])
	}
}

func TestCommandWithAMistakeSaysWhatToDo(t *testing.T) {
	t.Parallel()
	inv, ok := parseText("/tenon fx it", "tenon")
	require.True(t, ok)
	require.Contains(t, inv.Problem, "Did you mean `/tenon fix`?")
	require.Contains(t, inv.Problem, "/tenon help")
	require.Equal(t, port.PermissionRead, inv.Command.Needs)

	inv, ok = parseText("/tenon `</td>|@all`", "tenon")
	require.True(t, ok)
	require.Contains(t, inv.Problem, "`` `</td>|@all` ``")
	require.NotContains(t, inv.Problem, "Did you mean")
}

func TestAMentionIsACommandOnlyWhereTheRestFits(t *testing.T) {
	t.Parallel()
	for _, c := range All() {
		inv, ok := parseText("@tenon "+c.Verb+" the tests, please", "tenon")
		require.True(t, ok)
		require.Empty(t, inv.Problem)
		if c.Takes == SomeText {
			require.Equal(t, c.Verb, inv.Command.Verb)
			require.Equal(t, "the tests, please", inv.Text)
			continue
		}
		require.Equal(t, Fix, inv.Command.Verb, "these words are about %s", c.Verb)
		require.Equal(t, c.Verb+" the tests, please", inv.Text)
		inv, _ = parseText("@tenon "+c.Verb+"\n\nThank you.", "tenon")
		require.Equal(t, c.Verb, inv.Command.Verb)
	}
}

func FuzzParseInvocation(f *testing.F) {
	for _, s := range []string{
		"/tenon fix --files a,b --format diff it", "/tenon undo k3v9x1p7q2m4", "@tenon apply 1,3-5\nx",
		"@tenon run the tests", "/tenon fix it", "@tenon x", "> /tenon fix", "```\n/tenon fix", "<!-- /tenon", "/tenon",
		"@tenon[bot]: y",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		requireScanned(t, body)
		inv, ok := parseText(body, "tenon")
		start, end, found := Line(body, "tenon")
		require.Equal(t, ok, found)
		if !ok {
			return
		}
		require.NotEmpty(t, inv.Command.Verb)
		require.Contains(t, strings.ToLower(body[start:end]), "tenon")
		require.NotContains(t, body[start:end], "\n")
		if inv.Problem == "" {
			_, known := Lookup(inv.Command.Verb)
			require.True(t, known)
		}
	})
}
