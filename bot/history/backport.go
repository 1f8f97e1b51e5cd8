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

// SettledPicks returns how far the conflicts of the newest backport to a branch that had any are settled, and the
// answer that shows them; the zero value if there is none that is stored.
func (t Thread) SettledPicks(ctx context.Context, branch string) (Resolution, error) {
	past, err := t.past(ctx, t.Event.Thread.Number)
	if err != nil {
		return Resolution{}, err
	}
	for _, p := range past {
		run, err := t.load(p)
		if err != nil || run.Final == nil {
			continue
		}
		n := run.SettledFor(branch)
		if n > len(run.SettledPicks) {
			continue
		}
		if run.Forgotten {
			break
		}
		return Resolution{Answer: *run.Final, At: *run.Final, Event: run.Event, Received: run.Event.Received,
			Resolution: record.Resolution{Root: run.ID, Conflicts: run.SettledPicks[n-1].Conflicts}}, nil
	}
	return Resolution{}, nil
}
