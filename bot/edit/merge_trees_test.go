package edit

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/engine/merge/trees"
)

// byTwos is a checkout of which LoadSome loads two files at a time.
type byTwos struct {
	*memCheckout
	some, single int
}

func (c *byTwos) LoadSome(ctx context.Context, _ int64, names ...string) error {
	c.some++
	return c.memCheckout.Load(ctx, names[:min(len(names), 2)]...)
}

func (c *byTwos) Load(ctx context.Context, names ...string) error {
	c.single++
	return c.memCheckout.Load(ctx, names...)
}

func TestFilesThatMayBeRenamedAreLoadedManyAtOnce(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a": "1", "b": "2", "c": "3", "d": "4", "large": "too large", "e": "5"}
	c := &byTwos{memCheckout: newCheckout(files)}
	c.most = 5
	var added []port.Change
	for _, path := range []string{"a", "b", "c", "d", "e", "large"} {
		added = append(added, port.Change{Path: path, Mode: port.ModeFile, Blob: path})
	}
	blobs := newMergeBlobs(Merge{Base: newCheckout(nil), Tip: c, Theirs: newCheckout(nil)}, added, nil)
	for _, change := range added[:5] {
		data, err := blobs.read(t.Context(), change.Blob)
		require.NoError(t, err)
		require.Equal(t, files[change.Path], string(data))
	}
	require.Equal(t, 3, c.some)
	require.Zero(t, c.single)
	_, err := blobs.read(t.Context(), "large")
	require.ErrorIs(t, err, trees.ErrTooLarge)
}
