package engine

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
)

// The default limits, as the format's definition states them.
const (
	defaultFileBytes  = 2 << 20
	defaultBlocks     = 200
	defaultReplyBytes = 2 << 20
)

// Apply fits blocks into tree, one after the other: each sees what the ones before it did. Each file is read once, and
// written once, at the end, when a block changed it; after a block of a file failed, its later blocks are skipped. What
// became of a block is in its Result and never an error: an error means that the tree could not be read or written, and
// wraps the tree's own. When writing fails, files before it in the alphabet are written already.
func Apply(tree Tree, blocks []Block, opts Options) (Outcome, error) {
	a := newApplier(tree, opts)
	for i, b := range blocks {
		if err := a.applyBlock(i, b); err != nil {
			return Outcome{}, fmt.Errorf("applying the block at line %d: %w", b.Line, err)
		}
	}
	return a.finish()
}

// Check says what Apply would say of one block, and writes nothing. A tree that cannot be read makes it FileNotFound, with
// the tree's error as the detail.
func Check(tree Tree, block Block, opts Options) Result {
	opts.DryRun = true
	out, err := Apply(tree, []Block{block}, opts)
	if err != nil {
		return Result{Block: block, Path: block.Path, Status: Failed, Reason: FileNotFound, Detail: err.Error()}
	}
	return out.Results[0]
}

// applier is one call of Apply.
type applier struct {
	tree        Tree
	opts        Options
	paths       resolver
	files       map[string]*file
	failedFiles map[string]bool
	results     []Result
	replyBytes  int
}

// file is a file in work.
type file struct {
	path string
	text *text
	// before is what the tree has, nil for a new file.
	original []byte
	refusal  *refusal
	dirty    bool
	// stands says where each result so far stands in the text, counted from 0.
	resultLines []resultLine
}

type resultLine struct{ result, line int }

func newApplier(tree Tree, opts Options) *applier {
	opts.Limits.FileBytes = cmp.Or(opts.Limits.FileBytes, defaultFileBytes)
	opts.Limits.Blocks = cmp.Or(opts.Limits.Blocks, defaultBlocks)
	opts.Limits.ReplyBytes = cmp.Or(opts.Limits.ReplyBytes, defaultReplyBytes)
	return &applier{
		tree: tree, opts: opts, files: map[string]*file{}, failedFiles: map[string]bool{},
		paths: resolver{tree: tree, created: map[string]bool{}},
	}
}

// block settles one block and keeps its result.
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

func (a *applier) tryBlock(i int, b Block, res *Result) error {
	a.replyBytes += len(b.Raw)
	if a.replyBytes > a.opts.Limits.ReplyBytes || i >= a.opts.Limits.Blocks {
		res.Reason = TooLarge
		res.Detail = fmt.Sprintf("Too much in one reply: at most %d blocks and %d bytes are applied", a.opts.Limits.Blocks, a.opts.Limits.ReplyBytes)
		return nil
	}
	found, refused, err := a.paths.resolve(b)
	if err != nil {
		return err
	}
	if refused == nil {
		res.Path, res.Detail = found.path, found.note
	}
	switch {
	case a.failedFiles[res.Path]:
		res.skip(EarlierFailed)
	case refused != nil:
		res.fail(*refused)
	case a.opts.Protected != nil && a.opts.Protected(found.path):
		res.fail(refusal{ProtectedPath, "Edits of this path are not allowed: " + found.path})
	default:
		return a.editFile(b, found, res)
	}
	return nil
}

func (res *Result) skip(reason Reason) {
	res.Status, res.Reason, res.Detail = Skipped, reason, sentences[reason]
}

func (res *Result) fail(no refusal) {
	res.Status, res.Reason, res.Detail = Failed, no.reason, no.detail
}

// finish writes what changed and counts the lines of the finished files.
func (a *applier) finish() (Outcome, error) {
	out := Outcome{Results: a.results}
	after := make(map[string][]byte, len(a.files))
	for path, f := range a.files {
		if data, changed := f.finalBytes(a.opts.LineFeeds); changed {
			after[path] = data
			out.Changed = append(out.Changed, path)
		}
		for _, s := range f.resultLines {
			out.Results[s.result].Line = min(s.line, max(len(f.text.lines)-1, 0)) + 1
		}
	}
	slices.Sort(out.Changed)
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

// after is what a file has come to, if that is something else.
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
