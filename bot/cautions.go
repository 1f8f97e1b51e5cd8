package bot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/tenon-bot/tenon/bot/caution"
	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/meter"
)

// editedFiles are the files that edits change: as they are in the checkout, by their names there, and as they become,
// if their text changes.
type editedFiles struct {
	checkout      repo.Checkout
	before, after map[string][]byte
	executable    map[string]bool
}

// newEditedFiles reads the files of names as they are without the edits. They are loaded.
func newEditedFiles(checkout repo.Checkout, names []string) (*editedFiles, error) {
	c := &editedFiles{checkout, map[string][]byte{}, map[string][]byte{}, map[string]bool{}}
	for _, name := range names {
		data, err := checkout.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, engine.ErrTooLarge) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		if data == nil {
			data = []byte{}
		}
		c.before[name] = data
		if c.executable[name], err = checkout.Executable(name); err != nil {
			return nil, fmt.Errorf("reading the mode of %s: %w", name, err)
		}
	}
	return c, nil
}

// watching is a verification that sees what files become.
func (c *editedFiles) watching(
	verify func(path string, before, after []byte) engine.Verification,
) func(string, []byte, []byte) engine.Verification {
	return func(path string, before, after []byte) engine.Verification {
		c.after[path] = after
		return verify(path, before, after)
	}
}

// list returns the files that an outcome changes.
func (c *editedFiles) list(o engine.Outcome) (files []caution.File) {
	from := map[string]string{} // the old names of renamed files
	for _, r := range o.Results {
		if r.Status == engine.Applied && r.From != "" {
			from[r.Path] = r.From
		}
	}
	renamed := map[string]bool{}
	for _, old := range from {
		renamed[old] = true
	}
	removed := map[string]bool{}
	for _, r := range o.Results {
		if r.Status == engine.Applied {
			removed[r.Path] = r.Block.Remove
		}
	}
	for _, name := range o.Changed {
		f := caution.File{Path: name, Before: c.before[name], WasExecutable: c.executable[name]}
		old, isNew := from[name]
		switch {
		case removed[name] || renamed[name] && !isNew:
		case isNew:
			f.After = firstText(c.after[name], c.after[old], c.before[old])
			f.Executable = c.executable[old]
		default:
			f.After, f.Executable = firstText(c.after[name]), f.WasExecutable
		}
		files = append(files, f)
	}
	return files
}

// firstText returns the first text that there is; an empty one if there is none.
func firstText(texts ...[]byte) []byte {
	for _, text := range texts {
		if text != nil {
			return text
		}
	}
	return []byte{}
}

// cautionsOf returns the cautions of changed files.
func cautionsOf(ctx context.Context, files []caution.File) []record.Caution {
	return record.Cautions(caution.Find(meter.Within(ctx, caution.Work), files))
}

// cautions returns the cautions of a change that was staged. A merge, and an undo, has none: its lines are those of
// other people, or were there before.
func (c committer) cautions(ctx context.Context, head record.Target, checkout repo.Checkout,
	ch change) ([]record.Caution, error) {
	switch {
	case ch.cautions != nil:
		return ch.cautions(), nil
	case !ch.operates:
		return nil, nil
	}
	changes, err := c.fileChanges(ctx, head, checkout)
	var files []caution.File
	for _, one := range changes { // an operation changes no mode
		files = append(files, caution.File{Path: one.Path, Before: one.Before, After: one.After})
	}
	return cautionsOf(ctx, files), err
}

// mayHoldBack reports whether the run commits what a model writes, and the settings hold that if it has a caution.
func (r *run) mayHoldBack() bool {
	asks := []string{command.Fix, command.Retry, command.Address}
	return r.policy.HoldCautions && slices.Contains(asks, r.inv.Command.Verb)
}

// holdBack shows the edits of a conversation as a preview, and reports that it did, if the settings hold edits with a
// caution and these have one. A resumed run does again what its first attempt did.
func holdBack(ctx context.Context, r *run, j conversation.Job) (bool, error) {
	rec := r.journal.Record()
	if rec.Preview == nil && (rec.Committing || !r.mayHoldBack()) {
		return false, nil
	}
	v := history.Preview{Run: r.id(), Event: r.ev, Job: j}
	if rec.Preview == nil {
		tried, err := r.tryEdits(ctx, j)
		if err != nil || len(tried.Cautions) == 0 {
			return false, err
		}
		tried.HeldBack = true
		v.Preview = tried
	}
	return true, showPreview(ctx, r, v)
}
