package bot

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// Bot answers comments. All fields but Models and Owners must be set; safe for concurrent use.
type Bot struct {
	GitHub port.GitHub
	Repos  repo.Repos
	Model  port.Model
	Runs   port.Runs
	Queue  port.ThreadQueue
	Budget port.Budget
	// Policy is the server's, as ServerPolicy makes it.
	Policy policy.Policy
	// ParseLayer reads a file of settings. What it cannot read of it are problems, their source left open.
	ParseLayer func(data []byte) (policy.Layer, []policy.Problem)
	// Models are those that may be asked for, the default first; empty where none is configured.
	Models []port.ModelInfo
	// Slug is the app's name: "@slug" addresses it, "slug[bot]" is its login.
	Slug string
	// Owners are the logins whose installations are served; empty means all.
	Owners []string
	Now    func() time.Time
	Log    *slog.Logger

	cache   settingsCache
	replies replyLimit
}

// Handle does what the event's comment asks, if it asks anything. It may be called again for the same event after a crash
// or an error, and then goes on where the run stood. nil means that the event is done with, whatever the answer was.
func (b *Bot) Handle(ctx context.Context, ev port.Event) error {
	return b.unlessNoThread(ctx, ev, b.handle(ctx, ev))
}

func (b *Bot) handle(ctx context.Context, ev port.Event) error {
	after, end := uncancellable(ctx)
	defer end()
	s, err := b.begin(after, ev)
	if s == nil || err != nil {
		return err
	}
	if record.PastNoReturn(s.Run) { // an attempt that died may have committed
		ctx = after
	}
	err = s.serve(ctx, handler(s.inv.Command))
	s.unwatch()
	if s.beyondCancel {
		ctx = after
	}
	var user *port.UserError
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
func (b *Bot) DeadLetter(ctx context.Context, ev port.Event, cause error) error {
	s, err := b.begin(ctx, ev)
	if s == nil || err != nil {
		return err
	}
	s.log.ErrorContext(ctx, "gave up", "error", cause)
	if b.unsure(ev) {
		return nil
	}
	return b.unlessNoThread(ctx, ev, s.deadLetter(ctx, deadLetterText(ev, cause)))
}

// Waits says in the thread that the event has to wait, and for what; at once, so that nobody wonders. The run finds that answer
// again when its time comes. An error is for the log.
func (b *Bot) NotifyQueued(ctx context.Context, ev, ahead port.Event) error {
	inv, ok := b.asked(ev)
	if !ok || inv.Problem != "" || ev.Kind == port.Ticked || b.unsure(ev) {
		return nil
	}
	s := b.session(ev, inv, port.Run{ID: port.RunID(ev.Delivery), Started: b.Now()})
	has, err := s.permission(ctx)
	if err != nil || !has.Allows(inv.Command.Needs) || !s.serves(ev.Repo.Owner) {
		return err
	}
	_, err = s.post(ctx, s.answerPlace(), report.QueuedNotice(s.subject(), s.verbOf(ahead), ahead))
	return err
}

// asked reads what an event asks for; ok is false when that is nothing.
func (b *Bot) asked(ev port.Event) (command.Invocation, bool) {
	if ev.Sender.Bot || strings.EqualFold(ev.Sender.Login, b.Slug+"[bot]") {
		return command.Invocation{}, false
	}
	return command.InvocationOf(ev, b.Slug, ev.Label) // which label it takes is a setting, and asked for later
}

// maybeNothing says that nobody knows, as long as the settings are not read, whether an event asks for anything: a label that is not
// the server's may be the repository's. Nothing is said about it then.
func (b *Bot) unsure(ev port.Event) bool {
	return ev.Kind == port.Labeled && !strings.EqualFold(ev.Label, cmp.Or(b.Policy.Label, policy.DefaultLabel))
}

// begin returns the session of an event, or nil when it asks nothing of us.
func (b *Bot) begin(ctx context.Context, ev port.Event) (*session, error) {
	inv, ok := b.asked(ev)
	if ok && ev.Kind == port.Pressed {
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
func (b *Bot) threadOf(ctx context.Context, ev port.Event) (t port.Thread, ok bool, err error) {
	_, past, err := b.Queue.FindRun(ctx, ev.Button.Run)
	if errors.Is(err, port.ErrNotFound) {
		return port.Thread{}, false, nil
	}
	if err != nil {
		return port.Thread{}, false, fmt.Errorf("looking for the run of the button: %w", err)
	}
	return past.Thread, past.ThreadKey() == ev.ThreadKey(), nil
}

func (b *Bot) session(ev port.Event, inv command.Invocation, run port.Run) *session {
	return &session{Bot: b, Journal: &record.Journal{Runs: b.Runs, Ev: ev, Run: run}, ev: ev, inv: inv, policy: b.Policy, log: b.Log.With("delivery", ev.Delivery, "run", run.ID)}
}

// session is the handling of one event by one attempt.
type session struct {
	*Bot
	*record.Journal
	ev  port.Event
	inv command.Invocation
	log *slog.Logger
	// policy is what holds in the repository, has what the sender may do there.
	policy policy.Policy
	has    port.Permission
	// bound says that it is too late to cancel the run.
	beyondCancel bool

	// first is the comment that a retry takes up; nil for any other run.
	first *port.Comment

	// progress shows how far the run is; nil when nothing is shown.
	progress *progress
	// opened is the checkout that the steps of this attempt share.
	opened repo.Checkout
}

// resumed says that an earlier attempt may have written things that its record does not show.
func (s *session) resumed() bool { return s.Run.Resumed }

// serve admits the command and carries it out by do.
func (s *session) serve(ctx context.Context, do func(context.Context, *session) error) error {
	if err := s.admit(ctx); err != nil {
		return err
	}
	var eyes sync.WaitGroup
	ev := s.ev // the work may find that the repository has another name now
	eyes.Go(func() { s.reactTo(ctx, ev, port.ReactionEyes) })
	defer eyes.Wait()
	if s.inv.Problem != "" {
		return &port.UserError{Text: s.inv.Problem}
	}
	if err := s.permits(s.inv.Command); err != nil {
		return err
	}
	return do(ctx, s)
}

// react adds a reaction to the comment, if there is one that is not our own. A reaction is a courtesy: that it could not be added is
// logged, no more.
func (s *session) react(ctx context.Context, r port.Reaction) { s.reactTo(ctx, s.ev, r) }

func (s *session) reactTo(ctx context.Context, ev port.Event, r port.Reaction) {
	if ev.Comment.Kind == "" || ev.Kind == port.Ticked {
		return
	}
	if err := s.GitHub.React(ctx, ev.Repo, ev.Comment, r); err != nil {
		s.log.WarnContext(ctx, "reaction not added", "reaction", string(r), "error", err)
	}
}

// inLine is a command of somebody, given so many minutes ago.
func (s *session) inLine(login, body string, ago int, working bool, steps ...string) report.Queued {
	ev := s.ev
	ev.Sender.Login, ev.Comment.Body, ev.Received = login, body, s.Now().Add(-time.Duration(ago)*time.Minute)
	at := report.Queued{QueuedEvent: port.QueuedEvent{Event: ev, Running: working}, Verb: "fix"}
	if len(steps) > 0 || working {
		at.Run = port.Run{ID: "k3v9x1p7q2m4", Started: ev.Received.Add(20 * time.Second), Steps: map[string][]byte{}}
	}
	for _, step := range steps {
		at.Run.Steps[step], _ = json.Marshal(record.Prompt{Selection: retrieve.Selection{Files: []retrieve.ShownFile{{Path: "server/start.go"}, {Path: "a`b|c.go"}}}})
	}
	return at
}

func (s *session) history() history.Thread { return history.Thread{Line: s.Queue, Ev: s.ev} }

// named finds the commit of a run of these threads.
func (s *session) named(ctx context.Context, id string, t record.Target) (record.Commit, error) {
	run, ev, err := s.Queue.FindRun(ctx, id)
	if errors.Is(err, port.ErrNotFound) || err == nil && (ev.Repo.ID != s.ev.Repo.ID || !slices.Contains(s.history().Threads(t), ev.Thread.Number)) {
		return record.Commit{}, &port.UserError{Text: fmt.Sprintf("There is no run `%s` on this thread. A run's id is at the end of its answer; give the command where that answer stands.", id)}
	}
	if err != nil {
		return record.Commit{}, fmt.Errorf("looking for run %s: %w", id, err)
	}
	d, ok, err := record.CommitOf(run)
	switch {
	case err != nil:
		return record.Commit{}, err
	case !ok:
		return record.Commit{}, &port.UserError{Text: fmt.Sprintf("Run `%s` committed nothing, so there is nothing to undo.", id)}
	case d.Branch != t.Branch:
		return record.Commit{}, &port.UserError{Text: fmt.Sprintf("The commit of run `%s` is on the branch %s, which is not the one that is worked on here now. Nothing was done; revert %s by git.", id, markdown.Code(d.Branch), report.CommitLink(s.repoURL(), d.SHA))}
	}
	return d, nil
}

// model is the one that the command names, or the settings, or the first that this repository may use. The zero ModelInfo, where no model
// is configured, leaves it to the port to say so.
func (s *session) model() (port.ModelInfo, error) {
	var names []string
	wanted := cmp.Or(s.inv.Options.Model, s.policy.Model)
	for _, m := range s.Models {
		if !m.Allows(s.ev.Repo) || !s.policy.AllowsModel(m.Name) {
			continue
		}
		if wanted == "" || strings.EqualFold(wanted, m.Name) {
			return m, nil
		}
		names = append(names, markdown.Code(m.Name))
	}
	if len(s.Models) == 0 && wanted == "" {
		return port.ModelInfo{}, nil
	}
	if len(names) == 0 {
		return port.ModelInfo{}, &port.UserError{Text: "No model may be used in this repository. `/tenon config` shows which setting leaves none."}
	}
	return port.ModelInfo{}, &port.UserError{Text: fmt.Sprintf("There is no model %s for this repository. There are: %s.", markdown.Code(markdown.Clip(wanted, 64)), strings.Join(names, ", "))}
}

// cost is what the calls of a conversation cost by the configured prices; ok is false when the price of one is not known.
func (s *session) cost(t conversation.Conversation) (dollars float64, ok bool) {
	for _, turn := range t.Turns {
		if turn.Fault != "" {
			continue
		}
		price := s.price(turn.Answer.Name)
		if price == (port.Price{}) {
			return 0, false
		}
		dollars += price.Of(turn.Answer.Usage)
	}
	return dollars, len(t.Turns) > 0
}

func (s *session) price(name string) port.Price {
	for _, m := range s.Models {
		if m.Name == name {
			return m.Price
		}
	}
	return port.Price{}
}

// permits says whether the settings of the repository allow a command; a *UserError when not.
func (s *session) permits(c command.Command) error {
	p := s.policy
	if handler(c) == nil || slices.Contains(policy.FreeVerbs, c.Verb) {
		return nil
	}
	if broken, ok := p.Closed(); ok {
		return &port.UserError{Text: fmt.Sprintf("tenon does nothing here until its settings can be read: %s. Mend it there and give the command again; `/tenon config` shows all that is wrong.", s.settings().ProblemWords(broken))}
	}
	if p.Disabled {
		return &port.UserError{Text: fmt.Sprintf("tenon is switched off here by %s, so nothing was done. `/tenon config` shows the settings that hold.", s.settings().OriginWords("enabled"))}
	}
	if p.Verbs != nil && !slices.Contains(p.Verbs, c.Verb) {
		return &port.UserError{Text: fmt.Sprintf("`/tenon %s` is not allowed here: %s allows %s. `/tenon help` and `/tenon config` work always.", c.Verb, s.settings().OriginWords("verbs"), policy.WordsOr(p.Verbs, "nothing else"))}
	}
	return nil
}
