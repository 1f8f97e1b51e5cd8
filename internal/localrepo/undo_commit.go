package localrepo

import (
	"context"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/internal/worktree"
)

// planCommit returns a function that makes the commit that reverts the one of the run; nil if there is none to make:
// the run made none, or HEAD does not contain it.
func (u *undo) planCommit(ctx context.Context) (func(context.Context) error, error) {
	sha := u.record.SHA
	if sha == "" {
		return nil, nil
	}
	in, err := u.tree.Contains(ctx, sha)
	if !in || err != nil {
		return nil, err
	}
	if err := u.tree.MayCommit(ctx); err != nil {
		return nil, err
	}
	names := make([]string, len(u.record.Files))
	for i, f := range u.record.Files {
		names[i] = f.Path
	}
	head, err := u.tree.Head(ctx)
	if err != nil {
		return nil, err
	}
	at := map[string][]worktree.IndexEntry{}
	for _, commit := range []string{head.SHA, sha, sha + "^"} {
		if commit == sha+"^" && u.tree.IsFirst(ctx, sha) {
			commit = ""
		}
		found, err := u.tree.At(ctx, commit, names)
		if err != nil {
			return nil, err
		}
		at[commit] = found
	}
	parent := at[sha+"^"]
	if parent == nil {
		parent = at[""]
	}
	entries, later, err := u.pickEntries(ctx, names, at[head.SHA], at[sha], parent)
	if err != nil || len(entries)+len(later) == 0 {
		return nil, err
	}
	return func(ctx context.Context) error {
		if len(later) > 0 { // what is on the disk now is the later version without the run's changes
			if err := u.tree.Stage(ctx, later); err != nil {
				return err
			}
			staged, err := u.tree.Staged(ctx, later)
			if err != nil {
				return err
			}
			entries = append(entries, staged...)
		}
		subject, _, _ := strings.Cut(u.record.Message, "\n")
		message := fmt.Sprintf("Revert %q\n\nThis reverts commit %s.\n", subject, sha)
		made, err := u.commitEntries(ctx, message, entries)
		if err == nil {
			u.done.Reverted, u.done.SHA = sha, made
		}
		return err
	}, nil
}

// pickEntries returns the entries of the commit that reverts, and the names of files that later commits changed: their
// entries are those of the merged files. Those must have no changes besides, which nobody wants in that commit.
func (u *undo) pickEntries(ctx context.Context, names []string, head, committed, parent []worktree.IndexEntry) (
	entries []worktree.IndexEntry, later []string, err error) {
	for i, name := range names {
		switch head[i] {
		case parent[i]:
		case committed[i]:
			entries = append(entries, parent[i])
		default:
			later = append(later, name)
		}
	}
	dirty, err := u.tree.Dirty(ctx, later)
	if err != nil {
		return nil, nil, err
	}
	var conflicts []UndoConflict
	for _, name := range later {
		if dirty[name] {
			conflicts = append(conflicts, UndoConflict{Path: name,
				Why: "later commits changed it, and it has changes that are in no commit; commit them first"})
		}
	}
	if len(conflicts) > 0 {
		return nil, nil, &UndoConflictError{conflicts}
	}
	return entries, later, nil
}
