package conversation

import (
	"slices"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// While the model writes, others can commit to the branch. Edits of lines that they changed are a conflict, and the
// model, which knows what it meant, is asked for them again.

// MayAskAgain reports whether another call is left when the conversation has ended.
func (c Conversation) MayAskAgain() bool {
	return len(c.Turns) > 0 && c.countedCalls() < maxCalls &&
		c.Turns[len(c.Turns)-1].Fault == "" && !c.exhausted()
}

// Overtaken returns the files of edits that do not fit any more because of what others committed meanwhile.
func Overtaken(results []engine.Result) (files []string) {
	for _, r := range results {
		if (r.Reason == engine.Conflict || r.Reason == engine.Stale) && !slices.Contains(files, r.Path) {
			files = append(files, r.Path)
		}
	}
	return files
}

// overtaken reports whether an edit does not fit any more because of what others committed meanwhile.
func overtaken(r engine.Result) bool { return r.Reason == engine.Conflict || r.Reason == engine.Stale }

// MovedTo returns the commit whose files the model was shown when it was last asked again, empty if it was not, and how
// often it was.
func (c Conversation) MovedTo() (commit string, times int) {
	for _, turn := range c.Turns {
		if turn.Kind == record.TurnMoved && turn.More != nil {
			commit = turn.More.Base
			times++
		}
	}
	return commit, times
}

// ShownAt returns the commits at which the model saw files when it was asked again, by file; all others it saw at the
// commit of its first prompt.
func (c Conversation) ShownAt() map[string]string {
	at := map[string]string{}
	for _, turn := range c.Turns {
		for name := range shownIn(turn) {
			if turn.Kind == record.TurnMoved {
				at[name] = turn.More.Base
			}
		}
	}
	return at
}

// rewritten returns a plan in which the blocks of a turn replace all edits of their files, as far as the turn showed
// these. Blocks of other files are ignored: their edits stay. results are those of the plan.
func rewritten(plan []record.BlockRef, results []engine.Result, turn record.Turn, blocks []engine.Block,
	n int) []record.BlockRef {
	var added []record.BlockRef
	files := map[string]bool{}
	for i, b := range blocks {
		for name := range shownIn(turn) {
			if b.Path == name {
				added, files[name] = append(added, record.BlockRef{Turn: n, Block: i}), true
			}
		}
	}
	var next []record.BlockRef
	for i, ref := range plan {
		if !files[results[i].Path] {
			next = append(next, ref)
		}
	}
	return append(next, added...)
}

// Rewritten returns a turn that says only of the files that its answer edits that the model saw them again: the other
// edits were written for what it had seen before.
func Rewritten(turn record.Turn) record.Turn {
	if turn.More == nil {
		return turn
	}
	blocks := engine.Parse(turn.Answer.Text, engine.ParseOptions{}).Blocks
	more, shown := *turn.More, map[string]string{}
	for name, sum := range more.Shown {
		if slices.ContainsFunc(blocks, func(b engine.Block) bool { return b.Path == name }) {
			shown[name] = sum
		}
	}
	more.Shown = shown
	turn.More = &more
	return turn
}

func shownIn(turn record.Turn) map[string]string {
	if turn.More == nil {
		return nil
	}
	return turn.More.Shown
}

// rewords reports whether a turn asks for edits of the answer before it in other words.
func rewords(kind record.TurnKind) bool { return kind == record.TurnRepair || kind == record.TurnMoved }
