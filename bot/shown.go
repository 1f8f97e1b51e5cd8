package bot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine"
)

// shownAt returns files as the model saw them, and whether it did; nil if none of the files to edit has changed since.
type shownAt func(path string) ([]byte, bool)

// changedSince reads those files of blocks that changed since the model saw them, at the commit that its prompt was
// built on. selection is what is known of the files now: besides what the prompt showed, what later commits of its
// edits left.
func changedSince(ctx context.Context, r *run, t record.Target, prompt record.Prompt, selection retrieve.Selection,
	checkout repo.Checkout, blocks []engine.Block) (shownAt, error) {
	if prompt.Base == "" || prompt.Base == checkout.SHA() {
		return nil, nil
	}
	names, err := loadPaths(ctx, checkout, blocks)
	if err != nil {
		return nil, err
	}
	guard := edit.Guard{Selection: selection, Tree: checkout}
	unchanged := func(name string) bool { return guard.Shown(name) != engine.ShownChanged }
	names = slices.DeleteFunc(slices.Clone(names), unchanged)
	if len(names) == 0 {
		return nil, nil
	}
	before, err := r.files.branches().open(ctx, t, prompt.Base, names...)
	if isGone(err) { // a push by force has dropped it
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := before.Load(ctx, names...); err != nil {
		return nil, fmt.Errorf("loading %d files of %s: %w", len(names), prompt.Base, err)
	}
	return func(name string) ([]byte, bool) {
		if !slices.Contains(names, name) {
			return nil, false
		}
		data, err := before.ReadFile(name)
		sum := sha256.Sum256(data)
		return data, err == nil && hex.EncodeToString(sum[:]) == prompt.Shown[name]
	}, nil
}
