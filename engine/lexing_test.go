package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/meter"
	"github.com/tenon-bot/tenon/syntax/lexer"
)

// wrappedCall is a file with a call that is broken over two lines, and a block that has it on one. Its last argument
// has so many bytes.
func wrappedCall(path string, bytes int) (content string, b Block) {
	argument := strings.Repeat("x", bytes)
	one := fmt.Sprintf("before(all, of, it)\ncall(first, second, %s)", argument)
	content = fmt.Sprintf("before(all, of, it)\ncall(first,\n    second, %s)\n", argument)
	return content, blockOf(path, one, strings.Replace(one, "before", "after", 1))
}

func TestTheLexingOfOneReplyIsBounded(t *testing.T) {
	t.Parallel()
	const fits = 16 // pieces of two sides, of which each has 4,000 bytes
	var blocks []Block
	tree := MemTree{}
	for i := range 100 {
		path := fmt.Sprintf("f%d.py", i)
		content, b := wrappedCall(path, 4000)
		tree[path], blocks = []byte(content), append(blocks, b)
	}
	// However slow the machine is, neither the time nor the work ends before the bytes.
	a := newApplier(tree, Options{DryRun: true, Work: meter.Of(1000 * meter.Default)})
	a.work.lexing = lexer.NewBudget(maxLexing.Calls, maxLexing.Bytes, time.Hour)
	out, err := a.apply(blocks)
	require.NoError(t, err)
	for i, r := range out.Results {
		if i < fits/2 {
			require.Equal(t, LevelTokens, r.Level, "block %d", i)
		}
		if i >= fits {
			require.Equal(t, NotFound, r.Reason, "block %d: the bytes are used up", i)
		}
	}
	require.GreaterOrEqual(t, a.work.lexing.Bytes, 0)
	require.Greater(t, a.work.Spent(), maxLexing.Bytes, "and charged")
}

func TestALongRegionIsNotLexed(t *testing.T) {
	t.Parallel()
	content, b := wrappedCall("f.py", 17<<10)
	a := newApplier(MemTree{"f.py": []byte(content)}, Options{DryRun: true})
	out, err := a.apply([]Block{b})
	require.NoError(t, err)
	require.Equal(t, Failed, out.Results[0].Status)
	require.Equal(t, maxLexing, a.work.lexing)
}
