package retrieve

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Lines were those of the path before them, even if the path that they are of followed.
func TestLinesAreOfThePathBesideThem(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string][]string{
		"NEED: a.go, lines 3-9 of b.go":           {"a.go", "b.go:3-9"},
		"NEED: lines 3-9 of a.go, lines 2 of b.c": {"a.go:3-9", "b.c:2-2"},
		"NEED: lines 3-9 and 20-30 of a.go":       {"a.go:3-30"},
		"NEED: a.go lines 3 and 90":               {"a.go:3-3", "a.go:90-90"},
		"NEED: a.go 12":                           {"a.go:12-12"},
		"NEED: a.go, lines 3-9 for the port":      {"a.go:3-9"},
		"NEED: `Start` from a.go, lines 3-9":      {"a.go Start", "a.go:3-9"},
		"NEED: a.go:100-99999999":                 {"a.go:100-9999999"},
		"FIND: `x`, NEED: 3-9":                    {"FIND: x"},
	} {
		require.Equal(t, want, forms(reply), reply)
	}
}

func TestANameIsReadWhereItIsWritten(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string][]string{
		"NEED: `a.go`:Start":                       {"a.go Start"},
		"NEED: a.go:Start()":                       {"a.go Start"},
		"NEED: a.go:Start to see how it works":     {"a.go Start"},
		"NEED: Server.listen#start":                {"Server.listen#start"},
		"NEED: [a.go](src/a.go)::Server::start":    {"src/a.go Server::start"},
		"NEED: a.go (calls start() there), b.go":   {"a.go", "b.go"},
		"NEED: a.go (it serves), b.go (its tests)": {"a.go", "b.go"},
		"NEED: **a.go**: lines 3-9":                {"a.go:3-9"},
		"NEED: **/fixtures/**":                     {"**/fixtures/**"},
		"NEED: a.go or b.go":                       {"a.go", "b.go"},
		"NEED: none, please":                       nil,
		"FIND: `a` or `b` in c.go":                 {"FIND: a", "FIND: b"},
		"FIND:`a`, `b`":                            {"FIND: a", "FIND: b"},
		"FIND: __init__":                           {"FIND: __init__"},
		"+NEED: a.go\n-FIND: x":                    nil,
		"\"find\": \"x\"":                          nil,
	} {
		require.Equal(t, want, forms(reply), reply)
	}
}

// Whatever the lines are made of, so much is read of them, and no more.
func TestHostileLinesAskForNoMoreThanTheBounds(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{
		"“ ", "' a", "[a ", "[a](b) ", "((a ", "a(", ")", "NEED: ", "NEED ", "need: the ", "** ", "- ", "FIND: `a` ",
		"a:b:c:d#", "lines 3 to ", ": ", "a, ", "to 1 ", "https://h/a/b/blob/m/", "a.go:1 ",
	} {
		for _, keyword := range []string{"NEED: ", "need: ", "FIND: ", "NEED ", ""} {
			line := keyword + strings.Repeat(unit, 2*maxAskLine/len(unit)) + "\n"
			asks := ParseAsks(strings.Repeat(line, 3)) // more of the same lines ask for nothing else
			require.LessOrEqual(t, len(asks), maxParsedAsks)
			for _, a := range asks {
				require.LessOrEqual(t, len(a.String()), maxAskLine, "what is behind the bound of a line is not read")
			}
		}
	}
	require.Len(t, ParseAsks(strings.Repeat("NEED: a.go\n", maxAskLines-1)+"NEED: b.go\nNEED: c.go\n"), 2)
}
