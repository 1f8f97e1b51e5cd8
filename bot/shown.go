package bot

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine"
)

// shownAt returns files as the model saw them, and whether it did; nil if none of the files to edit has changed since.
type shownAt func(path string) ([]byte, bool)

// versions are where the files are that a model saw: the prompt says at which commit, and by which sums. later are the
// commits at which it saw some files later.
type versions struct {
	prompt record.Prompt
	later  map[string]string
}

// at returns the commit at which the model saw a file.
func (v versions) at(name string) string { return cmp.Or(v.later[name], v.prompt.Base) }

// changedSince reads those files of blocks that changed since the model saw them, at the commit at which it saw them.
// selection is what is known of the files now: besides what the prompt showed, what later commits of its edits left.
func changedSince(ctx context.Context, files *workspace, t record.Target, seen versions, selection retrieve.Selection,
	checkout repo.Checkout, blocks []engine.Block) (shownAt, error) {
	if seen.prompt.Base == "" || seen.prompt.Base == checkout.SHA() && len(seen.later) == 0 {
		return nil, nil
	}
	names, err := loadPaths(ctx, checkout, blocks)
	if err != nil {
		return nil, err
	}
	guard := edit.Guard{Selection: selection, Tree: checkout}
	of := map[string][]string{} // the files to read, by commit
	for _, name := range names {
		if at := seen.at(name); at != checkout.SHA() && guard.Shown(name) == engine.ShownChanged {
			of[at] = append(of[at], name)
		}
	}
	if len(of) == 0 {
		return nil, nil
	}
	before := map[string]repo.Checkout{} // by file
	for commit, names := range of {
		c, err := files.branches().open(ctx, t, commit, names...)
		if repo.IsGone(err) { // a push by force has dropped it
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := c.Load(ctx, names...); err != nil {
			return nil, fmt.Errorf("loading %d files of %s: %w", len(names), commit, err)
		}
		for _, name := range names {
			before[name] = c
		}
	}
	if len(before) == 0 {
		return nil, nil
	}
	return func(name string) ([]byte, bool) {
		c := before[name]
		if c == nil {
			return nil, false
		}
		data, err := c.ReadFile(name)
		sum := sha256.Sum256(data)
		return data, err == nil && hex.EncodeToString(sum[:]) == seen.prompt.Shown[name]
	}, nil
}

// loadPaths loads the files that blocks edit, and returns their paths.
func loadPaths(ctx context.Context, checkout repo.Checkout, blocks []engine.Block) ([]string, error) {
	paths, err := engine.Paths(checkout, blocks)
	if err != nil {
		return nil, fmt.Errorf("resolving the paths of %d blocks: %w", len(blocks), err)
	}
	if err := checkout.Load(ctx, paths...); err != nil {
		return nil, fmt.Errorf("loading %d files: %w", len(paths), err)
	}
	return paths, nil
}

// versionsOf returns where the files are that the model saw.
func versionsOf(j conversation.Job) versions { return versions{j.Prompt, j.Conversation.ShownAt()} }
