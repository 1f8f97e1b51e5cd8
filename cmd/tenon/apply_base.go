package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/worktree"
)

// baseFiles are the files that the model saw, where they are not those of the work tree but of a commit.
type baseFiles struct {
	revision *worktree.Revision
	tree     engine.Tree
	read     map[string]baseFile
	// err is the first error of git.
	err error
}

type baseFile struct {
	data []byte
	ok   bool
}

// openBase opens the commit that --base names; without --base it returns nil.
func openBase(ctx context.Context, tree *worktree.Tree, name string) (*baseFiles, error) {
	if name == "" {
		return nil, nil
	}
	revision, err := tree.Revision(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("--base: %w", err)
	}
	return &baseFiles{revision: revision, tree: tree, read: map[string]baseFile{}}, nil
}

// use has the engine merge edits of files that differ from those of the commit.
func (b *baseFiles) use(ctx context.Context, opts *engine.Options) {
	if b == nil {
		return
	}
	opts.Base = func(name string) ([]byte, bool) {
		f := b.file(ctx, name)
		return f.data, f.ok
	}
	opts.Shown = func(name string) engine.Shown {
		f := b.file(ctx, name)
		if !f.ok {
			return engine.ShownUnknown
		}
		if data, err := b.tree.ReadFile(name); err != nil || !bytes.Equal(data, f.data) {
			return engine.ShownChanged
		}
		return engine.ShownSame
	}
}

// file returns a file of the commit, which is read once.
func (b *baseFiles) file(ctx context.Context, name string) baseFile {
	f, known := b.read[name]
	if !known && b.err == nil {
		f.data, f.ok, b.err = b.revision.ReadFile(ctx, name)
		b.read[name] = f
	}
	return f
}

// failed returns why files of the commit could not be read; nil if they could.
func (b *baseFiles) failed() error {
	if b == nil || b.err == nil {
		return nil
	}
	return fmt.Errorf("--base: %w", b.err)
}
