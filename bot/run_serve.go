package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// serve admits the command and carries it out by do.
func (r *run) serve(ctx context.Context, do func(context.Context, *run) error) (err error) {
	if r.admission, err = r.admit(ctx); err != nil {
		return err
	}
	err = r.whileAcknowledging(ctx, func(ctx context.Context, acknowledged <-chan struct{}) (err error) {
		r.acknowledged = acknowledged
		if err := r.refused(do != nil); err != nil {
			return err
		}
		if r.opens() { // a renamed repository is worked on under its present name
			if now := r.firstLook(ctx).repo; now.ID == r.ev.Repo.ID {
				r.ev.Repo, r.files.repo, r.people.repo = now, now, now
			}
		}
		for verb := ""; verb != r.inv.Command.Verb; {
			verb = r.inv.Command.Verb
			if r.invoked, err = r.take(ctx); err != nil {
				return err
			}
			if r.inv.Command.Verb != verb {
				do = handler(r.inv.Command)
			}
		}
		return do(ctx, r)
	})
	if errors.Is(err, port.ErrNotFound) && !r.journal.Record().Committing {
		return r.thread().whyGone(ctx, err)
	}
	return err
}

// take returns what the run carries out: what its command asks for, or, for a retry and for a fix that may only show
// its edits, another command.
func (r *run) take(ctx context.Context) (invoked, error) {
	switch r.inv.Command.Verb {
	case command.Retry:
		return r.takeRetry(ctx)
	case command.Fix:
		if r.becomesPreview(ctx) {
			taken := r.invoked
			taken.inv.Command, _ = command.Lookup(command.Preview)
			return taken, r.permits(taken.inv.Command)
		}
	}
	return r.invoked, nil
}

// whileAcknowledging shows by eyes that the command was received, while do is done. If GitHub's limits have no room for
// the eyes, which go before all other writes, do ends, and the error says when to come back.
func (r *run) whileAcknowledging(ctx context.Context,
	do func(ctx context.Context, acknowledged <-chan struct{}) error) error {
	ev := r.ev // the command may find that the repository has another name now
	lasting, end := uncancellable(ctx)
	defer end()
	doing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	acknowledged := port.Go(lasting, func() {
		if err := r.acknowledge(lasting, ev); overLimit(err) {
			stop(err)
		}
	})
	err := do(doing, acknowledged)
	port.Waiting(lasting, func() { <-acknowledged })
	if refused := context.Cause(doing); err != nil && ctx.Err() == nil && overLimit(refused) {
		return refused
	}
	return err
}

// refused returns why an admitted command is not carried out; nil if it is. handled reports whether there is a handler
// for it.
func (r *run) refused(handled bool) error {
	if r.inv.Problem != "" {
		return &port.UserError{Text: r.inv.Problem}
	}
	if err := r.permits(r.inv.Command); err != nil && !wasTesting(r.journal.Record()) {
		return err
	}
	if r.journal.Record().Forgotten {
		return sentence.Deleted()
	}
	if !handled {
		return fmt.Errorf("the command %s has no handler", r.inv.Command.Verb)
	}
	return nil
}
