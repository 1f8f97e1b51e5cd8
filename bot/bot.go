// Package bot carries out the commands that people give in comments: it admits the command, selects and shows files to
// a model, applies the edits of its reply, commits them and answers. It reaches the world through package port alone.
package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/ci"
	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/marks"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/bot/settings"
	"github.com/tenon-bot/tenon/bot/view"
)

// Bot carries out commands. All fields but Watches, Audit, Formats, Audience, Marks, Models, Load, Pages, Owners,
// Documents and Keys must be set. Safe for concurrent use.
type Bot struct {
	GitHub port.GitHub
	Repos  repo.Repos
	Model  port.Model
	Runs   port.Runs
	Queue  port.ThreadQueue
	Budget port.Budget
	// Watches has events wait for what CI says of commits; nil follows none.
	Watches port.Watches
	// Audit is told what runs are about to do and came to; nil tells nobody.
	Audit port.Audit
	// Formats tells in which formats models write; nil knows nothing.
	Formats port.Formats
	// Audience is shown runs while they go on; nil shows them to nobody.
	Audience view.Audience
	// Marks seals into each answer what later commands of the thread need of its run; nil where Queue keeps that.
	Marks *marks.Key
	// Policy is the server's, as policy.ServerPolicy makes it.
	Policy policy.Policy
	// Models are those that may be asked for, the default first; empty if none is configured.
	Models []port.ModelInfo
	// Slug is the app's name: "@slug" addresses it, "slug[bot]" is its login unless Account names another one.
	Slug string
	// Token is what the bot has to act on GitHub instead of an App, and Account whose it is.
	Token   port.TokenKind
	Account port.User
	// Load returns how busy the server is; nil if nobody is told.
	Load func() port.Load
	// Admit waits until there is room in memory to select files of a checkout, and returns what to call when they are
	// selected; nil admits all.
	Admit func(ctx context.Context, c repo.Checkout) (release func(), err error)
	// Pages are where people see runs; empty if there are no pages.
	Pages report.Pages
	// Owners are the logins whose installations are served; empty means all.
	Owners []string
	// Documents keeps what is known of the files of repositories, so that a command only reads what has changed; nil
	// keeps nothing.
	Documents *lexical.Cache
	// Keys returns a new key for the delimiters of a question to a model; nil makes random ones.
	Keys func() string
	Now  func() time.Time
	Log  *slog.Logger

	cache settings.Cache
}

// RepositoriesChanged forgets what is known of the repositories of an installation, one of which may have been made or
// removed.
func (b *Bot) RepositoriesChanged(installation int64) { b.cache.RepositoriesChanged(installation) }

// ForgetRepositories is RepositoriesChanged for all installations.
func (b *Bot) ForgetRepositories() { b.cache.ForgetRepositories() }

// policyFor returns the policy for a repository, as settings.Reader does.
func (b *Bot) policyFor(ctx context.Context, repo port.RepoRef, defaultTip func() string) (policy.Policy, error) {
	r := settings.Reader{GitHub: b.GitHub, Repos: b.Repos, Cache: &b.cache, Server: b.Policy, Models: b.Models, Now: b.Now}
	return r.Policy(ctx, repo, defaultTip)
}

// Handle carries out the command of an event, if it has one. It may be called again for the same event after a crash or
// an error, and then continues where the run was. It returns nil when the event is done with, whatever the answer was.
func (b *Bot) Handle(ctx context.Context, ev port.Event) error {
	if ev.Kind == port.Following {
		return b.follow(ctx, ev)
	}
	return b.unlessNoThread(ctx, ev, b.handle(ctx, ev))
}

func (b *Bot) handle(ctx context.Context, ev port.Event) error {
	lasting, end := uncancellable(ctx)
	defer end()
	r, err := b.start(lasting, ev, func() *port.CancelledError { return cancelled(ctx) })
	if r == nil || err != nil {
		return err
	}
	defer b.audience().Ended(r.id())
	running := ctx
	if r.journal.Record().Committing { // an attempt that died may have committed
		running = lasting
	}
	err = r.serve(running, handler(r.inv.Command))
	r.progress.stop()
	if r.noReturn.passed {
		running = lasting
	}
	left := r.over(lasting, r.conclude(running, lasting, err))
	if left == nil {
		r.endRound(lasting, r.whyStopped(running, err))
	}
	r.auditor().ended(running, err)
	return left
}

// conclude turns the error of a run into its answer, if that is what it calls for. running is the context of the run,
// which a cancel ends; lasting is one that a cancel does not end.
func (r *run) conclude(running, lasting context.Context, err error) error {
	var user *port.UserError
	var wait *port.WaitError
	var stopped *stoppedError
	switch by := cancelled(running); {
	case err == nil || errors.Is(err, errTurnedAway):
		return nil
	case errors.As(err, &stopped):
		return r.endStopped(running, stopped)
	case by != nil:
		r.log.InfoContext(lasting, "cancelled", "by", by.By)
		return r.endCancelled(lasting, by)
	case errors.As(err, &wait):
		r.tellWaiting(lasting, wait)
	case errors.As(err, &user) && refusedRound(r.ev, r.journal.Record()):
		r.log.InfoContext(running, "a round of autofix refused", "text", user.Text)
		return nil
	case errors.As(err, &user):
		r.log.InfoContext(running, "command refused", "text", user.Text)
		return r.end(running, r.answers(), user.Text, "failure")
	}
	return err
}

// DeadLetter tells the person who gave the command that it will not be tried again. cause is for the log, not for the
// answer.
func (b *Bot) DeadLetter(ctx context.Context, ev port.Event, cause error) error {
	r, err := b.start(ctx, ev, func() *port.CancelledError { return nil })
	var unreadable *record.UnreadableError
	if errors.As(err, &unreadable) { // of the run itself: its answer is found by its marker
		r, err = b.startUnread(ctx, ev)
	}
	if r == nil || err != nil {
		return err
	}
	defer b.audience().Ended(r.id())
	r.log.ErrorContext(ctx, "dead letter", "error", cause)
	var looked bool
	if unreadable == nil {
		if looked, err = r.committer().lookForCommit(ctx); err != nil {
			return err
		}
		r.auditor().ended(ctx, cause)
	}
	defer r.endRound(ctx, "")
	dropped := r.verifier().dropScratch(ctx)
	if b.mayNotAsk(ev) {
		return dropped
	}
	a := r.answersMentioning(r.mentionsInDeadLetter(ctx))
	text := deadLetterText(ev, cause, r.journal.Record(), looked, r.links())
	if unreadable != nil {
		return b.unlessNoThread(ctx, ev, r.endUnread(ctx, a, text))
	}
	return errors.Join(dropped, b.unlessNoThread(ctx, ev, r.endUnfinished(ctx, a, text)))
}

// NotifyQueued answers that the command of an event waits for that of another one. The run finds the answer again when
// its turn comes. told is false if there is no notice: nobody is to know of the command, or there is a *port.WaitError.
// After one with told it may be there; with ev.Notified, it is looked for.
func (b *Bot) NotifyQueued(ctx context.Context, ev, ahead port.Event) (told bool, err error) {
	r, err := b.startWaiting(ctx, ev)
	if r == nil || err != nil {
		return ev.Notified, err
	}
	if _, ok := b.invocation(ahead); !ok { // it only looked as if it had a command, and is done with at once
		return false, nil
	}
	a := r.answers()
	if ev.Notified {
		if _, exists, err := a.find(ctx); exists || err != nil {
			return true, err
		}
	}
	_, err = a.post(ctx, a.place(), report.QueuedNotice(r.subject(), r.verbOf(ahead), ahead), b.GitHub.Notify)
	return !overLimit(err), err
}

// Acknowledge shows that tenon received a command that waits for another one or for a worker.
// After a *port.WaitError it can be called again.
func (b *Bot) Acknowledge(ctx context.Context, ev port.Event) error {
	r, err := b.startWaiting(ctx, ev)
	if r == nil || err != nil {
		return err
	}
	return r.acknowledge(ctx, ev)
}

// startWaiting returns the run of an event that is not handled yet, nil if nothing is to be said to its sender yet.
func (b *Bot) startWaiting(ctx context.Context, ev port.Event) (*run, error) {
	inv, ok := b.invocation(ev)
	if !ok || inv.Problem != "" || ev.Kind == port.Ticked || ev.Kind == port.Autofix || b.mayNotAsk(ev) {
		return nil, nil
	}
	r, err := b.newRun(ev, inv, port.Run{ID: port.RunID(ev.Delivery), Started: b.Now()}, b.Policy)
	if err != nil {
		return nil, err
	}
	permission, err := r.thread().permission(ctx)
	if err != nil || !permission.Allows(inv.Command.Needs) || !b.serves(ev.Repo.Owner) {
		return nil, err
	}
	return r, nil
}

// invocation reads the command of an event; ok is false if it has none.
func (b *Bot) invocation(ev port.Event) (command.Invocation, bool) {
	if ev.Sender.Bot || b.isOwn(ev.Sender) && b.acted(ev) {
		return command.Invocation{}, false
	}
	return command.FromEvent(ev, b.Slug, ev.Label) // which label starts a command is a setting, and checked later
}

// account returns as whom the bot acts.
func (b *Bot) account() port.User {
	if b.Account.Login != "" {
		return b.Account
	}
	return port.User{Login: b.Slug + "[bot]", Bot: true}
}

// isOwn reports whether a user is the one as whom the bot acts: the app itself, or whose token it has.
func (b *Bot) isOwn(u port.User) bool { return strings.EqualFold(u.Login, b.account().Login) }

// acted reports whether it was the bot that did what an event of its own account tells: that of an App, or of GitHub
// Actions, always; with the token of a person, what has a mark, and ticks, which nobody can tell from edits.
func (b *Bot) acted(ev port.Event) bool {
	return b.account().Bot || ev.Kind == port.Ticked || strings.Contains(ev.Comment.Body, ownMark)
}

// ownMark begins the marks in what the bot writes.
const ownMark = "<!-- tenon:"

// mayNotAsk reports whether it is unknown, until the settings are read, that an event has a command: a label that is
// not the server's may be the repository's, and the App that wrote a comment may be named there. Nothing is said about
// it until then.
func (b *Bot) mayNotAsk(ev port.Event) bool {
	return ev.Comment.App != "" ||
		ev.Kind == port.Labeled && !strings.EqualFold(ev.Label, cmp.Or(b.Policy.Label, policy.DefaultLabel))
}

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

// signOff returns the last line of the final answer to a run of an event.
func (b *Bot) signOff(ev port.Event, run string, mention bool) string {
	s := report.SignOff{Login: ev.Sender.Login, Run: run, Mention: mention, Pages: b.Pages}
	if ev.Kind == port.OnPage && ev.Button != nil {
		s.On = ev.Button.Run
	}
	return s.Text()
}

// serves reports whether the installations of an owner are served.
func (b *Bot) serves(owner string) bool {
	for _, o := range b.Owners {
		if strings.EqualFold(o, owner) {
			return true
		}
	}
	return len(b.Owners) == 0
}
