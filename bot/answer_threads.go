package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// inThreads says in each review thread what was done about it, once. Content writes are scarce: nothing is posted
// where there is nothing to say.
func (a answers) inThreads(ctx context.Context, s report.Summary, pages report.Pages) error {
	for _, to := range s.Addressed {
		if to.Silent() {
			continue
		}
		_, err := record.Do(ctx, a.journal, record.AnsweredThread(to.Comment),
			func(ctx context.Context) (record.AnswerComment, error) { return a.inThread(ctx, s, pages, to) })
		if err != nil {
			return err
		}
	}
	return nil
}

// inThread posts what was done about a thread, unless an earlier attempt did, or the thread is gone.
func (a answers) inThread(ctx context.Context, s report.Summary, pages report.Pages,
	to conversation.ThreadOutcome) (record.AnswerComment, error) {
	run := a.journal.Record().ID
	marker := fmt.Sprintf("<!-- tenon:run=%s thread=%d -->", run, to.Comment)
	first := port.Comment{Kind: port.ReviewComment, ID: to.Comment}
	at := port.Place{Number: a.ev.Thread.Number, Kind: port.ReviewComment, To: &first}
	if a.journal.Record().Resumed {
		c, exists, err := a.github.FindComment(ctx, a.ev.Repo, at, marker, a.ev.Received.Add(-clockSkew))
		if err != nil && !errors.Is(err, port.ErrNotFound) {
			return record.AnswerComment{}, fmt.Errorf("looking for the answer in thread %d: %w", to.Number, err)
		}
		if exists {
			return record.AnswerOf(c), nil
		}
	}
	body := report.ThreadBody(to, s) + "\n\n" + report.RunNote(run, pages) + "\n\n" + marker
	c, err := a.github.Post(ctx, a.ev.Repo, at, body)
	if errors.Is(err, port.ErrNotFound) {
		return record.AnswerComment{}, nil
	}
	if err != nil {
		return record.AnswerComment{}, fmt.Errorf("answering in thread %d: %w", to.Number, err)
	}
	return record.AnswerOf(c), nil
}
