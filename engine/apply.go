package engine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/meter"
)

// verifyShare is which part of the work is left for Options.Verify, whatever the searches cost.
const verifyShare = 3

// Apply applies blocks to tree, in order: each block sees the edits of those before it. Each file is read once and, if
// a block changed it, written once at the end. After a block of a file failed, later blocks of that file are skipped. A
// changed file that Options.Verify finds problems in is not written, and its blocks fail, unless Options.AllowProblems
// allows it; the same happens to a file that Options.Verify refuses. The outcome of a block is in its Result and never
// an error; an error means that the tree could not be read or written, or that the context of Options.Work ended, and
// wraps that error. Then nothing was written, unless writing a file failed: files that sort before it have been written
// already.
func Apply(tree Tree, blocks []Block, opts Options) (Outcome, error) {
	return newApplier(tree, opts).apply(blocks)
}

func (a *applier) apply(blocks []Block) (Outcome, error) {
	if a.opts.Verify != nil {
		a.work.Keep(a.work.Left() / verifyShare)
	}
	a.blocks, a.results = blocks, make([]Result, 0, len(blocks))
	for i, b := range blocks {
		err := a.applyBlock(i, b)
		if err == nil {
			err = a.work.Err()
		}
		if err != nil {
			return Outcome{}, fmt.Errorf("applying the block at line %d: %w", b.Line, err)
		}
	}
	return a.finish()
}

// Check returns what the Result of block would be if Apply were called for it alone, and writes nothing. If the tree
// cannot be read, it is FileNotFound, with the tree's error as the detail.
func Check(tree Tree, block Block, opts Options) Result {
	opts.DryRun = true
	out, err := Apply(tree, []Block{block}, opts)
	if err != nil {
		return Result{Block: block, Path: block.Path, Status: Failed, Reason: FileNotFound, Detail: err.Error()}
	}
	return out.Results[0]
}

func newApplier(tree Tree, opts Options) *applier {
	opts.Limits = opts.Limits.withDefaults()
	w := cmp.Or(opts.Work, meter.Of(meter.Default))
	return &applier{
		tree: tree, opts: opts, files: map[string]*file{}, failedFiles: map[string]bool{}, work: w,
		oldNames: map[string]string{},
		paths:    resolver{tree: tree, created: map[string]bool{}, work: w},
		blocksOf: map[string][]int{}, seen: map[blockKey]bool{}, again: reapply,
	}
}

// reapply returns what blocks make of a file with the given content; ok is false if they cannot be applied.
func reapply(a *applier, mode applyMode, path string, data []byte, blocks []Block) (after []byte, ok bool) {
	tree := MemTree{path: data}
	sub := newApplier(tree, Options{
		DisabledLevels: a.opts.DisabledLevels, Limits: a.opts.Limits, Work: a.work, without: a.opts.without,
	})
	sub.mode, sub.blocks = mode, blocks
	for i, b := range blocks {
		b.Path, b.Candidates = path, nil
		if sub.applyBlock(i, b) != nil {
			return nil, false
		}
	}
	if _, err := sub.finish(); err != nil {
		return nil, false
	}
	return tree[path], true
}

// finish writes the changed files and sets the line of each result to that in the finished file.
func (a *applier) finish() (Outcome, error) {
	for _, path := range slices.Sorted(maps.Keys(a.files)) { // in order, as they share the budget of work
		a.settle(a.files[path])
	}
	out := Outcome{Results: a.results}
	defer func() { slices.Sort(out.Changed) }()
	after := make(map[string][]byte, len(a.files))
	a.work.Release()
	for _, path := range slices.Sorted(maps.Keys(a.files)) {
		f := a.files[path]
		data, changed := f.finalBytes(a.opts.LineFeeds)
		if changed && !f.removed && a.refuses(f, data) {
			f.movedTo = ""
			continue
		}
		if changed {
			after[path] = data
		}
		out.Changed = append(out.Changed, a.changedNames(f, changed)...)
		if len(f.resultLines) == 0 || f.removed {
			continue
		}
		last := max(len(f.text.Lines())-1, 0)
		for _, l := range f.resultLines {
			out.Results[l.result].Line = min(l.line, last) + 1
		}
	}
	if err := a.work.Err(); err != nil {
		return Outcome{}, fmt.Errorf("verifying %d files: %w", len(out.Changed), err)
	}
	if a.opts.DryRun {
		return out, nil
	}
	for _, path := range slices.Sorted(maps.Keys(a.files)) {
		data, edited := after[path]
		if err := a.write(a.files[path], data, edited); err != nil {
			return Outcome{}, err
		}
	}
	return out, nil
}
