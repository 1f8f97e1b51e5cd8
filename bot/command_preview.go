package bot

import (
	"context"
)

// runPreview is runFix up to the commit: what the edits would do is shown, with a box for each that fits.
func runPreview(ctx context.Context, s *session) error {
	v := preview{run: s.run.ID, asked: s.ev}
	var err error
	if v.job, err = s.prepare(ctx, s.task()); err != nil {
		return err
	}
	if v.tried, err = step(ctx, s.journal, "preview", func() (tried, error) { return s.try(ctx, v.job) }); err != nil {
		return err
	}
	s.unwatch()
	shown := s.previewed(v, nil, nil)
	said, err := s.answer(ctx, s.place(), shown.body())
	if err != nil {
		return err
	}
	if err := s.closeCheck(ctx, shown.check(), "", said.URL); err != nil {
		return err
	}
	if count(v.Results).applied == 0 {
		s.react(ctx, ReactionConfused)
	}
	return nil
}

// try says what the edits that the conversation came to would do, and makes none of them.
func (s *session) try(ctx context.Context, j job) (tried, error) {
	s.at(func(now *shownStatus) { now.stage = stageApplying })
	checkout, err := s.checkoutOrTip(ctx, j.target)
	if err != nil {
		return tried{}, err
	}
	outcome, err := s.apply(ctx, checkout, j.question, j.talk.blocks(), true)
	if err != nil {
		return tried{}, err
	}
	return tried{applied{Base: checkout.SHA(), Results: rows(outcome), Changed: outcome.Changed}, s.costs(j.talk)}, nil
}

// previewBody is the answer to a preview, now and after each commit of some of its blocks.
func (s *session) previewBody(v preview, fates map[int]fate, ticked []int) string {
	return s.previewed(v, fates, ticked).body()
}

func (s *session) previewed(v preview, fates map[int]fate, ticked []int) previewed {
	r := s.summary(v.target, v.question, v.talk, committed{applied: v.applied})
	r.Preview, r.Costs = true, v.Costs
	r.Offers = func(verb string) bool { return verb != "retry" && s.offers(verb) } // nothing has failed to be committed yet
	return previewed{v, r, fates, ticked}
}
