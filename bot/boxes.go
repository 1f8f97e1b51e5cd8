package bot

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// previewer shows in previews what came of their blocks.
type previewer struct {
	answers  answers
	reporter reporter
	sealer   sealer
	log      *slog.Logger
	// signOff returns the last line of the final answer to a run of an event.
	signOff func(ev port.Event, run string, mention bool) string
}

// redraw shows in the preview the result of its blocks, with the boxes as people have ticked them, except for
// those that this run took.
func (p previewer) redraw(ctx context.Context, c candidates, commit record.Committed) error {
	a := p.answers
	now, err := a.github.Comment(ctx, a.ev.Repo, a.ev.Thread.Number, c.origin.Answer.Ref())
	if err != nil {
		return fmt.Errorf("reading the preview: %w", err)
	}
	outcomes := maps.Clone(c.outcomes)
	outcomes.Add(c.Choice, a.journal.Record().ID, commit)
	if a.ev.Kind == port.Ticked {
		if err := p.recordShownNow(ctx, c, outcomes); err != nil {
			return err
		}
	} else if seen := a.journal.Record().Seen; seen != nil {
		outcomes.See(seen.Answer)
	}
	ticked := slices.DeleteFunc(markdown.TickedBoxes(now.Body), func(n int) bool { return slices.Contains(c.Numbers, n) })
	for n, o := range outcomes {
		if o.Done() {
			ticked = append(ticked, n)
		}
	}
	shown := p.reporter.preview(*c.origin, outcomes, ticked)
	kept := p.sealer.earlierMarks(now.Body)
	if kept != "" {
		shown.Reserved = max(shown.Reserved, len(kept)+reservedForTicks)
	}
	body := markdown.JoinSections([]string{shown.Body(), p.signOffOf(*c.origin, now.Body), kept})
	if a.ev.Kind == port.Ticked { // the preview is the answer
		body = p.sealer.withMark(body, c.origin.Run)
	}
	body = markedBy(body, c.origin.Run)
	if err := a.github.Edit(ctx, a.ev.Repo, a.ev.Thread.Number, c.origin.Answer.Ref(), body); err != nil {
		return fmt.Errorf("editing the preview: %w", err)
	}
	return nil
}

// signOffOf returns the end of a preview as it is in its body, with what CI said: who ticks a box of it is not
// mentioned there, and who was not mentioned before is not now.
func (p previewer) signOffOf(v history.Preview, body string) string {
	if end, ok := report.Ending(body, v.Run); ok {
		return end
	}
	mention := p.signOff(v.Event, v.Run, true)
	if strings.Contains(body, mention) {
		return mention
	}
	return p.signOff(v.Event, v.Run, false)
}

// recordShownNow records, before the preview is edited, which of the blocks that changed since they were shown it
// shows whole.
func (p previewer) recordShownNow(ctx context.Context, c candidates, outcomes history.BlockOutcomes) error {
	changed := slices.DeleteFunc(slices.Clone(c.Numbers), func(n int) bool { return outcomes[n].Changed == nil })
	if len(changed) == 0 {
		return nil
	}
	seen, err := record.Do(ctx, p.answers.journal, record.Seen, func(context.Context) (record.Shown, error) {
		all := maps.Clone(outcomes)
		all.See(changed)
		boxes := markdown.Boxes(p.reporter.preview(*c.origin, all, nil).Body())
		return record.Shown{Answer: slices.DeleteFunc(changed, func(n int) bool { return !slices.Contains(boxes, n) })}, nil
	})
	outcomes.See(seen.Answer)
	return err
}
