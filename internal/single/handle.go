package single

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/retry"
)

// MaxAttempts is how often an event is handled that fails for no reason that passes.
const MaxAttempts = 3

// Delays between attempts.
const (
	firstDelay = 5 * time.Second
	maxDelay   = 5 * time.Minute
)

// Handler handles events, as bot.Bot does.
type Handler interface {
	Handle(ctx context.Context, ev port.Event) error
	DeadLetter(ctx context.Context, ev port.Event, cause error) error
}

// Runner handles one event in the foreground. Safe for concurrent use.
type Runner struct {
	Handler Handler
	// Patience is how long an event may wait in all for what it needs; 0 does not wait.
	Patience time.Duration
	// Sleep waits; nil waits for real.
	Sleep func(context.Context, time.Duration) error
	// Log gets each wait and each failed attempt; nil discards them.
	Log *slog.Logger
}

// Handle handles an event, again after an error that passes. What fails for good is told in the thread and returned.
func (r Runner) Handle(ctx context.Context, ev port.Event) error {
	log := r.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	sleep := r.Sleep
	if sleep == nil {
		sleep = retry.Sleep
	}
	delay, waited := firstDelay, time.Duration(0)
	for ev.Attempt = 1; ; ev.Attempt++ {
		err := r.Handler.Handle(ctx, ev)
		if err == nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		var waits *port.WaitError
		pause := delay
		if errors.As(err, &waits) {
			ev.Attempt-- // it is not its fault
			pause = max(waits.After, delay)
			waited += pause
		}
		if isPermanent(err) || waits == nil && ev.Attempt >= MaxAttempts || waits != nil && waited > r.Patience {
			ev.Attempt++
			return errors.Join(err, r.Handler.DeadLetter(ctx, ev, err))
		}
		log.WarnContext(ctx, "waiting before another attempt", "for", pause, "error", err)
		if err := sleep(ctx, pause); err != nil {
			return err
		}
		delay = min(2*delay, maxDelay)
	}
}

// isPermanent reports whether err says that a retry would fail too.
func isPermanent(err error) bool {
	var p interface{ Permanent() bool }
	return errors.As(err, &p) && p.Permanent()
}
