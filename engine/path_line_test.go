package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func searchBlock(pathLine, find, repl string) string {
	return pathLine + "\n<<<<<<< SEARCH\n" + find + "\n=======\n" + repl + "\n>>>>>>> REPLACE\n\n"
}

// An edit that names its file in an unlikely way must not land in the file of the block before it.
func TestAnUnlikelyFileNameIsLookedUpBeforeThePreviousBlocksFile(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"we`ird.md", "a|b.txt", "what?.md"} {
		reply := Parse(searchBlock("a.md", "two", "2")+searchBlock(name, "one", "1"), ParseOptions{})
		tree := MemTree{"a.md": []byte("one\ntwo\n"), name: []byte("one\n")}
		_, err := Apply(tree, reply.Blocks, Options{})
		require.NoError(t, err)
		require.Equal(t, "one\n2\n", string(tree["a.md"]), name)
		require.Equal(t, "1\n", string(tree[name]), name)
	}
}

func TestAnUnreadableHeaderRefersToNoOtherFile(t *testing.T) {
	t.Parallel()
	for _, header := range []string{"### File: " + strings.Repeat("x/", 600) + "y.md", "### File: what is this?", "### File: <unknown>"} {
		reply := Parse(searchBlock("a.md", "two", "2")+searchBlock(header, "one", "1"), ParseOptions{})
		require.Len(t, reply.Blocks, 1, header)
		require.Equal(t, ProblemNoPath, reply.Problems[0].Kind, header)
	}
}
