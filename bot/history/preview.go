package history

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// Preview is what a preview showed: edits that a model wrote, tried on a commit.
type Preview struct {
	// Run is the preview's run.
	Run string
	// Asked is the event that it answers, Said the comment that shows it.
	Event  port.Event
	Answer record.AnswerComment
	conversation.Job
	record.Preview
}

// previewOf returns the preview that a run showed; ok is false if it showed none.
func previewOf(p Run) (v Preview, ok bool, err error) {
	if p.Preview == nil || p.Final == nil {
		return Preview{}, false, nil
	}
	v = Preview{Run: p.ID, Event: p.Event, Answer: *p.Final, Preview: *p.Preview}
	if p.Target != nil {
		v.Target = *p.Target
	}
	if v.Conversation, err = conversation.Recorded(p.Record); err != nil {
		return Preview{}, false, err
	}
	if p.Prompt != nil {
		v.Prompt = v.Conversation.ExtendPrompt(*p.Prompt)
	}
	return v, true, nil
}

// Fits reports whether block n could be committed when the preview was made.
func (v Preview) Fits(n int) bool {
	return n >= 1 && n <= len(v.Results) && v.Results[n-1].Status.Applied()
}

// NewestPreview returns the newest preview of the thread; ok is false if there is none.
func (t Thread) NewestPreview(ctx context.Context) (v Preview, ok bool, err error) {
	past, err := t.ofThread(ctx, t.Event.Thread.Number)
	if err != nil {
		return Preview{}, false, err
	}
	for _, p := range past {
		v, ok, err := previewOf(p)
		if err != nil {
			t.skip(p.ID, err)
			continue
		}
		if ok {
			return v, true, nil
		}
	}
	return Preview{}, false, nil
}

// PreviewOf returns the preview of a run of the thread, which a button, a box or an earlier step names. The error is a
// *port.UserError if there is none.
func (t Thread) PreviewOf(ctx context.Context, id string) (Preview, error) {
	gone := &port.UserError{Text: "That preview is not there any more, so nothing was committed. Ask for a new one: `/tenon preview <what>`."}
	stored, ev, err := t.Queue.FindRun(ctx, id)
	if errors.Is(err, port.ErrNotFound) || err == nil && ev.ThreadKey() != t.Event.ThreadKey() {
		return Preview{}, gone
	}
	if err != nil {
		return Preview{}, fmt.Errorf("looking for the preview %s: %w", id, err)
	}
	rec, err := record.Load(stored)
	if err != nil {
		return Preview{}, unreadable(id, err)
	}
	v, ok, err := previewOf(Run{rec, ev})
	switch {
	case err != nil:
		return Preview{}, unreadable(id, err)
	case !ok:
		return Preview{}, gone
	}
	return v, nil
}
