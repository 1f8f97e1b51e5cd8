package reply

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/block"
)

func TestManySectionsOfThinkingOnOneLine(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("<think>a</think>", 5000) + "done"
	require.Equal(t, "done\n", Parse(text, Options{}).Prose)
}

func TestAReplyOfManyBlocksIsCutShort(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range maxBlocks + 5 {
		fmt.Fprintf(&text, "remark%d:\n<<<<<<< SEARCH\na%d\n=======\nb\n>>>>>>> REPLACE\n", i, i)
	}
	reply := Parse("f.go\n"+block7("first")+text.String(), Options{})
	require.Len(t, reply.Blocks, maxBlocks)
	require.Equal(t, block.ProblemManyBlocks, reply.Problems[0].Kind)
	require.Contains(t, reply.Problems[0].Text, fmt.Sprint(maxBlocks+6))
	for _, b := range reply.Blocks {
		require.Equal(t, "f.go", b.Path)
		require.Contains(t, b.Candidates, b.Path)
		require.LessOrEqual(t, len(b.Candidates), maxCandidates+1)
	}
}

func block7(find string) string {
	return "<<<<<<< SEARCH\n" + find + "\n=======\nb\n>>>>>>> REPLACE\n"
}
