package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// maxAsk is how long a command may wait for the model, all calls together.
const maxAsk = 20 * time.Minute

// converse asks the model, and again where blocks failed, are missing or were cut off. Each answer is recorded before the next
// question; a resumed run goes on after the last.
func (s *session) converse(ctx context.Context, head record.Target, q record.Prompt) (conversation.Conversation, error) {
	// The time is the model's: what is recorded and read besides must not run out of it.
	asking, cancel := context.WithTimeoutCause(ctx, maxAsk, &port.UserError{Text: "The model gave no answer within 20 minutes. Ask for less at a time, or again later."})
	defer cancel()
	var t conversation.Conversation
	for {
		next, results, err := s.nextTurn(ctx, head, q, t)
		if err != nil || next.Kind == "" {
			return t, err
		}
		next, err = record.Do(ctx, s.Journal, t.NextStep(), func() (record.Turn, error) { return s.ask(asking, q, t, results, next) })
		if err != nil {
			return conversation.Conversation{}, err
		}
		t.Turns, t.Replies = append(t.Turns, next), append(t.Replies, engine.Parse(next.Answer.Text, engine.ParseOptions{}))
	}
}

// nextTurn decides what to ask next, if anything, and on what results. What an earlier attempt asked, or settled, is not
// decided again.
func (s *session) nextTurn(ctx context.Context, head record.Target, q record.Prompt, t conversation.Conversation) (record.Turn, []engine.Result, error) {
	if _, asked := s.Run.Steps[t.NextStep()]; asked || len(t.Turns) == 0 {
		return record.Turn{Kind: cmp.Or(q.Kind, record.TurnFix)}, nil, nil
	}
	if record.Has(s.Run, record.ApplyStep(0)) || record.Has(s.Run, "preview") {
		return record.Turn{}, nil, nil
	}
	results, err := s.tryPlan(ctx, head, t.Extend(q), t.Blocks())
	if err != nil {
		return record.Turn{}, nil, err
	}
	next := record.Turn{}
	if next.Kind, next.Ask = t.Next(results, s.Run.ID); next.Kind != record.TurnFiles {
		return next, results, nil
	}
	more, ask, err := s.requestedFiles(ctx, head, conversation.FileRequests(t.Last().Text), q.Kind == record.TurnAsk)
	next.More, next.Ask = &more, ask
	return next, results, err
}

// ask makes one call, and plans anew with its answer. The first must be answered; a follow-up that meets something a person
// could mend is a fault on record.
func (s *session) ask(ctx context.Context, q record.Prompt, t conversation.Conversation, results []engine.Result, next record.Turn) (record.Turn, error) {
	request := t.Request(q, next.Ask)
	var answer port.Answer
	var fill port.BudgetUse
	err := s.policy.Bounds.Affords(t.Usage(), conversation.Reserve(request))
	if err == nil {
		answer, fill, err = s.call(ctx, request, len(t.Turns)+1)
	}
	var user *port.UserError
	switch {
	case err == nil:
		next.Answer, next.Warning = answer, budgetWarning(fill)
	case len(t.Turns) > 0 && errors.As(err, &user):
		next.Fault = user.Text
	default:
		return record.Turn{}, fmt.Errorf("asking the model: %w", err)
	}
	if q.Kind != record.TurnAsk {
		next.Plan = t.PlanWith(next, results)
	}
	return next, nil
}

// call asks the model, with its cost reserved before and settled after.
func (s *session) call(ctx context.Context, r port.Request, number int) (port.Answer, port.BudgetUse, error) {
	if r.Only = s.policy.Models; r.Model != "" && !s.policy.AllowsModel(r.Model) {
		return port.Answer{}, port.BudgetUse{}, &port.UserError{Text: fmt.Sprintf("The model %s may not be used here any more. `/tenon config` shows which may.", markdown.Code(r.Model))}
	}
	fill, err := s.Budget.Reserve(ctx, port.Reservation{Event: s.ev, Run: s.Run.ID, Call: number, Tokens: conversation.Reserve(r), Limits: s.policy.Budget})
	var over *port.OverBudget
	if errors.As(err, &over) {
		return port.Answer{}, port.BudgetUse{}, overBudget(over)
	}
	if err != nil {
		return port.Answer{}, port.BudgetUse{}, fmt.Errorf("reserving the cost: %w", err)
	}
	answer, err := s.Model.Complete(ctx, r, s.listen(number))
	var tokens int64
	if err == nil {
		tokens = conversation.Charged(r, answer)
	}
	// The command's time may be over; what it cost is booked all the same.
	if settled := s.Budget.Charge(context.WithoutCancel(ctx), s.ev, s.Run.ID, number, tokens); settled != nil {
		return port.Answer{}, port.BudgetUse{}, errors.Join(err, fmt.Errorf("settling the cost: %w", settled))
	}
	return answer, fill, err
}

// tryPlan says what would become of the edits, without making them.
func (s *session) tryPlan(ctx context.Context, head record.Target, q record.Prompt, plan []engine.Block) ([]engine.Result, error) {
	if len(plan) == 0 {
		return nil, nil
	}
	checkout, err := s.checkoutOrTip(ctx, head)
	if err != nil {
		return nil, err
	}
	outcome, err := s.apply(ctx, checkout, q, plan, true)
	return outcome.Results, err
}
