package history

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// fate is what became of a block of a preview after it was shown; the zero value: nothing.
type BlockOutcome struct {
	// SHA is the commit that holds it, Run the run that made that.
	SHA, Run string
	// Standing says that the file had it already.
	Present bool
	// Why is why it was not committed when it was to be.
	Why string
}

// settled says that there is nothing left to commit.
func (f BlockOutcome) Done() bool { return f.SHA != "" || f.Present }

// fates says by number what became of the blocks of a preview until now: what was committed and has been undone since, is
// there to be committed again.
// sums are those of the files that the commits left.
func (h Thread) BlockOutcomes(ctx context.Context, v Preview, t record.Target) (all map[int]BlockOutcome, sums map[string]string, err error) {
	past, err := h.Line.Past(ctx, h.Ev, maxPreviews)
	if err != nil {
		return nil, nil, fmt.Errorf("looking for what was committed of the preview: %w", err)
	}
	done, err := h.Commits(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	all, sums = map[int]BlockOutcome{}, map[string]string{}
	for _, p := range slices.Backward(past) {
		made, chosen, err := AppliedBy(p.Run)
		if err != nil {
			return nil, nil, err
		}
		if chosen.Run != v.Run || done.Undoer(p.ID) != "" {
			continue
		}
		Note(chosen, all, p.ID, made)
		left, _, err := record.Get[map[string]string](record.JournalOf(p.Run), "sums")
		if err != nil {
			return nil, nil, err
		}
		maps.Copy(sums, left)
	}
	return all, sums, nil
}

// appliedBy reads which blocks a run took, and what became of them.
func AppliedBy(run port.Run) (made record.Committed, chosen record.Choice, err error) {
	j := record.JournalOf(run)
	chosen, ok, err := record.Get[record.Choice](j, "choice")
	if !ok || err != nil {
		return record.Committed{}, record.Choice{}, err
	}
	made, ok, err = record.Get[record.Committed](j, "commit")
	if !ok {
		return record.Committed{}, record.Choice{}, err
	}
	return made, chosen, err
}

// settle notes what a run made of the blocks that it took.
func Note(p record.Choice, all map[int]BlockOutcome, run string, made record.Committed) {
	for i, r := range made.Results {
		if i >= len(p.Numbers) || all[p.Numbers[i]].Done() {
			continue
		}
		all[p.Numbers[i]] = outcomeOf(r, run, made)
	}
}

func outcomeOf(r record.Result, run string, made record.Committed) BlockOutcome {
	switch {
	case r.Status == engine.Applied.String() && made.SHA != "":
		return BlockOutcome{SHA: made.SHA, Run: run}
	case r.Status == engine.Applied.String() && made.Held:
		return BlockOutcome{Why: "another edit of the same command did not fit, and the settings of this repository want all or none"}
	case r.Status == engine.Applied.String():
		return BlockOutcome{Why: cmp.Or(made.Unpushed, "nothing was committed")}
	case r.Reason == string(engine.AlreadyApplied), r.Reason == string(engine.NoChange):
		return BlockOutcome{Present: true}
	}
	return BlockOutcome{Why: r.Detail}
}
