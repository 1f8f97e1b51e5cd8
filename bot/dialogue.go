package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine"
)

// maxAsk is how long a command may wait for the model, all calls together.
const maxAsk = 20 * time.Minute

// dialogue carries on the conversation of a run with the model.
type dialogue struct {
	model    port.Model
	budget   port.Budget
	prompter prompter
	files    *workspace
	ev       port.Event
	policy   policy.Policy
	models   models
	journal  *record.Journal
	progress *progress
	log      *slog.Logger
}

// converse asks the model, and again if blocks failed, are missing or were cut off. Each answer is recorded before the
// next question, and a resumed run continues after the last.
func (d dialogue) converse(ctx context.Context, head record.Target, prompt record.Prompt) (conversation.Conversation,
	error) {
	// The time is the model's: recording and reading must not run out of it.
	asking, cancel := context.WithTimeoutCause(ctx, maxAsk,
		&port.UserError{Text: "The model gave no answer within 20 minutes. Ask for less at a time, or again later."})
	defer cancel()
	var c conversation.Conversation
	for {
		next, results, err := d.nextTurn(ctx, head, prompt, c)
		if err != nil || next.Kind == "" {
			return c, err
		}
		next, err = record.Do(ctx, d.journal, record.Asked(len(c.Turns)+1), func() (record.Turn, error) {
			return d.ask(asking, prompt, c, results, next)
		})
		if err != nil {
			return conversation.Conversation{}, err
		}
		c.Turns, c.Replies = append(c.Turns, next), append(c.Replies, engine.Parse(next.Answer.Text, engine.ParseOptions{}))
	}
}

// nextTurn decides what to ask next, if anything, and on what results. It does not decide again what an earlier attempt
// asked or finished.
func (d dialogue) nextTurn(ctx context.Context, head record.Target, prompt record.Prompt,
	c conversation.Conversation) (record.Turn, []engine.Result, error) {
	rec := d.journal.Record()
	if len(c.Turns) < len(rec.Turns) || len(c.Turns) == 0 {
		return record.Turn{Kind: cmp.Or(prompt.Kind, record.TurnFix)}, nil, nil
	}
	if len(rec.Applications) > 0 || rec.Preview != nil {
		return record.Turn{}, nil, nil
	}
	results, err := d.tryEdits(ctx, head, c.ExtendPrompt(prompt), c.Blocks())
	if err != nil {
		return record.Turn{}, nil, err
	}
	next, key := record.Turn{}, cmp.Or(prompt.Key, rec.ID)
	if next.Kind, next.Ask = c.Next(results, key); next.Kind != record.TurnFileRequest {
		return next, results, nil
	}
	window := retrieve.WindowOf(d.models.named(prompt.Request.Model))
	next.More, next.Given, next.Ask, err = d.prompter.requested(ctx, head, asksFor{
		key: key, asks: c.Asks(), said: c.LastAnswer().Text, seen: c.Seen(prompt),
		room: window.RoundBytes(c.Request(prompt, "").Tokens()), question: prompt.Kind == record.TurnAsk,
		roundsAfter: func(told string) int {
			return c.RoundsLeft(d.policy.Bounds, window, c.Request(prompt, told).Tokens())
		},
	})
	return next, results, err
}

// tryEdits returns what would come of edits, without making them. The model is asked to repair what does not parse
// whatever the settings say.
func (d dialogue) tryEdits(ctx context.Context, head record.Target, prompt record.Prompt,
	blocks []engine.Block) ([]engine.Result, error) {
	if len(blocks) == 0 {
		return nil, nil
	}
	checkout, err := d.files.target(ctx, head)
	if err != nil {
		return nil, err
	}
	outcome, err := applyBlocks(ctx, checkout, blocks, applyOptions{policy: d.policy, shown: prompt.Selection, dry: true})
	return outcome.Results, err
}

// ask makes one call, and plans the edits with its answer. The first call must be answered; a follow-up that meets
// something that a person could put right is a fault on record.
func (d dialogue) ask(ctx context.Context, prompt record.Prompt, c conversation.Conversation, results []engine.Result,
	next record.Turn) (record.Turn, error) {
	request := c.Request(prompt, next.Ask)
	var answer port.Answer
	var use port.BudgetUse
	err := d.policy.Bounds.Affords(c.Usage(), conversation.TokensToReserve(request))
	if err == nil {
		err = d.fits(request)
	}
	if err == nil {
		answer, use, err = d.call(ctx, request, len(c.Turns)+1)
	}
	var user *port.UserError
	var wait *port.WaitError
	switch {
	case errors.As(err, &wait):
		return record.Turn{}, fmt.Errorf("asking the model: %w", err)
	case err == nil:
		next.Answer, next.Warning = answer, budgetWarning(use)
	case len(c.Turns) > 0 && errors.As(err, &user):
		next.Fault = user.Text
	default:
		return record.Turn{}, fmt.Errorf("asking the model: %w", err)
	}
	if prompt.Kind != record.TurnAsk {
		next.Plan = c.PlanAfter(next, results)
	}
	return next, nil
}

// fits returns a *port.UserError if a request leaves no room for the reply in the context of its model.
func (d dialogue) fits(request port.Request) error {
	model := d.models.named(request.Model)
	if model.Takes(request) {
		return nil
	}
	return &port.UserError{Text: fmt.Sprintf("With what was said so far, the next question is more than the model %s can "+
		"read at once: about %s tokens, and its context of %s has to take the reply too. Ask for less at a time.",
		markdown.Code(model.Name), humanize.Comma(request.Tokens()), humanize.Comma(int64(model.ContextTokens)))}
}
