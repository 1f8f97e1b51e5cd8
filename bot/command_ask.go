package bot

import (
	"context"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/prompts"
)

// runAsk answers a question: open, context, ask, report. It changes nothing, and shows as much by its reactions.
func runAsk(ctx context.Context, s *session) error {
	what := s.task()
	what.kind, what.write = record.TurnAsk, prompts.Ask
	j, err := s.prepare(ctx, what)
	if err != nil {
		return err
	}
	s.unwatch()
	_, err = s.answer(ctx, what.at, report.AskBody(j, s.costs(j.Talk), s.repoURL()))
	return err
}
