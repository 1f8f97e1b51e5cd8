package bot

import (
	"context"
	"errors"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// cancelled returns who cancelled the run, nil when nobody did.
func cancelled(ctx context.Context) *port.CancelledError {
	var by *port.CancelledError
	if ctx.Err() != nil && errors.As(context.Cause(ctx), &by) {
		return by
	}
	return nil
}

// beyondCancel is a context that a cancelled run no longer ends, as nothing must be left half done; all other causes still do.
func uncancellable(ctx context.Context) (context.Context, func()) {
	out, end := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if cancelled(ctx) == nil {
			end(context.Cause(ctx))
		}
	})
	return out, func() { stop(); end(nil) }
}

// irrevocable begins what is not cancelled any more, and returns the context for it; an error when the run was cancelled before.
// It is recorded first: who cancels a run and does not find that on record knows that it ends.
func (s *session) pointOfNoReturn(ctx context.Context) (context.Context, func(), error) {
	if _, err := record.Do(ctx, s.Journal, record.DeliverStep, func() (bool, error) { return true, nil }); err != nil {
		return nil, nil, err
	}
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	s.beyondCancel = true
	out, end := uncancellable(ctx)
	return out, end, nil
}

// errUnsaid says that there is no answer.
var errNoAnswer = errors.New("nothing was said")

// endCancelled says in the answer of a cancelled run that this is its end. Where there is no answer yet, the one to the
// cancelling command is enough: whoever gave this one may be a stranger, or has seen nothing of it.
func (s *session) endCancelled(ctx context.Context, by *port.CancelledError) error {
	_, err := record.Do(ctx, s.Journal, "answer", func() (record.AnswerComment, error) {
		said, stands, err := s.find(ctx)
		if err == nil && !stands {
			err = errNoAnswer
		}
		return said, err
	})
	if errors.Is(err, errNoAnswer) {
		return s.untick(ctx, s.ev)
	}
	if err != nil {
		return err
	}
	return s.end(ctx, report.CancelledText(by), "cancelled")
}
