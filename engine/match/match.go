package match

import (
	"slices"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// Match is a place where a block matches, and the edits to make there.
type Match struct {
	// Pattern has the lines that match: those of the block, less the differences that the level ignores.
	Pattern Pattern
	// At maps each line to find to its line in the file, counted from 0, or to -1 for a blank line that the file lacks.
	At    []int
	Edits []text.Edit
	// Ambiguity says in a clause why the edits are uncertain although the place is not; empty if they are certain.
	Ambiguity string
	// parts are the matches of the segments of a block with "...".
	parts []Match
	// plain is the level at which the block matches once line numbers are cut off; 0 if it has none.
	plain block.Level
	// isRestyled is set if the new lines are not indented as in the block.
	isRestyled bool
}

// First returns the first line of the file that the match covers.
func (m Match) First() int {
	for _, n := range m.At {
		if n >= 0 {
			return n
		}
	}
	return 0
}

// Last returns the last line of the file that the match covers.
func (m Match) Last() int {
	for _, n := range slices.Backward(m.At) {
		if n >= 0 {
			return n
		}
	}
	return 0
}

// overlaps reports whether two matches have lines of the file in common, or lie within each other.
func (m Match) overlaps(other Match) bool {
	return m.First() <= other.Last() && other.First() <= m.Last()
}

// within reports whether all lines of a match are among those of another, which has lines.
func (m Match) within(other Match) bool {
	return len(other.At) > 0 && m.First() >= other.First() && m.Last() <= other.Last()
}
