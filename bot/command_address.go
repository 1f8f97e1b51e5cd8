package bot

import (
	"context"
	"fmt"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/prompts"
)

// runAddress is runFix for all review threads of a pull request that nobody has resolved: one commit, and in each thread what
// was done about it. Resolving them is for whoever reviews.
func runAddress(ctx context.Context, s *session) error {
	if !s.ev.Thread.Pull {
		return &port.UserError{Text: "`/tenon address` settles the review threads of a pull request, and this is an issue. `/tenon fix` works here."}
	}
	what := s.task()
	what.kind, what.text = record.TurnAddress, "Settle the review threads of this pull request."
	if s.inv.Text != "" {
		what.text += "\n\n" + s.inv.Text
	}
	if !record.Has(s.Run, "context") {
		var err error
		if what.reviews, err = s.reviews(ctx); err != nil {
			return err
		}
		what.files = what.reviews.files()
	}
	j, err := s.prepare(ctx, what)
	if err != nil {
		return err
	}
	return s.deliver(ctx, j)
}

// answerThreads says in each review thread what was done about it, once. Content writes are scarce: where nothing was said, nothing
// is posted.
func (s *session) answerThreads(ctx context.Context, r report.Summary) error {
	for _, a := range r.Addressed {
		if a.Silent() {
			continue
		}
		if _, err := record.Do(ctx, s.Journal, fmt.Sprintf("thread.%d", a.Comment), func() (record.AnswerComment, error) { return s.answerThread(ctx, r, a) }); err != nil {
			return err
		}
	}
	return nil
}

// reviews are the threads that are to be settled, as the model is shown them and as they are kept.
type reviews struct {
	shown []prompts.ReviewThread
	kept  []record.ReviewThread
	// more is how many there are beside these.
	more int
}

// files are those that the threads stand in, with their lines.
func (r reviews) files() (out []retrieve.TaskFile) {
	for _, t := range r.kept {
		out = append(out, retrieve.TaskFile{Path: t.Path, Lines: retrieve.Span{From: t.Line, To: t.Line}})
	}
	return out
}
