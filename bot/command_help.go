package bot

import (
	"cmp"
	"context"
)

func runHelp(ctx context.Context, s *session) error {
	return s.reply(ctx, helpText(s.Slug, cmp.Or(s.policy.Label, DefaultLabel)))
}
