package bot

import "context"

// runFix asks the model for a change, commits its edits and answers.
func runFix(ctx context.Context, r *run) error {
	j, err := r.askForEdits(ctx, taskOf(r.inv))
	if err != nil {
		return err
	}
	return r.deliver(ctx, j)
}
