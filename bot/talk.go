package bot

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/engine"
)

// turnKind is what a call of the model was made for.
type turnKind string

const (
	turnFix      turnKind = "fix"
	turnAsk      turnKind = "ask"
	turnAddress  turnKind = "address"
	turnBlocks   turnKind = "blocks"
	turnNeed     turnKind = "need"
	turnContinue turnKind = "continue"
	turnRepair   turnKind = "repair"
)

// turn is one call of the model, as it is recorded.
type turn struct {
	Kind turnKind `json:"kind"`
	// Ask is what the model was told; empty in the first turn, whose question the step "context" holds.
	Ask    string `json:"ask,omitempty"`
	Answer Answer `json:"answer"`
	// Fault is why there is no answer to a follow-up. What is there already is worth more than another attempt.
	Fault string `json:"fault,omitempty"`
	// More is what was shown with Ask; nil when nothing was.
	More *question `json:"more,omitempty"`
	// Plan are the edits to make after this turn, in order.
	Plan []ref `json:"plan"`
	// Warning says that a budget is nearly used up.
	Warning string `json:"warning,omitempty"`
}

// ref names a block of the conversation: the turn and the block in its reply, from 0.
type ref struct {
	Turn  int `json:"t"`
	Block int `json:"b"`
}

// talk is the conversation of a run, and the edits that it came to.
type talk struct {
	turns []turn
	// replies are the answers as the engine reads them.
	replies []engine.Reply
}

// recordedTalk reads a run's conversation from its record.
func recordedTalk(run Run) (t talk, err error) {
	j := journalOf(run)
	for {
		next, ok, err := recorded[turn](j, t.nextStep())
		if err != nil || !ok {
			return t, err
		}
		t.turns, t.replies = append(t.turns, next), append(t.replies, engine.Parse(next.Answer.Text, engine.ParseOptions{}))
	}
}

// asked says that an answer in words was asked for, not edits.
func (t talk) asked() bool { return len(t.turns) > 0 && t.turns[0].Kind == turnAsk }

// plan are the edits to make, by where they stand in the conversation.
func (t talk) plan() []ref {
	if len(t.turns) == 0 {
		return nil
	}
	return t.turns[len(t.turns)-1].Plan
}

// blocks are the edits to make.
func (t talk) blocks() []engine.Block {
	var out []engine.Block
	for _, r := range t.plan() {
		out = append(out, t.replies[r.Turn].Blocks[r.Block])
	}
	return out
}

// prose is what the model said beside its blocks, turn by turn.
func (t talk) prose() string {
	var out []string
	for _, r := range t.replies {
		if text := strings.TrimSpace(r.Prose); text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n\n")
}

// problems are those of all replies, but for what a follow-up has settled: that blocks were missing or cut off.
func (t talk) problems() []engine.Problem {
	var out []engine.Problem
	for i, r := range t.replies {
		if i+1 < len(t.turns) && t.turns[i+1].Kind != turnRepair && t.turns[i+1].Fault == "" {
			continue
		}
		out = append(out, r.Problems...)
	}
	return out
}

// suggestions are the shell commands of all replies, each once. One that an answer cannot show to its end is never carried out.
func (t talk) suggestions() []engine.Suggestion {
	var out []engine.Suggestion
	for _, r := range t.replies {
		for _, s := range r.Suggestions {
			if !slices.ContainsFunc(out, func(o engine.Suggestion) bool { return o.Command == s.Command }) {
				if utf8.RuneCountInString(s.Command) > maxCell {
					s.Op = nil
				}
				out = append(out, s)
			}
		}
	}
	return out
}

// last is the newest answer that there is.
func (t talk) last() Answer {
	for _, turn := range slices.Backward(t.turns) {
		if turn.Fault == "" {
			return turn.Answer
		}
	}
	return Answer{}
}

// usage is what all calls took.
func (t talk) usage() (u Usage) {
	for _, turn := range t.turns {
		u.In += turn.Answer.Usage.In
		u.Cached += turn.Answer.Usage.Cached
		u.Out += turn.Answer.Usage.Out
	}
	return u
}

// words are what the model answered: what it said before it was shown more files is none of that.
func (t talk) words() string {
	text := ""
	for _, turn := range t.turns {
		switch {
		case turn.Fault != "":
		case turn.Kind == turnContinue:
			text += turn.Answer.Text
		default:
			text = turn.Answer.Text
		}
	}
	return text
}
