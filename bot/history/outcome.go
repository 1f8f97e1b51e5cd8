package history

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// BlockOutcome is what came of a block of a preview after the preview was shown; the zero value: nothing.
type BlockOutcome struct {
	// SHA is the commit with the block, Run the run that made the commit.
	SHA, Run string
	// Present reports whether the file had the lines already.
	Present bool
	// Why is why the block was not committed when it was to be.
	Why string
}

// Done reports whether nothing is left to commit.
func (o BlockOutcome) Done() bool { return o.SHA != "" || o.Present }

// BlockOutcomes returns what came of the blocks of a preview until now, by number. A block whose commit was undone
// since can be committed again. sums are the SHA-256 of the files that the commits left.
func (t Thread) BlockOutcomes(ctx context.Context, v Preview, target record.Target) (all map[int]BlockOutcome, sums map[string]string, err error) {
	past, err := t.ofThread(ctx, t.Event.Thread.Number)
	if err != nil {
		return nil, nil, err
	}
	commits, err := t.Commits(ctx, target)
	if err != nil {
		return nil, nil, err
	}
	all, sums = map[int]BlockOutcome{}, map[string]string{}
	for _, p := range slices.Backward(past) {
		if p.Choice == nil || p.Committed == nil || p.Choice.Run != v.Run || commits.Undoer(p.ID) != "" {
			continue
		}
		Note(*p.Choice, all, p.ID, *p.Committed)
		maps.Copy(sums, p.Sums)
	}
	return all, sums, nil
}

// Note notes what a run made of the blocks that it took.
func Note(chosen record.Choice, all map[int]BlockOutcome, run string, made record.Committed) {
	for i, r := range made.Results {
		if i >= len(chosen.Numbers) || all[chosen.Numbers[i]].Done() {
			continue
		}
		all[chosen.Numbers[i]] = outcomeOf(r, run, made)
	}
}

func outcomeOf(r record.Result, run string, made record.Committed) BlockOutcome {
	switch {
	case r.Status.Applied() && made.SHA != "":
		return BlockOutcome{SHA: made.SHA, Run: run}
	case r.Status.Applied() && made.Held:
		return BlockOutcome{Why: "another edit of the same command did not fit, and the settings of this repository want all or none"}
	case r.Status.Applied():
		return BlockOutcome{Why: cmp.Or(made.Unpushed, "nothing was committed")}
	case r.Reason == string(engine.AlreadyApplied), r.Reason == string(engine.NoChange):
		return BlockOutcome{Present: true}
	}
	return BlockOutcome{Why: r.Detail}
}
