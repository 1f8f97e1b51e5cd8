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

// overlay is a tree that keeps what is written, removed and renamed in memory until flush. Not safe for concurrent use.
type overlay struct {
	writable
	before, after map[string][]byte // contents as read, and as written; nil for a file that was removed or renamed
	from          map[string]string // the old names of renamed files, by their new ones
}

// writable is a tree to which an overlay is flushed.
type writable interface {
	engine.Tree
	Remove(name string) error
	Move(from, to string) error
}

var _ writable = (*overlay)(nil)

func newOverlay(tree writable) *overlay {
	return &overlay{writable: tree, before: map[string][]byte{}, after: map[string][]byte{}, from: map[string]string{}}
}

func (o *overlay) Kind(name string) (engine.Kind, error) {
	if data, ok := o.after[name]; ok && data == nil {
		return engine.Absent, nil
	} else if ok {
		return engine.File, nil
	}
	for written, data := range o.after {
		if data != nil && strings.HasPrefix(written, name+"/") {
			return engine.Folder, nil
		}
	}
	return o.writable.Kind(name)
}

func (o *overlay) Files() ([]string, error) {
	files, err := o.writable.Files()
	if err != nil || len(o.after) == 0 {
		return files, err
	}
	files = slices.AppendSeq(slices.Clone(files), maps.Keys(o.after))
	slices.Sort(files)
	return slices.DeleteFunc(slices.Compact(files), o.isRemoved), nil
}

func (o *overlay) isRemoved(name string) bool {
	data, ok := o.after[name]
	return ok && data == nil
}

func (o *overlay) ReadFile(name string) ([]byte, error) {
	if o.isRemoved(name) {
		return nil, fmt.Errorf("reading %s: %w", name, fs.ErrNotExist)
	}
	if data, ok := o.after[name]; ok {
		return data, nil
	}
	data, err := o.writable.ReadFile(name)
	if err == nil {
		o.before[name] = data
	}
	return data, err
}

func (o *overlay) WriteFile(name string, data []byte) error {
	o.after[name] = append([]byte{}, data...)
	return nil
}

// Remove removes a file, which was read before.
func (o *overlay) Remove(name string) error {
	o.after[name] = nil
	return nil
}

// Move renames a file.
func (o *overlay) Move(from, to string) error {
	data, err := o.ReadFile(from)
	if err != nil {
		return err
	}
	o.after[from], o.after[to], o.from[to] = nil, append([]byte{}, data...), from
	return nil
}

// flush changes the named files in the underlying tree. It returns those that were changed, also after an error.
func (o *overlay) flush(names []string) (done []string, err error) {
	old := slices.Collect(maps.Values(o.from))
	for _, name := range names {
		if slices.Contains(old, name) {
			continue // with its new name
		}
		if err := o.flushOne(name); err != nil {
			slices.Sort(done)
			return done, fmt.Errorf("%w (%d of %d files are written)", err, len(done), len(names))
		}
		if from, moved := o.from[name]; moved {
			done = append(done, from)
		}
		done = append(done, name)
	}
	slices.Sort(done)
	return done, nil
}

// flushOne changes a file if it was not changed since it was read.
func (o *overlay) flushOne(name string) error {
	if err := o.checkUnchanged(name); err != nil {
		return err
	}
	after, from := o.after[name], o.from[name]
	switch {
	case after == nil:
		return o.writable.Remove(name)
	case from == "":
		return o.writable.WriteFile(name, after)
	}
	if err := o.checkUnchanged(from); err != nil {
		return err
	}
	if err := o.writable.Move(from, name); err != nil || bytes.Equal(after, o.before[from]) {
		return err
	}
	return o.writable.WriteFile(name, after)
}

func (o *overlay) checkUnchanged(name string) error {
	now, err := o.writable.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	before, existed := o.before[name]
	if existed != (err == nil) || !bytes.Equal(now, before) {
		return fmt.Errorf("%s: %w", name, errEdited)
	}
	return nil
}
