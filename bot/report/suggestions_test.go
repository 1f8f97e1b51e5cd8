package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// fileLines are lines of a file by their numbers.
func fileLines(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

func TestASuggestionIsOfferedOnLinesOfTheDiffAlone(t *testing.T) {
	t.Parallel()
	diff := []port.ChangedFile{
		{Path: "a.txt", Patch: "@@ -8,6 +10,7 @@ func\n line 10\n…\n@@ -30 +40 @@\n-x\n+line 40\n@@ -50,2 +60,0 @@"},
	}
	on := func(line int, body string) []port.Suggestion {
		return []port.Suggestion{{Path: "a.txt", Line: line, Body: body}}
	}
	over := func(from, to int, body string) []port.Suggestion {
		return []port.Suggestion{{Path: "a.txt", StartLine: from, Line: to, Body: body}}
	}
	whole := fileLines(1, 60)
	for story, c := range map[string]struct {
		before, after string
		want          []port.Suggestion
		unoffered     int
	}{
		"one line":      {"line 12\n", "twelve\n", on(12, "```suggestion\ntwelve\n```"), 0},
		"several lines": {fileLines(12, 14), "x\n```\ny\n", over(12, 14, "````suggestion\nx\n```\ny\n````"), 0},
		"lines that go": {fileLines(12, 13), "", over(12, 13, "```suggestion\n```"), 0},
		"lines that come": {
			"line 13\n", "new\nline 13\n", on(12, "```suggestion\nline 12\nnew\n```"), 0,
		},
		"before a hunk's first line": {
			"line 10\n", "new\nline 10\n", on(10, "```suggestion\nnew\nline 10\n```"), 0,
		},
		"two on one line": {
			"line 10\n", "new\nline 10\nnewer\n", on(10, "```suggestion\nnew\nline 10\n```"), 1,
		},
		"a hunk of one line": {"line 40\n", "forty\n", on(40, "```suggestion\nforty\n```"), 0},
		"outside":            {"line 30\n", "thirty\n", nil, 1},
		"come outside":       {"line 30\n", "line 30\nnew\n", nil, 1},
		"over the edge":      {fileLines(15, 18), "x\n", nil, 1},
		"a hunk of no line":  {"line 60\n", "sixty\n", nil, 1},
		"invisible":          {"line 12\n", "twel\u202eve\n", nil, 1},
		"two places": {
			whole, strings.Replace(strings.Replace(whole, "line 12\n", "twelve\n", 1), "line 50\n", "fifty\n", 1),
			on(12, "```suggestion\ntwelve\n```"), 1,
		},
	} {
		after := strings.Replace(whole, c.before, c.after, 1)
		list, unoffered := Suggestions([]FileChange{{Path: "a.txt", Before: []byte(whole), After: []byte(after)}}, diff)
		require.Equal(t, c.want, list, story)
		require.Equal(t, c.unoffered, unoffered, story)
	}
	list, unoffered := Suggestions([]FileChange{
		{Path: "new.txt", After: []byte("x\n")},
		{Path: "b.txt", Before: []byte("x\n"), After: []byte("y\n")},
		{Path: "a.txt", Before: []byte("x"), After: []byte("y")},
		{Path: "a.txt", Before: []byte(whole), After: []byte(strings.TrimSuffix(whole, "\n"))},
	}, append(diff, port.ChangedFile{Path: "b.txt"}))
	require.Empty(t, list)
	require.Equal(t, 4, unoffered)
}

func TestThereAreNotMoreSuggestionsThanAnybodyReads(t *testing.T) {
	t.Parallel()
	before := fileLines(1, 100)
	after := before
	for i := 1; i <= 100; i += 2 {
		after = strings.Replace(after, fmt.Sprintf("line %d\n", i), fmt.Sprintf("LINE %d\n", i), 1)
	}
	list, unoffered := Suggestions([]FileChange{{Path: "a.txt", Before: []byte(before), After: []byte(after)}},
		[]port.ChangedFile{{Path: "a.txt", Patch: "@@ -1,100 +1,100 @@"}})
	require.Len(t, list, maxSuggestions)
	require.Equal(t, 50-maxSuggestions, unoffered)
}

func TestTheAnswerSaysHowManyChangesAreSuggested(t *testing.T) {
	t.Parallel()
	require.Empty(t, SuggestionSentence(0, 3))
	require.Equal(t, "The change is a suggestion on the diff: the author can commit it there.", SuggestionSentence(1, 0))
	require.Equal(t, "Each of the 2 changes is a suggestion on the diff: the author can commit them there.",
		SuggestionSentence(2, 0))
	require.Equal(t, "1 of the 3 changes is a suggestion on the diff: the author can commit it there.",
		SuggestionSentence(1, 2))
}
