package conflicts

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/choice"
	"github.com/tenon-bot/tenon/engine/merge"
)

// Kind is what is in conflict in a file, by git.
type Kind string

// The kinds. Of a rename that both branches made in different ways, the parts are files of their own, with a version
// each.
const (
	// CleanFile: nothing; both branches changed the file.
	CleanFile Kind = "clean"
	// BothChanged and BothAdded have a version on both branches.
	BothChanged Kind = "changed"
	BothAdded   Kind = "added"
	// OursDeleted and TheirsDeleted have base and one side.
	OursDeleted   Kind = "deleted-by-ours"
	TheirsDeleted Kind = "deleted-by-theirs"
	// Part has one version.
	Part Kind = "part"
	// Nested has a version with conflict markers, which git made of a rename.
	Nested Kind = "nested"
	// Submodule and Link have a version that is one.
	Submodule Kind = "submodule"
	Link      Kind = "symlink"
	// Binary, TooLarge, TooDifferent: merge.Pieces refuses it.
	Binary       Kind = "binary"
	TooLarge     Kind = "too-large"
	TooDifferent Kind = "too-different"
	// Unreadable: a version is not in the repository, is over 16 MiB, or git has no file there, or its markers are not in
	// order.
	Unreadable Kind = "unreadable"
)

// File is what was measured of a file of a merge.
type File struct {
	Repo  string `json:"repo"`
	Merge string `json:"merge"`
	Path  string `json:"path"`
	Kind  Kind   `json:"kind"`
	// Outside is how many bytes outside of conflicts are not as git has them.
	Outside int `json:"outside"`
	// OnlyGit and OnlyHere: one merge has conflicts and the other one has none.
	OnlyGit  bool `json:"only_git,omitempty"`
	OnlyHere bool `json:"only_here,omitempty"`
	// Gone: the person's commit does not have the file.
	Gone      bool       `json:"gone,omitempty"`
	Conflicts []Conflict `json:"conflicts,omitempty"`

	// clean is set if git merged it, compared if its text was compared with git's.
	clean, compared bool
}

// Conflict is a conflict in a file, and what a person made of it.
type Conflict struct {
	// Name is like "C1": conflicts are counted by the paths of their files, in each from above.
	Name string `json:"name"`
	// Line is where the conflict begins in the merged text with all conflicts settled by ours, from 1.
	Line   int    `json:"line"`
	Base   string `json:"base"`
	Ours   string `json:"ours"`
	Theirs string `json:"theirs"`
	// Located: the place of the conflict is found in the person's file, and Person is what is there.
	Located bool   `json:"located"`
	Person  string `json:"person"`
	// Unsettled: the person left conflict markers there. What follows counts only without.
	Unsettled bool `json:"unsettled,omitempty"`
	// Class and Choice are how to settle the conflict as the person did.
	Class  Class  `json:"class,omitempty"`
	Choice string `json:"choice,omitempty"`
	// Exact: the choice, written and read as in a reply, gives the person's lines byte for byte.
	Exact bool `json:"exact,omitempty"`
	// Reply is what a recorded reply makes of the conflict; empty without one for the merge.
	Reply Reply `json:"reply,omitempty"`

	conflict choice.Conflict
}

// isSettled reports whether it is known how the person settled a conflict.
func (c *Conflict) isSettled() bool { return c.Located && !c.Unsettled }

// settle fills in what a person made of the conflicts of a file.
func (f *File) settle(pieces []merge.Piece, person []byte, firstID int) {
	found := locate(pieces, slices.Collect(strings.Lines(string(person))))
	line := 1
	for i, p := range pieces {
		if p.Conflict == nil {
			line += len(p.Lines)
			continue
		}
		s := *p.Conflict
		n := len(f.Conflicts)
		c := Conflict{
			Name: choice.Name(firstID + n), Line: line,
			Base: strings.Join(s.Base, ""), Ours: strings.Join(s.Ours, ""), Theirs: strings.Join(s.Theirs, ""),
			conflict: choice.Conflict{ID: firstID + n, Sides: s, Last: i == len(pieces)-1},
		}
		line += len(s.Ours)
		if c.Located = !f.Gone && found[n].ok; c.Located {
			c.Person = strings.Join(found[n].lines, "")
			c.Unsettled = hasMarkers(found[n].lines) && !hasMarkers(s.Ours) && !hasMarkers(s.Theirs)
		}
		if c.isSettled() {
			var how choice.Choice
			how, c.Class = chosen(s, found[n].lines, c.conflict.Last)
			c.Choice = how.String()
		}
		f.Conflicts = append(f.Conflicts, c)
	}
	f.writeAndRead()
}

// writeAndRead writes the choices of a file as a reply, and reads that.
func (f *File) writeAndRead() {
	var reply strings.Builder
	var all []choice.Conflict
	for _, c := range f.Conflicts {
		if c.isSettled() {
			reply.WriteString(c.Name + ": " + c.Choice + "\n")
			all = append(all, c.conflict)
		}
	}
	answers, _ := choice.Parse(reply.String(), all)
	for _, a := range answers {
		c := &f.Conflicts[a.ID-f.Conflicts[0].conflict.ID]
		c.Exact = joined(a.Lines) == c.Person
	}
}
