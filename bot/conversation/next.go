package conversation

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/prompts"
)

// Next returns what to ask after the last answer: the kind of the next turn, and its text unless it is to show what
// the model asked for. An empty kind ends the conversation. results are those of a dry run of the plan; nonce
// delimits what the text quotes.
func (c Conversation) Next(results []engine.Result, nonce string) (kind record.TurnKind, ask string) {
	last := c.Turns[len(c.Turns)-1]
	switch {
	case c.countedCalls() >= maxCalls || last.Fault != "" || c.exhausted():
		return "", ""
	case c.IsQuestion():
		return c.nextOfQuestion()
	case noChange(last.Answer.Text):
		return "", ""
	case cutOff(last, c.Replies[len(c.Replies)-1]) && c.mayContinue():
		return record.TurnContinue, prompts.Continue(len(c.Plan()))
	case len(c.Asks()) > 0:
		return record.TurnFileRequest, ""
	case len(c.Plan()) == 0 && c.count(record.TurnBlocks) == 0 && !c.HasRemarks():
		return record.TurnBlocks, prompts.Blocks()
	case c.count(record.TurnRepair) < maxRepairs:
		return repair(results, nonce)
	}
	return "", ""
}

// nextOfQuestion is Next for a question that is to be answered in words.
func (c Conversation) nextOfQuestion() (kind record.TurnKind, ask string) {
	last := c.LastAnswer()
	switch {
	case last.Cut && c.mayContinue():
		return record.TurnContinue, prompts.GoOn()
	case len(c.Asks()) > 0:
		return record.TurnFileRequest, ""
	}
	return "", ""
}

// mayContinue reports whether the rest of the last answer may be asked for: once, again if it has no end, and always
// if an outage broke it off.
func (c Conversation) mayContinue() bool {
	last, n := c.LastAnswer(), c.count(record.TurnContinue)
	return n == 0 || n < maxContinues && last.Broken || last.Outage()
}

// Keeps reports whether the conversation goes on after an answer that an outage broke off, by asking for its rest. If
// not, the same question is asked again: how many parts an answer has is bounded.
func (c Conversation) Keeps(next record.Turn) bool {
	n := c.count(record.TurnContinue)
	return n < maxContinues || n < maxWithEdits && len(next.Plan) > len(c.Plan())
}

// EndsInOutage reports whether the last answer was broken off by an outage, and its rest is missing.
func (c Conversation) EndsInOutage() bool { return c.LastAnswer().Outage() }

// cutOff reports whether an answer ended before the model was done: the provider says so, or the last block has no end.
func cutOff(last record.Turn, reply engine.Reply) bool {
	return last.Answer.Cut ||
		slices.ContainsFunc(reply.Problems, func(p engine.Problem) bool { return p.Kind == engine.ProblemCutOff })
}

// noChange reports whether the model says, by a line that begins with "NO CHANGE", that there is nothing to change.
func noChange(text string) bool {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.Trim(line, "*`# \t\r\n"), "NO CHANGE") {
			return true
		}
	}
	return false
}

// Request returns the request of the next turn: all questions and answers so far, and then ask. A conversation only
// ever grows at its end, so that providers can cache what they have seen.
func (c Conversation) Request(p record.Prompt, ask string) port.Request {
	r := p.Request
	r.Messages = slices.Clone(r.Messages)
	for _, turn := range c.Turns {
		if turn.Ask != "" {
			r.Messages = append(r.Messages, port.Message{Role: "user", Text: turn.Ask})
		}
		r.Messages = append(r.Messages, port.Message{Role: "assistant", Text: turn.Answer.Text})
	}
	if ask != "" {
		r.Messages = append(r.Messages, port.Message{Role: "user", Text: ask})
	}
	return r
}

// PlanAfter returns the plan after one more turn: corrections, and the rest of those that were cut off, replace the
// edits that failed; other blocks are added unless the plan has them already. results are those of a dry run of the
// plan so far.
func (c Conversation) PlanAfter(turn record.Turn, results []engine.Result) []record.BlockRef {
	blocks := engine.Parse(turn.Answer.Text, engine.ParseOptions{}).Blocks
	kind := turn.Kind
	for i := len(c.Turns) - 1; kind == record.TurnContinue && i >= 0; i-- {
		kind = c.Turns[i].Kind
	}
	switch kind {
	case record.TurnRepair:
		return corrected(c.Plan(), results, blocks, len(c.Turns))
	case record.TurnMoved:
		return rewritten(c.Plan(), results, turn, blocks, len(c.Turns))
	}
	plan, before := slices.Clone(c.Plan()), c.Blocks()
	for i, b := range blocks {
		if !slices.ContainsFunc(before, func(o engine.Block) bool { return edit.SameEdit(o, b) }) {
			plan = append(plan, record.BlockRef{Turn: len(c.Turns), Block: i})
		}
	}
	return plan
}
