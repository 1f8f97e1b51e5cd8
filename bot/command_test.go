package bot

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCommandIsFound(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct{ body, verb, text string }{
		"a slash command":         {"/tenon fix the nil check", "fix", "the nil check"},
		"a colon behind the verb": {"/tenon fix: the nil check", "fix", "the nil check"},
		"in any case":             {"/Tenon FIX it", "fix", "it"},
		"after a paragraph":       {"There is a bug.\n\n/tenon fix it", "fix", "it"},
		"at the start of a later line of a paragraph": {"There is a bug.\n/tenon fix it", "fix", "it"},
		"with CRLF line ends, as GitHub sends them":   {"Hello\r\n\r\n/tenon fix it\r\nnow\r\n", "fix", "it\r\nnow"},
		"the text goes on to the end of the comment":  {"/tenon fix this:\n\n```go\nx := 1\n```", "fix", "this:\n\n```go\nx := 1\n```"},
		"a mention":                                    {"@tenon rename it", "fix", "rename it"},
		"a mention with a comma":                       {"@tenon, rename it", "fix", "rename it"},
		"a mention of the login":                       {"@tenon[bot] rename it", "fix", "rename it"},
		"a mention with a verb":                        {"@Tenon fix the test", "fix", "the test"},
		"a mention whose text begins like a lone verb": {"@tenon help me with the parser", "fix", "help me with the parser"},
		"a mention that asks for help":                 {"@tenon help", "help", ""},
		"a mention alone":                              {"@tenon", "help", ""},
		"the slash alone":                              {"/tenon", "help", ""},
		"up to three spaces before it":                 {"   /tenon fix it", "fix", "it"},
		"the first of two":                             {"/tenon fix a\n/tenon fix b", "fix", "a\n/tenon fix b"},
		"behind a quote":                               {"> what about this?\n\n/tenon fix it", "fix", "it"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			inv, ok := parseInvocation(c.body, "tenon")
			require.True(t, ok)
			require.Empty(t, inv.problem)
			require.Equal(t, c.verb, inv.command.Verb)
			require.Equal(t, c.text, inv.text)
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
		"the middle of a line":                "please /tenon fix it",
		"a longer word":                       "/tenonic fix it",
		"a longer name":                       "@tenon-team fix it",
		"a team":                              "@acme/tenon fix it",
		"an e-mail address":                   "a@tenon fix it",
		"an empty comment":                    "",
		"quotes in quotes, without end":       "/tenon fix it\n\n" + strings.Repeat("> ", 200),
		"lists in lists, without end":         "/tenon fix it\n\n" + strings.Repeat("1. ", 200),
		"broken UTF-8":                        "/tenon fix \xff",
		"a comment beyond GitHub's limit":     "/tenon fix " + strings.Repeat("x", maxCommentBytes),
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			_, ok := parseInvocation(body, "tenon")
			require.False(t, ok)
		})
	}
}

func TestCommandWithAMistakeSaysWhatToDo(t *testing.T) {
	t.Parallel()
	inv, ok := parseInvocation("/tenon fx it", "tenon")
	require.True(t, ok)
	require.Contains(t, inv.problem, "Did you mean `/tenon fix`?")
	require.Contains(t, inv.problem, "/tenon help")
	require.Equal(t, PermissionRead, inv.command.Needs)

	inv, ok = parseInvocation("/tenon `</td>|@all`", "tenon")
	require.True(t, ok)
	require.Contains(t, inv.problem, "`` `</td>|@all` ``")
	require.NotContains(t, inv.problem, "Did you mean")

	inv, ok = parseInvocation("/tenon fix", "tenon")
	require.True(t, ok)
	require.Contains(t, inv.problem, "`/tenon fix` wants to know what.")
}

func TestEveryCommandIsExplained(t *testing.T) {
	t.Parallel()
	help := helpText("tenon", "tenon")
	for _, c := range Commands() {
		require.Regexp(t, "^/tenon "+c.Verb+`\b`, c.Usage)
		require.NotEmpty(t, c.Description)
		require.NotEmpty(t, c.Example)
		require.NotNil(t, handler(c))
		require.NotZero(t, c.takes)
		require.ElementsMatch(t, c.Options, regexp.MustCompile(`--[a-z]+`).FindAllString(c.Usage, -1), "the usage of %s names the options that it takes", c.Verb)
		require.Contains(t, ranks, c.Needs)
		for _, name := range c.Options {
			_, known := optionNamed(name)
			require.True(t, known, "%s of %s is an option", name, c.Verb)
		}
		require.Contains(t, help, c.Usage)
		inv, ok := parseInvocation(c.Example, "tenon")
		require.True(t, ok, "the example of %s is a command", c.Verb)
		require.Equal(t, c.Verb, inv.command.Verb)
		require.Empty(t, inv.problem)
	}
}

func TestAMentionIsACommandOnlyWhereTheRestFits(t *testing.T) {
	t.Parallel()
	for _, c := range Commands() {
		inv, ok := parseInvocation("@tenon "+c.Verb+" the tests, please", "tenon")
		require.True(t, ok)
		require.Empty(t, inv.problem)
		if c.takes == someText {
			require.Equal(t, c.Verb, inv.command.Verb)
			require.Equal(t, "the tests, please", inv.text)
			continue
		}
		require.Equal(t, "fix", inv.command.Verb, "these words are about %s", c.Verb)
		require.Equal(t, c.Verb+" the tests, please", inv.text)
		inv, _ = parseInvocation("@tenon "+c.Verb+"\n\nThank you.", "tenon")
		require.Equal(t, c.Verb, inv.command.Verb)
	}
}

func TestACommandTakesItsOptionsAndNoOther(t *testing.T) {
	t.Parallel()
	values := map[string]string{"--model": "fast", "--format": "diff", "--files": "a.go", "--base": "main"}
	for _, c := range Commands() {
		for _, o := range knownOptions() {
			inv := c.parse(" " + o.name + " " + values[o.name])
			if c.takes == someText {
				inv = c.parse(" " + o.name + " " + values[o.name] + " it")
			}
			if slices.Contains(c.Options, o.name) {
				require.Empty(t, inv.problem)
				require.NotZero(t, inv.options)
			} else if c.takes != anyWords {
				require.NotEmpty(t, inv.problem, "%s takes no %s", c.Verb, o.name)
			}
		}
	}
}

func FuzzParseInvocation(f *testing.F) {
	for _, s := range []string{"/tenon fix --files a,b --format diff it", "/tenon undo k3v9x1p7q2m4", "@tenon apply 1,3-5\nx", "@tenon run the tests", "/tenon fix it", "@tenon x", "> /tenon fix", "```\n/tenon fix", "<!-- /tenon", "/tenon", "@tenon[bot]: y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		inv, ok := parseInvocation(body, "tenon")
		if !ok {
			return
		}
		require.NotEmpty(t, inv.command.Verb)
		require.Contains(t, strings.ToLower(body), "tenon")
		if inv.problem == "" {
			require.NotNil(t, handler(inv.command))
		}
	})
}

func TestACommandAboveALineThatUnderlinesItIsACommand(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"/tenon apply\nmain.go\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", "/tenon apply\n---\n"} {
		inv, ok := parseInvocation(body, "tenon")
		require.True(t, ok, body)
		require.Equal(t, "apply", inv.command.Verb)
	}
	_, ok := parseInvocation("# /tenon apply\n", "tenon")
	require.False(t, ok)
}
