package bot

import (
	"context"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

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

// unlessStopped returns a *stoppedError if a round of autofix has nothing to fix in a target, because the branch is not
// at the commit on which CI failed, CI reports no failure there any more, or the settings do not want it any more.
func (r *run) unlessStopped(ctx context.Context, t record.Target) error {
	if why := roundStops(r.ev, r.policy); why != "" {
		return &stoppedError{why}
	}
	if r.ev.Kind == port.Autofix && r.ev.Followed != nil && t.SHA != r.ev.Followed.Commit {
		return &stoppedError{sentence.AutofixMoved}
	}
	if isRound(r.ev) {
		// Where this cannot be read, the prompt reads it again, and says so.
		if f, err := r.ci().checks(ctx, t.SHA); err == nil && len(f.failed) == 0 {
			return f.stopped()
		}
	}
	return nil
}
