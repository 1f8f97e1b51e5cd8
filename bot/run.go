package bot

import (
	"context"
	"log/slog"
	"slices"

	"github.com/tenon-bot/tenon/bot/ci"
	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
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

// id returns the run's id.
func (r *run) id() string { return r.journal.Record().ID }

// resumed reports whether an earlier attempt may have written what the record does not show.
func (r *run) resumed() bool { return r.journal.Record().Resumed }

func (r *run) thread() thread {
	return thread{github: r.bot.GitHub, repos: r.bot.Repos, ev: r.ev}
}

// firstLook returns what the first look at the thread showed, in this attempt.
func (r *run) firstLook(ctx context.Context) look { return *r.looker.look(ctx, r.thread()) }

// opens reports whether the command works on a branch that is still to be found. Nearly every such command has to look
// at its thread.
func (r *run) opens() bool {
	return !r.inv.Command.Immediate && r.inv.Problem == "" && r.journal.Record().Target == nil
}

func (r *run) history() history.Thread {
	return history.Thread{Queue: r.bot.Queue, Event: r.ev, Skipped: func(run string, err error) {
		r.log.Warn("past run skipped", "past", run, "error", err)
	}}
}

func (r *run) models() models {
	return models{all: r.bot.Models, repo: r.ev.Repo, policy: r.policy}
}

// links returns the addresses of the pages of the repository.
func (r *run) links() port.Links { return r.bot.GitHub.Links(r.ev.Thread) }

// verbOf returns the verb of an event's command, empty if it has none.
func (r *run) verbOf(ev port.Event) string {
	inv, _ := r.bot.invocation(ev)
	return inv.Command.Verb
}

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

// tryUntick is untick where an answer tells what happened: a failure is logged, no more.
func (r *run) tryUntick(ctx context.Context, ev port.Event) {
	if err := r.thread().untick(ctx, ev); err != nil {
		r.log.WarnContext(ctx, "boxes not unticked", "error", err)
	}
}

// committed reports whether a record has the commit of its run.
func committed(rec record.Record) bool { return rec.Committed != nil && rec.Committed.SHA != "" }

// wasTesting reports whether a run was put to sleep with its edits finished. It is asked again before the commit what
// is allowed, and what no longer is leaves the edits in the answer.
func wasTesting(rec record.Record) bool {
	return rec.Committing && len(rec.Verifications) > 0 && rec.Committed == nil
}
