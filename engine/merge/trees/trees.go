// Package trees merges the trees of two branches that were made from the same one, in memory.
//
// It does what git does when it merges branches with a single merge base, by the changes of both sides since that base:
// adds, removals, modes, texts, and renames of unchanged and of similar files. What it merges is what git merges, with
// the same result. All else is a conflict of some Kind, never a guess: whatever is one for git, and what git decides by
// the order in which it reads directories. Attributes of files are not read: there are no merge drivers, and no
// conversions of line endings.
package trees

import (
	"errors"

	"github.com/tenon-bot/tenon/engine/merge"
)

// Mode says what an entry of a tree is, by git's number for it; 0 is no entry.
type Mode uint32

// The modes of entries. A file with any other mode is Regular, or Executable if its owner may execute it.
const (
	Regular    Mode = 0o100644
	Executable Mode = 0o100755
	Symlink    Mode = 0o120000
	Submodule  Mode = 0o160000

	kindOfMode Mode = 0o170000
)

// Entry is a file of a tree, a symbolic link or a submodule. The zero Entry is none.
type Entry struct {
	Mode Mode
	// ID is that of git's object, in hexadecimal digits.
	ID string
}

// exists reports whether there is an entry.
func (e Entry) exists() bool { return e.Mode != 0 }

// file reports whether an entry is a file rather than a link or a submodule.
func (e Entry) file() bool { return e.Mode&kindOfMode == Regular&kindOfMode }

// canonical returns an entry with one of the modes that there are today.
func (e Entry) canonical() Entry {
	switch {
	case e.file() && e.Mode&0o100 != 0:
		e.Mode = Executable
	case e.file():
		e.Mode = Regular
	}
	return e
}

// Side is one of the two branches.
type Side byte

// The sides.
const (
	Ours Side = 1 + iota
	Theirs
)

// other returns the other side.
func (s Side) other() Side { return Ours + Theirs - s }

// Change is a path at which a side differs from the base.
type Change struct {
	// Path has slashes, as in git.
	Path string
	// Base and Side are the entries of the base and of the side; zero where there is none.
	Base, Side Entry
}

// Input is what is merged.
type Input struct {
	// Ours and Theirs are all paths at which a side differs from the base, each once, in any order, without renames.
	Ours, Theirs []Change
	// HasDir reports whether the tree of a side has a directory at a path. It is asked of directories that the base has,
	// at most once each for a side.
	HasDir func(side Side, dir string) (bool, error)
	// Blob returns the content of a file. An error ends the merge, except ErrTooLarge.
	Blob func(id string) ([]byte, error)
}

// ErrTooLarge is returned by Input.Blob for a file that is too large to be read. It is merged without its content, like
// one that is not text.
var ErrTooLarge = errors.New("the blob is too large")

// Result is what becomes of ours.
type Result struct {
	// Merged are the paths at which the merge differs from ours, without those of conflicts, in order of their paths. The
	// paths of files that theirs renamed are removed here, whatever becomes of their content.
	Merged []Merged
	// Conflicts are what is not merged, in order of their paths; nil if the merge is clean.
	Conflicts []Conflict
	// Refusal is why nothing was merged; then the rest is empty.
	Refusal Refusal
}

// Clean reports whether everything was merged.
func (r Result) Clean() bool { return r.Refusal == "" && len(r.Conflicts) == 0 }

// Merged is an entry of the merge. If its mode is 0, the path is removed. If Text is nil, the entry is complete;
// otherwise it has a new content, which has no id yet.
type Merged struct {
	Path  string
	Entry Entry
	Text  []byte
}

// Refusal says why trees were not merged; empty if they were.
type Refusal string

// The refusals.
const (
	// TooManyChanges: a side has more than MaxChanges changes.
	TooManyChanges Refusal = "too-many-changes"
	// PathTooLong: a path has more than MaxPath bytes.
	PathTooLong Refusal = "path-too-long"
	// TooManyRenames: finding renamed files would take reading more than MaxRenameBytes.
	TooManyRenames Refusal = "too-many-renames"
	// TooManyTexts: both sides changed files of more than MaxTextBytes.
	TooManyTexts Refusal = "too-many-texts"
	// TooMuchWork: comparing files would take more work than was allowed.
	TooMuchWork Refusal = "too-much-work"
)

// The bounds of a merge.
const (
	// MaxChanges is how many paths a side may change.
	MaxChanges = 1 << 17
	// MaxPath is the length of the longest path, in bytes.
	MaxPath = 4096
	// MaxRenameBytes is how much is read to find renamed files, with what is kept to compare them.
	MaxRenameBytes = 1 << 27
	// MaxTextBytes is how much is read to merge files that both sides changed, all versions together.
	MaxTextBytes = 1 << 27
)

// bounds are the bounds of a merge, which tests make small.
type bounds struct{ changes, renameBytes, textBytes int }

// Conflict is what is not merged.
type Conflict struct {
	Kind Kind
	// Path is where the file belongs in the merge. No two conflicts have the same, and none is that of something merged.
	Path string
	// Base, Ours and Theirs are what each has. Their paths differ from Path if the file was renamed.
	Base, Ours, Theirs Version
	// Mode is that of the merged file, for a Kind whose result is a file; where the modes are in conflict, that of ours.
	Mode Mode
	// Pieces are the merge of a text: with conflicts if Kind is Text, or Generated and a text; without any for Location if
	// both sides changed the file.
	Pieces []merge.Piece
	// Command writes a Generated file again; elsewhere empty.
	Command string
	// Directory is where the other side moved the files that were beside it, for Location; empty if that is unclear.
	Directory string
	// Candidates are paths at which the file may be now, for RenameUnclear; those and Path are as they would be without
	// the conflict.
	Candidates []string
}

// Version is a file of a side. If its mode is 0, the side does not have it.
type Version struct {
	Path string
	Entry
}

// stop ends a merge.
type stop struct {
	refusal Refusal
	err     error
}
