package gh_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheRateLimitOfAnInstallationIsAskedForWithoutBeingSpent(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	before, err := w.app.RateLimit(ctx, w.repo.Installation)
	require.NoError(t, err)
	require.Positive(t, before.Limit)
	require.True(t, before.Reset.After(w.clock.Now()))
	_, err = w.app.Repository(ctx, w.repo)
	require.NoError(t, err)
	after, err := w.app.RateLimit(ctx, w.repo.Installation)
	require.NoError(t, err)
	require.Equal(t, before.Left-1, after.Left, "the repository alone was counted")
	_, err = w.app.RateLimit(ctx, 404)
	require.Error(t, err)
}
