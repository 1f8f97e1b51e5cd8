package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// maxAnswerURL is the length of an address of an answer that is certain to have room in a check run, in characters.
const maxAnswerURL = 500

// checks makes the check run of a run. What it shows is in the answer too, and writes to GitHub are scarce, so it is
// made once, when the run has come to its end, or when there is room for it. One that GitHub does not take is logged,
// no more.
type checks struct {
	github  port.GitHub
	watches port.Watches // nil if nothing is made later
	ev      port.Event
	command command.Command
	journal *record.Journal
	pages   report.Pages
	log     *slog.Logger
}

// end makes the check run of a run that changed nothing.
func (c checks) end(ctx context.Context, text, conclusion string) {
	err := c.complete(ctx, nothingCommitted(text, conclusion), "")
	if err != nil {
		c.log.WarnContext(ctx, "check not recorded", "error", err)
	}
}

// begin makes a check run that says that the run goes on, where no answer does.
func (c checks) begin(ctx context.Context, text string) error {
	_, err := record.Do(ctx, c.journal, record.CheckOpened, func(ctx context.Context) (int64, error) {
		rec := c.journal.Record()
		if rec.Target == nil {
			return 0, nil
		}
		check := port.Check{Status: "in_progress", Title: "Working", Summary: text, URL: c.pages.Run(rec.ID)}
		return c.create(ctx, rec.Target.SHA, check), nil
	})
	return err
}

// close completes the check run that was made when the run began, as begin does on forks, and as an earlier version of
// this program did always.
func (c checks) close(ctx context.Context, text, conclusion string) {
	if began := c.began(); began != 0 {
		c.update(ctx, began, nothingCommitted(text, conclusion))
	}
}

func nothingCommitted(text, conclusion string) port.Check {
	return port.Check{Status: "completed", Conclusion: conclusion, Title: "Nothing was committed", Summary: text}
}

// complete makes the check run of a run that came to its end, once. It links the answer, or else the thread. Its
// details are on the page of the run, if there are pages.
func (c checks) complete(ctx context.Context, check port.Check, sha string) error {
	_, err := record.Do(ctx, c.journal, record.CheckClosed, func(ctx context.Context) (int64, error) {
		answer := c.answerURL()
		check.Status, check.URL = "completed", cmp.Or(c.pages.Run(c.journal.Record().ID), answer)
		check.Summary = markdown.Clip(check.Summary, report.CheckRoom-2*maxAnswerURL) + "\n\n[The answer](" + answer + ")"
		if began := c.began(); began != 0 {
			return c.completeBegun(ctx, began, check, sha), nil
		}
		if sha == "" {
			sha = workedOn(c.journal.Record(), c.command)
		}
		if sha == "" {
			return 0, nil
		}
		return c.create(ctx, sha, check), nil
	})
	return err
}

// answerURL returns the page of the answer of the run, or of its thread where there is none yet.
func (c checks) answerURL() string {
	rec := c.journal.Record()
	for _, answer := range []*record.AnswerComment{rec.Final, rec.Answer} {
		if answer != nil && answer.URL != "" {
			return answer.URL
		}
	}
	return c.ev.Thread.URL
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

// workedOn returns the commit that a model was asked by a command to change; empty if there is none, or nothing was to
// be changed.
func workedOn(rec record.Record, c command.Command) string {
	if rec.Prompt == nil || rec.Target == nil || rec.Target.New || c.ReadOnly {
		return ""
	}
	return rec.Target.SHA
}

// offerFix puts a button on the check run of a run that committed, which has what CI reports of the commit fixed, or
// removes it if CI has not failed. c is the command of that run, offers reports whether a command may be given there.
// A *port.WaitError says that there may be room for it later; any other failure is logged, as it is a convenience.
func (b *Bot) offerFix(ctx context.Context, ev port.Event, rec record.Record, c command.Command, failed bool,
	offers func(verb string) bool) error {
	if rec.Committed == nil || rec.CheckClosed == nil || *rec.CheckClosed == 0 {
		return nil
	}
	buttons := report.ButtonsOfCommit(c, rec.Committed.Results, failed, offers)
	err := b.GitHub.UpdateCheck(ctx, ev.Repo, *rec.CheckClosed, port.Check{Buttons: buttons})
	if errors.As(err, new(*port.WaitError)) && !permanent(err) {
		return fmt.Errorf("updating the buttons of a check: %w", err)
	}
	if err != nil {
		b.Log.WarnContext(ctx, "buttons of a check not updated", "delivery", ev.Delivery, "error", err)
	}
	return nil
}

// create makes a check run and returns its id; 0 if there is none.
func (c checks) create(ctx context.Context, sha string, check port.Check) int64 {
	if !c.github.Has(port.FeatureChecks) {
		return 0
	}
	check.Name, check.SHA, check.Run, check.Thread = port.CheckName, sha, c.journal.Record().ID, c.ev.Thread.Number
	id, err := c.github.CreateCheck(ctx, c.ev.Repo, check)
	if overLimit(err) && check.Conclusion != "" && c.watches != nil {
		err = c.later(ctx, check)
	}
	if err != nil {
		c.log.WarnContext(ctx, "check not made", "error", err)
	}
	return id
}

// later has a check run made when GitHub's limits have room for it.
func (c checks) later(ctx context.Context, check port.Check) error {
	err := c.watches.Follow(ctx, port.Event{
		Delivery: "check-" + check.Run, Kind: port.Following, Repo: c.ev.Repo,
		Thread: port.Thread{Number: c.ev.Thread.Number, Pull: c.ev.Thread.Pull}, Sender: c.ev.Sender,
		Received: c.ev.Received, Private: c.ev.Private,
		Followed: &port.Followed{Commit: check.SHA, Run: check.Run, First: check.Run, Check: &check},
	})
	if err != nil {
		return fmt.Errorf("making a check run later: %w", err)
	}
	return nil
}

// makeCheck makes a check run that GitHub's limits had no room for. It returns a *port.WaitError if they still have
// none.
func (b *Bot) makeCheck(ctx context.Context, ev port.Event) error {
	_, err := b.GitHub.CreateCheck(ctx, ev.Repo, *ev.Followed.Check)
	if ended(err) {
		b.Log.WarnContext(ctx, "check not made", "delivery", ev.Delivery, "error", err)
		return nil
	}
	return err
}

func (c checks) update(ctx context.Context, id int64, check port.Check) {
	if err := c.github.UpdateCheck(ctx, c.ev.Repo, id, check); err != nil {
		c.log.WarnContext(ctx, "check not updated", "error", err)
	}
}
