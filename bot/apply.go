package bot

import (
	"context"
	"fmt"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine"
)

// applyBlocks applies edit blocks to a checkout as the policy allows it; shown is what their author saw, and base has
// the files that changed since. A dry run stages nothing.
func applyBlocks(ctx context.Context, checkout repo.Checkout, p policy.Policy, shown retrieve.Selection, base shownAt,
	blocks []engine.Block, dry bool) (engine.Outcome, error) {
	if err := p.Bounds.Within(blocks); err != nil {
		return engine.Outcome{}, err
	}
	if _, err := loadPaths(ctx, checkout, blocks); err != nil {
		return engine.Outcome{}, err
	}
	guard := edit.Guard{Policy: p, Selection: shown, Tree: checkout}
	outcome, err := engine.Apply(checkout, blocks, engine.Options{
		DryRun: dry, LineFeeds: p.LineFeeds, Protected: guard.Protects, Shown: guard.Shown, Base: base,
	})
	if err != nil {
		return engine.Outcome{}, fmt.Errorf("applying %d blocks: %w", len(blocks), err)
	}
	guard.Explain(outcome.Results)
	secret.RedactResults(outcome.Results)
	return outcome, nil
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
