package bot

import (
	"context"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// carryOut does and commits work for which no model is asked, and answers; words makes the check's title and the answer. From
// here on it is too late to cancel the run.
func (s *session) commitWithoutModel(ctx context.Context, t record.Target, w work, words func(report.Summary) (title, body string)) error {
	return s.commitWithoutModelAnd(ctx, t, w, words, func(ctx context.Context, _ record.Committed, body string) error {
		_, err := s.answer(ctx, s.answerPlace(), body)
		return err
	})
}

// carryOutAnd is carryOut where the answer is told in a way of its own.
func (s *session) commitWithoutModelAnd(ctx context.Context, t record.Target, w work, words func(report.Summary) (title, body string), tell func(ctx context.Context, made record.Committed, body string) error) error {
	ctx, end, err := s.pointOfNoReturn(ctx)
	if err != nil {
		return err
	}
	defer end()
	made, err := record.Do(ctx, s.Journal, "commit", func() (record.Committed, error) { return s.commitWork(ctx, t, w) })
	if err != nil {
		return err
	}
	if t, err = s.pull(ctx, conversation.Job{Target: t}, made); err != nil {
		return err
	}
	if made, err = s.suggest(ctx, t, made); err != nil {
		return err
	}
	r := s.summary(t, record.Prompt{}, conversation.Conversation{}, made)
	title, body := words(r)
	check := r.Check()
	check.Title, check.Summary, check.Text = title, markdown.Clip(body, report.CheckRoom), ""
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
	s.react(ctx, made.Reaction())
	return nil
}
