package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// Bot answers comments. All fields but Models and Owners must be set; safe for concurrent use.
type Bot struct {
	GitHub GitHub
	Repos  Repos
	Model  Model
	Runs   Runs
	Line   Line
	Budget Budget
	// Policy is the server's, as ServerPolicy makes it.
	Policy Policy
	// ParseLayer reads a file of settings. What it cannot read of it are problems, their source left open.
	ParseLayer func(data []byte) (Layer, []Problem)
	// Models are those that may be asked for, the default first; empty where none is configured.
	Models []ModelInfo
	// Slug is the app's name: "@slug" addresses it, "slug[bot]" is its login.
	Slug string
	// Owners are the logins whose installations are served; empty means all.
	Owners []string
	Now    func() time.Time
	Log    *slog.Logger

	book       settingsBook
	courtesies courtesies
}

// Handle does what the event's comment asks, if it asks anything. It may be called again for the same event after a crash
// or an error, and then goes on where the run stood. nil means that the event is done with, whatever the answer was.
func (b *Bot) Handle(ctx context.Context, ev Event) error {
	return b.unlessGone(ctx, ev, b.handle(ctx, ev))
}

func (b *Bot) handle(ctx context.Context, ev Event) error {
	after, end := beyondCancel(ctx)
	defer end()
	s, err := b.begin(after, ev)
	if s == nil || err != nil {
		return err
	}
	if delivers(s.run) { // an attempt that died may have committed
		ctx = after
	}
	err = s.serve(ctx, handler(s.inv.command))
	s.unwatch()
	if s.bound {
		ctx = after
	}
	var user *UserError
	switch by := cancelled(ctx); {
	case err == nil || errors.Is(err, errTurnedAway):
		return nil
	case by != nil:
		s.log.InfoContext(after, "cancelled", "by", by.By)
		return s.endCancelled(after, by)
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
	if b.maybeNothing(ev) {
		return nil
	}
	return b.unlessGone(ctx, ev, s.surrender(ctx, givenUpText(ev, cause)))
}

// Waits says in the thread that the event has to wait, and for what; at once, so that nobody wonders. The run finds that answer
// again when its time comes. An error is for the log.
func (b *Bot) Waits(ctx context.Context, ev, ahead Event) error {
	inv, ok := b.asked(ev)
	if !ok || inv.problem != "" || ev.Kind == Ticked || b.maybeNothing(ev) {
		return nil
	}
	s := b.session(ev, inv, Run{ID: RunID(ev.Delivery), Started: b.Now()})
	has, err := s.permission(ctx)
	if err != nil || !has.allows(inv.command.Needs) || !s.serves(ev.Repo.Owner) {
		return err
	}
	_, err = s.post(ctx, s.place(), waitingBody(s.subject(), s.verbOf(ahead), ahead))
	return err
}

// asked reads what an event asks for; ok is false when that is nothing.
func (b *Bot) asked(ev Event) (invocation, bool) {
	if ev.Sender.Bot || strings.EqualFold(ev.Sender.Login, b.Slug+"[bot]") {
		return invocation{}, false
	}
	return invocationOf(ev, b.Slug, ev.Label) // which label it takes is a setting, and asked for later
}

// maybeNothing says that nobody knows, as long as the settings are not read, whether an event asks for anything: a label that is not
// the server's may be the repository's. Nothing is said about it then.
func (b *Bot) maybeNothing(ev Event) bool {
	return ev.Kind == Labeled && !strings.EqualFold(ev.Label, cmp.Or(b.Policy.Label, DefaultLabel))
}

// begin returns the session of an event, or nil when it asks nothing of us.
func (b *Bot) begin(ctx context.Context, ev Event) (*session, error) {
	inv, ok := b.asked(ev)
	if ok && ev.Kind == Pressed {
		var err error
		if ev.Thread, ok, err = b.threadOf(ctx, ev); err != nil {
			return nil, err
		}
	}
	if !ok {
		return nil, nil
	}
	run, err := b.Runs.Start(ctx, ev)
	if err != nil {
		return nil, fmt.Errorf("starting the run: %w", err)
	}
	return b.session(ev, inv, run), nil
}

// threadOf is the thread of the run whose button was pressed: a check belongs to a commit, not to a thread.
func (b *Bot) threadOf(ctx context.Context, ev Event) (t Thread, ok bool, err error) {
	_, past, err := b.Line.FindRun(ctx, ev.Button.Run)
	if errors.Is(err, ErrNotFound) {
		return Thread{}, false, nil
	}
	if err != nil {
		return Thread{}, false, fmt.Errorf("looking for the run of the button: %w", err)
	}
	return past.Thread, past.ThreadKey() == ev.ThreadKey(), nil
}

func (b *Bot) session(ev Event, inv invocation, run Run) *session {
	return &session{Bot: b, journal: &journal{runs: b.Runs, ev: ev, run: run}, ev: ev, inv: inv, policy: b.Policy, log: b.Log.With("delivery", ev.Delivery, "run", run.ID)}
}

// session is the handling of one event by one attempt.
type session struct {
	*Bot
	*journal
	ev  Event
	inv invocation
	log *slog.Logger
	// policy is what holds in the repository, has what the sender may do there.
	policy Policy
	has    Permission
	// bound says that it is too late to cancel the run.
	bound bool

	// first is the comment that a retry takes up; nil for any other run.
	first *Comment

	// progress shows how far the run is; nil when nothing is shown.
	progress *progress
	// opened is the checkout that the steps of this attempt share.
	opened Checkout
}

// resumed says that an earlier attempt may have written things that its record does not show.
func (s *session) resumed() bool { return s.run.Resumed }

// serve admits the command and carries it out by do.
func (s *session) serve(ctx context.Context, do func(context.Context, *session) error) error {
	if err := s.admit(ctx); err != nil {
		return err
	}
	var eyes sync.WaitGroup
	ev := s.ev // the work may find that the repository has another name now
	eyes.Go(func() { s.reactTo(ctx, ev, ReactionEyes) })
	defer eyes.Wait()
	if s.inv.problem != "" {
		return &UserError{s.inv.problem}
	}
	if err := s.permits(s.inv.command); err != nil {
		return err
	}
	return do(ctx, s)
}

// react adds a reaction to the comment, if there is one that is not our own. A reaction is a courtesy: that it could not be added is
// logged, no more.
func (s *session) react(ctx context.Context, r Reaction) { s.reactTo(ctx, s.ev, r) }

func (s *session) reactTo(ctx context.Context, ev Event, r Reaction) {
	if ev.Comment.Kind == "" || ev.Kind == Ticked {
		return
	}
	if err := s.GitHub.React(ctx, ev.Repo, ev.Comment, r); err != nil {
		s.log.WarnContext(ctx, "reaction not added", "reaction", string(r), "error", err)
	}
}
