package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// runAddress is runFix for all unresolved review threads of a pull request: one commit, and an answer in each thread.
// Resolving them is for whoever reviews.
func runAddress(ctx context.Context, r *run) error {
	if !r.ev.Thread.Pull {
		return sentence.AddressOnIssue()
	}
	what := taskOf(r.inv)
	what.kind, what.text = record.TurnAddress, "Settle the review threads of this pull request."
	if r.inv.Text != "" {
		what.text += "\n\n" + r.inv.Text
	}
	if r.journal.Record().Prompt == nil {
		var err error
		if what.reviews, err = r.prompter().reviews(ctx); err != nil {
			return err
		}
		what.files = what.reviews.files()
	}
	j, err := askModel(ctx, r, what)
	if err != nil {
		return err
	}
	return deliver(ctx, r, j)
}

// answerThreads says in each review thread what was done about it, once. Content writes are scarce: nothing is posted
// where there is nothing to say.
func answerThreads(ctx context.Context, r *run, s report.Summary) error {
	for _, a := range s.Addressed {
		if a.Silent() {
			continue
		}
		_, err := record.Do(ctx, r.journal, record.AnsweredThread(a.Comment),
			func(ctx context.Context) (record.AnswerComment, error) { return answerThread(ctx, r, s, a) })
		if err != nil {
			return err
		}
	}
	return nil
}

// answerThread posts what was done about a thread, unless an earlier attempt did, or the thread is gone.
func answerThread(ctx context.Context, r *run, s report.Summary, a conversation.ThreadOutcome) (record.AnswerComment,
	error) {
	marker := fmt.Sprintf("<!-- tenon:run=%s thread=%d -->", r.id(), a.Comment)
	first := port.Comment{Kind: port.ReviewComment, ID: a.Comment}
	at := port.Place{Number: r.ev.Thread.Number, Kind: port.ReviewComment, To: &first}
	if r.resumed() {
		c, exists, err := r.bot.GitHub.FindComment(ctx, r.ev.Repo, at, marker, r.ev.Received.Add(-clockSkew))
		if err != nil && !errors.Is(err, port.ErrNotFound) {
			return record.AnswerComment{}, fmt.Errorf("looking for the answer in thread %d: %w", a.Number, err)
		}
		if exists {
			return record.AnswerOf(c), nil
		}
	}
	body := report.ThreadBody(a, s) + "\n\n" + report.RunNote(r.id(), r.bot.Pages) + "\n\n" + marker
	c, err := r.bot.GitHub.Post(ctx, r.ev.Repo, at, body)
	if errors.Is(err, port.ErrNotFound) {
		return record.AnswerComment{}, nil
	}
	if err != nil {
		return record.AnswerComment{}, fmt.Errorf("answering in thread %d: %w", a.Number, err)
	}
	return record.AnswerOf(c), nil
}
