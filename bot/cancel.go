package bot

import (
	"context"
	"errors"
)

// cancelled returns who cancelled the run, nil when nobody did.
func cancelled(ctx context.Context) *CancelledError {
	var by *CancelledError
	if ctx.Err() != nil && errors.As(context.Cause(ctx), &by) {
		return by
	}
	return nil
}

// beyondCancel is a context that a cancelled run no longer ends, as nothing must be left half done; all other causes still do.
func beyondCancel(ctx context.Context) (context.Context, func()) {
	out, end := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if cancelled(ctx) == nil {
			end(context.Cause(ctx))
		}
	})
	return out, func() { stop(); end(nil) }
}
