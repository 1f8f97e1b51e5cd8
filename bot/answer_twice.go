package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// maxDoubles bounds how many other answers of a run are closed at one place.
const maxDoubles = 3

// closeDoubles closes the other answers of a resumed run: a worker that was paused, or whose request took long, can
// have made one after the next worker had looked for it. They lose the mark of the run, so that they are not found
// again.
func (a answers) closeDoubles(ctx context.Context, c record.AnswerComment) error {
	if !a.journal.Record().Resumed || c.Comment == 0 {
		return nil
	}
	for _, at := range a.places() {
		for range maxDoubles {
			found, closed, err := a.closeDouble(ctx, c, at)
			if err != nil {
				return fmt.Errorf("closing another answer of the run: %w", err)
			}
			if !found || !closed {
				break
			}
		}
	}
	return nil
}

// closeDouble closes the newest other answer at a place. One that cannot be edited is left as it is.
func (a answers) closeDouble(ctx context.Context, c record.AnswerComment, at port.Place) (found, closed bool,
	err error) {
	var but []int64
	if at.Kind == c.Kind {
		but = append(but, c.Comment)
	}
	marker := runMarker(a.journal.Record().ID)
	other, found, err := a.github.FindComment(ctx, a.ev.Repo, at, marker, a.ev.Received.Add(-clockSkew), but...)
	if errors.Is(err, port.ErrNotFound) || err == nil && !found {
		return false, false, nil
	}
	if err == nil {
		err = a.github.Edit(ctx, a.ev.Repo, a.ev.Thread.Number, other, report.DoubleBody(c.URL))
	}
	if errors.Is(err, port.ErrNotFound) || permanent(err) {
		return true, false, nil
	}
	return true, err == nil, err
}
