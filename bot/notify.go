package bot

import (
	"context"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
)

// mentionsSender reports whether the final answer of a run mentions the sender, so that GitHub notifies them. What an
// App wrote for somebody notifies nobody, and neither does the refusal of somebody who may not write here.
func (r *run) mentionsSender(p policy.Policy) bool {
	return !p.Quiet && r.ev.Comment.App == "" &&
		(r.permission.Allows(port.PermissionWrite) || r.inv.Problem == "" && r.permission.Allows(r.inv.Command.Needs))
}

// mentionsInDeadLetter is mentionsSender for a run that died. An answer or a branch on record means that the sender was
// admitted before; where the settings cannot be read, nobody is mentioned.
func (r *run) mentionsInDeadLetter(ctx context.Context) bool {
	rec := r.journal.Record()
	if rec.Answer == nil && rec.Target == nil || r.ev.Comment.App != "" {
		return false
	}
	p, err := r.bot.policyOf(ctx, r.ev)
	if err != nil {
		r.log.InfoContext(ctx, "nobody is mentioned in the dead letter", "error", err)
		return false
	}
	return !p.Quiet
}
