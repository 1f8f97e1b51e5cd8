// Package tree has the interface to the files that are edited, and says which paths are safe and which names new files
// may have. It is pure.
package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// ErrTooLarge is wrapped by the error of ReadFile for a file whose content a Tree does not have because of its size.
var ErrTooLarge = errors.New("the file is too large")

// Kind is the kind of an entry in a tree.
type Kind int

// The kinds of entries.
const (
	Absent Kind = iota
	File
	Folder
	Symlink
	Submodule
	// Ignored is an entry that is there and does not belong to the tree, such as a file that git ignores. It is neither
	// read nor replaced.
	Ignored
)

// Tree is a set of files to edit. Names are clean, relative and slash-separated. Apply uses a Tree from one
// goroutine.
//
// A Tree with links or submodules should also have a method
//
//	Links(folder string) ([]string, error)
//
// that returns the names of those below a folder, or of all for the empty name. Then no file is made whose name means a
// link in another spelling, as it does on systems that ignore case.
//
// A Tree of very many files should also have the methods
//
//	Named(base string) ([]string, error)
//	Entries(folder string, visit func(name string, kind Kind)) error
//
// Named returns the regular files of a base name, sorted. Entries calls visit for what is in a folder, the root for the
// empty name, if there is such a folder. Then not all files are listed to find one, or a name that is taken.
//
// A Tree whose files can be removed and renamed should also have the methods
//
//	Remove(name string) error
//	Move(from, to string) error
//
// Move renames a regular file to a name that nothing has, with its mode. Without these methods, blocks that do so fail.
type Tree interface {
	// Kind returns the kind of the entry at name, without following links. An absent name is not an error.
	Kind(name string) (Kind, error)
	// Files returns all regular files, sorted. Callers must not modify the slice.
	Files() ([]string, error)
	// ReadFile returns the content of a regular file; callers must not modify it. Blocks of a file with ErrTooLarge
	// fail; any other error ends Apply.
	ReadFile(name string) ([]byte, error)
	// WriteFile creates or replaces a regular file, and the folders above it. An existing file keeps its mode.
	WriteFile(name string, data []byte) error
}

// MemTree is a Tree in memory: file contents by name. A folder exists if a file lies below it. A MemTree must not be
// used by other goroutines while one of them writes.
type MemTree map[string][]byte

// Kind returns File, Folder or Absent. The error is always nil.
func (t MemTree) Kind(name string) (Kind, error) {
	if _, ok := t[name]; ok {
		return File, nil
	}
	for file := range t {
		if strings.HasPrefix(file, name) && len(file) > len(name) && file[len(name)] == '/' {
			return Folder, nil
		}
	}
	return Absent, nil
}

// Files returns all files, sorted. The error is always nil.
func (t MemTree) Files() ([]string, error) { return slices.Sorted(maps.Keys(t)), nil }

// ReadFile returns the content of a file, or an error that wraps fs.ErrNotExist.
func (t MemTree) ReadFile(name string) ([]byte, error) {
	data, ok := t[name]
	if !ok {
		return nil, fmt.Errorf("reading %s: %w", name, fs.ErrNotExist)
	}
	return data, nil
}

// WriteFile sets the content of a file. The error is always nil.
func (t MemTree) WriteFile(name string, data []byte) error {
	t[name] = data
	return nil
}

// Remove removes a file, if there is one. The error is always nil.
func (t MemTree) Remove(name string) error {
	delete(t, name)
	return nil
}

// Move renames a file, or returns an error that wraps fs.ErrNotExist.
func (t MemTree) Move(from, to string) error {
	data, err := t.ReadFile(from)
	if err == nil {
		delete(t, from)
		t[to] = data
	}
	return err
}
