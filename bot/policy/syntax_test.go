package policy

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The parser names the line of the mapping around a mistake, or none.
func TestAnErrorOfSyntaxHasTheLineOfTheMistake(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("protected: [a]\nx:\n  - |\n    text\n    [more\n", 100)
	for text, want := range map[string]SyntaxError{
		"who: 'x\nlabel: y\n":                 {1, "found unexpected end of stream (a quotation mark is not closed)"},
		"a: 1\nb: 2\n\tc: 3\nd: 4\n":          {3, "found a tab character that violates indentation (indent with spaces)"},
		"a: 1\nb:\n\tc: 3\nd: 4\n":            {3, "found a tab character that violates indentation (indent with spaces)"},
		"a: 1\nb: 'it's'\nc: 1\nd: 2\n":       {2, advised("did not find expected key")},
		"a: 1\n- b\nc: 1\n":                   {2, advised("did not find expected key")},
		"a: 1\nb: *x\nc: 1\n":                 {2, advised("unknown anchor 'x' referenced")},
		"a: 1\nb: \"x\\q\"\nc: 1\n":           {2, "found unknown escape character (write backslashes in single quotes)"},
		"a: 1\nb\nc: 2\n":                     {2, advised("could not find expected ':'")},
		"a: [\n1,\n2,\n]\nb: @x\nc: {\n}\n":   {5, advised("found character that cannot start any token")},
		"a: {\n1: 2,\n3: 4\n}\nb: [1\nc: 2\n": {5, advised("did not find expected ',' or ']'")},
		many + "\n b: c: d\n" + many:          {502, advised("did not find expected key")},
	} {
		_, err := ParseYAML([]byte(text))
		require.Equal(t, &want, err, text[:min(len(text), 40)])
	}
	_, problems := Parse([]byte("who: admin\nlabel: 'it's'\nci: follow\n"))
	require.Equal(t, []Problem{{Line: 2, Closes: true, Text: "the file is not valid YAML: line 2: " +
		"did not find expected key (check the indentation and the quotation marks)"}}, problems)
}

func advised(message string) string {
	for _, a := range advice {
		if strings.Contains(message, a.message) {
			return message + " (" + a.text + ")"
		}
	}
	return message
}
