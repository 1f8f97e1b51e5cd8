package bot

import (
	"context"
	"log/slog"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// checkName is the name of the check run in lists of checks.
const checkName = "tenon"

// checks makes the check run of a run. What it shows is in the answer too, and writes to GitHub are scarce, so it is
// made once, when the run has come to its end, and one that GitHub does not take is logged, no more.
type checks struct {
	github  port.GitHub
	ev      port.Event
	command command.Command
	journal *record.Journal
	log     *slog.Logger
}

// end makes the check run of a run that changed nothing.
func (c checks) end(ctx context.Context, text, conclusion string) {
	err := c.complete(ctx, nothingCommitted(text, conclusion), "", "")
	if err != nil {
		c.log.WarnContext(ctx, "check not recorded", "error", err)
	}
}

// close completes the check run that an earlier version of this program made when it began the run; a run of this
// version has none before its end.
func (c checks) close(ctx context.Context, text, conclusion string) {
	if began := c.began(); began != 0 {
		c.update(ctx, began, nothingCommitted(text, conclusion))
	}
}

func nothingCommitted(text, conclusion string) port.Check {
	return port.Check{Status: "completed", Conclusion: conclusion, Title: "Nothing was committed", Summary: text}
}

// complete makes the check run of a run that came to its end, once.
func (c checks) complete(ctx context.Context, check port.Check, sha, url string) error {
	_, err := record.Do(ctx, c.journal, record.CheckClosed, func() (int64, error) {
		check.Status, check.URL = "completed", url
		if began := c.began(); began != 0 {
			return c.completeBegun(ctx, began, check, sha), nil
		}
		if sha == "" {
			sha = c.workedOn()
		}
		if sha == "" {
			return 0, nil
		}
		return c.create(ctx, sha, check), nil
	})
	return err
}

// completeBegun is complete for a run with a check run on the commit that it works on. A check run stays on its commit,
// so a commit that was made gets one of its own.
func (c checks) completeBegun(ctx context.Context, began int64, check port.Check, sha string) int64 {
	if sha == "" {
		c.update(ctx, began, check)
		return began
	}
	c.update(ctx, began, port.Check{Status: check.Status, Conclusion: check.Conclusion, Title: check.Title,
		Summary: check.Summary, URL: check.URL})
	return c.create(ctx, sha, check)
}

// began returns the id of the check run that was made when the run began; 0 if none was.
func (c checks) began() int64 {
	if id := c.journal.Record().Check; id != nil {
		return *id
	}
	return 0
}

// workedOn returns the commit that a model was asked to change; empty if there is none, or nothing was to be changed.
func (c checks) workedOn() string {
	rec := c.journal.Record()
	if rec.Prompt == nil || rec.Target == nil || rec.Target.New || c.command.ReadOnly {
		return ""
	}
	return rec.Target.SHA
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
	if err := c.github.UpdateCheck(ctx, c.ev.Repo, id, check); err != nil {
		c.log.WarnContext(ctx, "check not updated", "error", err)
	}
}
