package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/message"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/bot/settle"
)

// selection is what somebody selected for the conflicts of a merge. The zero value has a model asked.
type selection struct {
	// choices are written, ticks are boxes, which mean what they did in a revision of the answer of run.
	choices       []command.ConflictChoice
	ticks         []int
	run, revision string
	// all takes everything as proposed.
	all bool
}

// fresh reports whether the selection is about no answer that there is.
func (w selection) fresh() bool { return len(w.choices)+len(w.ticks) == 0 && !w.all }

// runResolve merges the base branch of a pull request into its branch, with its conflicts settled by choosing: by a
// model, by a command, or by boxes.
func runResolve(ctx context.Context, r *run) error {
	return runSettle(ctx, r, selection{
		choices: r.inv.Choices, ticks: r.inv.Numbers, run: r.inv.Run, revision: r.inv.Revision,
	})
}

func runSettle(ctx context.Context, r *run, w selection) error {
	if !r.ev.Thread.Pull {
		return sentence.MergeOnIssue(command.Resolve)
	}
	t, err := r.target(ctx)
	if err != nil {
		return err
	}
	if why := r.whyNoMerge(ctx, t); why != "" {
		return sentence.TakesNoMerge(why, t.Base, r.links().Repository())
	}
	earlier, err := r.earlierResolution(ctx, w)
	if err != nil {
		return err
	}
	if len(w.ticks) > 0 && earlier.At.Comment == r.ev.Comment.ID {
		earlier.Answer = earlier.At // it is there in place of one that somebody deleted
	}
	if len(w.ticks) > 0 && earlier.Answer.Comment != r.ev.Comment.ID {
		return nil // a copy of the answer
	}
	m, err := record.Do(ctx, r.journal, record.MergeFound,
		func(ctx context.Context) (record.Merge, error) { return r.mergeWanted(ctx, t, w, earlier) })
	if err != nil {
		return err
	}
	merges := merging{changer: r.changer(), github: r.bot.GitHub, repo: r.ev.Repo, target: t, merge: m}
	u := resolving{run: r, target: t, merge: m, selected: w, earlier: earlier, replaces: earlier.Root, settling: settling{
		open: merges.open, stops: merges.stops, ours: t.Branch, theirs: m.Branch, opened: &openedFor{},
	}}
	if t.Fork != nil {
		u.upstream = r.links().Repository()
	}
	tip, err := r.files.target(ctx, t)
	if err != nil {
		return err
	}
	j, err := u.at(ctx, tip, r.policy)
	if err != nil {
		return err
	}
	if j.clean() && len(r.journal.Record().Resolutions) == 0 {
		return u.deliverClean(ctx, merges.change())
	}
	done, err := record.Do(ctx, r.journal, record.Resolved(1),
		func(ctx context.Context) (record.Resolution, error) { return u.settle(ctx, j) })
	if err != nil {
		return err
	}
	if len(done.Open()) > 0 || len(j.failed) > 0 {
		r.progress.stop()
		return u.show(ctx, j, done, "")
	}
	return u.deliver(ctx, j, done)
}

// earlierResolution returns the resolution that a selection is about, and that people see; for one about none, what
// people chose before. It is the zero value if there is none.
func (r *run) earlierResolution(ctx context.Context, w selection) (history.Resolution, error) {
	earlier, ok, err := r.history().NewestResolution(ctx)
	switch {
	case w.fresh():
		var user *port.UserError
		if errors.As(err, &user) { // nothing is known of what cannot be read
			return history.Resolution{}, nil
		}
		return earlier, err
	case err != nil:
		return earlier, err
	case !ok && len(w.ticks) > 0:
		return earlier, sentence.OlderResolution("")
	case !ok:
		return earlier, sentence.NothingShown()
	case len(w.ticks) > 0 && w.run != earlier.Root,
		len(w.ticks) > 0 && w.revision != settle.Revision(earlier.Conflicts):
		return earlier, sentence.OlderResolution(earlier.Answer.URL)
	case len(w.ticks) == 0 && earlier.At.After(r.ev):
		return earlier, sentence.ResolutionUnseen(earlier.Answer.URL)
	}
	return earlier, nil
}

// mergeWanted returns what is to be merged: the tip of the base branch, or what people were shown, if the branch still
// has it. It fails with a *port.UserError if they were shown the merge of another branch.
func (r *run) mergeWanted(ctx context.Context, t record.Target, w selection, earlier history.Resolution) (record.Merge,
	error) {
	now, err := baseOf(ctx, r.files, t)
	switch {
	case err != nil || w.fresh():
		return now, err
	case earlier.Merge.Branch != now.Branch:
		return now, sentence.AnotherBaseNow(earlier.Merge.Branch, now.Branch, earlier.Answer.URL)
	case earlier.Merge.SHA == now.SHA:
		return now, nil
	}
	common, err := r.bot.GitHub.MergeBase(ctx, r.ev.Repo, earlier.Merge.SHA, now.SHA)
	switch {
	case err == nil && common == earlier.Merge.SHA:
		return earlier.Merge, nil
	case err == nil, errors.Is(err, port.ErrNotFound), errors.Is(err, port.ErrSeveralBases):
		return now, nil // it was rewritten
	}
	return record.Merge{}, fmt.Errorf("looking whether %s has %s: %w", now.Branch, earlier.Merge.SHA, err)
}

// resolving is a run that settles the conflicts of a merge.
type resolving struct {
	*run
	settling
	target   record.Target
	merge    record.Merge
	selected selection
	earlier  history.Resolution
	// replaces is the run whose answer shows the conflicts so far; empty if none does.
	replaces string
}

// root is the run whose answer shows the conflicts from now on.
func (u resolving) root() string {
	if len(u.selected.ticks) > 0 || u.selected.all {
		return u.earlier.Root
	}
	return u.id()
}

// message returns the message of the commit.
func (u resolving) message(j tipMerge, done record.Resolution) func(record.Application) string {
	conflicts, lines := len(done.Conflicts), 0
	for _, a := range j.Answers(j.Restore(done.Conflicts)) {
		lines += len(settle.NewLines(a))
	}
	return func(record.Application) string {
		text := fmt.Sprintf("Merged %s.\n%s", u.merge.SHA, sentence.Settled(conflicts, lines))
		return u.messages().of(message.MergeOf(u.merge.Branch, u.target.Branch), "", text)
	}
}

// deliverClean commits a merge without conflicts, as an update does.
func (u resolving) deliverClean(ctx context.Context, ch change) error {
	made, err := u.history().Commits(ctx, u.target)
	if err != nil {
		return err
	}
	words := func(s report.Summary) report.Summary { return report.OfUpdate(u.merge, made.UndoneMerge(), s) }
	return deliverChange(ctx, u.run, u.target, ch, words, func(ctx context.Context, _ record.Committed,
		body string) error {
		return u.finish(ctx, body)
	})
}
