package bot

import (
	"context"

	"github.com/tenon-bot/tenon/bot/report"
)

// runConfig answers with the settings that hold here, and where each comes from.
func runConfig(ctx context.Context, s *session) error {
	return s.reply(ctx, s.settings().Body(s.ev.Repo))
}

// settings are the settings of the repository as answers tell them.
func (s *session) settings() report.Settings {
	return report.Settings{Policy: s.policy, RepoURL: s.repoURL()}
}
