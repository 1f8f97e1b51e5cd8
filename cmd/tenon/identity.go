package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh"
	"github.com/tenon-bot/tenon/internal/retry"
)

const (
	// firstAnswer is how long a start waits for GitHub before it goes on without an answer.
	firstAnswer = 5 * time.Second
	// GitHub is asked again after minAskAgain, then after twice as long each time, up to maxAskAgain.
	minAskAgain = time.Second
	maxAskAgain = time.Minute
	// While GitHub refuses the App, it is asked again after minAskRefused, or a refusedPart of the time for which it has
	// done so, up to maxAskAgain.
	minAskRefused = 3 * time.Second
	refusedPart   = 200
)

// identity finds out from GitHub which App this is, also when GitHub does not answer at the start. Safe for concurrent
// use.
type identity struct {
	github   *gh.Client
	log      *slog.Logger
	answered chan struct{} // closed when GitHub has answered
}

// newIdentity asks GitHub once. The error is for what will not change by itself, such as a wrong key.
func newIdentity(ctx context.Context, github *gh.Client, log *slog.Logger) (*identity, error) {
	i := &identity{github: github, log: log, answered: make(chan struct{})}
	first, cancel := context.WithTimeout(ctx, firstAnswer)
	defer cancel()
	err := i.ask(first)
	var wait *port.WaitError
	if errors.As(err, &wait) && ctx.Err() == nil {
		log.WarnContext(ctx, "GitHub does not answer: deliveries are accepted, and commands begin when it does", "error", err)
		return i, nil
	}
	return i, err
}

// ask asks GitHub once.
func (i *identity) ask(ctx context.Context) error {
	if err := i.github.Identify(ctx); err != nil {
		return fmt.Errorf("asking GitHub for the App's name: %w", err)
	}
	close(i.answered)
	return nil
}

// run asks GitHub until it answers or ctx ends. The error is that of newIdentity.
func (i *identity) run(ctx context.Context) error {
	var wait *port.WaitError
	asked := time.Duration(0) // by GitHub to wait
	for delay := minAskAgain; !i.hasAnswered(); delay = min(2*delay, maxAskAgain) {
		if retry.Sleep(ctx, asked+delay/2+rand.N(delay)) != nil { //nolint:gosec // for replicas that started together
			return nil
		}
		err := i.ask(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			i.log.InfoContext(ctx, "GitHub answers", "app", i.github.KnownSlug())
		case !errors.As(err, &wait):
			return err
		default:
			i.log.WarnContext(ctx, "GitHub still does not answer", "error", err)
			asked = min(wait.After, time.Hour)
		}
	}
	return nil
}

// watch asks GitHub again while it refuses the App, as no event is handled then, and tells the log.
func (i *identity) watch(ctx context.Context) {
	var since time.Time // zero while GitHub accepts the App
	for {
		delay := minAskRefused
		if !since.IsZero() {
			delay = min(max(delay, time.Since(since)/refusedPart), maxAskAgain)
		}
		if retry.Sleep(ctx, delay) != nil {
			return
		}
		refused := i.github.Refused()
		if refused != nil && since.IsZero() {
			since = time.Now()
			i.log.ErrorContext(ctx, "GitHub refuses the App: deliveries are accepted, and commands wait until it accepts it",
				"error", refused)
		}
		if refused != nil {
			_ = i.github.Identify(ctx) // which forgets the refusal, or remembers another one
		}
		if i.github.Refused() == nil && !since.IsZero() {
			i.log.InfoContext(ctx, "GitHub accepts the App again", "after", time.Since(since).Round(time.Second))
			since = time.Time{}
		}
	}
}

// hold reports whether no event can be handled, because GitHub refuses the App.
func (i *identity) hold() bool { return i.github.Refused() != nil }

// remark says for operators what is wrong between GitHub and this server; "" if nothing is.
func (i *identity) remark() string {
	refused, ahead := i.github.Refused(), i.github.ClockAhead()
	switch {
	case !i.hasAnswered():
		return "deliveries are accepted, but GitHub has not answered since the start, so commands wait until it does; " +
			"its error is in tenon's log"
	case refused != nil:
		return "deliveries are accepted, but GitHub refuses the App, so commands wait until it accepts it: " +
			refused.Remedy()
	case ahead != 0:
		return "this machine's clock is " + port.ClockOff(ahead) + ", which is corrected in requests to GitHub: set it, " +
			"such as by NTP"
	}
	return ""
}

// hasAnswered reports whether GitHub has answered since the start.
func (i *identity) hasAnswered() bool {
	select {
	case <-i.answered:
		return true
	default:
		return false
	}
}

// wait returns when GitHub has answered; false if ctx ended before.
func (i *identity) wait(ctx context.Context) bool {
	select {
	case <-i.answered:
		return true
	case <-ctx.Done():
		return false
	}
}

// waitForName returns when the App's name is known, from the settings or from GitHub; false if ctx ended before.
func (i *identity) waitForName(ctx context.Context) bool {
	return i.github.KnownSlug() != "" || i.wait(ctx)
}
