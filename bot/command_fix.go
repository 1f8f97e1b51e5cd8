package bot

import "context"

// runFix asks the model for a change, commits its edits and answers.
func runFix(ctx context.Context, r *run) error {
	j, err := askModel(ctx, r, taskOf(r.inv))
	if err != nil {
		return err
	}
	return deliver(ctx, r, j)
}
