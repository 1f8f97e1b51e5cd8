package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on the conversation of one run.
const (
	maxCalls   = 4
	maxRepairs = 2
)

// maxAsk is how long a command may wait for the model, all calls together.
const maxAsk = 20 * time.Minute

// converse asks the model, and again where blocks failed, are missing or were cut off. Each answer is recorded before the next
// question; a resumed run goes on after the last.
func (s *session) converse(ctx context.Context, head target, q question) (talk, error) {
	// The time is the model's: what is recorded and read besides must not run out of it.
	asking, cancel := context.WithTimeoutCause(ctx, maxAsk, &UserError{"The model gave no answer within 20 minutes. Ask for less at a time, or again later."})
	defer cancel()
	var t talk
	for {
		next, results, err := s.nextTurn(ctx, head, q, t)
		if err != nil || next.Kind == "" {
			return t, err
		}
		next, err = step(ctx, s.journal, t.nextStep(), func() (turn, error) { return s.ask(asking, q, t, results, next) })
		if err != nil {
			return talk{}, err
		}
		t.turns, t.replies = append(t.turns, next), append(t.replies, engine.Parse(next.Answer.Text, engine.ParseOptions{}))
	}
}

func (t talk) nextStep() string { return fmt.Sprintf("ask.%d", len(t.turns)+1) }

// nextTurn decides what to ask next, if anything, and on what results. What an earlier attempt asked, or settled, is not
// decided again.
func (s *session) nextTurn(ctx context.Context, head target, q question, t talk) (turn, []engine.Result, error) {
	if _, asked := s.run.Steps[t.nextStep()]; asked || len(t.turns) == 0 {
		return turn{Kind: cmp.Or(q.Kind, turnFix)}, nil, nil
	}
	if has(s.run, applyStep(0)) || has(s.run, "preview") {
		return turn{}, nil, nil
	}
	results, err := s.tryPlan(ctx, head, t.extend(q), t.blocks())
	if err != nil {
		return turn{}, nil, err
	}
	next := turn{}
	if next.Kind, next.Ask = t.next(results, s.run.ID); next.Kind != turnNeed {
		return next, results, nil
	}
	more, ask, err := s.need(ctx, head, needs(t.last().Text), q.Kind == turnAsk)
	next.More, next.Ask = &more, ask
	return next, results, err
}

// ask makes one call, and plans anew with its answer. The first must be answered; a follow-up that meets something a person
// could mend is a fault on record.
func (s *session) ask(ctx context.Context, q question, t talk, results []engine.Result, next turn) (turn, error) {
	request := t.request(q, next.Ask)
	var answer Answer
	var fill Fill
	err := s.policy.Bounds.affords(t.usage(), reserve(request))
	if err == nil {
		answer, fill, err = s.call(ctx, request, len(t.turns)+1)
	}
	var user *UserError
	switch {
	case err == nil:
		next.Answer, next.Warning = answer, budgetWarning(fill)
	case len(t.turns) > 0 && errors.As(err, &user):
		next.Fault = user.Text
	default:
		return turn{}, fmt.Errorf("asking the model: %w", err)
	}
	if q.Kind != turnAsk {
		next.Plan = t.planWith(next, results)
	}
	return next, nil
}

// call asks the model, with its cost reserved before and settled after.
func (s *session) call(ctx context.Context, r Request, number int) (Answer, Fill, error) {
	if r.Only = s.policy.Models; r.Model != "" && !s.policy.allowsModel(r.Model) {
		return Answer{}, Fill{}, &UserError{fmt.Sprintf("The model %s may not be used here any more. `/tenon config` shows which may.", codeSpan(r.Model))}
	}
	fill, err := s.Budget.Reserve(ctx, Booking{Event: s.ev, Run: s.run.ID, Call: number, Tokens: reserve(r), Limits: s.policy.Budget})
	var over *OverBudget
	if errors.As(err, &over) {
		return Answer{}, Fill{}, overBudget(over)
	}
	if err != nil {
		return Answer{}, Fill{}, fmt.Errorf("reserving the cost: %w", err)
	}
	answer, err := s.Model.Complete(ctx, r, s.listen(number))
	var tokens int64
	if err == nil {
		tokens = took(r, answer)
	}
	// The command's time may be over; what it cost is booked all the same.
	if settled := s.Budget.Settle(context.WithoutCancel(ctx), s.ev, s.run.ID, number, tokens); settled != nil {
		return Answer{}, Fill{}, errors.Join(err, fmt.Errorf("settling the cost: %w", settled))
	}
	return answer, fill, err
}

// planWith is the plan after a turn; results are what would become of the plan before it.
func (t talk) planWith(next turn, results []engine.Result) []ref {
	blocks := engine.Parse(next.Answer.Text, engine.ParseOptions{}).Blocks
	if next.Kind == turnRepair {
		return mend(t.plan(), results, blocks, len(t.turns))
	}
	plan, before := slices.Clone(t.plan()), t.blocks()
	for i, b := range blocks {
		if !slices.ContainsFunc(before, func(o engine.Block) bool { return same(o, b) }) {
			plan = append(plan, ref{len(t.turns), i})
		}
	}
	return plan
}

// same says that two blocks are the same edit, letter by letter.
func same(a, b engine.Block) bool {
	return a.Path == b.Path && slices.Equal(a.Find, b.Find) && slices.Equal(a.Replace, b.Replace)
}

// request is the whole conversation so far, with one more question: it only ever grows at its end, so that providers can
// cache what was there.
func (t talk) request(q question, ask string) Request {
	r := q.Request
	r.Messages = append([]Message(nil), r.Messages...)
	for _, turn := range t.turns {
		if turn.Ask != "" {
			r.Messages = append(r.Messages, Message{"user", turn.Ask})
		}
		r.Messages = append(r.Messages, Message{"assistant", turn.Answer.Text})
	}
	if ask != "" {
		r.Messages = append(r.Messages, Message{"user", ask})
	}
	return r
}

// tryPlan says what would become of the edits, without making them.
func (s *session) tryPlan(ctx context.Context, head target, q question, plan []engine.Block) ([]engine.Result, error) {
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

// next decides what to ask after the last answer; an empty kind ends the conversation.
func (t talk) next(results []engine.Result, nonce string) (turnKind, string) {
	last := t.turns[len(t.turns)-1]
	switch {
	case len(t.turns) >= maxCalls || last.Fault != "" || t.dear():
		return "", ""
	case t.asked():
		return t.nextWords()
	case noChange(last.Answer.Text):
		return "", ""
	case cutOff(last, t.replies[len(t.replies)-1]) && t.count(turnContinue) == 0:
		return turnContinue, prompts.Continue(len(t.plan()))
	case len(t.plan()) == 0 && t.count(turnNeed) == 0 && len(needs(last.Answer.Text)) > 0:
		return turnNeed, ""
	case len(t.plan()) == 0 && t.count(turnBlocks) == 0 && !t.remarked():
		return turnBlocks, prompts.Blocks()
	case t.count(turnRepair) < maxRepairs:
		return repair(results, nonce)
	}
	return "", ""
}

// nextWords is next where no edits were asked for.
func (t talk) nextWords() (turnKind, string) {
	last := t.turns[len(t.turns)-1].Answer
	switch {
	case last.Cut && t.count(turnContinue) == 0:
		return turnContinue, prompts.GoOn()
	case len(needs(last.Text)) > 0 && t.count(turnNeed) == 0:
		return turnNeed, ""
	}
	return "", ""
}

// dear says that another call would take more tokens than one command may.
func (t talk) dear() bool {
	u := t.usage()
	return u.In+t.turns[len(t.turns)-1].Answer.Usage.In > maxTokensIn || u.Out >= maxTokensOut
}

func (t talk) count(kind turnKind) (n int) {
	for _, turn := range t.turns {
		if turn.Kind == kind {
			n++
		}
	}
	return n
}

// cutOff says that a reply ended before its model was done: by what the provider said, or within a block.
func cutOff(last turn, reply engine.Reply) bool {
	if last.Answer.Cut {
		return true
	}
	for _, p := range reply.Problems {
		if p.Kind == engine.ProblemCutOff {
			return true
		}
	}
	return false
}

// noChange says that the model found nothing to change, in the words it was told to use.
func noChange(text string) bool {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.Trim(line, "*`# \t\r\n"), "NO CHANGE") {
			return true
		}
	}
	return false
}
