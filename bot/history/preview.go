package history

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// maxPreviews is how many earlier runs of a thread are looked through for a preview, and for what was committed of it.
const maxPreviews = 100

// preview is what a preview showed: edits that a model wrote, tried on a commit.
type Preview struct {
	Run string
	// asked is the event that it answers, said the comment that shows it.
	Asked port.Event
	Said  record.AnswerComment
	conversation.Job
	record.Preview
}

// readPreview reads a run's preview from its record; ok is false when the run is none, or never came to show it.
func readPreview(p port.PastRun) (v Preview, ok bool, err error) {
	j := record.JournalOf(p.Run)
	v.Run, v.Asked = p.ID, p.Event
	if v.Preview, ok, err = record.Get[record.Preview](j, "preview"); !ok || err != nil {
		return Preview{}, false, err
	}
	if v.Said, ok, err = record.Get[record.AnswerComment](j, "report"); !ok || err != nil {
		return Preview{}, false, err
	}
	if v.Target, _, err = record.Get[record.Target](j, "open"); err != nil {
		return Preview{}, false, err
	}
	if v.Question, _, err = record.Get[record.Prompt](j, "context"); err != nil {
		return Preview{}, false, err
	}
	v.Talk, err = conversation.RecordedTalk(p.Run)
	v.Question = v.Talk.Extend(v.Question)
	return v, err == nil, err
}

// fits says that block n could be committed when the preview was made.
func (v Preview) Fits(n int) bool {
	return n >= 1 && n <= len(v.Results) && v.Results[n-1].Status == engine.Applied.String()
}

// newestPreview is the newest of the thread; ok is false when there is none.
func (h Thread) NewestPreview(ctx context.Context) (v Preview, ok bool, err error) {
	past, err := h.Line.Past(ctx, h.Ev, maxPreviews)
	if err != nil {
		return Preview{}, false, fmt.Errorf("looking for a preview: %w", err)
	}
	for _, p := range past {
		if v, ok, err = readPreview(p); ok || err != nil {
			return v, ok, err
		}
	}
	return Preview{}, false, nil
}

// previewOf is the preview of a run of this thread, which a button, a box or an earlier step names.
func (h Thread) PreviewOf(ctx context.Context, run string) (Preview, error) {
	gone := &port.UserError{Text: "That preview is not there any more, so nothing was committed. Ask for a new one: `/tenon preview <what>`."}
	r, ev, err := h.Line.FindRun(ctx, run)
	if errors.Is(err, port.ErrNotFound) || err == nil && ev.ThreadKey() != h.Ev.ThreadKey() {
		return Preview{}, gone
	}
	if err != nil {
		return Preview{}, fmt.Errorf("looking for the preview %s: %w", run, err)
	}
	v, ok, err := readPreview(port.PastRun{Run: r, Event: ev})
	if err == nil && !ok {
		err = gone
	}
	return v, err
}
