package bot

import (
	"context"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/prompts"
)

// runAsk answers a question. It changes nothing, and its reactions say as much.
func runAsk(ctx context.Context, r *run) error {
	task := taskOf(r.inv)
	task.kind, task.write = record.TurnAsk, prompts.Ask
	j, err := askModel(ctx, r, task)
	if err != nil {
		return err
	}
	r.progress.stop()
	a, costs := r.answers(), r.reporter().costs(j.Conversation)
	_, err = a.finish(ctx, a.place(), report.AskBody(j, costs, r.links()))
	return err
}
