package web

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestARunThatCannotBeRenderedEndsNothing(t *testing.T) {
	t.Parallel()
	var renders atomic.Int64
	r := &rooms{log: slog.New(slog.DiscardHandler), open: map[kind]*room{},
		watch:  func(context.Context, string, uint64) (uint64, error) { return 1, nil },
		render: func(context.Context, kind, *snapshot) (*snapshot, error) { renders.Add(1); panic("hostile") }}
	_, err := r.safely(t.Context(), kind{run: "r"}, nil)
	require.ErrorContains(t, err, "panic: hostile")
	require.EqualValues(t, 1, renders.Load())
}

func TestTheLastWhoLeavesClosesTheRoom(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	r := &rooms{log: slog.New(slog.DiscardHandler), open: map[kind]*room{},
		watch: func(ctx context.Context, _ string, _ uint64) (uint64, error) {
			<-ctx.Done()
			close(ended)
			return 0, ctx.Err()
		}}
	k := kind{run: "r"}
	a, b := r.enter(k), r.enter(k)
	require.Same(t, a, b)
	r.leave(k, a)
	require.Len(t, r.open, 1)
	r.leave(k, b)
	require.Empty(t, r.open)
	<-ended
}
