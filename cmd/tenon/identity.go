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
)

const (
	// firstAnswer is how long a start waits for GitHub before it goes on without an answer.
	firstAnswer = 5 * time.Second
	// GitHub is asked again after minAskAgain, then after twice as long each time, up to maxAskAgain.
	minAskAgain = time.Second
	maxAskAgain = time.Minute
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
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(asked + delay/2 + rand.N(delay)): //nolint:gosec // for replicas that started together
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
