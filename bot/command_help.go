package bot

import (
	"cmp"
	"context"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/report"
)

// runHelp explains the commands.
func runHelp(ctx context.Context, r *run) error {
	return r.answers().reply(ctx, report.HelpBody(r.bot.Slug, cmp.Or(r.policy.Label, policy.DefaultLabel)))
}
