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
