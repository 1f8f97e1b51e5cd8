package bot

import (
	"context"
	"slices"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// runPreview is runFix up to the commit: the answer shows what the edits would do, with a box for each that fits.
func runPreview(ctx context.Context, r *run) error {
	v := history.Preview{Run: r.id(), Event: r.ev}
	var err error
	if v.Job, err = askModel(ctx, r, taskOf(r.inv)); err != nil {
		return err
	}
	if r.journal.Record().Preview == nil {
		if v.Preview, err = r.tryEdits(ctx, v.Job); err != nil {
			return err
		}
	}
	return showPreview(ctx, r, v)
}

// showPreview answers with a preview, which is recorded before unless an earlier attempt did that.
func showPreview(ctx context.Context, r *run, v history.Preview) error {
	reports := r.reporter()
	var err error
	v.Preview, err = record.Do(ctx, r.journal, record.Previewed, func(context.Context) (record.Preview, error) {
		shown := reports.preview(v, nil, nil)
		seen := shown.Seen(shown.Body(), shown.Check().Text)
		v.Shown = &seen
		return v.Preview, nil
	})
	if err != nil {
		return err
	}
	r.progress.stop()
	shown := reports.preview(v, nil, nil)
	tell := []func() error{
		func() error {
			_, err := r.answers().finish(ctx, r.answers().place(), shown.Body())
			return err
		},
		func() error { return r.checks().complete(ctx, shown.Check(), "") },
	}
	if r.bot.Marks != nil { // the mark says whether there is a check run
		slices.Reverse(tell)
	}
	for _, one := range tell {
		if err := one(); err != nil {
			return err
		}
	}
	if record.Count(v.Results).Applied == 0 {
		r.react(ctx, port.ReactionConfused)
	}
	return nil
}

// tryEdits returns what the edits of a conversation would do, without making them. One after which its file does not
// parse has a box too, with that beside it.
func (r *run) tryEdits(ctx context.Context, j conversation.Job) (record.Preview, error) {
	r.progress.update(func(now *shownStatus) { now.Stage = report.StageApplying })
	checkout, err := r.files.target(ctx, j.Target)
	if err != nil {
		return record.Preview{}, err
	}
	var cautions []record.Caution
	outcome, err := applyBlocks(ctx, checkout, j.Conversation.Blocks(), applyOptions{policy: r.policy,
		masked: r.files.masked, shown: j.Prompt.Selection, dry: true, allow: anyFile, cautions: &cautions})
	if err != nil {
		return record.Preview{}, err
	}
	tried := record.Application{Base: checkout.SHA(), Results: record.Results(outcome), Changed: outcome.Changed,
		Cautions: cautions}
	return record.Preview{Application: tried, Costs: r.reporter().costs(j.Conversation)}, nil
}
