package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// Bot answers comments. All fields but Policy, Models and Owners must be set; safe for concurrent use.
type Bot struct {
	GitHub GitHub
	Repos  Repos
	Model  Model
	Runs   Runs
	Budget Budget
	// Policy is the server's.
	Policy Policy
	// Models are those that may be asked for, the default first; empty where none is configured.
	Models []ModelInfo
	// Slug is the app's name: "@slug" addresses it, "slug[bot]" is its login.
	Slug string
	// Owners are the logins whose installations are served; empty means all.
	Owners []string
	Now    func() time.Time
	Log    *slog.Logger
}

// Handle does what the event's comment asks, if it asks anything. It may be called again for the same event after a crash
// or an error, and then goes on where the run stood. nil means that the event is done with, whatever the answer was.
func (b *Bot) Handle(ctx context.Context, ev Event) error {
	s, err := b.begin(ctx, ev)
	if s == nil || err != nil {
		return err
	}
	err = s.serve(ctx)
	var user *UserError
	switch {
	case errors.Is(err, errTurnedAway):
		return nil
	case errors.As(err, &user):
		s.log.InfoContext(ctx, "refused", "text", user.Text)
		return s.refuse(ctx, user.Text)
	}
	return err
}

// GiveUp tells the person who asked that the event will not be tried again. cause is for the log, not for the comment.
func (b *Bot) GiveUp(ctx context.Context, ev Event, cause error) error {
	s, err := b.begin(ctx, ev)
	if s == nil || err != nil {
		return err
	}
	s.log.ErrorContext(ctx, "gave up", "error", cause)
	return s.surrender(ctx, fmt.Sprintf("An internal error kept tenon from finishing this; it will not try again by itself. "+
		"Give the command once more in a new comment. If that ends here too, whoever runs this app finds the cause in its log under delivery `%s`.", ev.Delivery))
}

// begin returns the session of an event, or nil when it asks nothing of us.
func (b *Bot) begin(ctx context.Context, ev Event) (*session, error) {
	if ev.Sender.Bot || strings.EqualFold(ev.Sender.Login, b.Slug+"[bot]") {
		return nil, nil
	}
	inv, ok := invocationOf(ev, b.Slug, DefaultLabel)
	if !ok {
		return nil, nil
	}
	run, err := b.Runs.Start(ctx, ev)
	if err != nil {
		return nil, fmt.Errorf("starting the run: %w", err)
	}
	return &session{Bot: b, ev: ev, inv: inv, run: run, policy: b.Policy, log: b.Log.With("delivery", ev.Delivery, "run", run.ID)}, nil
}

// session is the handling of one event by one attempt.
type session struct {
	*Bot
	ev  Event
	inv invocation
	run Run
	log *slog.Logger
	// policy is what holds in the repository.
	policy Policy

	// opened is the checkout that the steps of this attempt share.
	opened Checkout
}

// resumed says that an earlier attempt may have written things that its record does not show.
func (s *session) resumed() bool { return s.ev.Attempt > 1 }

func (s *session) serve(ctx context.Context) error {
	if err := s.admit(ctx); err != nil {
		return err
	}
	var eyes sync.WaitGroup
	eyes.Go(func() { s.react(ctx, ReactionEyes) })
	defer eyes.Wait()
	if s.inv.problem != "" {
		return &UserError{s.inv.problem}
	}
	return s.inv.command.run(ctx, s)
}

// react adds a reaction to the comment. A reaction is a courtesy: that it could not be added is logged, no more.
func (s *session) react(ctx context.Context, r Reaction) {
	if err := s.GitHub.React(ctx, s.ev.Repo, s.ev.Comment, r); err != nil {
		s.log.WarnContext(ctx, "reaction not added", "reaction", string(r), "error", err)
	}
}
