package bot

import (
	"context"
	"errors"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// cancelled returns who cancelled the run, nil if nobody did.
func cancelled(ctx context.Context) *port.CancelledError {
	var by *port.CancelledError
	if ctx.Err() != nil && errors.As(context.Cause(ctx), &by) {
		return by
	}
	return nil
}

// uncancellable returns a context that the cancel of a run does not end, so that nothing is left half done. All other
// causes still end it.
func uncancellable(ctx context.Context) (context.Context, func()) {
	out, end := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if cancelled(ctx) == nil {
			end(context.Cause(ctx))
		}
	})
	return out, func() { stop(); end(nil) }
}

// pointOfNoReturn is passed before a run commits.
type pointOfNoReturn struct {
	journal *record.Journal
	// passed reports whether this attempt is past it.
	passed bool
}

// pass passes the point. It returns the context for what follows, which a cancel no longer ends, or an error if the run
// was cancelled before. It is recorded first, and told: whoever cancels a run and does not find it on record knows that
// the run ends. It is not passed before the command was acknowledged; nil if nobody acknowledges it.
func (p *pointOfNoReturn) pass(ctx context.Context, acknowledged <-chan struct{}, tell func(context.Context) error) (
	committing context.Context, end func(), err error) {
	if acknowledged != nil {
		port.Waiting(ctx, func() { <-acknowledged })
	}
	if ctx.Err() != nil && cancelled(ctx) == nil {
		return nil, nil, context.Cause(ctx)
	}
	if _, err := record.Do(ctx, p.journal, record.Committing, func(ctx context.Context) (bool, error) {
		return true, tell(ctx)
	}); err != nil {
		return nil, nil, err
	}
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	p.passed = true
	committing, end = uncancellable(ctx)
	return committing, end, nil
}
