package port_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func TestAGuardIsAskedEachTime(t *testing.T) {
	t.Parallel()
	require.NoError(t, port.Guard(t.Context())) // no handler's context
	var lost error
	ctx := port.WithGuard(t.Context(), func(context.Context) error { return lost })
	require.NoError(t, port.Guard(ctx))
	lost = port.ErrLeaseLost
	require.ErrorIs(t, port.Guard(ctx), port.ErrLeaseLost)
	require.ErrorIs(t, port.Guard(context.WithoutCancel(ctx)), port.ErrLeaseLost)
}
