package history

import (
	"context"
	"errors"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// Resolution is how far the conflicts of a merge are settled, and the answer that shows them.
type Resolution struct {
	// Answer is the answer of the run Root, Event the event of that run.
	Answer record.AnswerComment
	Event  port.Event
	Merge  record.Merge
	// At is the answer of the run that settled something last, Received when its event came.
	At       record.AnswerComment
	Received time.Time
	record.Resolution
}

// NewestResolution returns what people see of the newest merge whose conflicts are being settled; ok is false if there
// is none, or it was committed. It returns a *port.UserError if it is not stored any more, or a newer one cannot be
// read.
func (t Thread) NewestResolution(ctx context.Context) (r Resolution, ok bool, err error) {
	past, err := t.past(ctx, t.Event.Thread.Number)
	if err != nil {
		return Resolution{}, false, err
	}
	for _, p := range past {
		run, err := t.load(p)
		if err != nil && record.Resolved(1).In(p.Run) {
			return Resolution{}, false, Unreadable(p.ID, err)
		}
		last, resolves := run.LastResolution()
		if !resolves || run.Final == nil {
			continue
		}
		if _, made := run.Commit(); made || run.Merge == nil {
			return Resolution{}, false, nil
		}
		if run.Forgotten {
			return Resolution{}, false, sentence.ResolutionGone()
		}
		return t.rooted(ctx, Resolution{Answer: *run.Final, At: *run.Final, Event: run.Event, Merge: *run.Merge,
			Received: run.Event.Received, Resolution: last}, run.ID)
	}
	return Resolution{}, false, nil
}

// rooted returns a resolution with the answer that shows it, if that is of another run.
func (t Thread) rooted(ctx context.Context, r Resolution, run string) (Resolution, bool, error) {
	if r.Root == run {
		return r, true, nil
	}
	root, err := t.find(ctx, r.Root, func(ev port.Event) bool { return ev.ThreadKey() == t.Event.ThreadKey() })
	if errors.Is(err, port.ErrNotFound) {
		return Resolution{}, false, sentence.ResolutionGone()
	}
	if err != nil {
		return Resolution{}, false, err
	}
	rec, err := record.Load(root.Run)
	switch {
	case err != nil:
		return Resolution{}, false, Unreadable(r.Root, err)
	case rec.Final == nil:
		return Resolution{}, false, sentence.ResolutionGone()
	}
	r.Answer, r.Event = *rec.Final, root.Event
	return r, true, nil
}
