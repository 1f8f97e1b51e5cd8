package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine"
)

// errEdited is the error for a file that was written by another program while a reply was applied.
var errEdited = errors.New("the file changed meanwhile; apply the reply again")

// overlay is a tree that keeps written files in memory until flush. Not safe for concurrent use.
type overlay struct {
	engine.Tree
	before, after map[string][]byte // contents as read, and as written
}

func newOverlay(tree engine.Tree) *overlay {
	return &overlay{Tree: tree, before: map[string][]byte{}, after: map[string][]byte{}}
}

func (o *overlay) Kind(name string) (engine.Kind, error) {
	if _, ok := o.after[name]; ok {
		return engine.File, nil
	}
	for written := range o.after {
		if strings.HasPrefix(written, name+"/") {
			return engine.Folder, nil
		}
	}
	return o.Tree.Kind(name)
}

func (o *overlay) Files() ([]string, error) {
	files, err := o.Tree.Files()
	if err != nil || len(o.after) == 0 {
		return files, err
	}
	files = slices.AppendSeq(slices.Clone(files), maps.Keys(o.after))
	slices.Sort(files)
	return slices.Compact(files), nil
}

func (o *overlay) ReadFile(name string) ([]byte, error) {
	if data, ok := o.after[name]; ok {
		return data, nil
	}
	data, err := o.Tree.ReadFile(name)
	if err == nil {
		o.before[name] = data
	}
	return data, err
}

func (o *overlay) WriteFile(name string, data []byte) error {
	o.after[name] = data
	return nil
}

// flush writes the named files to the underlying tree. It returns those that were written, also after an error.
func (o *overlay) flush(names []string) ([]string, error) {
	for i, name := range names {
		if err := o.flushOne(name); err != nil {
			return names[:i], fmt.Errorf("%w (%d of %d files are written)", err, i, len(names))
		}
	}
	return names, nil
}

// flushOne writes a file if it was not changed since it was read.
func (o *overlay) flushOne(name string) error {
	now, err := o.Tree.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	before, existed := o.before[name]
	if existed != (err == nil) || !bytes.Equal(now, before) {
		return fmt.Errorf("%s: %w", name, errEdited)
	}
	return o.Tree.WriteFile(name, o.after[name])
}
