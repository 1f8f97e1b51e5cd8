package history

import (
	"context"
	"errors"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// Offer returns the run of the thread whose edits a box offers to open a pull request with. It returns a
// *port.UserError if there is none, if its edits are not stored any more, or if its record cannot be read.
func (t Thread) Offer(ctx context.Context, id string) (Run, error) {
	stored, err := t.find(ctx, id, func(ev port.Event) bool { return ev.ThreadKey() == t.Event.ThreadKey() })
	if errors.Is(err, port.ErrNotFound) {
		return Run{}, sentence.OfferGone()
	}
	if err != nil {
		return Run{}, err
	}
	rec, err := record.Load(stored.Run)
	switch {
	case err != nil:
		return Run{}, Unreadable(id, err)
	case rec.Forgotten, rec.Offer == nil, rec.Target == nil, rec.Committed == nil || rec.Committed.Staged == "":
		return Run{}, sentence.OfferGone()
	}
	return Run{rec, stored.Event}, nil
}
