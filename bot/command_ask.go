package bot

import (
	"context"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/prompts"
)

// runAsk answers a question. It changes nothing, and its reactions say as much.
func runAsk(ctx context.Context, r *run) error {
	what := taskOf(r.inv)
	what.kind, what.write = record.TurnAsk, prompts.Ask
	j, err := askModel(ctx, r, what)
	if err != nil {
		return err
	}
	r.progress.stop()
	_, err = r.answers().finish(ctx, r.answers().place(), report.AskBody(j, costs(r, j.Conversation), r.repoURL()))
	return err
}
