package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

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
	edits := editing(r, &j)
	edits.rewrite = func(_ context.Context, head record.Target, results []engine.Result) (bool, error) {
		return rewrite(ctx, r, &j, head, results)
	}
	edits.retest = func(_ context.Context, head record.Target, test record.Verification,
		results []engine.Result) (bool, error) {
		return retest(ctx, r, &j, head, test, results)
	}
	if at, _ := j.Conversation.MovedTo(); at != "" { // an earlier attempt saw the branch move
		j.Target.SHA = at
	}
	text := func(s report.Summary) string { return withCheck(r, s).Body() }
	return commitAndReport(ctx, r, &j, edits, text, func(ctx context.Context, d delivered) error {
		body, check := text(d.summary), d.summary.Check()
		if err := recordSeen(ctx, r, d.made, body, check.Text); err != nil {
			return err
		}
		err := r.answerAndCheck(ctx,
			func() error {
				_, err := r.answers().finish(ctx, r.answers().place(), body)
				return err
			},
			func() error { return r.checks().complete(ctx, check, d.made.SHA) },
		)
		if err != nil {
			return err
		}
		if err := offerPull(ctx, r, d, body); err != nil {
			return err
		}
		return answerThreads(ctx, r, d.summary)
	})
}

// versionsOf returns where the files are that the model saw.
func versionsOf(j conversation.Job) versions { return versions{j.Prompt, j.Conversation.ShownAt()} }

// editing is the change that makes the edits of a conversation.
func editing(r *run, j *conversation.Job) change {
	why := j.Conversation.Reply().Explanation
	return change{
		stage: func(ctx context.Context, checkout repo.Checkout, p policy.Policy) (engine.Outcome, error) {
			blocks := j.Conversation.Blocks()
			base, err := changedSince(ctx, r.files, j.Target, versionsOf(*j), j.Prompt.Selection, checkout, blocks)
			if err != nil {
				return engine.Outcome{}, err
			}
			how := commitOptions(p, r.files.masked, j.Prompt.Selection, base)
			how.asShown = true
			return applyBlocks(ctx, checkout, blocks, how)
		},
		message:    func(a record.Application) string { return r.messages().ofEdits(j.Conversation, why, a) },
		unfinished: func() bool { return j.Conversation.EndsInOutage() },
		apart: func(ctx context.Context, results []record.Result, p policy.Policy) (repo.Checkout, error) {
			return editsApart(ctx, r, *j, versionsOf(*j), results, p)
		},
	}
}

// pullPage returns the page of the pull request that the run is about, empty if there is none.
func pullPage(r *run, t record.Target) string {
	if r.ev.Thread.Pull {
		return r.ev.Thread.URL
	}
	return t.PullURL
}

// checkPage returns the page with the check run of a run that commits, or committed, to a target; empty if it makes
// none.
func checkPage(r *run, t record.Target, sha string) string {
	page := pullPage(r, t)
	if page == "" || sha == "" && r.checks().workedOn() == "" {
		return ""
	}
	return page + "/checks"
}

// withCheck returns the summary of an answer, which links to the check run.
func withCheck(r *run, s report.Summary) report.Summary {
	s.CheckURL = checkPage(r, record.Target{PullURL: s.PullURL}, s.SHA)
	return s
}

// wording adds to what is known of every run what its command tells of itself, for which no model was asked.
type wording func(report.Summary) report.Summary

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
	text := func(s report.Summary) string { return words(withCheck(r, s)).Body() }
	return commitAndReport(ctx, r, &conversation.Job{Target: t}, ch, text, func(ctx context.Context, d delivered) error {
		body, check := text(d.summary), words(d.summary).Check()
		if d.made.SHA == "" {
			check.Buttons = nil
		}
		err := r.answerAndCheck(ctx,
			func() error { return answer(ctx, d.made, body) },
			func() error { return r.checks().complete(ctx, check, d.made.SHA) },
		)
		if err != nil {
			return err
		}
		return offerPull(ctx, r, d, body)
	})
}

// delivered is what a run came to, before it is reported.
type delivered struct {
	target  record.Target
	made    record.Committed
	summary report.Summary
}

// commitAndReport passes the point of no return, commits a change, opens the pull request of an issue's branch, offers
// suggestions for what could not be pushed, and reports. The change may alter the conversation of the job.
func commitAndReport(ctx context.Context, r *run, j *conversation.Job, ch change, text func(report.Summary) string,
	reportOn func(context.Context, delivered) error) error {
	committing, end, err := r.pointOfNoReturn(ctx)
	if err != nil {
		return err
	}
	defer end()
	template := templateFor(committing, r, j.Target)
	made, err := r.committer().commit(committing, j.Target, ch)
	if err != nil {
		return err
	}
	r.followCommit(committing, j.Target, made)
	described := j.Target.Pull != 0
	if j.Target, err = openPull(committing, r, *j, template, made); err != nil {
		return err
	}
	r.progress.stop()
	if r.answersAtOnce(j.Target) && len(made.Notes) > 0 {
		made, err = r.answerWith(committing, j.Target, made, text(summary(r, *j, made)))
	} else {
		made, err = r.committer().suggest(committing, j.Target, made)
	}
	if err != nil {
		return err
	}
	if err := reportOn(committing, delivered{j.Target, made, summary(r, *j, made)}); err != nil {
		return err
	}
	if described {
		describeAgain(committing, r, j.Target, made)
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

// openPull opens the pull request of an issue's branch if something was committed to it. One that GitHub refuses is
// for a person to open: people must be told what was committed anyway.
func openPull(ctx context.Context, r *run, j conversation.Job, template string, made record.Committed) (record.Target,
	error) {
	t := j.Target
	if t.Pull != 0 || made.SHA == "" {
		return t, nil
	}
	return record.Do(ctx, r.journal, record.PullOpened, func(ctx context.Context) (record.Target, error) {
		p, ok, err := r.bot.GitHub.FindPull(ctx, r.ev.Repo, t.Branch)
		if err == nil && (!ok || p.State != "open") {
			p, err = r.bot.GitHub.CreatePull(ctx, r.ev.Repo, newPull(ctx, r, j, template, made))
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
	_, rewritten := j.Conversation.MovedTo()
	s := report.Summary{
		Subject: r.subjectOf(j, made), RequestURL: r.requestURL(), Round: r.round(),
		RepoURL: r.repoURL(), Branch: head.Branch, SHA: made.SHA, Base: made.Base,
		Moves: max(made.Moves, rewritten), Rewritten: rewritten > 0,
		Held: made.Held, Unpushed: made.Unpushed, Patch: made.Patch, Conflicts: made.Conflicts,
		Offered: len(made.Notes), Unoffered: made.Unoffered,
		Said: made.Said, Test: r.journal.Record().LastVerification(), Results: made.Results, Changed: made.Changed,
		ByJob: r.bot.Token == port.JobToken,
		Reply: j.Conversation.Reply(), Context: j.Prompt, Choice: j.Conversation.Choice,
		Costs:  costs(r, j.Conversation),
		Offers: r.offers, Moved: head.Moved, At: head.SHA, CutIssue: r.cutIssue, Reserved: r.bot.reserved(),
	}
	if s.Addressed = conversation.ThreadOutcomes(j.Prompt, j.Conversation, made.Results); s.Addressed != nil {
		s.Reply.NoChange = s.Reply.NoChange || j.Conversation.HasRemarks()
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

// subjectOf returns the subject of the commit, or the one that the model proposed for it; empty if there is none.
func (r *run) subjectOf(j conversation.Job, made record.Committed) string {
	return cmp.Or(made.Subject, proposedSubject(j.Conversation.Prose()))
}

// requestURL returns the page of what asked for the run: the comment, or what the label is on; empty for a button.
func (r *run) requestURL() string {
	if r.ev.Comment.URL == "" && r.ev.Kind == port.Labeled {
		return r.ev.Thread.URL
	}
	return r.ev.Comment.URL
}

// costs are the figures of the run until now.
func costs(r *run, c conversation.Conversation) record.Costs {
	rec := r.journal.Record()
	out := record.Costs{
		Model: c.LastAnswer().Model, Calls: len(c.Calls()), Usage: c.Usage(), Took: r.bot.Now().Sub(rec.Started), Run: rec.ID,
	}
	out.Dollars, out.Priced = r.models().cost(c)
	if n := len(c.Turns); n > 0 {
		out.Warning = c.Turns[n-1].Warning
	}
	return out
}
