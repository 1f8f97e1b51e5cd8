package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/web"
)

// pageActs carries out what visitors ask for on the page of a run: as commands of the same queue as those in comments,
// which decides about permissions, settings and budgets.
type pageActs struct {
	// eventOf returns the event of a run, started or not; port.ErrNotFound if there is none.
	eventOf func(ctx context.Context, run string) (port.Event, error)
	// submit accepts an event.
	submit func(context.Context, port.Event) error
	now    func() time.Time
}

// Act implements web.Acts.
func (a pageActs) Act(ctx context.Context, v web.Visitor, run string, act view.Act, blocks []int) (string, error) {
	of, err := a.eventOf(ctx, run)
	if err != nil {
		return "", err
	}
	by := port.User{ID: v.ID, Login: v.Login}
	if v.Local { // whoever runs the program is who gave the command in it
		by = of.Sender
	}
	now := a.now()
	ev, err := command.OnPage(of, port.Button{Verb: string(act), Run: run, Blocks: blocks}, by,
		idOfClick(by.ID, run, act, blocks, now), now)
	if err != nil {
		return "", err
	}
	err = a.submit(ctx, ev)
	var many *port.TooMany
	if errors.As(err, &many) {
		return "", &port.UserError{Text: fmt.Sprintf("There have been too many commands: at most %d an hour are accepted. "+
			"Wait a while, and try again.", many.Limit)}
	}
	if err != nil {
		return "", err
	}
	return port.RunID(ev.Delivery), nil
}

// doubleClick is the time in which clicks of a person on the same button are one.
const doubleClick = 10 * time.Second

// idOfClick returns what is the same for clicks that follow each other closely, and for no others. An accepted event is
// not accepted again, so the second click of a double one leads to the run of the first.
func idOfClick(person int64, run string, act view.Act, blocks []int, at time.Time) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %s %v %d", person, run, act, blocks, at.Truncate(doubleClick).Unix()))
	return hex.EncodeToString(sum[:16])
}

// actsNow returns what can be done with a run in a state now, and the numbers of the edits that can be applied.
func actsNow(ctx context.Context, st *store.Store, slug string, state view.State, run history.Run) (
	acts []view.Act, apply []int, err error,
) {
	commandOf := func(ev port.Event) (command.Command, bool) {
		inv, ok := command.FromEvent(ev, slug, ev.Label)
		return inv.Command, ok
	}
	if state != view.Ended && state != view.DeadLetter {
		_, isCommand := commandOf(run.Event)
		_, testing := run.Verifying()
		if isCommand && !run.Event.Immediate && (!run.Committing || testing) {
			acts = []view.Act{view.ActCancel}
		}
		return acts, nil, nil
	}
	h := history.Thread{Queue: sinceQueue{st, run.Event.Delivery}, Event: run.Event}
	p, err := h.Possible(ctx, run, commandOf)
	if err != nil {
		return nil, nil, fmt.Errorf("looking what can be done with run %s: %w", run.ID, err)
	}
	if p.Undo {
		acts = append(acts, view.ActUndo)
	}
	if p.Retry {
		acts = append(acts, view.ActRetry)
	}
	if len(p.Apply) > 0 {
		acts = append(acts, view.ActApply)
	}
	return acts, p.Apply, nil
}

// sinceQueue is a queue as the thread of a delivery sees it now, from that delivery on.
type sinceQueue struct {
	*store.Store
	delivery string
}

// Past implements port.ThreadQueue.
func (q sinceQueue) Past(ctx context.Context, ev port.Event, most int) ([]port.PastRun, error) {
	return q.Since(ctx, ev, q.delivery, most)
}
