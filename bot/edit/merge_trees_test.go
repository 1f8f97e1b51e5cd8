package edit

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAMergeThatIsCancelledReadsNoFurtherFile(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := (&mergeBlobs{}).read(ctx, "0123456789abcdef0123456789abcdef01234567")
	require.ErrorIs(t, err, context.Canceled)
}
