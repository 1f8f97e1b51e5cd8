package history

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// BlockOutcome is what happened to a block of a preview after it was shown. The zero value is that of a block that no
// run took.
type BlockOutcome struct {
	// SHA is the commit with the block, Run the run that made the commit.
	SHA, Run string
	// Present means that the file had the lines already.
	Present bool
	// Why is why the block was not committed when it was taken. Breaks reports that it is because the file would not
	// parse, Unseen that this was not shown yet when the thread's event happened.
	Why            string
	Breaks, Unseen bool
	// Changed is what the block would have changed when it was taken, if that is not what people were shown before; else
	// nil. Seen reports that it was shown whole then, before the thread's event.
	Changed *record.Result
	Seen    bool
}

// Done reports whether there is nothing left to commit.
func (o BlockOutcome) Done() bool { return o.SHA != "" || o.Present }

// BlockOutcomes are the outcomes of the blocks of a preview, by block number.
type BlockOutcomes map[int]BlockOutcome

// Add adds what a run made of the blocks that it took. A block that is done keeps its outcome.
func (all BlockOutcomes) Add(taken record.Choice, run string, committed record.Committed) {
	for i, r := range committed.Results {
		if i >= len(taken.Numbers) || all[taken.Numbers[i]].Done() {
			continue
		}
		all[taken.Numbers[i]] = outcomeOf(r, run, committed)
	}
}

func outcomeOf(r record.Result, run string, committed record.Committed) BlockOutcome {
	switch {
	case r.Status.Applied() && committed.SHA != "":
		return BlockOutcome{SHA: committed.SHA, Run: run}
	case r.Status.Applied() && committed.Held:
		return BlockOutcome{Why: "another edit of the same command did not fit, " +
			"and the settings of this repository require that all fit"}
	case r.Status.Applied():
		return BlockOutcome{Why: cmp.Or(committed.Unpushed, "nothing was committed")}
	case r.Reason == string(engine.AlreadyApplied), r.Reason == string(engine.NoChange):
		return BlockOutcome{Present: true}
	}
	o := BlockOutcome{Why: r.Detail, Breaks: r.Reason == string(engine.SyntaxError)}
	if r.Reason == string(engine.NotAsShown) {
		o.Changed = &r
	}
	return o
}

// numbersOf returns the numbers of the blocks of results.
func numbersOf(results []record.Result) (out []int) {
	for i, r := range results {
		out = append(out, r.NumberAt(i))
	}
	return out
}

// BlockOutcomes returns the outcomes of a preview's blocks until now. A block whose commit was undone since can be
// committed again. sums are the SHA-256 of the files as the commits left them.
func (t Thread) BlockOutcomes(
	ctx context.Context, v Preview, target record.Target,
) (all BlockOutcomes, sums map[string]string, err error) {
	past, err := t.past(ctx, t.Event.Thread.Number)
	if err != nil {
		return nil, nil, err
	}
	commits, err := t.Commits(ctx, target)
	if err != nil {
		return nil, nil, err
	}
	all, sums = BlockOutcomes{}, map[string]string{}
	if v.Made != nil && commits.Undoer(v.Run) == "" {
		all.Add(record.Choice{Numbers: numbersOf(v.Made.Results)}, v.Run, *v.Made)
	}
	for _, p := range slices.Backward(past) {
		run, err := t.load(p)
		if err != nil || run.Choice == nil || run.Committed == nil || run.Choice.Run != v.Run || commits.Undoer(p.ID) != "" {
			continue
		}
		all.Add(*run.Choice, p.ID, *run.Committed)
		if run.Final == nil || run.Final.After(t.Event) {
			all.hide(run.Choice.Numbers)
		} else if run.Seen != nil {
			all.See(run.Seen.Answer)
		}
		maps.Copy(sums, run.Sums)
	}
	return all, sums, nil
}

// See notes that people were shown what blocks would change now.
func (all BlockOutcomes) See(numbers []int) {
	for _, n := range numbers {
		if o := all[n]; o.Changed != nil {
			o.Seen = true
			all[n] = o
		}
	}
}

// hide marks the outcomes of blocks that break their file as unseen.
func (all BlockOutcomes) hide(numbers []int) {
	for _, n := range numbers {
		if o := all[n]; o.Breaks {
			o.Unseen = true
			all[n] = o
		}
	}
}
