// Package settle has the conflicts of a merge as people and models settle them: their numbers, what may be chosen for
// each, and what the paths of the merge become by the choices. It knows neither where the merge comes from nor who
// chooses. It is pure.
package settle

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/bot/resolution"
	"github.com/tenon-bot/tenon/engine/choice"
	"github.com/tenon-bot/tenon/engine/merge"
	"github.com/tenon-bot/tenon/engine/merge/trees"
)

// MaxConflicts is how many conflicts of one merge are settled here.
const MaxConflicts = 1000

// ErrTooMany is the error for a merge with more than MaxConflicts conflicts.
var ErrTooMany = errors.New("the merge has too many conflicts")

// Conflict is a conflict of a merge: one of lines, of which a text may have several, or a path.
type Conflict struct {
	// ID is its number among those of the merge, from 1.
	ID int
	// Path is where the file belongs.
	Path string
	// Lines are the sides of a conflict of lines; nil for any other kind.
	Lines *choice.Conflict
	// Line is the line of ours at which a conflict of lines begins, from 1.
	Line int
	// Protected is why policy forbids changes of the path, in a sentence without a full stop: it may only become what it
	// is in theirs. Empty if policy does not.
	Protected string
	// What are the versions of the path.
	What trees.Conflict
	// Key is made from the path, the kind and the sides, and from the lines around those of a text: conflicts that are the
	// same have the same one.
	Key string
}

// Whole reports whether all of ours, or of theirs, can be taken for the path: a conflict that is not one of lines may
// be about several paths, and what is renamed to a protected path is nowhere in theirs as it would be there.
func (c Conflict) Whole() bool {
	theirs := c.What.Theirs
	return c.What.Kind.OnePath() && (c.Protected == "" || theirs.Mode == 0 || theirs.Path == c.Path)
}

// ModesDiffer reports whether the sides disagree whether a text is executable: it becomes what it is in theirs if all
// of it is from there, and what it is in ours otherwise.
func (c Conflict) ModesDiffer() bool {
	base, ours, theirs := c.What.Base.Mode, c.What.Ours.Mode, c.What.Theirs.Mode
	return c.Lines != nil && ours != theirs && ours != base && theirs != base
}

// Merge is a merge with conflicts.
type Merge struct {
	Conflicts []Conflict
	// Files are the texts whose conflicts are of lines.
	Files []resolution.File
}

// New numbers the conflicts of a merge: in order of their paths, and of their places in a text. read returns the
// content of a version, by its id, and protected why policy forbids changes of a path. It returns ErrTooMany, or an
// error of read.
func New(list []trees.Conflict, read func(id string) ([]byte, error), protected func(path string) string) (Merge,
	error) {
	var m Merge
	for _, what := range list {
		c := Conflict{ID: len(m.Conflicts) + 1, Path: what.Path, What: what, Protected: protected(what.Path)}
		if what.Kind != trees.Text || c.Protected != "" {
			c.Key = keyOf(what)
			m.Conflicts = append(m.Conflicts, c)
			if len(m.Conflicts) > MaxConflicts {
				return Merge{}, ErrTooMany
			}
			continue
		}
		f := resolution.File{File: choice.File{Path: what.Path, Pieces: what.Pieces, First: c.ID}}
		if countConflicts(what.Pieces) > MaxConflicts-len(m.Conflicts) {
			return Merge{}, ErrTooMany
		}
		for _, v := range []struct {
			of trees.Version
			to *[]byte
		}{{what.Base, &f.Base}, {what.Ours, &f.Ours}, {what.Theirs, &f.Theirs}} {
			if v.of.Mode&0o170000 != trees.Regular&0o170000 {
				continue
			}
			var err error
			if *v.to, err = read(v.of.ID); err != nil {
				return Merge{}, fmt.Errorf("reading a version of %s: %w", what.Path, err)
			}
		}
		lines, keys := linesOfOurs(what.Pieces), keysOf(what)
		for i, one := range f.Conflicts() {
			c.ID, c.Lines, c.Line, c.Key = one.ID, &one, lines[i], keys[i]
			m.Conflicts = append(m.Conflicts, c)
		}
		m.Files = append(m.Files, f)
	}
	return m, nil
}

func countConflicts(pieces []merge.Piece) (n int) {
	for _, p := range pieces {
		if p.Conflict != nil {
			n++
		}
	}
	return n
}

// linesOfOurs returns the lines of ours at which the conflicts of a text begin. A merged line is counted as one of
// ours, so the numbers are about right if theirs has changes above.
func linesOfOurs(pieces []merge.Piece) (out []int) {
	line := 1
	for _, p := range pieces {
		if p.Conflict == nil {
			line += len(p.Lines)
			continue
		}
		out = append(out, line)
		line += len(p.Conflict.Ours)
	}
	return out
}

// Unsettled returns the conflicts that cannot be settled by a choice: whoever merges has to look at several paths.
func (m Merge) Unsettled() (out []Conflict) {
	return slices.DeleteFunc(slices.Clone(m.Conflicts), Conflict.Whole)
}

// file returns the text that a conflict of lines is in.
func (m Merge) file(c Conflict) resolution.File {
	for _, f := range m.Files {
		if f.Path == c.Path {
			return f
		}
	}
	return resolution.File{}
}
