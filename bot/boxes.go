package bot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine"
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

// untick removes the ticks of an event of the thread that had no result, in the preview as it is now. It does nothing
// for an event of another kind.
func (t thread) untick(ctx context.Context, ev port.Event) error {
	if ev.Kind != port.Ticked {
		return nil
	}
	now, err := t.github.Comment(ctx, t.ev.Repo, ev.Thread.Number, ev.Comment)
	if body := markdown.Untick(now.Body, markdown.NewTicks(ev.Before, ev.Comment.Body)); err == nil && body != now.Body {
		err = t.github.Edit(ctx, t.ev.Repo, ev.Thread.Number, ev.Comment, body)
	}
	if err != nil && !errors.Is(err, port.ErrNotFound) {
		return fmt.Errorf("taking ticks back: %w", err)
	}
	return nil
}

// tryUntick is untick where an answer tells what happened: a failure is logged, no more.
func (r *run) tryUntick(ctx context.Context, ev port.Event) {
	if err := r.thread().untick(ctx, ev); err != nil {
		r.log.WarnContext(ctx, "boxes not unticked", "error", err)
	}
}

// A block may fit loosely only in a file that the model saw, or that earlier blocks of its reply made of such a file.
// If blocks are committed one after another, the files that the earlier ones left must be known for that: by their
// SHA-256.

// filesAsShown lists the files of blocks that are in the checkout as the model saw them, or as earlier blocks of its
// reply left them.
func filesAsShown(ctx context.Context, checkout repo.Checkout, shown retrieve.Selection,
	blocks []engine.Block) ([]string, error) {
	if len(shown.Shown) == 0 {
		return nil, nil
	}
	names, err := loadPaths(ctx, checkout, blocks)
	guard := edit.Guard{Selection: shown, Tree: checkout}
	return slices.DeleteFunc(names, func(name string) bool { return guard.Shown(name) != engine.ShownSame }), err
}

// sumsOf returns the SHA-256 of those of some files that are there, in hexadecimal.
func sumsOf(checkout repo.Checkout, names []string) (map[string]string, error) {
	sums := map[string]string{}
	for _, name := range names {
		data, err := checkout.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) { // removed or renamed
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		sum := sha256.Sum256(data)
		sums[name] = hex.EncodeToString(sum[:])
	}
	return sums, nil
}

// seeEarlierCommits counts the files that earlier commits of the preview left as shown, if all blocks come after those
// in the reply.
func (c *candidates) seeEarlierCommits() {
	for n, o := range c.outcomes {
		if o.SHA != "" && len(c.Numbers) > 0 && n > c.Numbers[0] {
			return
		}
	}
	if c.Prompt.Shown != nil {
		c.Prompt.Shown = maps.Clone(c.Prompt.Shown) // the preview's own stays what its prompt showed
		maps.Copy(c.Prompt.Shown, c.sums)
	}
}
