package bot

import (
	"context"

	"github.com/tenon-bot/tenon/prompts"
)

// runAsk answers a question: open, context, ask, report. It changes nothing, and shows as much by its reactions.
func runAsk(ctx context.Context, s *session) error {
	what := s.task()
	what.kind, what.write = turnAsk, prompts.Ask
	j, err := s.prepare(ctx, what)
	if err != nil {
		return err
	}
	s.unwatch()
	_, err = s.answer(ctx, what.at, askBody(j, s.costs(j.talk), s.repoURL()))
	return err
}
