// Package conversation decides, in a conversation with a model, which question comes next and which edits of the
// answers are to be made. It calls no model itself.
package conversation

import (
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine"
)

// Conversation is the questions to a model and its answers, of one run. The plan of the last turn names the edits to
// make. Conversations are values: no method changes one.
type Conversation struct {
	// Choice is the choice of files before the first turn; nil if the model was not asked for one.
	Choice *record.FileChoice
	Turns  []record.Turn
	// Replies are the answers of the turns as the engine parses them.
	Replies []engine.Reply
}

// Job is what a model was asked to do on a target, and the conversation about it.
type Job struct {
	Target       record.Target
	Prompt       record.Prompt
	Conversation Conversation
	// CutIssue reports whether the model read only the beginning of a stranger's issue.
	CutIssue bool
}

// Pasted returns a conversation of one reply, which a person pasted, with all of its blocks in the plan.
func Pasted(text string) Conversation {
	reply := engine.Parse(text, engine.ParseOptions{})
	var plan []record.BlockRef
	for i := range reply.Blocks {
		plan = append(plan, record.BlockRef{Turn: 0, Block: i})
	}
	return Conversation{Turns: []record.Turn{{Plan: plan}}, Replies: []engine.Reply{reply}}
}

// Replies returns what was said in the conversation of a recorded run, without a plan of edits.
func Replies(rec record.Record) (c Conversation) {
	c.Choice = rec.FileChoice
	for _, turn := range rec.Turns {
		turn.Plan = nil
		c.Turns, c.Replies = append(c.Turns, turn), append(c.Replies, parsed(turn))
	}
	return c
}

// parsed returns the reply of a turn. One about the conflicts of a merge has no edits, whatever it looks like.
func parsed(turn record.Turn) engine.Reply {
	if turn.Kind == record.TurnResolve {
		return engine.Reply{}
	}
	return engine.Parse(turn.Answer.Text, engine.ParseOptions{})
}

// Recorded returns the conversation of a recorded run. It fails if a plan names a block that today's engine does not
// find in the replies.
func Recorded(rec record.Record) (c Conversation, err error) {
	c.Choice = rec.FileChoice
	for _, turn := range rec.Turns {
		if c, err = c.With(turn); err != nil {
			return Conversation{}, fmt.Errorf("reading the conversation of run %s: %w", rec.ID, err)
		}
	}
	return c, nil
}

// PlanError is the error for a turn whose plan names a block that no reply has: the version of tenon that recorded the
// turn found other blocks in the replies. Turn counts from 0.
type PlanError struct {
	Turn int
	Ref  record.BlockRef
}

func (e *PlanError) Error() string {
	return fmt.Sprintf("the plan of turn %d names block %d of turn %d, which does not exist",
		e.Turn+1, e.Ref.Block+1, e.Ref.Turn+1)
}

// Permanent reports that another attempt would fail too.
func (e *PlanError) Permanent() bool { return true }

// With returns the conversation with one more turn. It fails with a *PlanError if the plan of the turn names a block
// that no reply has.
func (c Conversation) With(turn record.Turn) (Conversation, error) {
	next := Conversation{
		Choice:  c.Choice,
		Turns:   append(slices.Clone(c.Turns), turn),
		Replies: append(slices.Clone(c.Replies), parsed(turn)),
	}
	for _, ref := range turn.Plan {
		if _, ok := next.block(ref); !ok {
			return Conversation{}, &PlanError{Turn: len(c.Turns), Ref: ref}
		}
	}
	return next, nil
}

// Only returns the conversation with a plan that has only some of its edits. numbers are their positions in the plan,
// from 1. It fails with a *port.UserError if the plan has no such edit.
func (c Conversation) Only(numbers []int) (Conversation, error) {
	plan := c.Plan()
	var kept []record.BlockRef
	for _, n := range numbers {
		if n < 1 || n > len(plan) {
			return Conversation{}, sentence.OtherPlan(len(plan), n)
		}
		kept = append(kept, plan[n-1])
	}
	if len(c.Turns) > 0 {
		c.Turns = slices.Clone(c.Turns)
		c.Turns[len(c.Turns)-1].Plan = kept
	}
	return c, nil
}

// IsQuestion reports whether the model was asked for an answer in words, not for edits.
func (c Conversation) IsQuestion() bool { return len(c.Turns) > 0 && c.Turns[0].Kind == record.TurnAsk }

// Plan returns the positions, in the conversation, of the edits to make, in order.
func (c Conversation) Plan() []record.BlockRef {
	if len(c.Turns) == 0 {
		return nil
	}
	return c.Turns[len(c.Turns)-1].Plan
}

// Blocks returns the edits to make, in the order of the plan.
func (c Conversation) Blocks() []engine.Block {
	var out []engine.Block
	for _, ref := range c.Plan() {
		if b, ok := c.block(ref); ok {
			b.Purpose = c.purpose(ref)
			b.Path, b.Candidates = c.pathOf(ref)
			out = append(out, b)
		}
	}
	return out
}

// purpose returns what a block is for. A correction that does not say it is for what the edit was for that it replaces,
// if it is the only correction of its file.
func (c Conversation) purpose(ref record.BlockRef) string {
	b, ok := c.block(ref)
	if !ok || b.Purpose != "" || ref.Turn == 0 || c.Turns[ref.Turn].Kind != record.TurnRepair {
		return b.Purpose
	}
	before, after := c.Turns[ref.Turn-1].Plan, c.Turns[ref.Turn].Plan
	replaced, corrections := c.missing(before, after, b.Path), c.missing(after, before, b.Path)
	if len(replaced) != 1 || len(corrections) != 1 {
		return ""
	}
	return c.purpose(replaced[0])
}

// pathOf returns the path of a block, and its readings. If the model named a file wrongly and corrected that, the edits
// that waited for the correction are of the file that the correction is of.
func (c Conversation) pathOf(ref record.BlockRef) (path string, candidates []string) {
	b, _ := c.block(ref)
	for t := ref.Turn + 1; t < len(c.Turns); t++ {
		if c.Turns[t].Kind != record.TurnRepair {
			continue
		}
		wrong := c.onlyIn(c.Turns[t-1].Plan, c.Turns[t].Plan)
		right := c.onlyIn(c.Turns[t].Plan, c.Turns[t-1].Plan)
		if len(wrong) == 1 && len(right) == 1 && wrong[0].Path == b.Path {
			b = right[0]
		}
	}
	return b.Path, b.Candidates
}

// onlyIn returns a block of each file of which one plan has blocks that another has not.
func (c Conversation) onlyIn(plan, other []record.BlockRef) (blocks []engine.Block) {
	for _, ref := range plan {
		b, ok := c.block(ref)
		if ok && !slices.Contains(other, ref) &&
			!slices.ContainsFunc(blocks, func(o engine.Block) bool { return o.Path == b.Path }) {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// missing returns the blocks of a file that one plan has and another has not.
func (c Conversation) missing(plan, other []record.BlockRef, path string) (refs []record.BlockRef) {
	for _, ref := range plan {
		if b, ok := c.block(ref); ok && b.Path == path && !slices.Contains(other, ref) {
			refs = append(refs, ref)
		}
	}
	return refs
}

// block returns a block of a reply; ok is false when there is none.
func (c Conversation) block(ref record.BlockRef) (b engine.Block, ok bool) {
	if ref.Turn < 0 || ref.Turn >= len(c.Replies) || ref.Block < 0 || ref.Block >= len(c.Replies[ref.Turn].Blocks) {
		return engine.Block{}, false
	}
	return c.Replies[ref.Turn].Blocks[ref.Block], true
}
