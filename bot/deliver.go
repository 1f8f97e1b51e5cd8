package bot

import (
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

// deliver commits what the conversation came to, and answers. From here on the run cannot be cancelled.
func deliver(ctx context.Context, r *run, j conversation.Job) error {
	edits := change{
		stage: func(ctx context.Context, checkout repo.Checkout) (engine.Outcome, error) {
			blocks := j.Conversation.Blocks()
			base, err := changedSince(ctx, r, j.Target, j.Prompt, j.Prompt.Selection, checkout, blocks)
			if err != nil {
				return engine.Outcome{}, err
			}
			return applyBlocks(ctx, checkout, blocks, commitOptions(r.policy, j.Prompt.Selection, base))
		},
		message: func(a record.Application) string { return r.messages().ofEdits(j.Conversation, a) },
	}
	return commitAndReport(ctx, r, j, edits, func(ctx context.Context, d delivered) error {
		answer := d.summary
		if page := pullPage(r, d.target); page != "" {
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
func pullPage(r *run, t record.Target) string {
	if r.ev.Thread.Pull {
		return r.ev.Thread.URL
	}
	return t.PullURL
}

// wording makes the title of the check run, and the answer, of a run for which no model was asked.
type wording func(report.Summary) (title, body string)

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
	answer func(ctx context.Context, made record.Committed, body string) error) error {
	return commitAndReport(ctx, r, conversation.Job{Target: t}, ch, func(ctx context.Context, d delivered) error {
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
func commitAndReport(ctx context.Context, r *run, j conversation.Job, ch change,
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
	if j.Target, err = openPull(committing, r, j, made); err != nil {
		return err
	}
	if made, err = r.committer().suggest(committing, j.Target, made); err != nil {
		return err
	}
	r.progress.stop()
	if err := reportOn(committing, delivered{j.Target, made, summary(r, j, made)}); err != nil {
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
func openPull(ctx context.Context, r *run, j conversation.Job, made record.Committed) (record.Target, error) {
	t := j.Target
	if t.Pull != 0 || made.SHA == "" {
		return t, nil
	}
	return record.Do(ctx, r.journal, record.PullOpened, func() (record.Target, error) {
		p, ok, err := r.bot.GitHub.FindPull(ctx, r.ev.Repo, t.Branch)
		if err == nil && (!ok || p.State != "open") {
			p, err = r.bot.GitHub.CreatePull(ctx, r.ev.Repo, port.NewPull{
				Title: report.PullTitle(t), Body: report.PullBody(r.subject(), summary(r, j, made)), Head: t.Branch, Base: t.Base,
				Draft: true,
			})
		}
		if errors.Is(err, port.ErrExists) && !ok { // an earlier attempt opened it
			return t, lagging("GitHub has a pull request of %s and does not list it yet", t.Branch)
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
func summary(r *run, j conversation.Job, made record.Committed) report.Summary {
	head := j.Target
	s := report.Summary{
		RepoURL: r.repoURL(), Branch: head.Branch, SHA: made.SHA, Base: made.Base, Moves: made.Moves,
		Held: made.Held, Unpushed: made.Unpushed, Patch: made.Patch, Offered: len(made.Notes), Unoffered: made.Unoffered,
		Results: made.Results, Changed: made.Changed,
		Reply: j.Conversation.Reply(), Context: j.Prompt, Costs: costs(r, j.Conversation),
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
func costs(r *run, c conversation.Conversation) record.Costs {
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
