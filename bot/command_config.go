package bot

import "context"

// runConfig shows the settings of the repository and where each comes from.
func runConfig(ctx context.Context, r *run) error {
	return r.answers().reply(ctx, r.settings().Body(r.ev.Repo))
}
