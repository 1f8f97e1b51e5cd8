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

// deliverStep is on record when it is too late to cancel a run.
const deliverStep = "deliver"

// irrevocable begins what is not cancelled any more, and returns the context for it; an error when the run was cancelled before.
// It is recorded first: who cancels a run and does not find that on record knows that it ends.
func (s *session) irrevocable(ctx context.Context) (context.Context, func(), error) {
	if _, err := step(ctx, s.journal, deliverStep, func() (bool, error) { return true, nil }); err != nil {
		return nil, nil, err
	}
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	s.bound = true
	out, end := beyondCancel(ctx)
	return out, end, nil
}

// delivers says that it is too late to cancel a run.
func delivers(r Run) bool { return has(r, deliverStep) }

func has(r Run, step string) bool {
	_, ok := r.Steps[step]
	return ok
}

// errUnsaid says that there is no answer.
var errUnsaid = errors.New("nothing was said")

// endCancelled says in the answer of a cancelled run that this is its end. Where there is no answer yet, the one to the
// cancelling command is enough: whoever gave this one may be a stranger, or has seen nothing of it.
func (s *session) endCancelled(ctx context.Context, by *CancelledError) error {
	_, err := step(ctx, s.journal, "answer", func() (posted, error) {
		said, stands, err := s.find(ctx)
		if err == nil && !stands {
			err = errUnsaid
		}
		return said, err
	})
	if errors.Is(err, errUnsaid) {
		return s.untick(ctx, s.ev)
	}
	if err != nil {
		return err
	}
	return s.end(ctx, cancelledText(by), "cancelled")
}
