package bot

import (
	"context"
	"errors"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
)

// settled reports whether a merge is another one than that which merging its parents gives, or than can be told:
// somebody settled conflicts, or added something, of which no other commit knows.
func (w *workspace) settled(ctx context.Context, github port.GitHub, base string, m port.LoggedCommit) (bool, error) {
	from, err := github.MergeBase(ctx, w.repo, m.Parents[0], m.Parents[1])
	switch {
	case errors.Is(err, port.ErrSeveralBases), err == nil && from == "":
		return true, nil
	case errors.Is(err, port.ErrNotFound):
		return false, lagging("%w", err)
	case err != nil:
		return false, err
	}
	shas := [4]string{from, m.Parents[0], m.Parents[1], m.SHA}
	var opened [4]repo.Checkout
	for i, sha := range shas {
		if opened[i], err = w.branches().open(ctx, record.Target{Branch: base}, sha); err != nil {
			return false, err
		}
	}
	out, err := edit.Merge{Base: opened[0], Tip: opened[1], Theirs: opened[2], Reason: edit.ReasonMergeConflict,
		Protected: func(string) string { return "" }}.Stage(ctx)
	var tooLarge *port.UserError
	if errors.As(err, &tooLarge) || err == nil && len(out.Results) > 0 {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	differs, err := opened[1].ChangesSince(opened[3])
	return len(differs) > 0, err
}
