package engine

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/match"
	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/meter"
)

// applyMode says why blocks are applied.
type applyMode int

const (
	// applyOnce applies blocks that must be idempotent.
	applyOnce applyMode = iota
	// reapplying tries whether they are: it does not ask that again.
	reapplying
	// redoing applies blocks that were undone, whose result is known: it does not ask whether they are applied.
	redoing
)

// applier is the state of one call of Apply.
type applier struct {
	mode        applyMode
	tree        Tree
	opts        Options
	paths       resolver
	files       map[string]*file
	failedFiles map[string]bool
	// oldNames are the names in the tree of files that were renamed, by their new ones.
	oldNames   map[string]string
	blocks     []Block
	results    []Result
	replyBytes int
	work       *meter.Work
	// blocksOf has the indices of the blocks of each file, without those that repeat another.
	blocksOf map[string][]int
	// seen are the blocks so far.
	seen map[blockKey]bool
	// again returns what blocks make of a file with the given content; ok is false if they cannot be applied.
	again func(a *applier, mode applyMode, path string, data []byte, blocks []Block) (after []byte, ok bool)
}

// open returns the file at a path, reading it the first time.
func (a *applier) open(target resolvedPath) (*file, error) {
	if f := a.files[target.path]; f != nil {
		return f, nil
	}
	f := &file{path: target.path}
	if target.exists {
		data, err := a.tree.ReadFile(target.path)
		if err != nil && !errors.Is(err, ErrTooLarge) {
			return nil, fmt.Errorf("reading %s: %w", target.path, err)
		}
		if err != nil || len(data) > a.opts.Limits.FileBytes {
			f.refusal = a.fileTooLarge()
		} else if why := text.WhyBinary(data); why != "" {
			f.refusal = &refusal{BinaryFile, "Cannot edit binary file: " + why}
		} else {
			f.original, f.text = data, text.New(a.work, data)
			a.setShown(f)
		}
	}
	if f.text == nil {
		f.text = text.New(a.work, nil)
	}
	a.files[target.path] = f
	return f, nil
}

func (a *applier) fileTooLarge() *refusal {
	detail := fmt.Sprintf("The file is too large: at most %d bytes are edited", a.opts.Limits.FileBytes)
	return &refusal{TooLarge, detail}
}

// setShown sets what the model saw of a file, if that is known, and if it is another text than the file.
func (a *applier) setShown(f *file) {
	if a.opts.Base == nil {
		return
	}
	shown, ok := a.opts.Base(f.path)
	if !ok || len(shown) > a.opts.Limits.FileBytes || text.WhyBinary(shown) != "" {
		return
	}
	if f.isShown = true; !bytes.Equal(shown, f.original) {
		f.shown = shown
	}
}

// blockKey is what makes two blocks of a reply the same.
type blockKey struct {
	path, find, replace, op string
	at                      int
}

// keyOf returns the key of a block for a file: its halves without trailing whitespace, what it does with the file as a
// whole, and its line, since a diff can have two hunks of the same lines.
func keyOf(path string, b Block) blockKey {
	joined := func(lines []string) string { return strings.Join(text.KeysOf(text.TrimRight, lines), "\n") }
	op := b.MoveTo
	if b.Remove {
		op = "/"
	}
	return blockKey{path, joined(b.Find), joined(b.Replace), op, b.At}
}

// file is a file that at least one block refers to.
type file struct {
	path string
	text *text.Text
	// original is the content in the tree, or nil for a new file.
	original []byte
	// shown is what the model saw, with the edits of the blocks so far, if that is another version; or nil.
	shown []byte
	// isShown is set if it is known what the model saw, so that a second application of its reply shows by that.
	isShown bool
	refusal *refusal
	// removed is set if a block removed the file, and movedTo if one renamed it.
	removed bool
	movedTo string
	// log are the edits so far, in the order in which they were made.
	log   []text.Edit
	dirty bool
	// resultLines has the current line of the edit of each result so far.
	resultLines []resultLine
	// puts are the places of the edits so far.
	puts []put
}

// resultLine says that the edit of a result is at a line of the text, counted from 0.
type resultLine struct{ result, line int }

// splice makes edits, and moves what is noted about lines with them.
func (f *file) splice(edits []text.Edit) {
	f.text.Splice(edits)
	f.dirty = true
	for _, e := range slices.Backward(edits) { // so that none of them moves the lines of another
		f.log = append(f.log, e)
		for i := range f.resultLines {
			f.resultLines[i].line = shiftLine(e, f.resultLines[i].line)
		}
		for i := range f.puts {
			f.puts[i].shift(e)
		}
	}
}

// hint returns what a block says of its place, with the line where it is now.
func (f *file) hint(b Block) match.Hint {
	h := match.Hint{Line: b.At, Scope: b.Scope}
	for _, e := range f.log {
		if b.At > 0 {
			h.Line = shiftLine(e, h.Line-1) + 1
		}
	}
	return h
}

// shiftLine returns where a line is after an edit.
func shiftLine(e text.Edit, line int) int {
	switch {
	case line >= e.To:
		return line + len(e.Lines) - (e.To - e.From)
	case line > e.From:
		return min(line, e.From+len(e.Lines))
	}
	return line
}

// finalBytes returns the content of f after all edits, and whether it differs from the original.
func (f *file) finalBytes(lineFeeds bool) (data []byte, changed bool) {
	if !f.dirty {
		return nil, false
	}
	data = f.text.Bytes()
	if f.original != nil && bytes.Equal(data, f.original) {
		return nil, false
	}
	if lineFeeds {
		f.text.UseLineFeeds()
		data = f.text.Bytes()
	}
	return data, true
}
