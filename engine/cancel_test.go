package engine

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/meter"
)

// endingContext ends when it has been asked a number of times.
type endingContext struct {
	context.Context
	asks int
	// ended is called when it ends.
	ended func()
}

func (c *endingContext) Err() error {
	if c.asks--; c.asks > 0 {
		return nil
	}
	if c.asks == 0 {
		c.ended()
	}
	return context.Canceled
}

// applyUntil applies blocks to files of a content until the context has been asked so often, and returns what was spent
// after that.
func applyUntil(t *testing.T, asks int, content string, verify bool, blocks ...Block) (after int, tree MemTree) {
	t.Helper()
	tree = MemTree{}
	for _, b := range blocks {
		tree[b.Path] = []byte(content)
	}
	atEnd := -1
	ctx := &endingContext{Context: t.Context(), asks: asks}
	w := meter.Within(ctx, meter.Default)
	ctx.ended = func() { atEnd = w.Spent() }
	opts := Options{Work: w}
	if verify {
		opts.Verify = func(string, []byte, []byte) Verification { w.Spend(10_000); return Verification{} }
	}
	_, err := Apply(tree, blocks, opts)
	require.ErrorIs(t, err, context.Canceled)
	require.GreaterOrEqual(t, atEnd, 0)
	return w.Spent() - atEnd, tree
}

// When a process is asked to end, no reply keeps it from that, however much there would be to do.
func TestACancelledCallEndsSoon(t *testing.T) {
	t.Parallel()
	const lines = 8_000
	for story, shape := range hostileWork {
		content, b := shape(lines)
		var blocks []Block
		for i := range 40 {
			b.Path = fmt.Sprintf("f%d", i)
			blocks = append(blocks, b)
		}
		for _, asks := range []int{1, 2, 5, 12} {
			after, _ := applyUntil(t, asks, content, false, blocks...)
			require.Less(t, after, 40*lines, "%s: some passes over one of 40 files", story)
		}
	}
}

func TestNothingIsWrittenByACancelledCall(t *testing.T) {
	t.Parallel()
	const content = "a\nb\n"
	var blocks []Block
	for i := range 20 {
		blocks = append(blocks, blockOf(fmt.Sprintf("f%d", i), "a", "c"))
	}
	for asks := 1; asks < 25; asks++ {
		_, tree := applyUntil(t, asks, content, true, blocks...)
		for name, data := range tree {
			require.Equal(t, content, string(data), name)
		}
	}
}
