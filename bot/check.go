package bot

import (
	"context"
	"log/slog"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// checkName is the name of the check run in lists of checks.
const checkName = "tenon"

// checks makes the check runs of a run. What they show is in the answer too, so one that GitHub does not take is
// logged, no more.
type checks struct {
	github  port.GitHub
	ev      port.Event
	journal *record.Journal
	log     *slog.Logger
}

// open makes the check run on the commit that the run works on, and returns its id, 0 if GitHub took none.
func (c checks) open(ctx context.Context, t record.Target, summary string) (int64, error) {
	return record.Do(ctx, c.journal, record.CheckOpened, func() (int64, error) {
		return c.create(ctx, t.SHA, port.Check{Status: "queued", Title: "Taken", Summary: summary}), nil
	})
}

func (c checks) create(ctx context.Context, sha string, check port.Check) int64 {
	check.Name, check.SHA, check.Run, check.Thread = checkName, sha, c.journal.Record().ID, c.ev.Thread.Number
	id, err := c.github.CreateCheck(ctx, c.ev.Repo, check)
	if err != nil {
		c.log.WarnContext(ctx, "check not made", "error", err)
	}
	return id
}

func (c checks) update(ctx context.Context, id int64, check port.Check) {
	if id == 0 {
		return
	}
	if err := c.github.UpdateCheck(ctx, c.ev.Repo, id, check); err != nil {
		c.log.WarnContext(ctx, "check not updated", "error", err)
	}
}

// end completes the check run of a run that changed nothing.
func (c checks) end(ctx context.Context, text, conclusion string) {
	if id := c.journal.Record().Check; id != nil {
		c.update(ctx, *id, port.Check{Status: "completed", Conclusion: conclusion, Title: "Nothing was committed",
			Summary: text})
	}
}

// complete completes the check run of a run that came to its end. A check run stays on its commit, so a commit that was
// made gets a check run of its own, which is the one with the buttons.
func (c checks) complete(ctx context.Context, check port.Check, sha, url string) error {
	_, err := record.Do(ctx, c.journal, record.CheckClosed, func() (int64, error) {
		check.Status, check.URL = "completed", url
		var id int64
		if opened := c.journal.Record().Check; opened != nil {
			id = *opened
		}
		if sha == "" {
			c.update(ctx, id, check)
			return id, nil
		}
		var made int64
		err := together(
			func() error {
				c.update(ctx, id, port.Check{Status: "completed", Conclusion: check.Conclusion, Title: check.Title,
					Summary: check.Summary, URL: url})
				return nil
			},
			func() error { made = c.create(ctx, sha, check); return nil },
		)
		return made, err
	})
	return err
}
