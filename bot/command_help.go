package bot

import (
	"cmp"
	"context"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/report"
)

func runHelp(ctx context.Context, s *session) error {
	return s.reply(ctx, report.HelpText(s.Slug, cmp.Or(s.policy.Label, policy.DefaultLabel)))
}
