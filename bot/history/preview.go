package history

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// Preview is the edits that a preview showed: a model wrote them, and they were tried on a commit.
type Preview struct {
	// Run is the run of the preview.
	Run string
	// Event is the event of the command, Answer the comment that shows the preview.
	Event  port.Event
	Answer record.AnswerComment
	conversation.Job
	record.Preview
}

// Fits reports whether block n could be committed when the preview was made.
func (v Preview) Fits(n int) bool {
	return n >= 1 && n <= len(v.Results) && v.Results[n-1].Status.Applied()
}

// previewOf returns the preview that a run showed; ok is false if it showed none.
func previewOf(run Run) (v Preview, ok bool, err error) {
	if run.Preview == nil || run.Final == nil {
		return Preview{}, false, nil
	}
	v = Preview{Run: run.ID, Event: run.Event, Answer: *run.Final, Preview: *run.Preview}
	if run.Target != nil {
		v.Target = *run.Target
	}
	if v.Conversation, err = conversation.Recorded(run.Record); err != nil {
		return Preview{}, false, err
	}
	if err := v.checkBlocks(); err != nil {
		return Preview{}, false, fmt.Errorf("reading the preview of run %s: %w", run.ID, err)
	}
	if run.Prompt != nil {
		v.Prompt = v.Conversation.ExtendPrompt(*run.Prompt)
	}
	return v, true, nil
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

// NewestPreview returns the newest preview of the thread; ok is false if there is none. It returns a *port.UserError if
// a newer one cannot be read: that is the preview that people see.
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
			return Preview{}, false, Unreadable(p.ID, err)
		}
		if ok {
			return v, true, nil
		}
	}
	return Preview{}, false, nil
}

// PreviewOf returns the preview of a run of the thread, which a button, a box or an earlier step names. It returns a
// *port.UserError if there is none, or if its record cannot be read.
func (t Thread) PreviewOf(ctx context.Context, id string) (Preview, error) {
	gone := &port.UserError{Text: "That preview is not there any more, so nothing was committed. " +
		"Ask for a new one: `/tenon preview <what>`."}
	stored, err := t.find(ctx, id, func(ev port.Event) bool { return ev.ThreadKey() == t.Event.ThreadKey() })
	if errors.Is(err, port.ErrNotFound) {
		return Preview{}, gone
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
		return Preview{}, Unreadable(id, err)
	case !ok:
		return Preview{}, gone
	}
	return v, nil
}
