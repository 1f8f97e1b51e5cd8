package bot

import (
	"context"

	"github.com/tenon-bot/tenon/bot/command"
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
	v.Preview, err = record.Do(ctx, r.journal, record.Previewed,
		func() (record.Preview, error) { return tryEdits(ctx, r, v.Job) })
	if err != nil {
		return err
	}
	r.progress.stop()
	shown := previewReport(r, v, nil, nil)
	answer, err := r.answers().finish(ctx, r.answers().place(), shown.Body())
	if err != nil {
		return err
	}
	if err := r.checks().complete(ctx, shown.Check(), "", answer.URL); err != nil {
		return err
	}
	if record.Count(v.Results).Applied == 0 {
		r.react(ctx, port.ReactionConfused)
	}
	return nil
}

// tryEdits returns what the edits of a conversation would do, without making them. One after which its file does not
// parse has a box too, with that beside it.
func tryEdits(ctx context.Context, r *run, j conversation.Job) (record.Preview, error) {
	r.progress.update(func(now *shownStatus) { now.Stage = report.StageApplying })
	checkout, err := r.files.target(ctx, j.Target)
	if err != nil {
		return record.Preview{}, err
	}
	outcome, err := applyBlocks(ctx, checkout, j.Conversation.Blocks(),
		applyOptions{policy: r.policy, shown: j.Prompt.Selection, dry: true, allow: anyFile})
	if err != nil {
		return record.Preview{}, err
	}
	tried := record.Application{Base: checkout.SHA(), Results: record.Results(outcome), Changed: outcome.Changed}
	return record.Preview{Application: tried, Costs: costs(r, j.Conversation)}, nil
}

// previewReport returns the answer to a preview: now, and after each commit of some of its blocks.
func previewReport(r *run, v history.Preview, outcomes history.BlockOutcomes, ticked []int) report.Preview {
	s := summary(r, v.Job, record.Committed{Application: v.Application})
	s.Preview, s.Costs = true, v.Costs
	// Nothing has failed to be committed yet.
	s.Offers = func(verb string) bool { return verb != command.Retry && r.offers(verb) }
	return report.Preview{Summary: s, Run: v.Run, ReadOnly: v.Target.ReadOnly, Outcomes: outcomes, Ticked: ticked,
		WarnOnly: r.policy.WarnOnly}
}
