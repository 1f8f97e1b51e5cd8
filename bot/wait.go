package bot

import (
	"context"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// worthTelling is how long a wait is, if that is known, that people are told of.
const worthTelling = 15 * time.Second

// tellTimeout bounds how long a run that has to wait tries to say so: what it waits for may be GitHub itself.
const tellTimeout = 10 * time.Second

// tellWaiting says in the answer of a run that the run waits and goes on by itself: once, and again when the answer has
// shown something else since. It is a convenience: a failure is logged, no more.
func (r *run) tellWaiting(ctx context.Context, wait *port.WaitError) {
	rec := r.journal.Record()
	if 0 < wait.After && wait.After < worthTelling {
		return
	}
	if !r.mayBeTold() || rec.Final != nil || permanent(wait) || rec.Waiting != nil && !r.progress.shown.Load() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, tellTimeout)
	defer cancel()
	if !r.admitted {
		_ = r.acknowledge(ctx, r.ev) // a failure is logged
	}
	if err := r.sayWaiting(ctx, wait.For); err != nil {
		r.log.InfoContext(ctx, "cannot say in the answer what the run waits for", "error", err)
	}
}

// mayBeTold reports whether the sender may be told of a wait. While the settings of the repository cannot be read,
// those of the server decide, and write permission is needed: replies to others are limited, and counted after that.
func (r *run) mayBeTold() bool {
	if r.admitted {
		return true
	}
	return r.permission.Allows(port.PermissionWrite) && r.permission.Allows(r.bot.Policy.Needs(r.inv.Command)) &&
		r.inv.Problem == "" && r.ev.Kind != port.Ticked && !r.bot.mayNotAsk(r.ev)
}

// sayWaiting edits the answer, or makes it unless GitHub's limits leave no room for another comment.
func (r *run) sayWaiting(ctx context.Context, reason port.WaitReason) error {
	a, body := r.answers(), report.WaitingBody(r.subject(), reason)
	switch rec := r.journal.Record(); {
	case rec.Answer == nil && reason == port.GitHubLimit:
		return nil
	case rec.Waiting != nil:
		return r.bot.GitHub.Progress(ctx, r.ev.Repo, r.ev.Thread.Number, rec.Answer.Ref(), a.marked(body))
	}
	_, err := record.Do(ctx, r.journal, record.WaitTold, func(ctx context.Context) (string, error) {
		if _, err := a.show(ctx, body, a.github.Post, a.github.Progress); err != nil {
			return "", fmt.Errorf("saying that the run waits: %w", err)
		}
		return string(reason), nil
	})
	return err
}
