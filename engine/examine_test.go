package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnEditMayBeRefusedOrMarkedByWhoeverExaminesIt(t *testing.T) {
	t.Parallel()
	tree := MemTree{"a": []byte("one\ntwo\n"), "b": []byte("one\ntwo\n")}
	var asked []int
	opts := Options{Examine: func(block int, path string, e *Edit) Verdict {
		asked = append(asked, block)
		if strings.Contains(strings.Join(e.Added, ""), "\u200b") {
			return Verdict{Reason: Unusual, Detail: path + " has a character that is not shown"}
		}
		return Verdict{Marks: []string{"changes " + path}}
	}}
	out, err := Apply(tree, []Block{
		blockOf("a", "two", "2"), blockOf("b", "two", "2\u200b"), blockOf("b", "one", "1"), blockOf("a", "3", "4"),
	}, opts)
	require.NoError(t, err)
	require.Equal(t, []int{0, 1}, asked, "only about edits that would be made")
	require.Equal(t, []string{"a"}, out.Changed)
	made, refused := out.Results[0], out.Results[1]
	require.Equal(t, []string{"changes a"}, made.Marks)
	require.Equal(t, Unusual, refused.Reason)
	require.Equal(t, "b has a character that is not shown", refused.Detail)
	require.Equal(t, 2, refused.Line)
	require.Equal(t, []string{"2\u200b"}, refused.Edit.Added, "what it would have changed")
	require.Equal(t, EarlierFailed, out.Results[2].Reason)
	require.Equal(t, "one\ntwo\n", string(tree["b"]))
}
