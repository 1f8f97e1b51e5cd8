package bot

import (
	"context"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
)

// mentionsSender reports whether the final answer of a run mentions the sender, so that GitHub notifies them. What an
// App wrote for somebody notifies nobody, and neither does the refusal of somebody who may not write here.
func (a admission) mentionsSender(ev port.Event, inv command.Invocation) bool {
	return !a.policy.Quiet && ev.Comment.App == "" &&
		(a.permission.Allows(port.PermissionWrite) || inv.Problem == "" && a.permission.Allows(inv.Command.Needs))
}

// mentionsInDeadLetter is mentionsSender for a run that died. An answer or a branch on record means that the sender was
// admitted before; where the settings cannot be read, nobody is mentioned.
func (r *run) mentionsInDeadLetter(ctx context.Context) bool {
	rec := r.journal.Record()
	if rec.Answer == nil && rec.Target == nil || r.ev.Comment.App != "" {
		return false
	}
	p, err := r.bot.policyFor(ctx, r.ev.Repo, nil)
	if err != nil {
		r.log.InfoContext(ctx, "nobody is mentioned in the dead letter", "error", err)
		return false
	}
	return !p.Quiet
}
