package conversation

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on the conversation of one run.
const (
	maxCalls   = 4
	maxRepairs = 2
)

// planWith is the plan after a turn; results are what would become of the plan before it.
func (t Conversation) PlanWith(next record.Turn, results []engine.Result) []record.BlockRef {
	blocks := engine.Parse(next.Answer.Text, engine.ParseOptions{}).Blocks
	if next.Kind == record.TurnRepair {
		return Corrected(t.Plan(), results, blocks, len(t.Turns))
	}
	plan, before := slices.Clone(t.Plan()), t.Blocks()
	for i, b := range blocks {
		if !slices.ContainsFunc(before, func(o engine.Block) bool { return edit.SameEdit(o, b) }) {
			plan = append(plan, record.BlockRef{Turn: len(t.Turns), Block: i})
		}
	}
	return plan
}

// request is the whole conversation so far, with one more question: it only ever grows at its end, so that providers can
// cache what was there.
func (t Conversation) Request(q record.Prompt, ask string) port.Request {
	r := q.Request
	r.Messages = append([]port.Message(nil), r.Messages...)
	for _, turn := range t.Turns {
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

// next decides what to ask after the last answer; an empty kind ends the conversation.
func (t Conversation) Next(results []engine.Result, nonce string) (record.TurnKind, string) {
	last := t.Turns[len(t.Turns)-1]
	switch {
	case len(t.Turns) >= maxCalls || last.Fault != "" || t.exhausted():
		return "", ""
	case t.IsQuestion():
		return t.nextWords()
	case noChange(last.Answer.Text):
		return "", ""
	case cutOff(last, t.Replies[len(t.Replies)-1]) && t.count(record.TurnContinue) == 0:
		return record.TurnContinue, prompts.Continue(len(t.Plan()))
	case len(t.Plan()) == 0 && t.count(record.TurnFileRequest) == 0 && len(FileRequests(last.Answer.Text)) > 0:
		return record.TurnFileRequest, ""
	case len(t.Plan()) == 0 && t.count(record.TurnBlocks) == 0 && !t.Remarked():
		return record.TurnBlocks, prompts.Blocks()
	case t.count(record.TurnRepair) < maxRepairs:
		return repair(results, nonce)
	}
	return "", ""
}

// nextWords is next where no edits were asked for.
func (t Conversation) nextWords() (record.TurnKind, string) {
	last := t.Turns[len(t.Turns)-1].Answer
	switch {
	case last.Cut && t.count(record.TurnContinue) == 0:
		return record.TurnContinue, prompts.GoOn()
	case len(FileRequests(last.Text)) > 0 && t.count(record.TurnFileRequest) == 0:
		return record.TurnFileRequest, ""
	}
	return "", ""
}

// dear says that another call would take more tokens than one command may.
func (t Conversation) exhausted() bool {
	u := t.Usage()
	return u.In+t.Turns[len(t.Turns)-1].Answer.Usage.In > policy.MaxTokensIn || u.Out >= policy.MaxTokensOut
}

func (t Conversation) count(kind record.TurnKind) (n int) {
	for _, turn := range t.Turns {
		if turn.Kind == kind {
			n++
		}
	}
	return n
}

// cutOff says that a reply ended before its model was done: by what the provider said, or within a block.
func cutOff(last record.Turn, reply engine.Reply) bool {
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
