package bot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// A block may fit loosely only in a file that the model saw, or that earlier blocks of its reply made of that. Where blocks are
// committed one after another, the files that the earlier ones left have to be known for that: by their SHA-256.

// asSeen lists the files of blocks that are on the branch as the model saw them, or as earlier blocks of its reply left them.
func (s *session) asSeen(ctx context.Context, checkout repo.Checkout, q record.Prompt, blocks []engine.Block) ([]string, error) {
	if len(q.Shown) == 0 {
		return nil, nil
	}
	names, err := engine.Paths(checkout, blocks)
	if err != nil {
		return nil, fmt.Errorf("resolving the paths of %d blocks: %w", len(blocks), err)
	}
	if err := checkout.Load(ctx, names...); err != nil {
		return nil, fmt.Errorf("loading %d files: %w", len(names), err)
	}
	g := edit.Guard{Selection: q.Selection, Tree: checkout}
	return slices.DeleteFunc(names, func(name string) bool { return g.Shown(name) != engine.ShownSame }), nil
}

// sumsOf are the sums of the files that are staged.
func sumsOf(checkout repo.Checkout, names []string) (map[string]string, error) {
	sums := map[string]string{}
	for _, name := range names {
		data, err := checkout.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		sum := sha256.Sum256(data)
		sums[name] = hex.EncodeToString(sum[:])
	}
	return sums, nil
}

// resume makes the files that earlier commits of the preview left count as seen, if only blocks come that stand behind those in the
// reply.
func (o *offering) resume() {
	for n, f := range o.fates {
		if f.SHA != "" && len(o.Numbers) > 0 && n > o.Numbers[0] {
			return
		}
	}
	if o.Question.Shown != nil {
		maps.Copy(o.Question.Shown, o.sums)
	}
}
