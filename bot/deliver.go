package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/engine"
)

// askForEdits opens the target, announces the run in an answer and a check run, and asks the model.
func (r *run) askForEdits(ctx context.Context, what task) (conversation.Job, error) {
	return r.askModel(ctx, what, r.answers().place())
}

// askModel is askForEdits with the answer at a place.
func (r *run) askModel(ctx context.Context, what task, at port.Place) (conversation.Job, error) {
	model, err := r.models().choose(r.wantedModel())
	if err != nil {
		return conversation.Job{}, err
	}
	var j conversation.Job
	if j.Target, err = r.target(ctx); err != nil {
		return conversation.Job{}, err
	}
	if r.journal.Record().Final == nil {
		r.showProgress(ctx, j.Target)
	}
	// People need not see the answer before the work starts. A cancel must not interrupt it, or nobody knows what was
	// posted.
	announcing, end := uncancellable(ctx)
	defer end()
	err = together(
		func() error { return r.announce(announcing, at, j.Target) },
		func() error { return r.announceCheck(announcing, j.Target) },
		func() (err error) {
			j.Prompt, err = record.Do(ctx, r.journal, record.Prompted, func() (record.Prompt, error) {
				return r.prompter().build(ctx, j.Target, what, model)
			})
			return err
		},
	)
	if err != nil {
		return conversation.Job{}, err
	}
	j.Target.SHA = j.Prompt.Base
	r.progress.update(func(now *shownStatus) { now.Target, now.Files = j.Target, j.Prompt.Files })
	if j.Conversation, err = r.dialogue().converse(ctx, j.Target, j.Prompt); err != nil {
		return conversation.Job{}, err
	}
	j.Prompt = j.Conversation.ExtendPrompt(j.Prompt)
	return j, nil
}

// showProgress starts to show in the answer and in the check run how far the run is.
func (r *run) showProgress(ctx context.Context, t record.Target) {
	r.progress = newProgress(t, func(now shownStatus) {
		body := report.StatusBody(r.subject(), now.Status)
		r.editProgress(ctx, now.answer, body)
		r.checks().update(ctx, now.check, port.Check{Status: "in_progress", Title: "Working", Summary: body})
	})
}

// editProgress edits the answer unless GitHub's limits are near. It is a convenience: a failure is logged, no more.
func (r *run) editProgress(ctx context.Context, c record.AnswerComment, body string) {
	if c.Comment == 0 {
		return
	}
	err := r.bot.GitHub.Progress(ctx, r.ev.Repo, r.ev.Thread.Number, c.Ref(), markedBy(body, r.id()))
	if err != nil {
		r.log.DebugContext(ctx, "progress not shown", "error", err)
	}
}

// announce makes the answer that is edited from then on.
func (r *run) announce(ctx context.Context, at port.Place, t record.Target) error {
	body := report.StatusBody(r.subject(), report.Status{Target: t})
	c, created, err := r.answers().create(ctx, at, body)
	if err != nil {
		return err
	}
	r.progress.update(func(now *shownStatus) { now.answer = c })
	if !created && r.progress != nil { // it is a queued notice, or that of an attempt that died
		r.editProgress(ctx, c, body)
	}
	return nil
}

// announceCheck makes the check run on the commit that is worked on. A branch that has yet to be made has none, nor has
// a command that changes nothing.
func (r *run) announceCheck(ctx context.Context, t record.Target) error {
	if t.New || r.inv.Command.ReadOnly {
		return nil
	}
	id, err := r.checks().open(ctx, t, report.StatusBody(r.subject(), report.Status{Target: t}))
	r.progress.update(func(now *shownStatus) { now.check = id })
	return err
}

// deliver commits what the conversation came to, and answers. From here on the run cannot be cancelled.
func (r *run) deliver(ctx context.Context, j conversation.Job) error {
	edits := change{
		stage: func(ctx context.Context, checkout repo.Checkout) (engine.Outcome, error) {
			return applyBlocks(ctx, checkout, r.policy, j.Prompt.Selection, j.Conversation.Blocks(), false)
		},
		message: func(a record.Application) string { return r.messages().ofEdits(j.Conversation, a) },
	}
	return r.commitAndReport(ctx, j, edits, func(ctx context.Context, d delivered) error {
		answer := d.summary
		if page := r.pullPage(d.target); page != "" {
			answer.CheckURL = page + "/checks"
		}
		err := together(
			func() error {
				_, err := r.answers().finish(ctx, r.answers().place(), answer.Body())
				return err
			},
			func() error { return r.checks().complete(ctx, d.summary.Check(), d.made.SHA, d.target.PullURL) },
		)
		if err != nil {
			return err
		}
		return answerThreads(ctx, r, d.summary)
	})
}

// pullPage returns the page of the pull request that the run is about, empty if there is none.
func (r *run) pullPage(t record.Target) string {
	if r.ev.Thread.Pull {
		return r.ev.Thread.URL
	}
	return t.PullURL
}

// wording makes the title of the check run, and the answer, of a run for which no model was asked.
type wording func(report.Summary) (title, body string)

// deliverWithoutModel commits a change that no model was asked for, and answers. From here on the run cannot be
// cancelled.
func (r *run) deliverWithoutModel(ctx context.Context, t record.Target, ch change, words wording) error {
	return r.deliverChange(ctx, t, ch, words, func(ctx context.Context, _ record.Committed, body string) error {
		_, err := r.answers().finish(ctx, r.answers().place(), body)
		return err
	})
}

// deliverChange is deliverWithoutModel with another way to answer.
func (r *run) deliverChange(ctx context.Context, t record.Target, ch change, words wording,
	answer func(ctx context.Context, made record.Committed, body string) error) error {
	return r.commitAndReport(ctx, conversation.Job{Target: t}, ch, func(ctx context.Context, d delivered) error {
		title, body := words(d.summary)
		check := d.summary.Check()
		check.Title, check.Summary, check.Text = title, markdown.Clip(body, report.CheckRoom), ""
		if d.made.SHA == "" {
			check.Buttons = nil
		}
		return together(
			func() error { return answer(ctx, d.made, body) },
			func() error { return r.checks().complete(ctx, check, d.made.SHA, d.target.PullURL) },
		)
	})
}

// delivered is what a run came to, before it is reported.
type delivered struct {
	target  record.Target
	made    record.Committed
	summary report.Summary
}

// commitAndReport passes the point of no return, commits a change, opens the pull request of an issue's branch, offers
// suggestions for what could not be pushed, and reports.
func (r *run) commitAndReport(ctx context.Context, j conversation.Job, ch change,
	reportOn func(context.Context, delivered) error) error {
	committing, end, err := r.pointOfNoReturn(ctx)
	if err != nil {
		return err
	}
	defer end()
	made, err := r.committer().commit(committing, j.Target, ch)
	if err != nil {
		return err
	}
	if j.Target, err = r.openPull(committing, j, made); err != nil {
		return err
	}
	if made, err = r.committer().suggest(committing, j.Target, made); err != nil {
		return err
	}
	r.progress.stop()
	if err := reportOn(committing, delivered{j.Target, made, r.summary(j, made)}); err != nil {
		return err
	}
	r.react(committing, reactionTo(made))
	return nil
}

func reactionTo(made record.Committed) port.Reaction {
	if made.SHA != "" {
		return port.ReactionRocket
	}
	return port.ReactionConfused
}

// openPull opens the pull request of an issue's branch if something was committed to it. One that GitHub refuses is for
// a person to open: people must be told what was committed all the same.
func (r *run) openPull(ctx context.Context, j conversation.Job, made record.Committed) (record.Target, error) {
	t := j.Target
	if t.Pull != 0 || made.SHA == "" {
		return t, nil
	}
	return record.Do(ctx, r.journal, record.PullOpened, func() (record.Target, error) {
		p, ok, err := r.bot.GitHub.FindPull(ctx, r.ev.Repo, t.Branch)
		if err == nil && (!ok || p.State != "open") {
			p, err = r.bot.GitHub.CreatePull(ctx, r.ev.Repo, port.NewPull{
				Title: report.PullTitle(t), Body: report.PullBody(r.subject(), r.summary(j, made)), Head: t.Branch, Base: t.Base,
				Draft: true,
			})
		}
		if permanent(err) {
			r.log.WarnContext(ctx, "pull request not opened", "branch", t.Branch, "error", err)
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

// permanent reports whether another attempt would fail too.
func permanent(err error) bool {
	var p interface{ Permanent() bool }
	return errors.As(err, &p) && p.Permanent()
}

// summary is what the end of the run is told from.
func (r *run) summary(j conversation.Job, made record.Committed) report.Summary {
	head := j.Target
	s := report.Summary{
		RepoURL: r.repoURL(), Branch: head.Branch, SHA: made.SHA, Base: made.Base, Moves: made.Moves,
		Held: made.Held, Unpushed: made.Unpushed, Patch: made.Patch, Offered: len(made.Notes), Unoffered: made.Unoffered,
		Results: made.Results, Changed: made.Changed,
		Reply: j.Conversation.Reply(), Context: j.Prompt, Costs: r.costs(j.Conversation),
		Offers: r.offers,
	}
	if s.Addressed = conversation.ThreadOutcomes(j.Prompt, j.Conversation, made.Results); s.Addressed != nil {
		s.Reply.Prose, s.Reply.NoChange = conversation.WithoutRemarks(s.Reply.Prose),
			s.Reply.NoChange || j.Conversation.HasRemarks()
	}
	if head.Fork != nil && made.SHA != "" {
		s.RepoURL = strings.TrimSuffix(s.RepoURL, r.ev.Repo.String()) + head.Fork.String()
	}
	if !r.ev.Thread.Pull && head.Pull != 0 {
		s.Pull, s.PullURL = head.Pull, head.PullURL
	}
	if head.Unopened != "" {
		s.Unopened = report.UnopenedNotice(head, s.RepoURL)
	}
	return s
}

// costs are the figures of the run until now.
func (r *run) costs(c conversation.Conversation) record.Costs {
	rec := r.journal.Record()
	out := record.Costs{
		Model: c.LastAnswer().Model, Calls: len(c.Turns), Usage: c.Usage(), Took: r.bot.Now().Sub(rec.Started), Run: rec.ID,
	}
	out.Dollars, out.Priced = r.models().cost(c)
	if n := len(c.Turns); n > 0 {
		out.Warning = c.Turns[n-1].Warning
	}
	return out
}

// wantedModel is the name of the model that the command or the settings name, empty if neither does.
func (r *run) wantedModel() string { return cmp.Or(r.inv.Options.Model, r.policy.Model) }
