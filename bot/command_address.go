package bot

import (
	"context"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// runAddress is runFix for all unresolved review threads of a pull request: one commit, and an answer in each thread.
// Resolving them is for whoever reviews.
func runAddress(ctx context.Context, r *run) error {
	if !r.ev.Thread.Pull {
		return sentence.AddressOnIssue()
	}
	task := taskOf(r.inv)
	task.kind, task.text = record.TurnAddress, "Settle the review threads of this pull request."
	if r.inv.Text != "" {
		task.text += "\n\n" + r.inv.Text
	}
	if r.journal.Record().Prompt == nil {
		var err error
		if task.reviews, err = r.prompter().reviews(ctx); err != nil {
			return err
		}
		task.files = task.reviews.files()
	}
	j, err := askModel(ctx, r, task)
	if err != nil {
		return err
	}
	return deliver(ctx, r, j)
}
