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

// runRetry asks again for the edits of an earlier run that were not made.
func runRetry(ctx context.Context, r *run) error {
	edits, err := r.history().EditsLeft(ctx, r.past)
	if err != nil {
		return err
	}
	task := taskOf(r.inv)
	task.retry, task.files = edits.Prompt(), edits.Files()
	task.ci = min(task.ci, command.CIMentioned) // some of it is done, so CI may report something else, or nothing yet
	if task.text == "" {
		task.text = "Make the edits that were not made."
	}
	j, err := askModel(ctx, r, task)
	if err != nil {
		return err
	}
	return deliver(ctx, r, j)
}

// takeRetry returns what a retry carries out. If the run that it is about never got an answer of the model, that is the
// command of that run, again.
func (r *run) takeRetry(ctx context.Context) (invoked, error) {
	f := retryFinder{queue: r.bot.Queue, history: r.history(), invocation: r.bot.invocation}
	retry, err := record.Do(ctx, r.journal, record.RetryFound, func(ctx context.Context) (record.Retry, error) {
		t, err := r.open(ctx, r.inv.Options.Base, r.ev.Thread.Title)
		if l := r.firstLook(ctx); err != nil && r.ev.Thread.Pull && pullState(l.pull) == sentence.PullMerged {
			err = sentence.RetryOnMerged()
		}
		if err != nil {
			return record.Retry{}, err
		}
		return f.find(ctx, t, r.inv.Run)
	})
	if err != nil {
		return r.invoked, err
	}
	taken, err := f.take(ctx, retry, r.invoked)
	if err == nil && retry.Whole {
		err = r.permits(taken.inv.Command)
	}
	return taken, err
}

// retryFinder finds the run that a retry is about.
type retryFinder struct {
	queue   port.ThreadQueue
	history history.Thread
	// invocation reads the command of an event.
	invocation func(port.Event) (command.Invocation, bool)
}

// find finds the run to try again, of a name if that is not empty.
func (f retryFinder) find(ctx context.Context, t record.Target, run string) (record.Retry, error) {
	retry, err := f.history.Retry(ctx, t, run, func(ev port.Event) (command.Command, bool) {
		inv, ok := f.invocation(ev)
		return inv.Command, ok
	})
	var unrepairable *history.UnrepairableError
	switch {
	case errors.As(err, &unrepairable):
		return record.Retry{}, sentence.RetryUseless(unrepairable.Run)
	case errors.Is(err, history.ErrNothingToRetry) && run != "":
		return record.Retry{}, sentence.NothingLeftOfRun(run)
	case errors.Is(err, history.ErrNothingToRetry):
		return record.Retry{}, sentence.NothingToRetry()
	}
	return retry, err
}

// take returns what a retry carries out: what the first command said, its text, its place on the diff, and its options
// unless the retry gives them; and the run whose edits were not made.
func (f retryFinder) take(ctx context.Context, retry record.Retry, taken invoked) (invoked, error) {
	stored, _, err := f.queue.FindRun(ctx, retry.Run)
	if err == nil && retry.First != "" {
		var first port.Event
		if _, first, err = f.queue.FindRun(ctx, retry.First); err == nil {
			if inv, ok := f.invocation(first); ok {
				taken = taken.with(first, inv, retry.Whole)
			}
		}
	}
	if errors.Is(err, port.ErrNotFound) {
		err = sentence.RecordGone()
	}
	if err != nil {
		return taken, err
	}
	if taken.past, err = record.Load(stored); err != nil && !retry.Whole { // else it needs no record
		return taken, history.Unreadable(stored.ID, err)
	}
	return taken, nil
}

// with returns what is carried out of the first command, or of all of it again.
func (v invoked) with(first port.Event, inv command.Invocation, whole bool) invoked {
	v.inv.Options = inv.Options.OverriddenBy(v.inv.Options)
	if inv.Command.Text == command.TextTask {
		v.inv.Text, v.inv.CI = inv.Text, inv.CI
	}
	if whole {
		v.inv.Command = inv.Command
	}
	v.trigger, v.triggerKind = first.Comment, first.Kind
	if first.Thread.Number == v.ev.Thread.Number { // it is about the issue as it was then
		v.ev.Thread.Title = cmp.Or(first.Thread.Title, v.ev.Thread.Title)
		v.ev.Thread.Text = cmp.Or(first.Thread.Text, v.ev.Thread.Text)
	}
	return v
}
