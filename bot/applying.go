package bot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine"
)

// applying is the change that makes the chosen edits, under the rules of a fix: for what may be edited, and for how
// exactly a block must fit a file that the model saw, that changed since, or that it never saw.
func (m changer) applying(c *candidates) change {
	earlier := retrieve.Selection{Shown: c.sums}
	why := ""
	if c.origin != nil { // what a person pasted says more than why
		why = c.Conversation.Reply().Explanation
	}
	var cautions []record.Caution
	return change{
		cautions: func() []record.Caution { return cautions },
		chosen:   true,
		stage: func(ctx context.Context, checkout repo.Checkout, p policy.Policy) (out engine.Outcome, err error) {
			blocks := c.Conversation.Blocks()
			known, err := filesAsShown(ctx, checkout, c.Prompt.Selection, blocks)
			if err != nil {
				return out, err
			}
			asLeft, err := filesAsShown(ctx, checkout, earlier, blocks)
			if err != nil {
				return out, err
			}
			var base shownAt
			if c.origin != nil {
				base, err = changedSince(ctx, m.files, c.Target, versionsOf(c.origin.Job), c.Prompt.Selection, checkout,
					blocks)
			}
			if err != nil {
				return out, err
			}
			opts := commitOptions(p, m.files.masked, c.Prompt.Selection, base)
			opts.cautions = &cautions
			opts.bound = c.binding(func(path string) bool {
				return slices.Contains(known, path) || slices.Contains(asLeft, path)
			})
			if opts.allow == nil {
				opts.allow = c.allows
			}
			out, err = applyBlocks(ctx, checkout, blocks, opts)
			if err == nil {
				c.sums, err = sumsOf(checkout, known)
			}
			return out, err
		},
		message: func(a record.Application) string { return m.messages.ofEdits(c.Conversation, why, a) },
		numbers: c.Numbers,
		apart: func(ctx context.Context, results []record.Result, p policy.Policy) (repo.Checkout, error) {
			if c.origin == nil {
				return nil, nil
			}
			return m.editsApart(ctx, c.Job, versionsOf(c.origin.Job), results, p)
		},
	}
}

// A block may fit loosely only in a file that the model saw, or that earlier blocks of its reply made of such a file.
// If blocks are committed one after another, the files that the earlier ones left must be known for that: by their
// SHA-256.

// filesAsShown lists the files of blocks that are in the checkout as the model saw them, or as earlier blocks of its
// reply left them.
func filesAsShown(ctx context.Context, checkout repo.Checkout, shown retrieve.Selection,
	blocks []engine.Block) ([]string, error) {
	if len(shown.Shown) == 0 {
		return nil, nil
	}
	names, err := loadPaths(ctx, checkout, blocks)
	guard := edit.Guard{Selection: shown, Tree: checkout}
	return slices.DeleteFunc(names, func(name string) bool { return guard.Shown(name) != engine.ShownSame }), err
}

// sumsOf returns the SHA-256 of those of some files that are there, in hexadecimal.
func sumsOf(checkout repo.Checkout, names []string) (map[string]string, error) {
	sums := map[string]string{}
	for _, name := range names {
		data, err := checkout.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) { // removed or renamed
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		sum := sha256.Sum256(data)
		sums[name] = hex.EncodeToString(sum[:])
	}
	return sums, nil
}
