package localrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tenon-bot/tenon/internal/worktree"
)

// write writes files, stages them and commits them. If a file cannot be written, it reverts those before it.
func (r *Repo) write(ctx context.Context, commit *Made) error {
	if len(commit.Files) == 0 {
		return nil
	}
	names := make([]string, len(commit.Files))
	for i, f := range commit.Files {
		names[i] = f.Path
	}
	if err := r.markDirty(ctx, commit.Files, names); err != nil {
		return err
	}
	undo := r.recordUndo(ctx, commit, names)
	if err := r.put(ctx, commit.Files); err != nil {
		undo.drop()
		return err
	}
	ctx = context.WithoutCancel(ctx) // what was written is to be staged
	commit.Unstaged = r.tree.Stage(ctx, names)
	if r.opts.Commit {
		commit.SHA, commit.Uncommitted = r.commitStaged(ctx, names, commit)
		commit.Hooks = r.hooks(ctx)
	}
	commit.NoUndo = undo.finish(ctx, commit)
	return nil
}

// put writes the contents of files to the disk: all of them, or none.
func (r *Repo) put(ctx context.Context, files []File) error {
	for i, f := range files {
		err := ctx.Err()
		if err == nil {
			err = r.putOne(f)
		}
		if err == nil {
			continue
		}
		for _, done := range files[:i] {
			back := File{Path: done.Path, After: done.Before, Executable: done.WasExecutable}
			if undoErr := r.putOne(back); undoErr != nil {
				err = errors.Join(err, fmt.Errorf("restoring what was there: %w", undoErr))
			}
		}
		return err
	}
	return nil
}

func (r *Repo) putOne(f File) error {
	if f.After == nil {
		err := r.tree.Remove(f.Path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	if err := r.tree.WriteFile(f.Path, f.After); err != nil {
		return err
	}
	return r.tree.SetExecutable(f.Path, f.Executable)
}

// markDirty finds out which files had changes that were in no commit: their blob is not the one of HEAD.
func (r *Repo) markDirty(ctx context.Context, files []File, names []string) error {
	dirty, err := r.tree.Dirty(ctx, names)
	if err != nil {
		return err
	}
	for i := range files {
		files[i].Dirty = dirty[files[i].Path] && files[i].Before != nil
	}
	return nil
}

// commitStaged makes a commit of files that were staged.
func (r *Repo) commitStaged(ctx context.Context, names []string, commit *Made) (string, error) {
	if commit.Unstaged != nil {
		return "", commit.Unstaged
	}
	entries, err := r.tree.Staged(ctx, names)
	if err != nil {
		return "", err
	}
	return r.commitEntries(ctx, commit.Message, entries)
}

// commitEntries makes a commit on top of HEAD.
func (r *Repo) commitEntries(ctx context.Context, message string, entries []worktree.IndexEntry) (string, error) {
	head, err := r.tree.Head(ctx)
	if err != nil {
		return "", err
	}
	dir, err := r.folder()
	if err != nil {
		return "", err
	}
	return r.tree.Commit(ctx, head.SHA, message, entries, dir)
}

// folder returns the folder in which tenon keeps what is about this work tree, and makes it.
func (r *Repo) folder() (string, error) {
	git, err := r.tree.GitDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(git, "tenon")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("making a folder for what tenon keeps: %w", err)
	}
	return dir, nil
}

// hooks returns the hooks that git runs at a commit and the repository has.
func (r *Repo) hooks(ctx context.Context) (found []string) {
	dir, err := r.tree.HooksDir(ctx)
	if err != nil {
		return nil
	}
	for _, name := range []string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			found = append(found, name)
		}
	}
	return found
}
