package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/message"
	"github.com/tenon-bot/tenon/bot/paths"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// pullOpener opens the pull requests of issues' branches, and describes them.
type pullOpener struct {
	github  port.GitHub
	history history.Thread
	files   *workspace
	ev      port.Event
	journal *record.Journal
	log     *slog.Logger
	// isOwn reports whether a user is the app itself, verbOf returns the verb of an event's command.
	isOwn  func(port.User) bool
	verbOf func(port.Event) string
}

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

// template returns the repository's template for the pull request that the run may open, as it is on the commit that
// the run starts from; empty if there is none. It is a convenience: a failure is logged, no more.
func (o pullOpener) template(ctx context.Context, t record.Target) string {
	if !opensPull(o.ev, t) || o.journal.Record().Pull != nil {
		return ""
	}
	text, err := o.readTemplate(ctx, t)
	if err != nil {
		o.log.WarnContext(ctx, "template of pull requests not read", "error", err)
	}
	return text
}

func (o pullOpener) readTemplate(ctx context.Context, t record.Target) (string, error) {
	checkout, err := o.files.at(ctx, t)
	if err != nil {
		return "", err
	}
	along, err := alongForPull(checkout, o.ev, t)
	if err != nil || len(along) == 0 {
		return "", err
	}
	if err := checkout.Load(ctx, along...); err != nil {
		return "", fmt.Errorf("loading %s: %w", along[0], err)
	}
	data, err := checkout.ReadFile(along[0])
	return string(data), err
}

// text returns the title and the body of a pull request to open. template is the repository's for its description.
func (o pullOpener) text(ctx context.Context, t record.Target, commit record.Committed, template string) (title,
	body string) {
	d, err := o.describe(ctx, t)
	if err != nil {
		o.log.WarnContext(ctx, "earlier commands are not in the description", "error", err)
	}
	return report.PullTitle(o.ev.Thread.Number, commit.Subject, t), d.Body(template)
}

// describe returns what the description of the pull request of an issue says of the commands that were committed to its
// branch until now.
func (o pullOpener) describe(ctx context.Context, t record.Target) (report.Description, error) {
	d := report.Description{Issue: o.ev.Thread.Number, Links: o.github.Links(o.ev.Thread)}
	if number, ok := history.IssueOf(t.Branch); ok {
		d.Issue = number
	}
	runs, err := o.history.Made(ctx, t, o.journal.Record())
	if err != nil {
		return d, fmt.Errorf("reading the commands of pull request %d: %w", t.Pull, err)
	}
	for _, m := range runs {
		d.Made = append(d.Made, report.Made{
			Commit: m.Commit, Event: m.Event, Verb: o.verbOf(m.Event), Results: m.Committed.Results, Undone: m.Undone,
			Cautions:    m.Committed.Cautions,
			Explanation: cmp.Or(m.Explanation, record.Purposes(m.Committed.Results)),
		})
	}
	return d, nil
}

// errForeign is the error for a description that is not tenon's to change.
var errForeign = errors.New("it has no section of tenon's, or more than one, or no room for it")

// describeAgain brings the description of a pull request that tenon opened up to date with a commit of the run. What
// people wrote around tenon's section remains. It is a convenience: a failure is logged, no more.
func (o pullOpener) describeAgain(ctx context.Context, t record.Target, commit record.Committed) {
	if _, ofIssue := history.IssueOf(t.Branch); !ofIssue || t.Fork != nil || commit.SHA == "" {
		return
	}
	if err := o.updateDescription(ctx, t); err != nil {
		o.log.InfoContext(ctx, "description not updated", "pull", t.Pull, "error", err)
	}
}

// updateDescription reads the description right before it writes it: GitHub has no condition for that.
func (o pullOpener) updateDescription(ctx context.Context, t record.Target) error {
	d, err := o.describe(ctx, t)
	if err != nil {
		return err
	}
	pull, err := o.github.PullRequest(ctx, o.ev.Repo, t.Pull)
	if err != nil {
		return err
	}
	if !o.isOwn(pull.Author) {
		return errForeign
	}
	body, ok := d.Update(pull.Body)
	switch {
	case !ok:
		return errForeign
	case body == pull.Body:
		return nil
	}
	return o.github.Describe(ctx, o.ev.Repo, t.Pull, body)
}
