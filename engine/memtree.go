package engine

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

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
