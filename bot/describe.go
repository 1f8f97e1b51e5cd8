package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/message"
	"github.com/tenon-bot/tenon/bot/paths"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// opensPull reports whether a run opens a pull request for the branch of a target if it commits.
func opensPull(ev port.Event, t record.Target) bool { return !ev.Thread.Pull && t.Pull == 0 }

// alongForPull returns the template of the repository for pull requests if the run may open one, so that it is fetched
// with files that are needed anyway.
func alongForPull(checkout repo.Checkout, ev port.Event, t record.Target) ([]string, error) {
	if !opensPull(ev, t) {
		return nil, nil
	}
	files, err := paths.Of(checkout)
	if err != nil {
		return nil, fmt.Errorf("looking for the template of pull requests: %w", err)
	}
	if path := message.TemplatePath(files.Folded); path != "" {
		return []string{path}, nil
	}
	return nil, nil
}

// templateFor returns the repository's template for the pull request that the run may open, as it is on the commit that
// the run starts from; empty if there is none. It is a convenience: a failure is logged, no more.
func templateFor(ctx context.Context, r *run, t record.Target) string {
	if !opensPull(r.ev, t) || r.journal.Record().Pull != nil {
		return ""
	}
	text, err := readTemplate(ctx, r, t)
	if err != nil {
		r.log.WarnContext(ctx, "template of pull requests not read", "error", err)
	}
	return text
}

func readTemplate(ctx context.Context, r *run, t record.Target) (string, error) {
	checkout, err := r.files.at(ctx, t)
	if err != nil {
		return "", err
	}
	along, err := alongForPull(checkout, r.ev, t)
	if err != nil || len(along) == 0 {
		return "", err
	}
	if err := checkout.Load(ctx, along...); err != nil {
		return "", fmt.Errorf("loading %s: %w", along[0], err)
	}
	data, err := checkout.ReadFile(along[0])
	return string(data), err
}

// describe returns what the description of the pull request of an issue says of the commands that were committed to its
// branch until now.
func describe(ctx context.Context, r *run, t record.Target) (report.Description, error) {
	d := report.Description{Issue: r.ev.Thread.Number, RepoURL: r.repoURL()}
	if number, ok := history.IssueOf(t.Branch); ok {
		d.Issue = number
	}
	runs, err := r.history().Made(ctx, t, r.journal.Record())
	if err != nil {
		return d, fmt.Errorf("reading the commands of pull request %d: %w", t.Pull, err)
	}
	for _, m := range runs {
		d.Made = append(d.Made, report.Made{
			Commit: m.Commit, Event: m.Event, Verb: r.verbOf(m.Event), Results: m.Committed.Results, Undone: m.Undone,
			Explanation: cmp.Or(m.Explanation, record.Purposes(m.Committed.Results)),
		})
	}
	return d, nil
}

// errForeign is the error for a description that is not tenon's to change.
var errForeign = errors.New("it has no section of tenon's, or more than one, or no room for it")

// describeAgain brings the description of a pull request that tenon opened up to date with a commit of the run. What
// people wrote around tenon's section remains. It is a convenience: a failure is logged, no more.
func describeAgain(ctx context.Context, r *run, t record.Target, made record.Committed) {
	if _, ofIssue := history.IssueOf(t.Branch); !ofIssue || t.Fork != nil || made.SHA == "" {
		return
	}
	if err := updateDescription(ctx, r, t); err != nil {
		r.log.InfoContext(ctx, "description not updated", "pull", t.Pull, "error", err)
	}
}

// updateDescription reads the description right before it writes it: GitHub has no condition for that.
func updateDescription(ctx context.Context, r *run, t record.Target) error {
	d, err := describe(ctx, r, t)
	if err != nil {
		return err
	}
	pull, err := r.bot.GitHub.PullRequest(ctx, r.ev.Repo, t.Pull)
	if err != nil {
		return err
	}
	if !r.bot.isOwn(pull.Author) {
		return errForeign
	}
	body, ok := d.Update(pull.Body)
	switch {
	case !ok:
		return errForeign
	case body == pull.Body:
		return nil
	}
	return r.bot.GitHub.Describe(ctx, r.ev.Repo, t.Pull, body)
}
