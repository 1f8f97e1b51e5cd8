package bot

import "context"

// carryOut does and commits work for which no model is asked, and answers; words makes the check's title and the answer. From
// here on it is too late to cancel the run.
func (s *session) carryOut(ctx context.Context, t target, w work, words func(summary) (title, body string)) error {
	return s.carryOutAnd(ctx, t, w, words, func(ctx context.Context, _ committed, body string) error {
		_, err := s.answer(ctx, s.place(), body)
		return err
	})
}

// carryOutAnd is carryOut where the answer is told in a way of its own.
func (s *session) carryOutAnd(ctx context.Context, t target, w work, words func(summary) (title, body string), tell func(ctx context.Context, made committed, body string) error) error {
	ctx, end, err := s.irrevocable(ctx)
	if err != nil {
		return err
	}
	defer end()
	made, err := step(ctx, s.journal, "commit", func() (committed, error) { return s.commitWork(ctx, t, w) })
	if err != nil {
		return err
	}
	if t, err = s.pull(ctx, job{target: t}, made); err != nil {
		return err
	}
	if made, err = s.suggest(ctx, t, made); err != nil {
		return err
	}
	r := s.summary(t, question{}, talk{}, made)
	title, body := words(r)
	check := r.check()
	check.Title, check.Summary, check.Text = title, clip(body, checkRoom), ""
	if made.SHA == "" {
		check.Buttons = nil
	}
	err = together(
		func() error { return tell(ctx, made, body) },
		func() error { return s.closeCheck(ctx, check, made.SHA, t.PullURL) },
	)
	if err != nil {
		return err
	}
	s.react(ctx, made.reaction())
	return nil
}
