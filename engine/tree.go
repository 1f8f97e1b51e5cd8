package engine

import "errors"

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
