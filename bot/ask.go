package bot

import (
	"cmp"
	"context"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// askModel opens the target, announces the run in an answer, and asks the model.
func askModel(ctx context.Context, r *run, task task) (conversation.Job, error) {
	model, err := r.models().choose(wantedModel(r.inv.Options, r.policy))
	if err != nil {
		return conversation.Job{}, err
	}
	choose, err := r.chooser(model)
	if err != nil {
		return conversation.Job{}, err
	}
	var j conversation.Job
	if j.Target, err = r.target(ctx); err != nil {
		return conversation.Job{}, err
	}
	if r.inv.Command.Commits && j.Target.ReadOnly == "" {
		r.bot.GitHub.Prepare(r.ev.Repo, port.Committing)
	}
	if r.journal.Record().Final == nil {
		showProgress(ctx, r, j.Target)
	}
	// People need not see the answer before the work starts. A cancel must not interrupt it, or nobody knows what was
	// posted.
	announcing, end := uncancellable(ctx)
	defer end()
	opened := j.Target
	err = port.Together(ctx,
		func() error { return announce(announcing, r, opened) },
		func() (err error) {
			j.Prompt, j.Target, err = promptAtTip(ctx, r, opened, task, model, choose)
			return err
		},
	)
	if err != nil {
		return conversation.Job{}, err
	}
	j.CutIssue = r.prompter().cutsIssue(ctx, j.Target)
	r.progress.update(func(now *shownStatus) { now.Target, now.Files = j.Target, j.Prompt.Files })
	if j.Conversation, err = r.dialogue().converse(ctx, j.Target, j.Prompt); err != nil {
		return conversation.Job{}, err
	}
	j.Prompt = j.Conversation.ExtendPrompt(j.Prompt)
	return j, nil
}

// promptAtTip returns the first prompt, and the target at the commit whose files it shows. Before the model is first
// asked, or while it chooses files, it looks whether the branch is still there; if people who may write here moved it,
// the prompt shows the new tip.
func promptAtTip(ctx context.Context, r *run, t record.Target, task task, model port.ModelInfo, choose *chooser) (
	record.Prompt, record.Target, error) {
	if built := r.journal.Record().Prompt; built != nil {
		if built.Base != t.SHA {
			t.Moved, t.SHA = cmp.Or(t.Moved, t.SHA), built.Base
		}
		var err error
		if len(r.journal.Record().Turns) == 0 {
			_, err = r.mover().sinceOpened(ctx, t)
		}
		return *built, t, err
	}
	p, err := record.Do(ctx, r.journal, record.Prompted, func(ctx context.Context) (p record.Prompt, err error) {
		for range maxMoves {
			now := t
			p, err = r.prompter().build(ctx, t, task, model, choose,
				func() (err error) { now, err = r.mover().sinceOpened(ctx, t); return err })
			if err != nil || now.SHA == t.SHA {
				break
			}
			t = now
		}
		return p, err
	})
	t.SHA = p.Base
	return p, t, err
}

// showProgress starts to show in the answer how far the run is.
func showProgress(ctx context.Context, r *run, t record.Target) {
	r.progress.start(ctx, t, func(now shownStatus) {
		editProgress(ctx, r, now.answer.Ref(), markedBy(report.StatusBody(r.subject(), now.Status), r.id()))
	})
}

// editProgress edits the answer unless GitHub's limits are near. It is a convenience: a failure is logged, no more.
func editProgress(ctx context.Context, r *run, c port.Comment, marked string) {
	if c.ID == 0 {
		return
	}
	if err := r.bot.GitHub.Progress(ctx, r.ev.Repo, r.ev.Thread.Number, c, marked); err != nil {
		r.log.DebugContext(ctx, "progress not shown", "error", err)
		return
	}
	r.progress.shown.Store(true)
}

// announce makes the answer that is edited from then on. When GitHub takes few writes, there is none before the result.
func announce(ctx context.Context, r *run, t record.Target) error {
	body := report.StatusBody(r.subject(), report.Status{Target: t})
	a := r.answers()
	if r.answersAtOnce(t) {
		return r.checks().begin(ctx, body)
	}
	c, err := a.show(ctx, body, a.github.Announce,
		func(ctx context.Context, _ port.RepoRef, _ int, c port.Comment, marked string) error {
			// It may be a queued notice, or that of an attempt that died. That the run waits may be true again in a moment.
			if r.progress.started() && r.journal.Record().Waiting == nil {
				editProgress(ctx, r, c, marked)
			}
			return nil
		})
	if overLimit(err) {
		r.log.DebugContext(ctx, "answer postponed", "error", err)
		return nil
	}
	if err != nil {
		r.progress.unsure.Store(true)
		return err
	}
	r.progress.update(func(now *shownStatus) { now.answer = c })
	return nil
}

// wantedModel returns the name of the model that a command or the settings name, empty if neither does.
func wantedModel(o command.Options, p policy.Policy) string { return cmp.Or(o.Model, p.Model) }
