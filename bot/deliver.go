package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/engine"
)

// deliver commits what the conversation came to, and answers. From here on the run cannot be cancelled.
func deliver(ctx context.Context, r *run, j conversation.Job) error {
	if held, err := holdBack(ctx, r, j); held || err != nil {
		return err
	}
	edits, d := r.changer().editing(&j), r.dialogue()
	edits.rewrite = func(_ context.Context, head record.Target, results []engine.Result) (bool, error) {
		return d.rewrite(ctx, &j, head, results)
	}
	edits.retest = func(_ context.Context, head record.Target, test record.Verification,
		results []engine.Result) (bool, error) {
		return d.retest(ctx, &j, head, test, results)
	}
	if at, _ := j.Conversation.MovedTo(); at != "" { // an earlier attempt saw the branch move
		j.Target.SHA = at
	}
	reports := r.reporter()
	text := func(s report.Summary) string { return reports.withCheck(s).Body() }
	return commitAndReport(ctx, r, &j, edits, text, func(ctx context.Context, d delivered) error {
		body, check := text(d.summary), d.summary.Check()
		if err := recordSeen(ctx, r.journal, d.made, body, check.Text); err != nil {
			return err
		}
		err := r.sealer().answerAndCheck(ctx,
			func() error {
				_, err := r.answers().finish(ctx, r.answers().place(), body)
				return err
			},
			func() error { return r.checks().complete(ctx, check, d.made.SHA) },
		)
		if err != nil {
			return err
		}
		if err := r.offerer().offer(ctx, d, body); err != nil {
			return err
		}
		return r.answers().inThreads(ctx, d.summary, r.bot.Pages)
	})
}

// editing is the change that makes the edits of a conversation.
func (m changer) editing(j *conversation.Job) change {
	why := j.Conversation.Reply().Explanation
	var cautions []record.Caution
	return change{
		cautions: func() []record.Caution { return cautions },
		stage: func(ctx context.Context, checkout repo.Checkout, p policy.Policy) (engine.Outcome, error) {
			blocks := j.Conversation.Blocks()
			base, err := changedSince(ctx, m.files, j.Target, versionsOf(*j), j.Prompt.Selection, checkout, blocks)
			if err != nil {
				return engine.Outcome{}, err
			}
			opts := commitOptions(p, m.files.masked, j.Prompt.Selection, base)
			opts.asShown, opts.cautions = true, &cautions
			return applyBlocks(ctx, checkout, blocks, opts)
		},
		message:    func(a record.Application) string { return m.messages.ofEdits(j.Conversation, why, a) },
		unfinished: func() bool { return j.Conversation.EndsInOutage() },
		apart: func(ctx context.Context, results []record.Result, p policy.Policy) (repo.Checkout, error) {
			return m.editsApart(ctx, *j, versionsOf(*j), results, p)
		},
	}
}

// deliverWithoutModel commits a change that no model was asked for, and answers. From here on the run cannot be
// cancelled.
func deliverWithoutModel(ctx context.Context, r *run, t record.Target, ch change, words wording) error {
	return deliverChange(ctx, r, t, ch, words, func(ctx context.Context, _ record.Committed, body string) error {
		_, err := r.answers().finish(ctx, r.answers().place(), body)
		return err
	})
}

// deliverChange is deliverWithoutModel with another way to answer.
func deliverChange(ctx context.Context, r *run, t record.Target, ch change, words wording,
	answer func(ctx context.Context, commit record.Committed, body string) error) error {
	reports := r.reporter()
	text := func(s report.Summary) string { return words(reports.withCheck(s)).Body() }
	return commitAndReport(ctx, r, &conversation.Job{Target: t}, ch, text, func(ctx context.Context, d delivered) error {
		body, check := text(d.summary), words(d.summary).Check()
		if d.made.SHA == "" {
			check.Buttons = nil
		}
		err := r.sealer().answerAndCheck(ctx,
			func() error { return answer(ctx, d.made, body) },
			func() error { return r.checks().complete(ctx, check, d.made.SHA) },
		)
		if err != nil {
			return err
		}
		return r.offerer().offer(ctx, d, body)
	})
}

// commitAndReport passes the point of no return, commits a change, opens the pull request of an issue's branch, offers
// suggestions for what could not be pushed, and reports. The change may alter the conversation of the job.
func commitAndReport(ctx context.Context, r *run, j *conversation.Job, ch change, text func(report.Summary) string,
	reportOn func(context.Context, delivered) error) error {
	committing, end, err := r.noReturn.pass(ctx, r.acknowledged, r.auditor().committing)
	if err != nil {
		return err
	}
	defer end()
	opener, reports := r.pullOpener(), r.reporter()
	template := opener.template(committing, j.Target)
	made, err := r.committer().commit(committing, j.Target, ch)
	if err != nil {
		return err
	}
	r.followCommit(committing, j.Target, made)
	described := j.Target.Pull != 0
	j.Target, err = opener.open(committing, j.Target, made, func(ctx context.Context) (title, body string) {
		if r.inv.Offered {
			return report.OfferedPull(reports.subject, j.Target, reports.summary(*j, made))
		}
		return opener.text(ctx, j.Target, made, template)
	})
	if err != nil {
		return err
	}
	r.progress.stop()
	if r.answersAtOnce(j.Target) && len(made.Notes) > 0 {
		made, err = r.answerWith(committing, j.Target, made, text(reports.summary(*j, made)))
	} else {
		made, err = r.committer().suggest(committing, j.Target, made)
	}
	if err != nil {
		return err
	}
	if err := reportOn(committing, delivered{j.Target, made, reports.summary(*j, made)}); err != nil {
		return err
	}
	if described {
		opener.describeAgain(committing, j.Target, made)
	}
	r.react(committing, reactionTo(made))
	return nil
}

func reactionTo(commit record.Committed) port.Reaction {
	if commit.SHA != "" {
		return port.ReactionRocket
	}
	return port.ReactionConfused
}

// open opens the pull request of an issue's branch, with a title and a body, if something was committed to it. One that
// GitHub refuses is for a person to open: people must be told what was committed anyway.
func (o pullOpener) open(ctx context.Context, t record.Target, commit record.Committed,
	text func(context.Context) (title, body string)) (record.Target, error) {
	if t.Pull != 0 || commit.SHA == "" {
		return t, nil
	}
	return record.Do(ctx, o.journal, record.PullOpened, func(ctx context.Context) (record.Target, error) {
		p, ok, err := o.github.FindPull(ctx, o.ev.Repo, t.Branch)
		if err == nil && (!ok || p.State != "open") {
			pull := port.NewPull{Head: t.Branch, Base: t.Base, Draft: true}
			pull.Title, pull.Body = text(ctx)
			p, err = o.github.CreatePull(ctx, o.ev.Repo, pull)
		}
		if errors.Is(err, port.ErrExists) && !ok { // an earlier attempt opened it
			return t, lagging("GitHub has a pull request of %s and does not list it yet", t.Branch)
		}
		if permanent(err) {
			o.log.WarnContext(ctx, "pull request not opened", "branch", t.Branch, "error", err)
			t.Unopened = err.Error()
			return t, nil
		}
		if err != nil {
			return t, fmt.Errorf("opening the pull request of %s: %w", t.Branch, err)
		}
		t.Pull, t.PullURL = p.Number, p.URL
		return t, nil
	})
}
