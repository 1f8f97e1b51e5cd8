package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// ErrTooLarge is what a Tree's ReadFile wraps where it holds a file's name alone, because of its size.
var ErrTooLarge = errors.New("the file is too large")

// Kind is what a name in a tree stands for.
type Kind int

// The kinds of entries.
const (
	Absent Kind = iota
	File
	Folder
	Symlink
	Submodule
)

// Tree is a set of files to edit. Names are clean, relative and slash-separated. Apply uses a Tree from one goroutine.
type Tree interface {
	// Kind says what stands at name; Absent is no error. It does not follow links.
	Kind(name string) (Kind, error)
	// Files lists all regular files, sorted. Callers must not change the slice.
	Files() ([]string, error)
	// ReadFile returns a regular file's bytes; callers must not change them. Blocks of a file with ErrTooLarge are refused;
	// any other error ends Apply.
	ReadFile(name string) ([]byte, error)
	// WriteFile makes or replaces a regular file, with the folders above it, keeping an existing file's mode.
	WriteFile(name string, data []byte) error
}

// MemTree is a Tree in memory: file contents by name. Folders exist where a file lies below them. It is not safe for use by
// several goroutines while one of them writes.
type MemTree map[string][]byte

// Kind says what stands at name: File, Folder or Absent. The error is always nil.
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

// Files lists all files, sorted. The error is always nil.
func (t MemTree) Files() ([]string, error) { return slices.Sorted(maps.Keys(t)), nil }

// ReadFile returns a file's bytes, or an error that wraps fs.ErrNotExist.
func (t MemTree) ReadFile(name string) ([]byte, error) {
	data, ok := t[name]
	if !ok {
		return nil, fmt.Errorf("reading %s: %w", name, fs.ErrNotExist)
	}
	return data, nil
}

// WriteFile keeps data under name.
func (t MemTree) WriteFile(name string, data []byte) error {
	t[name] = data
	return nil
}
