package bot

import (
	"context"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// runPreview is runFix up to the commit: what the edits would do is shown, with a box for each that fits.
func runPreview(ctx context.Context, s *session) error {
	v := history.Preview{Run: s.Run.ID, Asked: s.ev}
	var err error
	if v.Job, err = s.prepare(ctx, s.task()); err != nil {
		return err
	}
	if v.Preview, err = record.Do(ctx, s.Journal, "preview", func() (record.Preview, error) { return s.tryEdits(ctx, v.Job) }); err != nil {
		return err
	}
	s.unwatch()
	shown := s.previewed(v, nil, nil)
	said, err := s.answer(ctx, s.answerPlace(), shown.Body())
	if err != nil {
		return err
	}
	if err := s.closeCheck(ctx, shown.Check(), "", said.URL); err != nil {
		return err
	}
	if record.Count(v.Results).Applied == 0 {
		s.react(ctx, port.ReactionConfused)
	}
	return nil
}

// try says what the edits that the conversation came to would do, and makes none of them.
func (s *session) tryEdits(ctx context.Context, j conversation.Job) (record.Preview, error) {
	s.at(func(now *shownStatus) { now.Stage = report.StageApplying })
	checkout, err := s.checkoutOrTip(ctx, j.Target)
	if err != nil {
		return record.Preview{}, err
	}
	outcome, err := s.apply(ctx, checkout, j.Question, j.Talk.Blocks(), true)
	if err != nil {
		return record.Preview{}, err
	}
	return record.Preview{Application: record.Application{Base: checkout.SHA(), Results: record.Results(outcome), Changed: outcome.Changed}, Costs: s.costs(j.Talk)}, nil
}

// previewBody is the answer to a preview, now and after each commit of some of its blocks.
func (s *session) previewBody(v history.Preview, fates map[int]history.BlockOutcome, ticked []int) string {
	return s.previewed(v, fates, ticked).Body()
}

func (s *session) previewed(v history.Preview, fates map[int]history.BlockOutcome, ticked []int) report.Preview {
	r := s.summary(v.Target, v.Question, v.Talk, record.Committed{Application: v.Application})
	r.Preview, r.Costs = true, v.Costs
	r.Offers = func(verb string) bool { return verb != "retry" && s.offers(verb) } // nothing has failed to be committed yet
	return report.Preview{Preview: v, Summary: r, Fates: fates, Ticked: ticked}
}
