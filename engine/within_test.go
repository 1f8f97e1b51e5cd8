package engine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestATextIsFoundWhereverItBegins(t *testing.T) {
	t.Parallel()
	lines := []string{"aba", "ab", "", "b"}
	for find, want := range map[string][]occurrence{
		"ab":      {{0, 0, 0, 2}, {1, 0, 1, 2}},
		"a\na":    {{0, 2, 1, 1}},
		"b\n\nb":  {{1, 1, 3, 1}},
		"\n":      {{0, 3, 1, 0}, {1, 2, 2, 0}, {2, 0, 3, 0}},
		"x":       nil,
		"aba\nab": {{0, 0, 1, 2}},
	} {
		require.Equal(t, want, occurrences(lines, find), "%q", find)
	}
}

func TestATextWithinLinesIsReplaced(t *testing.T) {
	t.Parallel()
	type lines = []string
	for story, c := range map[string]struct {
		before        string
		find, replace lines
		all           bool
		after         string // empty if it is refused
		reason        Reason
	}{
		"once":             {"one two\nthree\n", lines{"two"}, lines{"2"}, false, "one 2\nthree\n", ""},
		"across lines":     {"one two\nthree four\n", lines{"two", "three"}, lines{"2", "3"}, false, "one 2\n3 four\n", ""},
		"joins lines":      {"one two\nthree four\n", lines{"two", "three"}, lines{"2-3"}, false, "one 2-3 four\n", ""},
		"twice":            {"one one\n", lines{"one"}, lines{"1"}, false, "", Ambiguous},
		"all of a line":    {"one one\ntwo\none\n", lines{"one"}, lines{"1"}, true, "1 1\ntwo\n1\n", ""},
		"all, lines added": {"a b a\n", lines{"a"}, lines{"1", "2"}, true, "1\n2 b 1\n2\n", ""},
		"removes a line":   {"one\ntwo\nthree\n", lines{"two", ""}, lines{""}, false, "one\nthree\n", ""},
		"keeps returns":    {"1 2\r\n3\r\n", lines{"2", "3"}, lines{"two", "three"}, false, "1 two\r\nthree\r\n", ""},
		"as lines":         {"  one\n  two\n", lines{"one", "two"}, lines{"one", "2"}, false, "  one\n  2\n", ""},
		"not there":        {"one\n", lines{"two"}, lines{"2"}, false, "", NotFound},
		"made":             {"one two three\n", lines{"one"}, lines{"one two"}, false, "", AlreadyApplied},
	} {
		b := Block{
			Path: "a.txt", Format: FormatJSON, Within: true, All: c.all, Find: c.find, Replace: c.replace,
		}
		tree := MemTree{"a.txt": []byte(c.before)}
		out, err := Apply(tree, []Block{b}, Options{})
		require.NoError(t, err)
		require.Equal(t, c.reason, out.Results[0].Reason, "%s: %s", story, out.Results[0].Detail)
		after := c.after
		if after == "" {
			after = c.before
		}
		require.Equal(t, after, string(tree["a.txt"]), story)
	}
}
