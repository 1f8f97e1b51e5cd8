package bot

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/engine"
)

// choice is the record of which blocks an apply takes: those of a preview's run, or of a comment.
type choice struct {
	// Run is the preview's; empty for a comment.
	Run string `json:"run,omitempty"`
	// Numbers are the blocks', from 1, ascending. Passed are those that were named and are committed already.
	Numbers []int `json:"numbers"`
	Passed  []int `json:"passed,omitempty"`
}

// fate is what became of a block of a preview after it was shown; the zero value: nothing.
type fate struct {
	// SHA is the commit that holds it, Run the run that made that.
	SHA, Run string
	// Standing says that the file had it already.
	Standing bool
	// Why is why it was not committed when it was to be.
	Why string
}

// settled says that there is nothing left to commit.
func (f fate) settled() bool { return f.SHA != "" || f.Standing }

// fates says by number what became of the blocks of a preview until now: what was committed and has been undone since, is
// there to be committed again.
// sums are those of the files that the commits left.
func (h history) fates(ctx context.Context, v preview, t target) (all map[int]fate, sums map[string]string, err error) {
	past, err := h.line.Past(ctx, h.ev, maxPreviews)
	if err != nil {
		return nil, nil, fmt.Errorf("looking for what was committed of the preview: %w", err)
	}
	done, err := h.deeds(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	all, sums = map[int]fate{}, map[string]string{}
	for _, p := range slices.Backward(past) {
		made, chosen, err := appliedBy(p.Run)
		if err != nil {
			return nil, nil, err
		}
		if chosen.Run != v.run || done.undoer(p.ID) != "" {
			continue
		}
		settle(chosen, all, p.ID, made)
		left, _, err := recorded[map[string]string](journalOf(p.Run), "sums")
		if err != nil {
			return nil, nil, err
		}
		maps.Copy(sums, left)
	}
	return all, sums, nil
}

// appliedBy reads which blocks a run took, and what became of them.
func appliedBy(run Run) (made committed, chosen choice, err error) {
	j := journalOf(run)
	chosen, ok, err := recorded[choice](j, "choice")
	if !ok || err != nil {
		return committed{}, choice{}, err
	}
	made, ok, err = recorded[committed](j, "commit")
	if !ok {
		return committed{}, choice{}, err
	}
	return made, chosen, err
}

// settle notes what a run made of the blocks that it took.
func settle(p choice, all map[int]fate, run string, made committed) {
	for i, r := range made.Results {
		if i >= len(p.Numbers) || all[p.Numbers[i]].settled() {
			continue
		}
		all[p.Numbers[i]] = fateOf(r, run, made)
	}
}

func fateOf(r row, run string, made committed) fate {
	switch {
	case r.Status == engine.Applied.String() && made.SHA != "":
		return fate{SHA: made.SHA, Run: run}
	case r.Status == engine.Applied.String() && made.Held:
		return fate{Why: "another edit of the same command did not fit, and the settings of this repository want all or none"}
	case r.Status == engine.Applied.String():
		return fate{Why: cmp.Or(made.Unpushed, "nothing was committed")}
	case r.Reason == string(engine.AlreadyApplied), r.Reason == string(engine.NoChange):
		return fate{Standing: true}
	}
	return fate{Why: r.Detail}
}
