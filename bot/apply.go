package bot

import (
	"context"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/meter"
)

// applyOptions says how edit blocks are applied.
type applyOptions struct {
	policy policy.Policy
	// masked are the files of the run without their secrets.
	masked *secret.Files
	// shown is what the author of the blocks saw.
	shown retrieve.Selection
	// base has the files that changed since.
	base shownAt
	// asShown reports that nobody has seen the blocks since: they were written for what base has, and nothing else.
	asShown bool
	// allow reports whether a file is edited although it does not parse after that; nil allows none.
	allow func(path string) bool
	// bound refuses an edit that is not the one that people were shown; nil refuses none.
	bound func(block int, path string, e *engine.Edit) engine.Verdict
	// dry stages nothing.
	dry bool
	// cautions are set to those of the edits that are made; nil if nobody wants them.
	cautions *[]record.Caution
}

// examine returns what decides about each edit: whether its author knew what it removes, whether it is the one that was
// shown, and whether it can be seen.
func (opts applyOptions) examine(guard edit.Guard,
	blocks []engine.Block) func(int, string, *engine.Edit) engine.Verdict {
	examine := guard.Examine()
	return func(i int, path string, e *engine.Edit) engine.Verdict {
		if why := guard.Unseen(path); blocks[i].Whole && len(e.Removed) > 0 && why != "" {
			return engine.Verdict{Reason: engine.Partial, Detail: why}
		}
		if opts.bound != nil && blocks[i].MoveTo == "" { // a new name does not depend on what is in the file
			if v := opts.bound(i, path, e); v.Reason != "" {
				return v
			}
		}
		return examine(path, e)
	}
}

// anyFile allows every file.
func anyFile(string) bool { return true }

// commitOptions returns how the edits of a run are applied for a commit: what does not parse is as the policy has it.
func commitOptions(p policy.Policy, masked *secret.Files, shown retrieve.Selection, base shownAt) applyOptions {
	a := applyOptions{policy: p, masked: masked, shown: shown, base: base}
	if p.WarnOnly {
		a.allow = anyFile
	}
	return a
}

// applyBlocks applies edit blocks to a checkout.
func applyBlocks(ctx context.Context, checkout repo.Checkout, blocks []engine.Block, opts applyOptions) (engine.Outcome,
	error) {
	p := opts.policy
	if err := p.Bounds.Within(blocks); err != nil {
		return engine.Outcome{}, err
	}
	names, err := loadPaths(ctx, checkout, blocks)
	if err != nil {
		return engine.Outcome{}, err
	}
	guard := edit.Guard{Policy: p, Selection: opts.shown, Tree: checkout, Masked: opts.masked}
	quotes := newQuotes(opts.masked)
	work := meter.Within(ctx, meter.Default)
	verify := edit.NewVerify(work)
	if p.RefuseUnchecked {
		verify = verify.RefusingUnchecked()
	}
	check := quotes.verify(verify)
	var changed *editedFiles
	if opts.cautions != nil {
		if changed, err = newEditedFiles(checkout, names); err != nil {
			return engine.Outcome{}, err
		}
		check = changed.watching(check)
	}
	outcome, err := engine.Apply(checkout, blocks, engine.Options{
		DryRun: opts.dry, LineFeeds: p.LineFeeds, Protected: guard.Protects, Shown: guard.Shown,
		Base: opts.base, OnlyAsShown: opts.asShown,
		Work: work, Verify: check, AllowProblems: opts.allow, Examine: opts.examine(guard, blocks),
	})
	if err != nil {
		return engine.Outcome{}, fmt.Errorf("applying %d blocks: %w", len(blocks), err)
	}
	if changed != nil {
		*opts.cautions = cautionsOf(ctx, changed.list(outcome))
	}
	guard.Explain(outcome.Results)
	quotes.knowApplied(opts, guard, outcome.Results)
	quotes.Results(outcome.Results)
	return outcome, nil
}

// knowApplied adds what the results of an application quote besides the files as they become: the blocks, the files as
// they were shown, and those that must not be edited, of which a block may have been pasted that quotes them.
func (q *quotes) knowApplied(opts applyOptions, guard edit.Guard, results []engine.Result) {
	known := map[string]bool{}
	for _, res := range results {
		for _, lines := range [][]string{res.Block.Find, res.Block.Replace} {
			if len(lines) > 0 {
				q.know([]byte(strings.Join(lines, "\n")))
			}
		}
		if known[res.Path] {
			continue
		}
		known[res.Path] = true
		if opts.base != nil {
			if data, ok := opts.base(res.Path); ok {
				q.know(data)
			}
		}
		if res.Reason != engine.ProtectedPath {
			continue
		}
		if kind, err := guard.Tree.Kind(res.Path); err != nil || kind != engine.File {
			continue
		}
		data, err := guard.Tree.ReadFile(res.Path)
		switch {
		case err != nil:
		case guard.Withholds(res.Path):
			q.Know(secret.MaskAll(string(data)))
		default:
			q.know(data)
		}
	}
}
