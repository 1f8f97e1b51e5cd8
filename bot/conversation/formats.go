package conversation

import (
	"cmp"
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// Formats counts the edits of the conversation by the models that wrote them and the formats in which they are written,
// in the order of these. results are those of the plan. Edits that were corrected count as not applied.
func (c Conversation) Formats(results []record.Result) (out []port.FormatCount) {
	plan := c.Plan()
	if len(plan) != len(results) {
		return nil // these are results of other edits
	}
	for i, r := range results {
		if r.Status.Applied() || r.Status.Failed() && !Unrepairable(engine.Reason(r.Reason)) {
			out = c.countFormat(out, plan[i], r.Status.Applied())
		}
	}
	for i, turn := range c.Turns {
		if i == 0 || turn.Kind != record.TurnRepair {
			continue
		}
		for _, ref := range c.Turns[i-1].Plan {
			if !slices.Contains(turn.Plan, ref) {
				out = c.countFormat(out, ref, false)
			}
		}
	}
	slices.SortFunc(out, func(a, b port.FormatCount) int {
		return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Format, b.Format))
	})
	return out
}

// countFormat adds an edit to counts, unless it is not known which model wrote it.
func (c Conversation) countFormat(counts []port.FormatCount, ref record.BlockRef, applied bool) []port.FormatCount {
	b, ok := c.block(ref)
	if !ok || c.Turns[ref.Turn].Answer.Name == "" {
		return counts
	}
	model, format := c.Turns[ref.Turn].Answer.Name, string(b.Format)
	i := slices.IndexFunc(counts, func(o port.FormatCount) bool { return o.Model == model && o.Format == format })
	if i < 0 {
		i, counts = len(counts), append(counts, port.FormatCount{Model: model, Format: format})
	}
	if counts[i].Blocks++; applied {
		counts[i].Applied++
	}
	return counts
}
