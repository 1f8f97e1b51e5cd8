package bot

import (
	"cmp"
	"context"
	"errors"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// runRetry asks again for the edits of an earlier run that were not made. If that run never got an answer of the model,
// its command is carried out again.
func runRetry(ctx context.Context, r *run) error {
	retry, err := record.Do(ctx, r.journal, record.RetryFound,
		func(ctx context.Context) (record.Retry, error) { return findRetry(ctx, r) })
	if err != nil {
		return err
	}
	past, err := takeUp(ctx, r, retry)
	if err != nil {
		return err
	}
	if retry.Whole {
		if err := r.permits(r.inv.Command); err != nil {
			return err
		}
		return handler(r.inv.Command)(ctx, r)
	}
	edits, err := r.history().EditsLeft(ctx, past)
	if err != nil {
		return err
	}
	what := taskOf(r.inv)
	what.retry, what.files = edits.Prompt(), edits.Files()
	what.ci = min(what.ci, command.CIMentioned) // some of it is done, so CI may report something else, or nothing yet
	if what.text == "" {
		what.text = "Make the edits that were not made."
	}
	j, err := askModel(ctx, r, what)
	if err != nil {
		return err
	}
	return deliver(ctx, r, j)
}

// findRetry finds the run to try again.
func findRetry(ctx context.Context, r *run) (record.Retry, error) {
	t, err := r.open(ctx)
	if err != nil {
		return record.Retry{}, err
	}
	retry, err := r.history().Retry(ctx, t, r.inv.Run, func(ev port.Event) (command.Command, bool) {
		inv, ok := r.bot.invocation(ev)
		return inv.Command, ok
	})
	var unrepairable *history.UnrepairableError
	switch {
	case errors.As(err, &unrepairable):
		return record.Retry{}, sentence.RetryUseless(unrepairable.Run)
	case errors.Is(err, history.ErrNothingToRetry) && r.inv.Run != "":
		return record.Retry{}, sentence.NothingLeftOfRun(r.inv.Run)
	case errors.Is(err, history.ErrNothingToRetry):
		return record.Retry{}, sentence.NothingToRetry()
	}
	return retry, err
}

// takeUp takes over what the first command said: its text, its place on the diff, and its options unless the retry
// gives them. It returns the record of the run whose edits were not made.
func takeUp(ctx context.Context, r *run, retry record.Retry) (record.Record, error) {
	stored, _, err := r.bot.Queue.FindRun(ctx, retry.Run)
	if err == nil && retry.First != "" {
		var first port.Event
		if _, first, err = r.bot.Queue.FindRun(ctx, retry.First); err == nil {
			takeOver(r, first, retry.Whole)
		}
	}
	if errors.Is(err, port.ErrNotFound) {
		err = sentence.RecordGone()
	}
	if err != nil {
		return record.Record{}, err
	}
	rec, err := record.Load(stored)
	if err != nil && !retry.Whole { // a command that is carried out again needs no record
		return record.Record{}, history.Unreadable(stored.ID, err)
	}
	return rec, nil
}

func takeOver(r *run, first port.Event, whole bool) {
	inv, ok := r.bot.invocation(first)
	if !ok {
		return
	}
	r.inv.Options = inv.Options.OverriddenBy(r.inv.Options)
	if inv.Command.Text == command.TextTask {
		r.inv.Text, r.inv.CI = inv.Text, inv.CI
	}
	if whole {
		r.inv.Command = inv.Command
	}
	r.about, r.given = first.Comment, first.Kind
	if first.Thread.Number != r.ev.Thread.Number {
		return
	}
	// It is about the issue as it was then.
	r.ev.Thread.Title = cmp.Or(first.Thread.Title, r.ev.Thread.Title)
	r.ev.Thread.Text = cmp.Or(first.Thread.Text, r.ev.Thread.Text)
}
