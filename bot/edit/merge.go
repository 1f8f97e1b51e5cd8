package edit

import (
	"slices"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/engine/merge"
	"github.com/tenon-bot/tenon/meter"
)

// The reasons of an undo, in addition to the engine's.
const (
	// ReasonOverlap means that later commits changed what is to be reverted.
	ReasonOverlap engine.Reason = "overlap"
	// ReasonHeld means that this file could be reverted, but another one of the commit cannot.
	ReasonHeld engine.Reason = "held"
)

// mergeRevert reverts the commit's changes of a file that was changed since, by a three-way merge. Changes of the
// commit that later commits changed again, or that touch later changes, overlap; so do those that are beside later
// copies. It takes what it costs from w. It returns the state that the file has to get, if the result is Applied.
func mergeRevert(w *meter.Work, res engine.Result, before, after, tip fileState) (engine.Result, fileState, error) {
	overlap := func(detail string) (engine.Result, fileState, error) {
		res.Reason, res.Detail = ReasonOverlap, detail
		return res, fileState{}, nil
	}
	switch {
	case !before.isFile():
		return overlap("The commit made this file, and later ones changed it")
	case !after.isFile():
		return overlap("The commit removed this file, and there is another one now")
	case !tip.isFile():
		return overlap("A later commit removed or moved this file")
	}
	merged := fileState{kind: engine.File, data: tip.data, executable: tip.executable}
	if tip.executable == after.executable {
		merged.executable = before.executable
	}
	if !slices.Equal(before.data, after.data) {
		if !mergeable(before.data, after.data, tip.data) {
			return overlap("Later commits changed this file, and its lines cannot be compared: it is not text, or is larger " +
				"than 2 MiB")
		}
		m := merge.Within(w, after.data, before.data, tip.data)
		if !m.Clean() {
			return overlap(explainOverlap(&res, m, tip))
		}
		merged.data = m.Text
	}
	if merged.equal(tip) {
		res.Status, res.Reason = engine.Skipped, engine.AlreadyApplied
		res.Detail = "Later commits have already reverted it"
		return res, fileState{}, nil
	}
	res.Status = engine.Applied
	describe(&res, tip, merged)
	res.Detail = "Later changes to this file stay"
	return res, merged, nil
}

// maxConflictLines is how many lines of each side of a conflict are kept.
const maxConflictLines = 40

// explainOverlap sets where a merge has a conflict at the tip and both of its sides, and returns why. Ours is what the
// undo wanted, in the lines that the commit left.
func explainOverlap(res *engine.Result, m merge.Result, tip fileState) string {
	if m.Refusal != "" {
		return "Later commits changed too much of this file to compare its lines"
	}
	c := m.Conflicts[0]
	for _, r := range []*merge.Region{&c.Base, &c.Ours, &c.Theirs} {
		r.Lines = r.Lines[:min(len(r.Lines), maxConflictLines)]
	}
	res.Conflict = &c
	res.Line = c.Theirs.Line
	res.ClosestMatch = excerpt(string(tip.data), res.Line, res.Line+max(len(c.Theirs.Lines), 1)-1)
	if c.Uncertain {
		return "Later commits copied the lines to revert, or removed copies, so their place is uncertain"
	}
	return "Later commits changed the same lines, or lines right next to them"
}
