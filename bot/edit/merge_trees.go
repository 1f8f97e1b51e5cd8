package edit

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/engine/merge/trees"
	"github.com/tenon-bot/tenon/meter"
)

// ReasonMergeConflict means that both branches of a merge changed something in different ways.
const ReasonMergeConflict engine.Reason = "merge-conflict"

// The bounds of a merge: how many paths it changes, how many bytes these have, since the record of the run names them,
// and what comparing files may cost.
const (
	maxMerged     = 20_000
	maxMergedName = 1 << 20
	mergeWork     = 5 * meter.Default
)

// Merge merges what a commit changed since a base into a branch, as git does.
type Merge struct {
	// Base is the commit from which both sides are compared, Theirs the commit to be merged, Tip the branch as it is now.
	Base, Theirs, Tip repo.Checkout
	// OursName and TheirsName are what the sides are called in the details of results.
	OursName, TheirsName string
	// Reason is that of a conflict.
	Reason engine.Reason
	// Protected returns why policy forbids changes of a path, in a sentence without a full stop; empty if it does not.
	Protected func(path string) string
}

// Stage stages the merge on the tip, all of it or nothing: there is a result for each conflict, and none that is
// Applied. A protected path may become what it is in Theirs, which is in the repository already, and nothing else: of
// any other result for it, there is a failed one. A *port.UserError means that the merge is too large.
func (m Merge) Stage(ctx context.Context) (engine.Outcome, error) {
	found, err := m.Find(ctx)
	if err != nil {
		return engine.Outcome{}, err
	}
	return found.Stage(ctx, nil, found.Conflicts)
}

// FoundMerge is a merge of which nothing is staged yet.
type FoundMerge struct {
	trees.Result
	merge Merge
	in    trees.Input
}

// Find merges without staging anything. A *port.UserError means that the merge is too large.
func (m Merge) Find(ctx context.Context) (FoundMerge, error) {
	ours, err := m.Tip.ChangesSince(m.Base)
	if err != nil {
		return FoundMerge{}, fmt.Errorf("comparing %s and %s: %w", m.Base.SHA(), m.Tip.SHA(), err)
	}
	theirs, err := m.Theirs.ChangesSince(m.Base)
	if err != nil {
		return FoundMerge{}, fmt.Errorf("comparing %s and %s: %w", m.Base.SHA(), m.Theirs.SHA(), err)
	}
	in := trees.Input{Ours: treeChanges(ours), Theirs: treeChanges(theirs), HasDir: m.hasDir}
	blobs := newMergeBlobs(m, ours, theirs)
	if err := blobs.loadTexts(ctx); err != nil {
		return FoundMerge{}, err
	}
	in.Blob = func(id string) ([]byte, error) { return blobs.read(ctx, id) }
	result, err := trees.Merge(meter.Within(ctx, mergeWork), in)
	switch {
	case err != nil:
		return FoundMerge{}, err
	case result.Refusal != "", tooLarge(result):
		return FoundMerge{}, sentence.MergeTooLarge()
	}
	return FoundMerge{result, m, in}, nil
}

// Read returns the content of a version of a conflict, by its id. It returns trees.ErrTooLarge for one that is not
// read.
func (f FoundMerge) Read(id string) ([]byte, error) { return f.in.Blob(id) }

// Stage is Merge.Stage with what some conflicts become; left are the others.
func (f FoundMerge) Stage(ctx context.Context, settled []trees.Merged, left []trees.Conflict) (engine.Outcome, error) {
	m, result := f.merge, f.Result
	result.Merged, result.Conflicts = append(slices.Clone(result.Merged), settled...), left
	out := engine.Outcome{Results: append(m.conflicts(result), m.protected(result, f.in)...)}
	if len(out.Results) > 0 {
		return out, nil
	}
	if err := m.write(ctx, result.Merged); err != nil {
		return engine.Outcome{}, err
	}
	var err error
	out.Changed, err = changedPaths(m.Tip)
	return out, err
}

// tooLarge reports whether a merge is too large to be recorded, or shown.
func tooLarge(r trees.Result) bool {
	names := 0
	for _, merged := range r.Merged {
		names += len(merged.Path)
	}
	return len(r.Merged) > maxMerged || names > maxMergedName || len(r.Conflicts) > maxReverted
}

// Protected returns the results of the protected paths that the merge, without its conflicts, would make something else
// than they are in Theirs.
func (f FoundMerge) Protected() []engine.Result { return f.merge.protected(f.Result, f.in) }

func (m Merge) hasDir(side trees.Side, dir string) (bool, error) {
	c := m.Tip
	if side == trees.Theirs {
		c = m.Theirs
	}
	kind, err := c.Kind(dir)
	return kind == engine.Folder, err
}

// treeChanges returns changes in the form in which trees are merged.
func treeChanges(list []port.Change) []trees.Change {
	out := make([]trees.Change, len(list))
	for i, c := range list {
		out[i] = trees.Change{Path: c.Path, Base: treeEntry(c.OldMode, c.OldBlob), Side: treeEntry(c.Mode, c.Blob)}
	}
	return out
}

func treeEntry(mode, id string) trees.Entry {
	n, _ := strconv.ParseUint(mode, 8, 32) // 0 is none
	return trees.Entry{Mode: trees.Mode(n), ID: id}
}

// octal returns a mode as git writes it, empty for none.
func octal(mode trees.Mode) string {
	if mode == 0 {
		return ""
	}
	return fmt.Sprintf("%06o", uint32(mode))
}

// conflicts returns the results of what is not merged.
func (m Merge) conflicts(r trees.Result) (out []engine.Result) {
	words := trees.Words{Ours: m.OursName, Theirs: m.TheirsName, Quote: func(path string) string { return path }}
	for _, c := range r.Conflicts {
		res := engine.Result{Path: c.Path, Status: engine.Failed, Reason: m.Reason, Detail: c.Describe(words)}
		n := 0
		for _, p := range c.Pieces {
			if p.Conflict != nil {
				n++
			}
		}
		if n > 0 {
			res.Detail = english.Plural(n, "conflict", "") + ": " + res.Detail
		}
		out = append(out, res)
	}
	return out
}

// protected returns the results of protected paths that would become something else than they are in Theirs.
func (m Merge) protected(r trees.Result, in trees.Input) (out []engine.Result) {
	var theirs map[string]trees.Entry
	for _, merged := range r.Merged {
		why := m.Protected(merged.Path)
		if why == "" {
			continue
		}
		if theirs == nil {
			theirs = entriesOf(in)
		}
		if merged.Text != nil || merged.Entry != theirs[merged.Path] {
			out = append(out, engine.Result{Path: merged.Path, Status: engine.Failed, Reason: engine.ProtectedPath, Detail: why})
		}
	}
	return out
}

// entriesOf returns what theirs has at each path that is changed on a side.
func entriesOf(in trees.Input) map[string]trees.Entry {
	out := make(map[string]trees.Entry, len(in.Ours)+len(in.Theirs))
	for _, c := range in.Ours {
		out[c.Path] = c.Base
	}
	for _, c := range in.Theirs {
		out[c.Path] = c.Side
	}
	return out
}

// write stages what is merged. What is removed goes first, because a file may be where a folder was.
func (m Merge) write(ctx context.Context, merged []trees.Merged) error {
	var texts []string
	for _, e := range merged {
		if e.Text != nil {
			texts = append(texts, e.Path)
		}
	}
	if err := m.Tip.Load(ctx, texts...); err != nil { // files are written only where they were loaded
		return fmt.Errorf("loading %d files of %s: %w", len(texts), m.Tip.SHA(), err)
	}
	for _, removed := range []bool{true, false} {
		for _, e := range merged {
			if (e.Entry.Mode == 0) != removed {
				continue
			}
			if err := m.writeOne(e); err != nil {
				return fmt.Errorf("merging %s: %w", e.Path, err)
			}
		}
	}
	return nil
}

func (m Merge) writeOne(e trees.Merged) error {
	if e.Text == nil {
		return m.Tip.Put(e.Path, octal(e.Entry.Mode), e.Entry.ID)
	}
	if err := m.Tip.WriteFile(e.Path, e.Text); err != nil {
		return err
	}
	return m.Tip.SetExecutable(e.Path, e.Entry.Mode == trees.Executable)
}
