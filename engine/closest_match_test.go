package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
			tree := MemTree{"f": []byte(file)}
			r := Check(tree, Block{Path: "f", Find: strings.Split(c.find, "\n"), Replace: []string{"x"}}, Options{})
			require.Equal(t, Failed, r.Status)
			if c.line == 0 {
				require.Nil(t, r.ClosestMatch)
				return
			}
			require.NotNil(t, r.Difference)
			require.Equal(t, c.line, r.Difference.Line)
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
		r := Check(MemTree{"f": []byte(file)}, blockOf("f", find, "new"), Options{})
		require.Equal(t, Failed, r.Status, find)
		require.NotNil(t, r.Difference, find)
		require.Equal(t, line, r.Difference.Line, find)
		require.Equal(t, find, r.Difference.Want)
		require.NotEmpty(t, r.ClosestMatch.Lines, find)
	}
}

// A block that is refused although it matches shows where.
func TestABlockThatIsRefusedWhereItMatchesShowsThePlace(t *testing.T) {
	t.Parallel()
	file := "package a\n\nfunc one() int {\n\treturn 1\n}\n\nfunc two() int {\n\treturn 2\n}\n"
	for reason, c := range map[Reason]struct {
		block   Block
		options Options
		line    int
		want    string
	}{
		Placeholder: {blockOf("f", "func two() int {\n\treturn 2\n}", "func two() int {\n\t// ... existing code ...\n}"),
			Options{}, 7, ""},
		Stale: {blockOf("f", "func two() int {\n  return 2\n}", "func two() int {\n  return 3\n}"),
			Options{Shown: func(string) Shown { return ShownChanged }}, 7, "  return 2"},
	} {
		r := Check(MemTree{"f": []byte(file)}, c.block, c.options)
		require.Equal(t, reason, r.Reason, r.Detail)
		require.Equal(t, c.line, r.Line)
		require.Contains(t, r.ClosestMatch.Lines, "\treturn 2")
		if c.want == "" {
			require.Nil(t, r.Difference, "nothing differs")
			continue
		}
		require.Equal(t, Difference{Line: 8, Want: c.want, Have: "\treturn 2"}, *r.Difference)
	}
}
