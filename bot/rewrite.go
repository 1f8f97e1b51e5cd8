package bot

import (
	"context"
	"errors"
	"slices"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine"
)

// rewrite asks the model again for edits that are in conflict with what others committed while it was writing, if a
// call is left. head is at the new tip, and results are those of the edits there. It reports whether the edits of the
// job are others now. The run is past its point of no return, so a cancel does not end it: it ends the asking, and what
// fits is committed. So does a model that does not answer.
func (d dialogue) rewrite(ctx context.Context, j *conversation.Job, head record.Target, results []engine.Result) (bool,
	error) {
	files := conversation.Overtaken(results)
	if len(files) == 0 {
		return false, nil
	}
	return d.askFurther(ctx, j, head, results, func(prompt record.Prompt) (record.Turn, error) {
		return d.movedTurn(ctx, head, prompt, j.Conversation, files)
	})
}

// askFurther goes on with the conversation of a job by a turn that first makes, if a call is left, and reports whether
// the edits of the job are others now. results are those of the edits so far.
func (d dialogue) askFurther(ctx context.Context, j *conversation.Job, head record.Target, results []engine.Result,
	first func(record.Prompt) (record.Turn, error)) (bool, error) {
	prompt := d.journal.Record().Prompt
	if prompt == nil || !j.Conversation.MayAskAgain() {
		return false, nil
	}
	before := j.Conversation.Plan()
	next, err := first(*prompt)
	c := j.Conversation
	if err == nil {
		c, err = d.goOn(ctx, head, *prompt, c, next, results)
	}
	var wait *port.WaitError
	var user *port.UserError
	switch {
	case err != nil && cancelled(ctx) != nil,
		errors.As(err, &user),
		errors.As(err, &wait) && (wait.For == port.ModelLimit || wait.For == port.ModelOutage):
		d.log.InfoContext(ctx, "the model is not asked again", "error", err)
	case err != nil:
		return false, err
	}
	j.Conversation, j.Prompt = c, c.ExtendPrompt(*prompt)
	return !slices.Equal(c.Plan(), before), nil
}

// goOn goes on with a conversation that has ended, by a turn, unless its kind is empty, and then as usual. The
// conversation is valid after an error too.
func (d dialogue) goOn(ctx context.Context, head record.Target, prompt record.Prompt, c conversation.Conversation,
	next record.Turn, results []engine.Result) (_ conversation.Conversation, err error) {
	wait := newPatience(maxAsk)
	for err == nil && next.Kind != "" {
		next, err = d.askWithin(ctx, wait, head, prompt, c, results, next)
		if err != nil {
			break
		}
		longer, failed := c.With(next)
		if failed != nil {
			return c, failed
		}
		c = longer
		next, results, err = d.decide(ctx, head, prompt, c)
	}
	return c, err
}

// movedTurn is the turn that shows files as they are at a target. Its kind is empty if none can be shown.
func (d dialogue) movedTurn(ctx context.Context, head record.Target, prompt record.Prompt, c conversation.Conversation,
	files []string) (next record.Turn, err error) {
	key := d.prompter.newKey()
	if err := unused(key, c.Request(prompt, "")); err != nil {
		return next, err
	}
	asks := asksFor{key: key, said: c.LastAnswer().Text,
		room: retrieve.WindowOf(d.models.named(prompt.Request.Model)).RoundBytes(c.Request(prompt, "").Tokens())}
	for _, name := range files {
		asks.asks = append(asks.asks, retrieve.Ask{Path: name})
	}
	next.More, next.Ask, err = d.prompter.moved(ctx, head, asks)
	if next.More != nil {
		next.Kind = record.TurnMoved
	}
	return next, err
}
