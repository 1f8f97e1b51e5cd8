package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/ci"
	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/secret"
)

// start returns the run of an event, nil if the event has no command. cancelled returns who cancelled it.
func (b *Bot) start(ctx context.Context, ev port.Event, cancelled func() *port.CancelledError) (*run, error) {
	ev, inv, ok, err := b.commandOf(ctx, ev)
	if !ok || err != nil {
		return nil, err
	}
	stored, err := b.runs().Start(ctx, ev)
	if err != nil {
		return nil, fmt.Errorf("starting the run: %w", err)
	}
	r, err := b.newRun(ev, inv, stored, b.Policy)
	if err != nil {
		b.audience().Ended(stored.ID)
		return nil, err
	}
	r.cancelled = cancelled
	return r, nil
}

// startUnread is start for a run whose record cannot be read.
func (b *Bot) startUnread(ctx context.Context, ev port.Event) (*run, error) {
	ev, inv, ok, err := b.commandOf(ctx, ev)
	if !ok || err != nil {
		return nil, err
	}
	return b.newRun(ev, inv, port.Run{ID: port.RunID(ev.Delivery), Started: b.Now(), Resumed: true}, b.Policy)
}

// commandOf returns the command of an event, and the event with its thread; ok is false if it has no command.
func (b *Bot) commandOf(ctx context.Context, ev port.Event) (port.Event, command.Invocation, bool, error) {
	inv, ok := b.invocation(ev)
	if !ok || ev.Kind != port.Pressed {
		return ev, inv, ok, nil
	}
	var err error
	ev.Thread, ok, err = b.threadOfButton(ctx, ev)
	return ev, inv, ok, err
}

// threadOfButton returns the thread of the run whose button was pressed: a check belongs to a commit, not to a thread.
func (b *Bot) threadOfButton(ctx context.Context, ev port.Event) (t port.Thread, ok bool, err error) {
	_, past, err := b.Queue.FindRun(ctx, ev.Button.Run)
	if errors.Is(err, port.ErrNotFound) {
		return port.Thread{}, false, nil
	}
	if err != nil {
		return port.Thread{}, false, fmt.Errorf("looking for the run of the button: %w", err)
	}
	return past.Thread, past.ThreadKey() == ev.ThreadKey(), nil
}

// newRun returns a run of an event, by a policy until it is admitted.
func (b *Bot) newRun(ev port.Event, inv command.Invocation, stored port.Run, p policy.Policy) (*run, error) {
	journal, err := record.NewJournal(b.runs(), ev, stored)
	if err != nil {
		return nil, err
	}
	r := &run{
		bot: b, logs: ci.NewReader(), journal: journal, log: b.Log.With("delivery", ev.Delivery, "run", stored.ID),
		invoked: invoked{ev: ev, inv: inv, trigger: ev.Comment, triggerKind: ev.Kind}, admission: admission{policy: p},
		looker: &looker{}, people: newAuthors(b.GitHub, ev), progress: &progress{},
		noReturn: &pointOfNoReturn{journal: journal},
	}
	r.files = &workspace{repos: b.Repos, repo: ev.Repo, masked: secret.NewFiles(), now: b.Now,
		likely: func() []string { return r.likelyFiles(r.files.wanted) }}
	return r, nil
}
