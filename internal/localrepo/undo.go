package localrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/engine/merge"
	"github.com/tenon-bot/tenon/internal/offline"
	"github.com/tenon-bot/tenon/internal/worktree"
)

// ErrNothingToUndo is returned by Undo if there is no run, or none any more.
var ErrNothingToUndo = errors.New("there is nothing to undo: no run of tenon fix is recorded that was not reverted")

// UndoConflict is a file of a run that cannot be reverted, because it was changed since.
type UndoConflict struct {
	Path string
	// Lines are where changes since the run are in the way, in the file as it is now; empty if it is the file as a whole.
	Lines []int
	// Why says what happened, as a clause.
	Why string
}

// UndoConflictError means that a run was not reverted; nothing was written.
type UndoConflictError struct{ Conflicts []UndoConflict }

func (e *UndoConflictError) Error() string {
	var b strings.Builder
	b.WriteString("nothing was reverted, because files were changed since: ")
	for i, c := range e.Conflicts {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(c.Path)
		for j, line := range c.Lines[:min(len(c.Lines), maxNamedLines)] {
			if j == 0 {
				b.WriteString(" at line ")
			} else {
				b.WriteString(", ")
			}
			fmt.Fprint(&b, line)
		}
		b.WriteString(" (" + c.Why + ")")
	}
	return b.String()
}

// maxNamedLines is how many lines of a file a sentence names.
const maxNamedLines = 10

// Undone is a run that was reverted.
type Undone struct {
	// When the run was, what the person asked for, and the message of its commit, made or not.
	When    time.Time
	Task    string
	Message string
	// Files are those that were written now. It is empty if all are as before the run already.
	Files []File
	// Unstaged is why the index of git was not reverted; nil if it was.
	Unstaged error
	// Reverted is the commit of the run, if that was reverted by the new commit SHA.
	Reverted, SHA string
}

// Undo reverts the last run that was not reverted yet: the files, and git's index where it still has what the run
// staged. Changes that were made since are merged. Where they conflict, it returns an *UndoConflictError and writes
// nothing. A run with a commit that HEAD contains is reverted by another commit: the history is never rewritten, since
// others may have it. Undo returns ErrNothingToUndo if there is no run.
func (r *Repo) Undo(ctx context.Context) (Undone, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	store, err := r.undoStore()
	if err != nil {
		return Undone{}, err
	}
	name, record, err := store.newest()
	switch {
	case err != nil:
		return Undone{}, fmt.Errorf("looking for the last run: %w", err)
	case name == "":
		return Undone{}, ErrNothingToUndo
	}
	u := undo{Repo: r, record: record, done: Undone{When: record.When, Task: record.Task, Message: record.Message}}
	if err := u.plan(); err != nil {
		return Undone{}, err
	}
	revert, err := u.planCommit(ctx)
	if err != nil {
		return Undone{}, err
	}
	if err := r.put(ctx, u.done.Files); err != nil {
		return Undone{}, err
	}
	r.now = nil
	ctx = context.WithoutCancel(ctx)
	u.done.Unstaged = u.restoreIndex(ctx)
	if revert != nil {
		if err := revert(ctx); err != nil {
			return u.done, fmt.Errorf("the files were reverted, and the commit was not: %w", err)
		}
	}
	if err := store.remove(name); err != nil {
		return u.done, fmt.Errorf("the run was reverted, but is still recorded: %w", err)
	}
	return u.done, nil
}

// undo reverts one run.
type undo struct {
	*Repo
	record undoRecord
	done   Undone
}

// plan finds out what to write.
func (u *undo) plan() error {
	var conflicts []UndoConflict
	for _, f := range u.record.Files {
		now, stat, err := u.tree.ReadAtMost(f.Path, maxFile)
		if errors.Is(err, fs.ErrNotExist) {
			now, err = nil, nil
		} else if err == nil && now == nil {
			err = fmt.Errorf("%s is larger than %d MiB", f.Path, maxFile>>20)
		}
		if err != nil {
			return err
		}
		after, conflict := reverted(f, now)
		if conflict != nil {
			conflicts = append(conflicts, *conflict)
			continue
		}
		executable := stat.Executable
		if f.Before == nil || now == nil || executable == f.Executable {
			executable = f.WasExecutable
		}
		same := bytes.Equal(now, after) && (now == nil) == (after == nil)
		if !same || after != nil && executable != stat.Executable {
			u.done.Files = append(u.done.Files, File{Path: f.Path, Before: now, After: after,
				WasExecutable: stat.Executable, Executable: executable})
		}
	}
	if len(conflicts) > 0 {
		return &UndoConflictError{conflicts}
	}
	return nil
}

// reverted returns a file without what the run changed in it; nil for no file.
func reverted(f undoFile, now []byte) ([]byte, *UndoConflict) {
	is := func(data []byte) bool { return (now == nil) == (data == nil) && bytes.Equal(now, data) }
	switch {
	case is(f.Before):
		return now, nil
	case is(f.After):
		return f.Before, nil
	case now == nil:
		return nil, &UndoConflict{Path: f.Path, Why: "it was removed"}
	case f.Before == nil:
		return nil, &UndoConflict{Path: f.Path, Why: "the run created it, and it was changed"}
	case f.After == nil:
		return nil, &UndoConflict{Path: f.Path, Why: "the run removed it, and there is another file now"}
	}
	merged := merge.Merge(f.After, now, f.Before)
	if merged.Clean() {
		return merged.Text, nil
	}
	c := &UndoConflict{Path: f.Path, Why: "lines that the run changed were changed again"}
	if merged.Refusal != "" {
		c.Why = "it cannot be merged"
	}
	for _, region := range merged.Conflicts {
		c.Lines = append(c.Lines, region.Ours.Line)
	}
	return nil, c
}

// restoreIndex sets those entries of the index that are still those of the run to what they were before it.
func (u *undo) restoreIndex(ctx context.Context) error {
	names := make([]string, len(u.record.Files))
	for i, f := range u.record.Files {
		names[i] = f.Path
	}
	now, err := u.tree.Staged(ctx, names)
	if err != nil {
		return err
	}
	var entries []worktree.IndexEntry
	for i, f := range u.record.Files {
		of := f.IndexAfter
		if of.Name == "" { // the process was killed before it knew
			of = worktree.IndexEntry{Name: f.Path, Mode: now[i].Mode, Blob: offline.BlobID(f.After)}
		}
		if now[i] == of {
			entries = append(entries, f.IndexBefore)
		}
	}
	return u.tree.SetStaged(ctx, entries)
}
