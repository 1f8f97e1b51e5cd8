package edit

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/meter"
)

// maxReverted is how many files one undo reverts.
const maxReverted = 2000

// Revert reverts one commit on top of what was committed since.
type Revert struct {
	// Before is the parent of the commit, After the commit, Tip the branch as it is now.
	Before, After, Tip repo.Checkout
	// Protected returns why policy forbids changes of a path, in a sentence without a full stop; empty if it does not.
	Protected func(path string) string
}

// Stage stages the paths as they were before the commit: a file that nobody changed since as a whole, any other one by
// a three-way merge. It is all or nothing, because half an undone commit is worse than the commit: when one path
// cannot be reverted, nothing is staged and no result is Applied.
func (r Revert) Stage(ctx context.Context, paths []string) (engine.Outcome, error) {
	if len(paths) > maxReverted {
		return engine.Outcome{}, sentence.TooManyReverted(len(paths), maxReverted)
	}
	for _, c := range []repo.Checkout{r.Before, r.After, r.Tip} {
		if err := c.Load(ctx, paths...); err != nil {
			return engine.Outcome{}, fmt.Errorf("loading %d files of %s: %w", len(paths), c.SHA(), err)
		}
	}
	var out engine.Outcome
	states := make([]fileState, len(paths))
	failed := false
	names, work := engine.NewNames(r.Tip), meter.Within(ctx, meter.Default)
	for i, path := range paths {
		res, state, err := r.revertFile(work, path)
		if err == nil {
			err = work.Err()
		}
		if err == nil && res.Status == engine.Applied && state.isFile() {
			res, err = r.checkName(names, res, paths)
		}
		if err != nil {
			return engine.Outcome{}, err
		}
		states[i], failed = state, failed || res.Status == engine.Failed
		out.Results = append(out.Results, res)
	}
	if failed {
		return withhold(out), nil
	}
	return r.write(out, states)
}

// withhold changes the results of files that could have been reverted to skipped ones.
func withhold(out engine.Outcome) engine.Outcome {
	for i, res := range out.Results {
		if res.Status == engine.Applied {
			out.Results[i] = engine.Result{
				Path: res.Path, Status: engine.Skipped, Reason: ReasonHeld,
				Detail: "It could be reverted, but not without the others",
			}
		}
	}
	return out
}

// revertFile returns the state that a path has to get, if the result is Applied.
func (r Revert) revertFile(w *meter.Work, path string) (engine.Result, fileState, error) {
	res := engine.Result{Path: path, Status: engine.Failed}
	var states [3]fileState
	for i, c := range []repo.Checkout{r.Before, r.After, r.Tip} {
		var err error
		if states[i], err = readState(c, path); errors.Is(err, engine.ErrTooLarge) {
			res.Reason, res.Detail = engine.TooLarge, "The file is too large for tenon"
			return res, fileState{}, nil
		} else if err != nil {
			return res, fileState{}, err
		}
	}
	before, after, tip := states[0], states[1], states[2]
	w.SpendEachByte(len(before.data) + len(after.data) + len(tip.data))
	switch {
	case before.equal(after):
		res.Status, res.Reason, res.Detail = engine.Skipped, engine.NoChange, "The commit did not change it"
	case tip.equal(before):
		res.Status, res.Reason = engine.Skipped, engine.AlreadyApplied
		res.Detail = "It is already as it was before the commit"
	case r.Protected(path) != "":
		res.Reason, res.Detail = engine.ProtectedPath, r.Protected(path)
	case r.obstructed(path):
		res.Reason, res.Detail = ReasonOverlap, "A link, a submodule, a folder or a file is in its way now"
	case tip.equal(after):
		res.Status = engine.Applied
		describe(&res, tip, before)
		return res, before, nil
	default:
		return mergeRevert(w, res, before, after, tip)
	}
	return res, fileState{}, nil
}

// obstructed reports whether the tip cannot have a file at a path because of what is there or above it.
func (r Revert) obstructed(path string) bool {
	kind, err := r.Tip.Kind(path)
	return err != nil || kind != engine.File && kind != engine.Absent || !inFolders(r.Tip, path)
}

// checkName makes a result fail if its file would come back beside one that some systems take for the same. paths are
// all that the commit changed.
func (r Revert) checkName(names *engine.Names, res engine.Result, paths []string) (engine.Result, error) {
	twin, err := names.Twin(res.Path, paths...)
	if err == nil && twin != "" {
		res = engine.Result{Path: res.Path, Status: engine.Failed, Reason: ReasonOverlap,
			Detail: twin + " exists now, and some systems treat the two names as the same"}
	}
	return res, err
}

// write stages the states of the paths. Removals come first, because a file may replace a folder.
func (r Revert) write(out engine.Outcome, states []fileState) (engine.Outcome, error) {
	for _, files := range []bool{false, true} {
		for i, res := range out.Results {
			if res.Status != engine.Applied || states[i].isFile() != files {
				continue
			}
			if err := writeState(r.Tip, res.Path, states[i]); err != nil {
				return engine.Outcome{}, fmt.Errorf("reverting %s: %w", res.Path, err)
			}
		}
	}
	var err error
	out.Changed, err = changedPaths(r.Tip)
	return out, err
}
