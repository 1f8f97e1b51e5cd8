package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"

	"github.com/tenon-bot/tenon/bot/ci"
	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// run is one attempt at carrying out the command of an event. Its methods hand each part of the flow what that part
// needs.
type run struct {
	bot     *Bot
	journal *record.Journal
	log     *slog.Logger

	ev  port.Event
	inv command.Invocation
	// about is the comment that the command is about: its own, or that of the command that a retry takes up.
	about port.Comment
	// given is the kind of the event that gave that command.
	given port.EventKind
	// policy and permission are known once the run is admitted.
	policy     policy.Policy
	permission port.Permission
	admitted   bool
	// turned is why the sender was turned away; empty if what they did is no command by the settings.
	turned port.EndReason
	// mentions reports whether the final answer mentions the sender. That is known when the settings are.
	mentions bool

	files *workspace
	// logs are those of CI.
	logs *ci.Reader
	// first is the first look at the thread, nil until there was one.
	first *look
	// people are those whose permission is known.
	people *authors
	// cutIssue reports whether the model read only the beginning of a stranger's issue.
	cutIssue bool
	// progress shows how far the run is; nil while nothing is shown.
	progress *progress
	// shown reports whether this attempt has shown its progress in the answer.
	shown atomic.Bool
	// announceFailed reports whether this attempt failed to make the answer, which may be there anyway: the response
	// can be lost.
	announceFailed atomic.Bool
	// acknowledged is closed when the command has its eyes, or cannot have them.
	acknowledged <-chan struct{}
	// cancelled returns who cancelled the run, past its point of no return too; nil if nobody did.
	cancelled func() *port.CancelledError
	// committing reports whether this attempt is past the point of no return.
	committing bool
}

// serve admits the command and carries it out by do.
func (r *run) serve(ctx context.Context, do func(context.Context, *run) error) error {
	if err := r.admit(ctx); err != nil {
		return err
	}
	r.admitted = true
	err := r.whileAcknowledging(ctx, func(ctx context.Context) error { return r.carryOut(ctx, do) })
	if errors.Is(err, port.ErrNotFound) && !r.committing && !r.journal.Record().Committing {
		return r.thread().whyGone(ctx, err)
	}
	return err
}

// whileAcknowledging shows by eyes that the command was received, while do is done. If GitHub's limits have no room for
// the eyes, which go before all other writes, do ends, and the error says when to come back.
func (r *run) whileAcknowledging(ctx context.Context, do func(context.Context) error) error {
	ev := r.ev // the command may find that the repository has another name now
	lasting, end := uncancellable(ctx)
	defer end()
	doing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	acknowledged := port.Go(lasting, func() {
		if err := r.acknowledge(lasting, ev); overLimit(err) {
			stop(err)
		}
	})
	r.acknowledged = acknowledged
	err := do(doing)
	port.Waiting(lasting, func() { <-acknowledged })
	if refused := context.Cause(doing); err != nil && ctx.Err() == nil && overLimit(refused) {
		return refused
	}
	return err
}

// carryOut carries out an admitted command by do.
func (r *run) carryOut(ctx context.Context, do func(context.Context, *run) error) error {
	if r.inv.Problem != "" {
		return &port.UserError{Text: r.inv.Problem}
	}
	if err := r.permits(r.inv.Command); err != nil && !r.wasTesting() {
		return err
	}
	if r.journal.Record().Forgotten {
		return sentence.Deleted()
	}
	if do == nil {
		return fmt.Errorf("the command %s has no handler", r.inv.Command.Verb)
	}
	return do(ctx, r)
}

// id returns the run's id.
func (r *run) id() string { return r.journal.Record().ID }

// resumed reports whether an earlier attempt may have written what the record does not show.
func (r *run) resumed() bool { return r.journal.Record().Resumed }

func (r *run) answers() answers {
	return answers{
		github: r.bot.GitHub, thread: r.thread(), ev: r.ev, command: r.inv.Command, journal: r.journal, now: r.bot.Now,
		signOff: r.bot.signOff(r.ev, r.id(), r.mentions), mark: r.mark, unsure: r.announceFailed.Load(),
		token: r.bot.Token,
	}
}

func (r *run) checks() checks {
	return checks{github: r.bot.GitHub, watches: r.bot.Watches, ev: r.ev, command: r.inv.Command, journal: r.journal,
		pages: r.bot.Pages, log: r.log}
}

func (r *run) thread() thread {
	return thread{github: r.bot.GitHub, repos: r.bot.Repos, ev: r.ev}
}

func (r *run) history() history.Thread {
	return history.Thread{Queue: r.bot.Queue, Event: r.ev, Skipped: func(run string, err error) {
		r.log.Warn("past run skipped", "past", run, "error", err)
	}}
}

func (r *run) messages() messages {
	rec := r.journal.Record()
	return messages{own: r.bot.account(), ev: r.ev, run: rec.ID, started: rec.Started}
}

func (r *run) committer() committer {
	return committer{
		github: r.bot.GitHub, again: r.askAgain, moveOf: r.moveOf, files: r.files, ev: r.ev, policy: r.policy,
		journal: r.journal, messages: r.messages(), progress: r.progress, log: r.log, verifier: r.verifier(),
		token: r.bot.Token,
	}
}

func (r *run) verifier() verifier {
	return verifier{
		github: r.bot.GitHub, watches: r.bot.Watches, files: r.files, ev: r.ev, journal: r.journal, run: r.id(),
		now: r.bot.Now, cancelled: r.cancelled, log: r.log,
	}
}

func (r *run) prompter() prompter {
	return prompter{
		github: r.bot.GitHub, ci: r.ci(), repos: r.bot.Repos, files: r.files, documents: r.bot.Documents, ev: r.ev,
		admit: r.bot.Admit, formats: r.bot.Formats,
		about: r.about, given: r.given, slug: r.bot.Slug, options: r.inv.Options, policy: r.policy,
		isOwn: r.bot.isOwn, people: r.authors(), newKey: r.bot.newKey,
	}
}

func (r *run) dialogue() dialogue {
	return dialogue{
		model: r.bot.Model, budget: r.bot.Budget, prompter: r.prompter(), files: r.files, ev: r.ev, policy: r.policy,
		models: r.models(), journal: r.journal, progress: r.progress, audience: r.bot.audience(), log: r.log, now: r.bot.Now,
	}
}

func (r *run) models() models {
	return models{all: r.bot.Models, repo: r.ev.Repo, policy: r.policy}
}

// target returns the branch that the run works on, as recorded or as it is now.
func (r *run) target(ctx context.Context) (record.Target, error) {
	return record.Do(ctx, r.journal, record.Opened, r.open)
}

// open pins the branch that the run works on, or returns a *port.UserError that says why nothing can be done here.
func (r *run) open(ctx context.Context) (record.Target, error) {
	if r.ev.Repo.Archived {
		return record.Target{}, sentence.Archived.Refusal()
	}
	f := targetFinder{
		github: r.bot.GitHub, look: r.firstLook(ctx), files: r.files, ev: r.ev, token: r.bot.Token,
		reads: r.inv.Command.ReadOnly, namedBase: r.inv.Options.Base, policyBase: r.policy.Base, log: r.log,
	}
	if r.ev.Thread.Pull {
		t, err := f.pull(ctx)
		if over, _ := r.isOver(ctx); over || err != nil {
			return t, err
		}
		if err := r.unlessStopped(ctx, t); err != nil {
			return t, err
		}
		return r.since(ctx, t, r.ev.Thread.Head)
	}
	t, repo, err := f.issue(ctx)
	if err == nil {
		err = r.unlessStopped(ctx, t)
	}
	if repo.ID == r.ev.Repo.ID { // under its present name, for a refusal too
		r.ev.Repo = repo
	}
	return t, err
}

// settings tells of the settings of the repository.
func (r *run) settings() report.Settings {
	return report.Settings{Policy: r.policy, RepoURL: r.repoURL()}
}

// repoURL returns the page of the repository.
func (r *run) repoURL() string { return report.RepoURL(r.ev.Thread) }

// subject is the command that the answers of the run are about.
func (r *run) subject() report.Subject {
	return report.Subject{Event: r.ev, Command: r.inv.Command, Text: r.inv.Text, Run: r.id(), Pages: r.bot.Pages,
		Offers: r.offers}
}

// offers reports whether there is a command of this verb, and the settings allow it.
func (r *run) offers(verb string) bool {
	c, ok := command.Lookup(verb)
	return ok && r.permits(c) == nil
}

// verbOf returns the verb of an event's command, empty if it has none.
func (r *run) verbOf(ev port.Event) string {
	inv, _ := r.bot.invocation(ev)
	return inv.Command.Verb
}

// maxLikely bounds the files that are fetched on suspicion.
const maxLikely = 20

// likelyFiles returns paths that the command seems to name, so that they can come with the commit. Whether they exist
// is seen later.
func (r *run) likelyFiles() []string {
	names := slices.Clone(r.inv.Options.Files)
	if path := r.about.Path; path != "" {
		names = append(names, path)
	}
	named := retrieve.Paths(r.about.Body)
	return append(names, named[:min(len(named), max(0, maxLikely-len(names)))]...)
}

// react adds a reaction to the comment of the command, if it has one that is not our own. It is a convenience: a
// failure is logged, no more.
func (r *run) react(ctx context.Context, reaction port.Reaction) { _ = r.reactTo(ctx, r.ev, reaction) }

func (r *run) reactTo(ctx context.Context, ev port.Event, reaction port.Reaction) error {
	if !hasReactions(ev) {
		return nil
	}
	err := r.bot.GitHub.React(ctx, ev.Repo, ev.Comment, reaction)
	if err != nil {
		r.log.WarnContext(ctx, "reaction not added", "reaction", string(reaction), "error", err)
	}
	return err
}

// hasReactions reports whether reactions to an event are shown: it has a comment, which is not the app's own.
func hasReactions(ev port.Event) bool { return ev.Comment.Kind != "" && ev.Kind != port.Ticked }

// acknowledge shows once, by eyes, that a command was received.
func (r *run) acknowledge(ctx context.Context, ev port.Event) error {
	if ev.Acknowledged || !hasReactions(ev) {
		return nil
	}
	if err := r.reactTo(ctx, ev, port.ReactionEyes); err != nil {
		return err
	}
	if err := r.bot.Queue.Acknowledged(ctx, ev); err != nil {
		r.log.WarnContext(ctx, "acknowledgement not recorded", "error", err)
	}
	return nil
}

// cancelledRun is the conclusion of the check run of a cancelled run.
const cancelledRun = "cancelled"

// end ends a run that changed nothing with a sentence. A cancelled run needs no check run: who cancelled it knows.
func (r *run) end(ctx context.Context, text, conclusion string) error {
	if err := r.answers().reply(ctx, text); err != nil {
		return err
	}
	if conclusion == cancelledRun {
		r.checks().close(ctx, text, conclusion)
	} else {
		r.checks().end(ctx, text, conclusion)
	}
	r.react(ctx, port.ReactionConfused)
	tryUntick(ctx, r, r.ev)
	return nil
}

// endUnfinished answers that the run will not be tried again. That is no final answer: a redelivery may still finish
// it.
func (r *run) endUnfinished(ctx context.Context, text string) error {
	if r.journal.Record().Final != nil {
		return nil
	}
	if err := r.answers().interrupt(ctx, text); err != nil {
		return err
	}
	r.checks().close(ctx, text, "failure")
	reaction := port.ReactionConfused
	if committed(r.journal.Record()) {
		reaction = port.ReactionRocket
	}
	r.react(ctx, reaction)
	return nil
}

// endUnread is endUnfinished for a run whose record cannot be read.
func (r *run) endUnread(ctx context.Context, text string) error {
	a := r.answers()
	body := a.signed(text)
	replaced, err := a.replace(ctx, body)
	if err == nil && !replaced {
		_, err = a.post(ctx, a.replyPlace(), body)
	}
	if err != nil {
		return fmt.Errorf("answering with a dead letter: %w", err)
	}
	r.react(ctx, port.ReactionConfused)
	return nil
}

// endCancelled ends a cancelled run. Without an answer so far, the one to the cancelling command is enough: whoever
// gave this command may be a stranger, or has seen nothing of it.
func (r *run) endCancelled(ctx context.Context, by *port.CancelledError) error {
	err := r.answers().adopt(ctx)
	if errors.Is(err, errNoAnswer) {
		r.checks().close(ctx, report.CancelledBody(by), cancelledRun)
		return untick(ctx, r, r.ev)
	}
	if err != nil {
		return err
	}
	if !r.admitted && r.ev.Notified {
		p, err := r.bot.policyOf(ctx, r.ev)
		r.mentions = err == nil && !p.Quiet && r.ev.Comment.App == ""
	}
	return r.end(ctx, report.CancelledBody(by), cancelledRun)
}

// together calls functions concurrently and returns the first error, in the order of the functions.
func together(ctx context.Context, do ...func() error) error {
	errs := make([]error, len(do))
	ended := make([]<-chan struct{}, len(do))
	for i, f := range do {
		ended[i] = port.Go(ctx, func() { errs[i] = f() })
	}
	port.Waiting(ctx, func() {
		for _, one := range ended {
			<-one
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// once returns a function that calls f when it is called first. Other calls wait for its end, on a channel: the clock
// of a test advances meanwhile, which it does not while a mutex is waited for.
func once(ctx context.Context, f func()) func() {
	var begun atomic.Bool
	done := make(chan struct{})
	return func() {
		if !begun.CompareAndSwap(false, true) {
			port.Waiting(ctx, func() { <-done })
			return
		}
		defer close(done)
		f()
	}
}
