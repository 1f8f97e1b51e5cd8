// Package resolution has a model settle the conflicts of a merge, by choosing among the lines of both sides: it makes
// the questions, reads the replies, and says what is wrong with a file as the model would have it. It knows neither
// where the files come from nor where they go.
package resolution

import (
	"slices"

	"github.com/tenon-bot/tenon/engine/choice"
	"github.com/tenon-bot/tenon/engine/merge"
)

// File is a file with conflicts, and its three versions.
type File struct {
	choice.File
	Base, Ours, Theirs []byte
}

// NewFile merges three versions of a file; first is the ID of its first conflict. There is no
// file with a refusal.
func NewFile(path string, base, ours, theirs []byte, first int) (File, merge.Refusal) {
	pieces, refusal := merge.Pieces(base, ours, theirs)
	if refusal != "" {
		return File{}, refusal
	}
	return File{choice.File{Path: path, Pieces: pieces, First: first}, base, ours, theirs}, ""
}

// Branch is one of two branches that are merged.
type Branch struct {
	// Name is that of the branch, in one line.
	Name string
	// Subjects are those of the commits that only this branch has, newest first.
	Subjects []string
}

// Merge is a merge with conflicts in texts. Its conflicts have different IDs.
type Merge struct {
	Ours, Theirs Branch
	Files        []File
}

// Settled is what is known of the conflicts of a merge, by their IDs.
type Settled map[int]choice.Answer

// Lines returns what those conflicts become that are not left open.
func (s Settled) Lines() map[int][]choice.Line {
	out := map[int][]choice.Line{}
	for id, a := range s {
		if _, open := a.Choice.Question(); !open {
			out[id] = a.Lines
		}
	}
	return out
}

// New returns the lines that no side has, for those conflicts of a file that have any.
func (s Settled) New(f choice.File) map[int][]string {
	out := map[int][]string{}
	for _, c := range f.Conflicts() {
		for _, line := range s[c.ID].Lines {
			if line.Origin == choice.New {
				out[c.ID] = append(out[c.ID], line.Text)
			}
		}
	}
	return out
}

// without returns the conflicts of a file that are not settled.
func (s Settled) without(f choice.File) []choice.Conflict {
	return slices.DeleteFunc(f.Conflicts(), func(c choice.Conflict) bool { _, ok := s[c.ID]; return ok })
}
