package bot

import (
	"context"
)

// runFix asks the model for a change, commits its edits and answers.
func runFix(ctx context.Context, r *run) error {
	j, err := askModel(ctx, r, taskOf(r.inv))
	if err != nil {
		return err
	}
	return deliver(ctx, r, j)
}

// becomesPreview reports whether a fix only shows what it would commit. An earlier attempt may have decided that.
func (r *run) becomesPreview(ctx context.Context) bool {
	switch rec := r.journal.Record(); {
	case rec.Preview != nil:
		return !rec.Preview.HeldBack // else it is shown by what would commit it
	case rec.Committing:
		return false
	}
	return r.previewsOnly(ctx, r.policy)
}
