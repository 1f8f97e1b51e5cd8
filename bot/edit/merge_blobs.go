package edit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/engine/merge/trees"
)

// maxRenameBytes is how many bytes of each commit are loaded at once to find renamed files.
const maxRenameBytes = 16 << 20

// mergeBlobs are the files that a merge reads.
type mergeBlobs struct {
	sides [3]repo.Checkout // the base, ours and theirs
	// places are where files are, by the ids of their blobs.
	places map[string]blobPlace
	// texts are the paths of files that both sides changed, moved those that a side added or removed.
	texts, moved []string
	// loaded reports that those were loaded.
	loaded bool
}

type blobPlace struct {
	side int
	path string
}

func newMergeBlobs(m Merge, ours, theirs []port.Change) *mergeBlobs {
	b := &mergeBlobs{sides: [3]repo.Checkout{m.Base, m.Tip, m.Theirs}, places: map[string]blobPlace{}}
	changed := make(map[string]string, len(ours)) // the blobs of ours, by path
	for side, list := range [][]port.Change{ours, theirs} {
		for _, c := range list {
			if isFile(c.OldMode) {
				b.places[c.OldBlob] = blobPlace{0, c.Path}
			}
			if isFile(c.Mode) {
				b.places[c.Blob] = blobPlace{side + 1, c.Path}
			}
			other, both := changed[c.Path]
			switch {
			case side == 0:
				changed[c.Path] = c.Blob
			case both && c.Blob != other && c.Blob != "" && other != "":
				b.texts = append(b.texts, c.Path)
			}
			if c.OldBlob == "" || c.Blob == "" {
				b.moved = append(b.moved, c.Path)
			}
		}
	}
	return b
}

// isFile reports whether a mode is that of a file, whose content a checkout can read.
func isFile(mode string) bool { return strings.HasPrefix(mode, "100") }

// loadTexts loads the files that both sides changed.
func (b *mergeBlobs) loadTexts(ctx context.Context) error {
	if len(b.texts) == 0 {
		return nil
	}
	return b.each(ctx, func(ctx context.Context, c repo.Checkout) error { return c.Load(ctx, b.texts...) })
}

// each does something with each of the commits.
func (b *mergeBlobs) each(ctx context.Context, do func(context.Context, repo.Checkout) error) error {
	calls := make([]func() error, len(b.sides))
	for i, c := range b.sides {
		calls[i] = func() error {
			if err := do(ctx, c); err != nil {
				return fmt.Errorf("loading files of %s: %w", c.SHA(), err)
			}
			return nil
		}
	}
	return port.Together(ctx, calls...)
}

// read returns the content of a blob. The first that is not there has files of all commits loaded that may be renamed,
// and each other one has further ones of its commit loaded with it.
func (b *mergeBlobs) read(ctx context.Context, id string) ([]byte, error) {
	at := b.places[id]
	c := b.sides[at.side]
	if missing(c, at.path) {
		if err := b.loadMoved(ctx, c); err != nil {
			return nil, err
		}
	}
	if missing(c, at.path) {
		if err := c.Load(ctx, at.path); err != nil {
			return nil, fmt.Errorf("loading %s of %s: %w", at.path, c.SHA(), err)
		}
	}
	data, err := c.ReadFile(at.path)
	if errors.Is(err, engine.ErrTooLarge) {
		return nil, trees.ErrTooLarge
	}
	return data, err
}

// missing reports whether a file has to be loaded before it is read.
func missing(c repo.Checkout, path string) bool {
	_, err := c.ReadFile(path)
	return err != nil && !errors.Is(err, engine.ErrTooLarge)
}

// loadMoved loads some of the files of a commit that may be renamed; the first time, of all commits.
func (b *mergeBlobs) loadMoved(ctx context.Context, c repo.Checkout) error {
	load := func(ctx context.Context, c repo.Checkout) error {
		rest := slices.DeleteFunc(slices.Clone(b.moved), func(path string) bool { return !missing(c, path) })
		return c.LoadSome(ctx, maxRenameBytes, rest...)
	}
	if !b.loaded {
		b.loaded = true
		return b.each(ctx, load)
	}
	return load(ctx, c)
}
