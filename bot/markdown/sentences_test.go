package markdown

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAParagraphIsDividedAfterItsFirstSentences(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]struct {
		first, rest string
		count       int
	}{
		"One. Two! Three? Four.":   {"One. Two!", "Three? Four.", 2},
		"Only one, without an end": {"Only one, without an end", "", 1},
		"":                         {"", "", 0},
		"Use e.g. Listen, i.e. Server.Listen. B is it.":    {"Use e.g. Listen, i.e. Server.Listen. B is it.", "", 2},
		"See v1.2.3 of Node.js. It is `a. B. C.` then. X":  {"See v1.2.3 of Node.js. It is `a. B. C.` then.", "X", 2},
		"It was lost. `Listen` returns it. So.":            {"It was lost. `Listen` returns it.", "So.", 2},
		"See server/start.go and a.b.C. (It is lost.) So.": {"See server/start.go and a.b.C. (It is lost.)", "So.", 2},
		"He said “No.” Then he went. End":                  {"He said “No.” Then he went.", "End", 2},
		"Wait ... then go. Plan B. Smith wrote. It":        {"Wait ... then go. Plan B. Smith wrote.", "It", 2},
		"``a`. B`` is it. Two. Three.":                     {"``a`. B`` is it. Two.", "Three.", 2},
		"An open ` tick. Two. Three.":                      {"An open ` tick. Two.", "Three.", 2},
		"Ende, z.B. Listen. Zwei. Drei.":                   {"Ende, z.B. Listen. Zwei.", "Drei.", 2},
	} {
		first, rest, count := FirstSentences(line, 2)
		require.Equal(t, want.first, first, line)
		require.Equal(t, want.rest, rest, line)
		require.Equal(t, want.count, count, line)
	}
	long := strings.Repeat("`", 2000) + strings.Repeat("a. B` ", 2000)
	first, rest, _ := FirstSentences(long, 3)
	require.NotEmpty(t, first+rest)
}
