package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/engine"
)

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
	audience view.Audience
	log      *slog.Logger
	now      func() time.Time
}

// converse asks the model, and again if blocks failed, are missing or were cut off. Each answer is recorded before the
// next question, and a resumed run continues after the last.
func (d dialogue) converse(ctx context.Context, head record.Target, prompt record.Prompt) (conversation.Conversation,
	error) {
	wait := newPatience(maxAsk)
	c := conversation.Conversation{Choice: d.journal.Record().FileChoice}
	for {
		next, results, err := d.nextTurn(ctx, head, prompt, c)
		if err != nil || next.Kind == "" {
			return c, err
		}
		next, err = d.askWithin(ctx, wait, head, prompt, c, results, next)
		if err != nil {
			return conversation.Conversation{}, err
		}
		c.Turns, c.Replies = append(c.Turns, next), append(c.Replies, engine.Parse(next.Answer.Text, engine.ParseOptions{}))
	}
}

// askWithin is ask as a step of the run, which ends when the time for the model is over. Recording and reading do not
// run out of it.
func (d dialogue) askWithin(ctx context.Context, wait *patience, head record.Target, prompt record.Prompt,
	c conversation.Conversation, results []engine.Result, next record.Turn) (record.Turn, error) {
	return record.Do(ctx, d.journal, record.Asked(len(c.Turns)+1), func(ctx context.Context) (record.Turn, error) {
		asking, end := wait.begin(ctx, func(queued bool) {
			d.progress.update(func(now *shownStatus) { now.Queued = queued })
		})
		defer end()
		return d.ask(asking, head, prompt, c, results, next)
	})
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
	return d.decide(ctx, head, prompt, c)
}

// decide is nextTurn for a run that goes on with the conversation.
func (d dialogue) decide(ctx context.Context, head record.Target, prompt record.Prompt,
	c conversation.Conversation) (record.Turn, []engine.Result, error) {
	results, err := d.tryEdits(ctx, head, versions{c.ExtendPrompt(prompt), c.ShownAt()}, c.Blocks())
	if err != nil {
		return record.Turn{}, nil, err
	}
	next, key := record.Turn{}, d.prompter.newKey()
	if err := unused(key, c.Request(prompt, "")); err != nil {
		return record.Turn{}, nil, err
	}
	next.Ask, err = sealed(key, func(key string) (ask string) {
		next.Kind, ask = c.Next(results, key)
		return ask
	})
	switch {
	case err != nil:
		return record.Turn{}, nil, err
	case strings.Contains(next.Ask, key):
		next.More = &record.Prompt{Key: key}
	}
	if next.Kind != record.TurnFileRequest {
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
func (d dialogue) tryEdits(ctx context.Context, head record.Target, seen versions,
	blocks []engine.Block) ([]engine.Result, error) {
	if len(blocks) == 0 {
		return nil, nil
	}
	outcome, err := d.dryRun(ctx, head, seen, blocks, d.files.masked)
	if rec := d.journal.Record(); err == nil && d.audience.Watched(rec.ID) {
		d.audience.Tried(rec.ID, rec.Calls(), record.Results(outcome))
	}
	return outcome.Results, err
}

// dryRun applies edits without making them. masked masks the files.
func (d dialogue) dryRun(ctx context.Context, head record.Target, seen versions, blocks []engine.Block,
	masked *secret.Files) (engine.Outcome, error) {
	checkout, err := d.files.target(ctx, head)
	if err != nil {
		return engine.Outcome{}, err
	}
	base, err := changedSince(ctx, d.files, head, seen, seen.prompt.Selection, checkout, blocks)
	if err != nil {
		return engine.Outcome{}, err
	}
	return applyBlocks(ctx, checkout, blocks,
		applyOptions{policy: d.policy, masked: masked, shown: seen.prompt.Selection, base: base, dry: true})
}

// trial returns what says, while a reply arrives, what would come of the edits of the conversation with what there is
// of it. results are those of the edits before it. The masking of files has bounds of its own there: what is shown must
// not use up what the run needs.
func (d dialogue) trial(head record.Target, prompt record.Prompt, c conversation.Conversation, results []engine.Result,
	next record.Turn) func(context.Context, string) ([]record.Result, error) {
	masked := secret.NewFiles()
	return func(ctx context.Context, text string) ([]record.Result, error) {
		if prompt.Kind == record.TurnAsk {
			return nil, nil
		}
		turn := next
		turn.Answer.Text = text
		turn.Plan = c.PlanAfter(turn, results)
		soFar, err := c.With(turn)
		if err != nil {
			return nil, err
		}
		seen := versions{soFar.ExtendPrompt(prompt), soFar.ShownAt()}
		outcome, err := d.dryRun(ctx, head, seen, soFar.Blocks(), masked)
		return record.Results(outcome), err
	}
}

// errBroken is what a run waits after before it asks for the rest of an answer, or for the answer again.
var errBroken = errors.New("the connection to the model broke inside its answer")

// ask makes one call, and plans the edits with its answer. The first call must be answered; a follow-up that meets
// something that a person could put right is a fault on record. The rest of an answer whose connection broke is asked
// for later: until then, the run waits. If too many parts of one broke, the run waits as for a model that does not
// answer, and then asks for the last part again.
func (d dialogue) ask(ctx context.Context, head record.Target, prompt record.Prompt, c conversation.Conversation,
	results []engine.Result, next record.Turn) (record.Turn, error) {
	request := c.Request(prompt, next.Ask)
	without := withoutKeys(keysOf(prompt, c, next))
	var answer port.Answer
	var booking port.Booking
	if after := c.LastAnswer().RetryAt.Sub(d.now()); after > 0 {
		return record.Turn{}, &port.WaitError{For: port.ModelBreak, After: after, Err: errBroken}
	}
	err := d.policy.Bounds.Affords(c.Usage(), conversation.TokensToReserve(request))
	if err == nil {
		err = d.fits(request)
	}
	if err == nil {
		answer, booking, err = d.call(ctx, request, len(c.Calls())+1, without, d.trial(head, prompt, c, results, next))
		answer.Text, err = without(answer.Text), errWithoutKeys(err, without)
	}
	var user *port.UserError
	var wait *port.WaitError
	switch {
	case errors.As(err, &wait):
		return record.Turn{}, fmt.Errorf("asking the model: %w", err)
	case err == nil:
		answer.Text = conversation.WithoutSecrets(answer.Text)
		next.Answer, next.Warning = answer, budgetWarning(booking.Use)
	case len(c.Turns) > 0 && errors.As(err, &user):
		next.Fault = user.Text
	default:
		return record.Turn{}, fmt.Errorf("asking the model: %w", err)
	}
	if prompt.Kind != record.TurnAsk {
		next.Plan = c.PlanAfter(next, results)
	}
	if next.Kind == record.TurnMoved {
		next = conversation.Rewritten(next)
	}
	if next.Answer.Outage() && !c.Keeps(next) {
		return record.Turn{}, &port.WaitError{For: port.ModelOutage, Err: errBroken}
	}
	return next, nil
}

// fits returns a *port.UserError if a request leaves no room for the reply in the context of its model.
func (d dialogue) fits(request port.Request) error {
	model := d.models.named(request.Model)
	if model.Takes(request) {
		return nil
	}
	return sentence.NextTooLong(model.Name, request.Tokens(), int64(model.ContextTokens))
}

// call asks the model, the numberth time in the run, and books what that costs. The booking is that of the last
// attempt, zero if there was none.
// What is shown of the answer meanwhile goes through without, and try says what would come of its edits so far.
func (d dialogue) call(ctx context.Context, request port.Request, number int, without func(string) string,
	try func(context.Context, string) ([]record.Result, error)) (port.Answer, port.Booking, error) {
	if request.Only = d.policy.Models; request.Model != "" && !d.policy.AllowsModel(request.Model) {
		return port.Answer{}, port.Booking{}, sentence.ModelNotAllowedNow(request.Model)
	}
	m := &callMeter{budget: d.budget, log: d.log, bounds: d.policy.Bounds, price: d.models.price}
	m.attempt = port.Reservation{
		Event: d.ev, Run: d.journal.Record().ID, Call: number, Tokens: conversation.TokensToReserve(request),
		RunTokens: d.policy.Bounds.Tokens, Limits: d.policy.Budget,
	}
	live := broadcast{audience: d.audience, run: d.journal.Record().ID, call: number, without: without, try: try,
		log: d.log}
	hear, end := live.listen(ctx, d.progress.listen(number, without))
	defer end()
	asking, cancel := context.WithCancelCause(port.WithMeter(ctx, m))
	defer cancel(nil)
	asking = port.WithBusy(asking, func() (begins func()) {
		if err := m.Begin(ctx); err != nil { // who has no budget does not wait to be told so
			cancel(err)
		} else {
			m.charge(ctx, 0, port.ModelUse{})
		}
		return port.Busy(ctx)
	})
	answer, err := d.model.Complete(asking, request, hear)
	return answer, m.booking, err
}
