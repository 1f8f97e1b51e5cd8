package explain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/meter"
)

func TestWithoutAnEqualLineTheClosestMatchIsFoundByWords(t *testing.T) {
	t.Parallel()
	file := "package main\n\nimport \"fmt\"\n\nfunc greet(name string) string { return \"hello\" }\n\n" +
		"func main() { fmt.Println(greet(\"you\")) }\n"
	for story, c := range map[string]struct {
		find string
		line int // of the first difference; 0 for no hint
	}{
		"another word":                       {`func greet(name string) string { return "hi" }`, 5},
		"another word, within a longer find": {"// greet greets.\nfunc greet(name string) string { return \"hi\" }", 4},
		"half of the words":                  {`func greet(name []byte) []byte`, 5},
		"one common word is no likeness":     {`return nil`, 0},
		"other words":                        {`SELECT count(*) FROM users`, 0},
		"no words":                           {`} }`, 0},
		"one word, and most of the letters":  {`import "fmt/v2"`, 3},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			closest, difference := Closest(text.New(nil, []byte(file)), strings.Split(c.find, "\n"))
			if c.line == 0 {
				require.Nil(t, closest)
				require.Nil(t, difference)
				return
			}
			require.NotNil(t, difference)
			require.Equal(t, c.line, difference.Line)
		})
	}
}

// Most edits of one line differ from it by an operator or a number; the line must still be found.
func TestAShortLineHasItsClosestMatchToo(t *testing.T) {
	t.Parallel()
	file := "def sub(a, b):\n    return a - b\n\ndef add(a, b):\n    return a + c\n\nx = 1\n"
	for find, line := range map[string]int{
		"    return a % b": 2, "return a + d": 5, "x = 2": 7, "y = 1": 7, "def mul(a, b):": 1, "    retrun a-b": 2,
	} {
		closest, difference := Closest(text.New(nil, []byte(file)), []string{find})
		require.NotNil(t, difference, find)
		require.Equal(t, line, difference.Line, find)
		require.Equal(t, find, difference.Want)
		require.NotEmpty(t, closest.Lines, find)
	}
}

func TestTheClosestMatchIsWhereMostLinesAgree(t *testing.T) {
	t.Parallel()
	var file strings.Builder
	for i := range 100 {
		fmt.Fprintf(&file, "line %d\n", i)
	}
	find := strings.Split("line 40\nline 41\nLINE 42\nline 43 is other\nline 44", "\n")
	closest, difference := Closest(text.New(nil, []byte(file.String())), find)
	require.Equal(t, &block.Difference{Line: 43, Want: "LINE 42", Have: "line 42"}, difference)
	lines := []string{"line 40", "line 41", "line 42", "line 43", "line 44"}
	require.Equal(t, &block.Excerpt{Line: 41, Lines: lines}, closest)
}

// Of two places that are equally like it, the first is shown.
func TestTheClosestMatchIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	file := strings.Repeat("one(1)\ntwo(2)\nx\n", 3)
	for range 20 {
		_, difference := Closest(text.New(nil, []byte(file)), []string{"one(1)", "two(2)", "y"})
		require.Equal(t, &block.Difference{Line: 3, Want: "y", Have: "x"}, difference)
	}
}

// Lines that are all over the file say nothing about the place.
func TestALineThatIsEverywhereDoesNotVote(t *testing.T) {
	t.Parallel()
	file := strings.Repeat("}\n", maxOccurrences+1) + "func rare() {\n}\n"
	_, difference := Closest(text.New(nil, []byte(file)), []string{"}", "func rare() {", "x"})
	require.Equal(t, &block.Difference{Line: maxOccurrences + 3, Want: "x", Have: "}"}, difference)
}

func TestNothingIsCloseWithoutWork(t *testing.T) {
	t.Parallel()
	const content = "func greet(name string) string { return \"hello\" }\n"
	find := []string{"func greet(name string) string { return \"hi\" }"}
	w := meter.Of(meter.Default)
	closest, _ := Closest(text.New(w, []byte(content)), find)
	require.NotNil(t, closest)
	file := text.New(nil, []byte(content))
	file.Work = meter.Of(w.Spent() / 4)
	closest, difference := Closest(file, find)
	require.Nil(t, closest)
	require.Nil(t, difference)
}

func TestAnExcerptHasTheFirstDifference(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("line %d", i))
	}
	file := text.New(nil, []byte(strings.Join(lines, "\n")))
	change := func(n int) []string { return append(append([]string{}, lines[10:10+n]...), "other") }
	for story, c := range map[string]struct {
		find        []string
		start       int
		line, shown int // of the excerpt
		differ      int // 0 for no difference
		have        string
	}{
		"none":               {lines[10:12], 10, 11, 2, 0, ""},
		"near the start":     {change(2), 10, 11, 3, 13, "line 12"},
		"far down":           {change(40), 10, 41, 11, 51, "line 50"},
		"before the file":    {[]string{"a", "line 0"}, -1, 1, 1, 1, ""},
		"below the file":     {[]string{"line 59", "end"}, 59, 60, 1, 61, ""},
		"all that there are": {lines, 0, 1, maxExcerpt, 0, ""},
	} {
		excerpt, difference := Excerpt(file, c.find, c.start)
		require.Equal(t, c.line, excerpt.Line, story)
		require.Len(t, excerpt.Lines, c.shown, story)
		if c.differ == 0 {
			require.Nil(t, difference, story)
			continue
		}
		require.Equal(t, c.differ, difference.Line, story)
		require.Equal(t, c.have, difference.Have, story)
	}
}
