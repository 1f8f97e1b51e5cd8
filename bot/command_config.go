package bot

import "context"

// runConfig answers with the settings that hold here, and where each comes from.
func runConfig(ctx context.Context, s *session) error {
	return s.reply(ctx, s.settings().body(s.ev.Repo))
}

// settings are the settings of the repository as answers tell them.
func (s *session) settings() settingsReport { return settingsReport{s.policy, s.repoURL()} }
