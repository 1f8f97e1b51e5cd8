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
// needs. Only serve changes its fields: what others find out is their result.
type run struct {
	bot     *Bot
	journal *record.Journal
	log     *slog.Logger

	invoked
	admission

	files *workspace
	// logs are those of CI.
	logs   *ci.Reader
	looker *looker
	// people are those whose permission is known.
	people *authors
	// progress shows how far the run is, from when it is started.
	progress *progress
	noReturn *pointOfNoReturn
	// acknowledged is closed when the command has its eyes, or cannot have them.
	acknowledged <-chan struct{}
	// cancelled returns who cancelled the run, past its point of no return too; nil if nobody did.
	cancelled func() *port.CancelledError
}

// invoked is what a run carries out: the command of its event, or one that this takes up.
type invoked struct {
	ev  port.Event
	inv command.Invocation
	// trigger is the comment that gave the command, or the one that a retry takes up; triggerKind is the kind of its
	// event.
	trigger     port.Comment
	triggerKind port.EventKind
	// past is the run whose edits a retry makes.
	past record.Record
}

// admission is what is known of a run once it is admitted, or as far as that got: the settings, what the sender may do,
// and whether that is enough.
type admission struct {
	policy     policy.Policy
	permission port.Permission
	admitted   bool
	// turned is why the sender was turned away; empty if what they did is no command by the settings.
	turned port.EndReason
	// mentions reports whether the final answer mentions the sender.
	mentions bool
}

// serve admits the command and carries it out by do.
func (r *run) serve(ctx context.Context, do func(context.Context, *run) error) (err error) {
	if r.admission, err = r.admit(ctx); err != nil {
		return err
	}
	err = r.whileAcknowledging(ctx, func(ctx context.Context, acknowledged <-chan struct{}) (err error) {
		r.acknowledged = acknowledged
		if err := r.refused(do != nil); err != nil {
			return err
		}
		if r.opens() { // a renamed repository is worked on under its present name
			if now := r.firstLook(ctx).repo; now.ID == r.ev.Repo.ID {
				r.ev.Repo, r.files.repo, r.people.repo = now, now, now
			}
		}
		for verb := ""; verb != r.inv.Command.Verb; {
			verb = r.inv.Command.Verb
			if r.invoked, err = r.take(ctx); err != nil {
				return err
			}
			if r.inv.Command.Verb != verb {
				do = handler(r.inv.Command)
			}
		}
		return do(ctx, r)
	})
	if errors.Is(err, port.ErrNotFound) && !r.journal.Record().Committing {
		return r.thread().whyGone(ctx, err)
	}
	return err
}

// take returns what the run carries out: what its command asks for, or, for a retry and for a fix that may only show
// its edits, another command.
func (r *run) take(ctx context.Context) (invoked, error) {
	switch r.inv.Command.Verb {
	case command.Retry:
		return r.takeRetry(ctx)
	case command.Fix:
		if r.becomesPreview(ctx) {
			taken := r.invoked
			taken.inv.Command, _ = command.Lookup(command.Preview)
			return taken, r.permits(taken.inv.Command)
		}
	}
	return r.invoked, nil
}

// whileAcknowledging shows by eyes that the command was received, while do is done. If GitHub's limits have no room for
// the eyes, which go before all other writes, do ends, and the error says when to come back.
func (r *run) whileAcknowledging(ctx context.Context,
	do func(ctx context.Context, acknowledged <-chan struct{}) error) error {
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
	err := do(doing, acknowledged)
	port.Waiting(lasting, func() { <-acknowledged })
	if refused := context.Cause(doing); err != nil && ctx.Err() == nil && overLimit(refused) {
		return refused
	}
	return err
}

// refused returns why an admitted command is not carried out; nil if it is. handled reports whether there is a handler
// for it.
func (r *run) refused(handled bool) error {
	if r.inv.Problem != "" {
		return &port.UserError{Text: r.inv.Problem}
	}
	if err := r.permits(r.inv.Command); err != nil && !wasTesting(r.journal.Record()) {
		return err
	}
	if r.journal.Record().Forgotten {
		return sentence.Deleted()
	}
	if !handled {
		return fmt.Errorf("the command %s has no handler", r.inv.Command.Verb)
	}
	return nil
}

// id returns the run's id.
func (r *run) id() string { return r.journal.Record().ID }

// resumed reports whether an earlier attempt may have written what the record does not show.
func (r *run) resumed() bool { return r.journal.Record().Resumed }

func (r *run) answers() answers { return r.answersMentioning(r.mentions) }

// answersMentioning is answers for a final answer that mentions the sender, or does not.
func (r *run) answersMentioning(mention bool) answers {
	return answers{
		github: r.bot.GitHub, thread: r.thread(), ev: r.ev, command: r.inv.Command, journal: r.journal, now: r.bot.Now,
		signOff: r.bot.signOff(r.ev, r.id(), mention), mark: r.sealer().mark, unsure: r.progress.unsure.Load(),
		token: r.bot.Token,
	}
}

func (r *run) sealer() sealer {
	return sealer{key: r.bot.Marks, journal: r.journal, ev: r.ev, immediate: r.inv.Command.Immediate, now: r.bot.Now,
		log: r.log}
}

func (r *run) reporter() reporter {
	return reporter{github: r.bot.GitHub, subject: r.subject(), journal: r.journal, models: r.models(),
		round: roundName(r.ev),
		token: r.bot.Token, warnOnly: r.policy.WarnOnly, reserved: r.sealer().reserved(), now: r.bot.Now}
}

func (r *run) previewer() previewer {
	return previewer{answers: r.answers(), reporter: r.reporter(), sealer: r.sealer(), log: r.log, signOff: r.bot.signOff}
}

func (r *run) offerer() offerer {
	return offerer{answers: r.answers(), sealer: r.sealer(), log: r.log, offers: r.offers}
}

func (r *run) changer() changer {
	return changer{files: r.files, messages: r.messages(), policy: r.policy}
}

func (r *run) pullOpener() pullOpener {
	return pullOpener{github: r.bot.GitHub, history: r.history(), files: r.files, ev: r.ev, journal: r.journal, log: r.log,
		isOwn: r.bot.isOwn, verbOf: r.verbOf}
}

func (r *run) sourceFinder() sourceFinder {
	return sourceFinder{github: r.bot.GitHub, history: r.history(), ev: r.ev, slug: r.bot.Slug, isOwn: r.bot.isOwn,
		run: r.inv.Run, numbers: r.inv.Numbers}
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
		github: r.bot.GitHub, again: r.askAgain, moveOf: r.mover().moveOf, files: r.files, ev: r.ev, policy: r.policy,
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
		trigger: r.trigger, triggerKind: r.triggerKind, slug: r.bot.Slug, options: r.inv.Options, policy: r.policy,
		isOwn: r.bot.isOwn, people: r.people, newKey: r.bot.newKey,
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
	return record.Do(ctx, r.journal, record.Opened, func(ctx context.Context) (record.Target, error) {
		return r.open(ctx, r.inv.Options.Base, r.ev.Thread.Title)
	})
}

// open pins the branch that the run works on, or returns a *port.UserError that says why nothing can be done here. base
// is the base branch that is asked for, title that of the thread; each is empty if it is not known.
func (r *run) open(ctx context.Context, base, title string) (record.Target, error) {
	if r.ev.Repo.Archived {
		return record.Target{}, sentence.Archived.Refusal()
	}
	f := targetFinder{
		github: r.bot.GitHub, look: r.firstLook(ctx), files: r.files, ev: r.ev, token: r.bot.Token,
		reads: r.inv.Command.ReadOnly, namedBase: base, policyBase: r.policy.Base, log: r.log,
	}
	f.ev.Thread.Title = title
	if r.ev.Thread.Pull {
		t, err := f.pull(ctx)
		if over, _ := r.isOver(ctx); over || err != nil {
			return t, err
		}
		if err := r.unlessStopped(ctx, t); err != nil {
			return t, err
		}
		return r.mover().since(ctx, t, r.ev.Thread.Head)
	}
	t, err := f.issue(ctx)
	if err == nil {
		err = r.unlessStopped(ctx, t)
	}
	return t, err
}

// settings tells of the settings of the repository.
func (r *run) settings() report.Settings {
	return report.Settings{Policy: r.policy, Links: r.links()}
}

// links returns the addresses of the pages of the repository.
func (r *run) links() port.Links { return r.bot.GitHub.Links(r.ev.Thread) }

// subject is the command that the answers of the run are about.
func (r *run) subject() report.Subject {
	return report.Subject{Event: r.ev, Command: r.inv.Command, Text: r.inv.Text, Run: r.id(), Pages: r.bot.Pages,
		Links: r.links(), Offers: r.offers}
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

// likelyFiles returns paths that are wanted, or that the command seems to name, so that they can come with the commit.
// Whether they exist is seen later.
func (v invoked) likelyFiles(wanted []string) []string {
	names := append(slices.Clone(v.inv.Options.Files), wanted...)
	if path := v.trigger.Path; path != "" {
		names = append(names, path)
	}
	named := retrieve.Paths(v.trigger.Body)
	return append(names, named[:min(len(named), max(0, maxLikely-len(names)))]...)
}

// react adds a reaction to the comment of the command, if it has one that is not our own. It is a convenience: a
// failure is logged, no more.
func (r *run) react(ctx context.Context, reaction port.Reaction) { _ = r.reactTo(ctx, r.ev, reaction) }

func (r *run) reactTo(ctx context.Context, ev port.Event, reaction port.Reaction) error {
	if !hasReactions(ev) || !r.bot.GitHub.Has(port.FeatureReactions) {
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
