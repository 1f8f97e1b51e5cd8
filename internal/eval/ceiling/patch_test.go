package ceiling

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

// allOf returns the lines of a text, by number.
func allOf(text string) map[int]string {
	out := map[int]string{}
	for i, line := range linesOf(text) {
		out[i+1] = line
	}
	return out
}

// applied returns a file after the blocks for what is shown of it.
func applied(t *testing.T, p patch, before string, lines map[int]string) string {
	t.Helper()
	blocks, _ := p.blocks(lines)
	var reply strings.Builder
	for _, b := range blocks {
		reply.WriteString(p.text(b, lines) + "\n")
	}
	parsed := engine.Parse(reply.String(), engine.ParseOptions{})
	require.Empty(t, parsed.Problems, reply.String())
	tree := engine.MemTree{p.path: []byte(before)}
	outcome, err := engine.Apply(tree, parsed.Blocks, engine.Options{})
	require.NoError(t, err)
	require.Len(t, outcome.Results, len(blocks))
	for _, r := range outcome.Results {
		require.Equal(t, engine.Applied, r.Status, "%s\n%s", r.Detail, reply.String())
	}
	return string(tree[p.path])
}

func TestTheBlocksOfAFixMakeTheFix(t *testing.T) {
	t.Parallel()
	const step = "begin\nstep()\nend\n\n"
	long, changed := strings.Repeat(step, 20), strings.Repeat(step, 7)+"begin\nother()\nend\n\n"+strings.Repeat(step, 12)
	for name, c := range map[string]struct{ before, after string }{
		"a line replaced":             {"a\nb\nc\n", "a\nB\nc\n"},
		"lines added at the top":      {"a\nb\n", "new\na\nb\n"},
		"lines added at the end":      {"a\nb\n", "a\nb\nnew\n"},
		"lines removed":               {"a\nb\nc\n", "a\n"},
		"one of many equal places":    {long, changed},
		"a place that an edit copies": {"a\nx\n\n1\n2\n3\n4\n5\nb\n}\n", "a\nb\n}\n\n1\n2\n3\n4\n5\nb\n}\nend\n"},
		"an empty file":               {"", "a\n"},
		"Windows lines":               {"a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n"},
		"a conflict in a file":        {"<<<<<<< a\n=======\n>>>>>>> b\n", "<<<<<<< a\n=======\nx\n>>>>>>> b\n"},
		"a fence":                     {"```go\nx\n```\n", "```go\ny\n```\n"},
		"nothing above or below":      {"a\n", "b\n"},
	} {
		p := newPatch("a.txt", []byte(c.before), []byte(c.after))
		require.Equal(t, c.after, applied(t, p, c.before, allOf(c.before)), name)
		_, missing := p.blocks(allOf(c.before))
		require.Empty(t, missing, name)
	}
}

func TestWithoutTheLinesThatMakeAPlaceUniqueThereIsNoBlock(t *testing.T) {
	t.Parallel()
	var before strings.Builder
	for i := range 100 {
		fmt.Fprintf(&before, "func f%d() {\n\treturn 1\n}\n\n", i)
	}
	after := strings.Replace(before.String(), "func f50() {\n\treturn 1", "func f50() {\n\treturn 2", 1)
	p := newPatch("a.go", []byte(before.String()), []byte(after))
	all := allOf(before.String())
	blocks, missing := p.blocks(map[int]string{202: all[202]})
	require.Empty(t, blocks, "the line to change is shown, but it is there a hundred times")
	require.Equal(t, []int{201, 203}, missing)
	blocks, missing = p.blocks(map[int]string{201: all[201], 202: all[202]})
	require.Len(t, blocks, 1, "the line above makes it unique")
	require.Empty(t, missing)
	blocks, missing = p.blocks(map[int]string{201: all[201], 203: all[203]})
	require.Empty(t, blocks)
	require.Equal(t, []int{202}, missing)
}
