package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot"
)

// Handler does the work of an event. It must be safe for concurrent use; of one thread it has one event at a time, and those
// aside. It may be a Waiter too.
//
// Its context ends with bot.ErrLeaseLost as the cause when the event is no longer ours, with a *bot.CancelledError when it was
// cancelled, and when the program stops and the grace time is over. A panic counts as an error.
type Handler interface {
	// Handle does the work. An event may come again, after an error or the death of a process; the records of its run
	// tell what was done. nil: done. An error with Permanent() true: no use to try again. Another is tried again,
	// after the time that its RetryAfter() asks for if it has one, MaxAttempts times in all.
	//
	// An event that was cancelled may come once more, under a context that has ended for that. Then it is only to tell people;
	// records can be written until it returns. nil and the context's error: done. Another error is tried again likewise.
	Handle(ctx context.Context, ev bot.Event) error
	// GiveUp tells the people that an event will not be handled, and why. It may come again too.
	GiveUp(ctx context.Context, ev bot.Event, cause error) error
}

// Workers take events from a store and have them handled. Set Store and Handler; call Run once. A store has one.
type Workers struct {
	Store   *Store
	Handler Handler
	// Count is how many events are handled at a time; 0 is 4. Those aside have 2 places of their own.
	Count int
	// Log gets one line for each event that did not go well; nil is nowhere.
	Log *slog.Logger
	// Poll is how often the queue is looked at when nothing wakes the workers, as for retries that are due; 0 is a second.
	Poll time.Duration
	// Grace is how long running work may go on when the program stops, before its lease is given back; 0 is 20 seconds.
	Grace time.Duration
}

// errStopping is the cause that ends a handler's context when its grace time is over.
var errStopping = errors.New("the program stops")

// abandon is how long a handler may take to return after its context has ended.
const abandon = 5 * time.Second

// Run works until ctx ends. Then it takes no new work, gives running work the grace time and gives the rest back. The
// error says that a handler did not return even then; its event is taken over when its lease is over, or at a restart.
func (w *Workers) Run(ctx context.Context) error {
	w.defaults()
	var lanes, running sync.WaitGroup
	work, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	for _, l := range []lane{
		{w.Count, w.Store.Claim, w.Store.wake},
		{asides, w.Store.ClaimAside, w.Store.wakeAside},
	} {
		lanes.Go(func() { w.drive(ctx, work, l, &running) })
	}
	if waiter, ok := w.Handler.(Waiter); ok {
		running.Go(func() { w.tellWaiting(ctx, work, waiter) })
	}
	lanes.Wait()
	return w.stop(&running, cancel)
}

// asides is how many events aside are handled at a time.
const asides = 2

// lane is a way for events to be handled, so many at a time.
type lane struct {
	count int
	claim func(context.Context) (Claim, bool, error)
	wake  <-chan struct{}
}

// drive handles the events of a lane until ctx ends.
func (w *Workers) drive(ctx, work context.Context, l lane, running *sync.WaitGroup) {
	slots := make(chan struct{}, l.count)
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			continue
		case slots <- struct{}{}:
		}
		c, ok := w.claim(work, l)
		if !ok {
			<-slots
			w.wait(ctx, l)
			continue
		}
		running.Go(func() {
			defer func() { <-slots }()
			w.work(work, c)
		})
	}
}

func (w *Workers) defaults() {
	if w.Count <= 0 {
		w.Count = 4
	}
	if w.Log == nil {
		w.Log = slog.New(slog.DiscardHandler)
	}
	if w.Poll <= 0 {
		w.Poll = time.Second
	}
	if w.Grace <= 0 {
		w.Grace = 20 * time.Second
	}
}

// claim takes the next event. An error is the database's, which may be well again at the next look.
func (w *Workers) claim(ctx context.Context, l lane) (Claim, bool) {
	c, ok, err := l.claim(ctx)
	if err != nil {
		w.Log.ErrorContext(ctx, "the queue cannot be read", "error", err)
	}
	return c, ok
}

// wait returns when there may be work.
func (w *Workers) wait(ctx context.Context, l lane) {
	poll := time.NewTimer(w.Poll)
	defer poll.Stop()
	select {
	case <-ctx.Done():
	case <-poll.C:
	case <-l.wake:
	}
}

// stop waits for running work.
func (w *Workers) stop(running *sync.WaitGroup, cancel context.CancelCauseFunc) error {
	done := make(chan struct{})
	go func() {
		running.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-time.After(w.Grace):
		cancel(errStopping)
	}
	select {
	case <-done:
		return nil
	case <-time.After(abandon):
		return fmt.Errorf("work did not end within %s after it was told to", abandon)
	}
}
