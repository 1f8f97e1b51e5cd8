package history

import (
	"context"
	"slices"

	"github.com/tenon-bot/tenon/bot/record"
)

// Backported reports whether an earlier run of the thread opened a pull request for a backport from a branch.
func (t Thread) Backported(ctx context.Context, head string) (bool, error) {
	past, err := t.past(ctx, t.Event.Thread.Number)
	if err != nil {
		return false, err
	}
	for _, p := range past {
		run, err := t.load(p)
		if err != nil {
			continue
		}
		i := slices.IndexFunc(run.Picks, func(p record.Picked) bool { return p.Head == head })
		if i >= 0 && i < len(run.Backports) && run.Backports[i].Pull != 0 {
			return true, nil
		}
	}
	return false, nil
}
