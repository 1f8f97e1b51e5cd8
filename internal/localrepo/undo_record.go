package localrepo

import (
	"context"
	"fmt"
	"path/filepath"
	"time"
)

// recording is the record of the run that is being written. It is on the disk before the first file is, so that a run
// whose process was killed can be undone too.
type recording struct {
	*Repo
	store  undoStore
	name   string
	names  []string
	record undoRecord
	err    error
}

func (r *Repo) undoStore() (undoStore, error) {
	git, err := r.tree.GitDir()
	if err != nil {
		return undoStore{}, err
	}
	return undoStore{filepath.Join(git, "tenon", "undo")}, nil
}

func (r *Repo) recordUndo(ctx context.Context, commit *Made, names []string) *recording {
	u := &recording{Repo: r, names: names}
	u.record = undoRecord{Version: recordVersion, When: time.Now().UTC(), Task: r.opts.Task, Message: commit.Message}
	index, err := r.tree.Staged(ctx, names)
	if err == nil {
		u.store, err = r.undoStore()
	}
	if err != nil {
		u.err = err
		return u
	}
	for i, f := range commit.Files {
		u.record.Files = append(u.record.Files, undoFile{Path: f.Path, Before: f.Before, After: f.After,
			WasExecutable: f.WasExecutable, Executable: f.Executable, IndexBefore: index[i]})
	}
	u.name, u.err = u.store.save("", u.record)
	return u
}

// drop removes the record of a run that wrote nothing.
func (u *recording) drop() {
	if u.name != "" {
		_ = u.store.remove(u.name)
	}
}

// finish adds what only is known after the run.
func (u *recording) finish(ctx context.Context, commit *Made) error {
	if u.err == nil {
		index, err := u.tree.Staged(ctx, u.names)
		u.err = err
		for i := range index {
			u.record.Files[i].IndexAfter = index[i]
		}
	}
	if u.err == nil {
		u.record.SHA = commit.SHA
		_, u.err = u.store.save(u.name, u.record)
	}
	if u.err != nil {
		return fmt.Errorf("the run is not recorded, so that tenon undo cannot revert it: %w", u.err)
	}
	return nil
}
