package bot

import (
	"context"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// What a fork does not take becomes suggestions, which GitHub makes with a review, and a review gets none later. So the
// answer on a fork is posted when all is known, in one review with its suggestions. Until then, a check run says that
// the run goes on.

// answersAtOnce reports whether the answer of the run is not shown before it is complete. One that is there already,
// such as a queued notice, is edited as everywhere.
func (r *run) answersAtOnce(t record.Target) bool {
	return t.Fork != nil && r.answers().place().Kind == port.Review && !r.ev.Notified && r.journal.Record().Answer == nil
}

// answerWith makes the review that has both the answer and the suggestions of a run, and records it as both. GitHub may
// take no suggestions: then there is no review yet.
func (r *run) answerWith(ctx context.Context, t record.Target, commit record.Committed, body string) (record.Committed,
	error) {
	a := r.answers()
	if r.resumed() { // an attempt that died may have told that it waits
		c, ok, err := a.find(ctx)
		if err != nil {
			return commit, err
		}
		if ok && r.journal.Record().Suggested == nil {
			review, found, err := r.committer().findSuggestions(ctx, r.ev.Thread.Number)
			if err != nil {
				return commit, err
			}
			if !found || review.ID != c.Comment { // it is not the one with the suggestions
				return r.committer().suggest(ctx, t, commit)
			}
		}
	}
	c := r.committer()
	c.answer = a.marked(a.signed(body))
	offered, err := c.suggest(ctx, t, commit)
	if err != nil {
		return offered, err
	}
	if review := r.journal.Record().Suggested; review != nil && review.Comment != 0 {
		_, err = record.Do(ctx, r.journal, record.Answered,
			func(context.Context) (record.AnswerComment, error) { return *review, nil })
	}
	return offered, err
}
