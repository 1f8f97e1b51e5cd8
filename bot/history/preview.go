package history

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine"
)

// Preview is the edits that an answer shows for people to choose from: those of a preview, which were tried on a
// commit, or those of a run that left some out because a file would not parse after them.
type Preview struct {
	// Run is the run of the preview.
	Run string
	// Event is the event of the command, Answer the comment that shows the preview.
	Event  port.Event
	Answer record.AnswerComment
	// Checked reports whether the check run of the preview was made.
	Checked bool
	// Pasted reports whether the edits are blocks of a comment, which are all that there is to see.
	Pasted bool
	// Made is what the run committed of the edits itself; nil for a preview.
	Made *record.Committed
	conversation.Job
	// The results are in the order of the blocks.
	record.Preview
}

// Fits reports whether block n could be committed when the preview was made.
func (v Preview) Fits(n int) bool {
	return n >= 1 && n <= len(v.Results) && v.Results[n-1].Status.Applied()
}

// Breaks reports whether people were shown that the file of block n does not parse after the block.
func (v Preview) Breaks(n int) bool {
	return n >= 1 && n <= len(v.Results) && len(v.Results[n-1].Problems) > 0
}

// Boxed reports whether block n had a box beside its diff.
func (v Preview) Boxed(n int) bool { return v.Shown != nil && slices.Contains(v.Shown.Boxes, n) }

// ShownWhole reports whether people were shown all of block n.
func (v Preview) ShownWhole(n int) bool {
	return v.Shown != nil && (v.Boxed(n) || slices.Contains(v.Shown.Answer, n) ||
		v.Checked && slices.Contains(v.Shown.Check, n))
}

// errGone is the error for a preview that people may still see, and whose edits are not stored any more.
var errGone = sentence.PreviewGone()

// previewOf returns the edits that a run showed to choose from; ok is false if it showed none. It returns errGone if
// they are not stored any more.
func previewOf(run Run) (v Preview, ok bool, err error) {
	made := run.Preview == nil && leavesOut(run.Record) && (run.Choice == nil || run.Choice.Run == "")
	if run.Final == nil || run.Preview == nil && !made {
		return Preview{}, false, nil
	}
	if run.Forgotten {
		return Preview{}, false, errGone
	}
	v = Preview{Run: run.ID, Event: run.Event, Answer: *run.Final,
		Checked: run.CheckClosed != nil && *run.CheckClosed != 0}
	if run.Target != nil {
		v.Target = *run.Target
	}
	if run.Source != nil && run.Source.Preview == "" {
		v.Conversation, v.Pasted = conversation.Pasted(run.Source.Text), true
	} else if v.Conversation, err = conversation.Recorded(run.Record); err != nil {
		return Preview{}, false, err
	}
	if !made {
		v.Preview = *run.Preview
	} else {
		v.Made, v.Application, v.Shown = run.Committed, run.Committed.Application, run.Seen
		v.Results = allResults(v.Conversation.Blocks(), run.Committed.Results)
	}
	if err := v.checkBlocks(); err != nil {
		return Preview{}, false, fmt.Errorf("reading the preview of run %s: %w", run.ID, err)
	}
	if run.Prompt != nil {
		v.Prompt = v.Conversation.ExtendPrompt(*run.Prompt)
	}
	return v, true, nil
}

func goneOrUnreadable(run string, err error) error {
	if errors.Is(err, errGone) {
		return err
	}
	return Unreadable(run, err)
}

// leavesOut reports whether a run left edits out because a file would not parse after them.
func leavesOut(rec record.Record) bool {
	return rec.Final != nil && rec.Committed != nil && slices.ContainsFunc(rec.Committed.Results,
		func(r record.Result) bool { return r.Reason == string(engine.SyntaxError) })
}

// allResults returns a result for each block; one that the run did not take is skipped.
func allResults(blocks []engine.Block, taken []record.Result) []record.Result {
	all := make([]record.Result, len(blocks))
	for i, b := range blocks {
		all[i] = record.Result{Path: secret.Path(b.Path), Status: record.StatusSkipped, ReplyLine: b.Line}
	}
	for i, r := range taken {
		if n := r.NumberAt(i); n <= len(all) {
			r.Number, all[n-1] = 0, r
		}
	}
	return all
}

// checkBlocks returns an error if the blocks are not those that people saw: today's engine may find others in the
// replies, and a box must not commit an edit that was not shown beside it.
func (v Preview) checkBlocks() error {
	blocks := v.Conversation.Blocks()
	if len(blocks) != len(v.Results) {
		return fmt.Errorf("it has %d blocks, and the results of %d", len(blocks), len(v.Results))
	}
	for i, b := range blocks {
		if b.Line != v.Results[i].ReplyLine {
			return fmt.Errorf("block %d is on line %d of its reply, and was on line %d", i+1, b.Line, v.Results[i].ReplyLine)
		}
	}
	return nil
}

// NewestOffer returns the edits that a person can mean by their numbers: those of the newest preview, or of a newer
// run that left some out because a file would not parse after them. The edits that an apply left out have the numbers
// of the preview that it took them from. ok is false if there are none. It returns a *port.UserError if a newer run
// cannot be read.
func (t Thread) NewestOffer(ctx context.Context) (v Preview, ok bool, err error) {
	past, err := t.past(ctx, t.Event.Thread.Number)
	if err != nil {
		return Preview{}, false, err
	}
	for _, p := range past {
		run, err := t.load(p)
		if err != nil && (record.Previewed.In(p.Run) || record.CommitMade.In(p.Run)) {
			return Preview{}, false, Unreadable(p.ID, err)
		}
		if run.Event.Kind != port.Ticked && run.Choice != nil && run.Choice.Run != "" && leavesOut(run.Record) {
			v, err := t.PreviewOf(ctx, run.Choice.Run)
			return v, err == nil, err
		}
		v, ok, err := previewOf(run)
		if err != nil {
			return Preview{}, false, goneOrUnreadable(p.ID, err)
		}
		if ok {
			return v, true, nil
		}
	}
	return Preview{}, false, nil
}

// NewestPreview returns the newest preview of the thread; ok is false if there is none. It returns a *port.UserError
// if a newer one cannot be read: that is the preview that people see.
func (t Thread) NewestPreview(ctx context.Context) (v Preview, ok bool, err error) {
	past, err := t.past(ctx, t.Event.Thread.Number)
	if err != nil {
		return Preview{}, false, err
	}
	for _, p := range past {
		run, err := t.load(p)
		if err != nil && record.Previewed.In(p.Run) {
			return Preview{}, false, Unreadable(p.ID, err)
		}
		v, ok, err := previewOf(run)
		if err != nil {
			return Preview{}, false, goneOrUnreadable(p.ID, err)
		}
		if ok && v.Made == nil {
			return v, true, nil
		}
	}
	return Preview{}, false, nil
}

// PreviewOf returns the edits that a run of the thread showed to choose from, which a button, a box or an earlier step
// names. It returns a *port.UserError if there is none, or if its record cannot be read.
func (t Thread) PreviewOf(ctx context.Context, id string) (Preview, error) {
	stored, err := t.find(ctx, id, func(ev port.Event) bool { return ev.ThreadKey() == t.Event.ThreadKey() })
	if errors.Is(err, port.ErrNotFound) {
		return Preview{}, errGone
	}
	if err != nil {
		return Preview{}, err
	}
	rec, err := record.Load(stored.Run)
	if err != nil {
		return Preview{}, Unreadable(id, err)
	}
	v, ok, err := previewOf(Run{rec, stored.Event})
	switch {
	case err != nil:
		return Preview{}, goneOrUnreadable(id, err)
	case !ok:
		return Preview{}, errGone
	}
	return v, nil
}
