package engine

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/meter"
)

// The default limits, as the definition of the format states them.
const (
	defaultFileBytes  = 2 << 20
	defaultBlocks     = 200
	defaultReplyBytes = 2 << 20
)

// verifyShare is which part of the work is left for Options.Verify, whatever the searches cost.
const verifyShare = 3

// Apply applies blocks to tree, in order: each block sees the edits of those before it. Each file is read once and, if
// a block changed it, written once at the end. After a block of a file failed, later blocks of that file are skipped. A
// changed file that Options.Verify finds problems in is not written, and its blocks fail, unless Options.AllowProblems
// allows it. The outcome of a block is in its Result and never an error; an error means that the tree could not be read
// or written, or that the context of Options.Work ended, and wraps that error. Then nothing was written, unless writing
// a file failed: files that sort before it have been written already.
func Apply(tree Tree, blocks []Block, opts Options) (Outcome, error) {
	return newApplier(tree, opts).apply(blocks)
}

func (a *applier) apply(blocks []Block) (Outcome, error) {
	if a.opts.Verify != nil {
		a.work.Keep(a.work.Left() / verifyShare)
	}
	a.results = make([]Result, 0, len(blocks))
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

// applier is the state of one call of Apply.
type applier struct {
	mode        applyMode
	tree        Tree
	opts        Options
	paths       resolver
	files       map[string]*file
	failedFiles map[string]bool
	results     []Result
	replyBytes  int
	work        *work
	// longWay turns off exactEdits, so that a test can compare the two ways.
	longWay bool
	// blocksOf has the indices of the blocks of each file, without those that repeat another.
	blocksOf map[string][]int
	// seen are the blocks so far, and their indices.
	seen map[blockKey]int
}

func newApplier(tree Tree, opts Options) *applier {
	opts.Limits.FileBytes = cmp.Or(opts.Limits.FileBytes, defaultFileBytes)
	opts.Limits.Blocks = cmp.Or(opts.Limits.Blocks, defaultBlocks)
	opts.Limits.ReplyBytes = cmp.Or(opts.Limits.ReplyBytes, defaultReplyBytes)
	w := newWork(cmp.Or(opts.Work, meter.Of(meter.Default)))
	return &applier{
		tree: tree, opts: opts, files: map[string]*file{}, failedFiles: map[string]bool{}, work: w,
		paths:    resolver{tree: tree, created: map[string]bool{}, work: w},
		blocksOf: map[string][]int{}, seen: map[blockKey]int{},
	}
}

// file is a file that at least one block refers to.
type file struct {
	path string
	text *text
	// original is the content in the tree, or nil for a new file.
	original []byte
	// shown is what the model saw, with the edits of the blocks so far, if that is another version; or nil.
	shown   []byte
	refusal *refusal
	dirty   bool
	// resultLines has the current line of the edit of each result so far.
	resultLines []resultLine
	// puts are the places of the edits so far.
	puts []put
}

// resultLine says that the edit of a result is at a line of the text, counted from 0.
type resultLine struct{ result, line int }

// applyBlock applies one block, appends its result and notes a file in which it failed.
func (a *applier) applyBlock(i int, b Block) error {
	res := Result{
		Block: b, Path: b.Path, Status: Failed,
		AnchorPreview: preview(b.Anchor), OldPreview: preview(b.Old), NewPreview: preview(b.New),
	}
	err := a.tryBlock(i, b, &res)
	if res.Status == Failed {
		a.failedFiles[res.Path] = true
	}
	a.results = append(a.results, res)
	return err
}

// tryBlock applies one block and sets its result. The error is the tree's own.
func (a *applier) tryBlock(i int, b Block, res *Result) error {
	a.replyBytes += len(b.Raw)
	if a.replyBytes > a.opts.Limits.ReplyBytes || i >= a.opts.Limits.Blocks {
		res.Reason = TooLarge
		res.Detail = fmt.Sprintf("Too much in one reply: at most %d blocks and %d bytes are applied",
			a.opts.Limits.Blocks, a.opts.Limits.ReplyBytes)
		return nil
	}
	if a.work.isUsedUp() {
		res.fail(tooMuchWork)
		return nil
	}
	target, refused, err := a.paths.resolve(b)
	if err != nil {
		return err
	}
	switch {
	case refused == nil:
		res.Path, res.Detail = target.path, target.note
	case refused.reason == FileNotFound:
		refused.detail = a.paths.notFound(target.path)
	}
	switch {
	case a.failedFiles[res.Path]:
		if !a.isRepeated(i, res.Path, b) {
			a.blocksOf[res.Path] = append(a.blocksOf[res.Path], i)
		}
		res.skip(EarlierFailed)
	case refused != nil:
		res.fail(*refused)
	case a.opts.Protected != nil && a.opts.Protected(target.path):
		res.fail(refusal{ProtectedPath, "Edits of this path are not allowed: " + target.path})
	case a.isRepeated(i, res.Path, b):
		res.skip(AlreadyApplied)
		res.Detail = detailRepeated
	default:
		a.blocksOf[res.Path] = append(a.blocksOf[res.Path], i)
		return a.editFile(b, target, res)
	}
	return nil
}

func (res *Result) skip(reason Reason) {
	res.Status, res.Reason, res.Detail = Skipped, reason, details[reason]
}

func (res *Result) fail(r refusal) {
	res.Status, res.Reason, res.Detail = Failed, r.reason, r.detail
}

// finish writes the changed files and sets the line of each result to that in the finished file.
func (a *applier) finish() (Outcome, error) {
	for _, path := range slices.Sorted(maps.Keys(a.files)) { // in order, as they share the budget of work
		a.settle(a.files[path])
	}
	out := Outcome{Results: a.results}
	after := make(map[string][]byte, len(a.files))
	a.work.Release()
	for _, path := range slices.Sorted(maps.Keys(a.files)) {
		f := a.files[path]
		data, changed := f.finalBytes(a.opts.LineFeeds)
		if changed && a.refuses(f, data) {
			continue
		}
		if changed {
			after[path] = data
			out.Changed = append(out.Changed, path)
		}
		if len(f.resultLines) == 0 {
			continue
		}
		last := max(f.text.countLines()-1, 0)
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
	for _, path := range out.Changed {
		if err := a.tree.WriteFile(path, after[path]); err != nil {
			return Outcome{}, fmt.Errorf("writing %s: %w", path, err)
		}
	}
	return out, nil
}

// finalBytes returns the content of f after all edits, and whether it differs from the original.
func (f *file) finalBytes(lineFeeds bool) (data []byte, changed bool) {
	if !f.dirty {
		return nil, false
	}
	data = f.text.bytes()
	if f.original != nil && bytes.Equal(data, f.original) {
		return nil, false
	}
	if lineFeeds {
		f.text.useLineFeeds()
		data = f.text.bytes()
	}
	return data, true
}
