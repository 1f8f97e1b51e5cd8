package trees

import "strings"

// Kind says what sort of conflict it is.
type Kind string

// The kinds of conflicts.
const (
	// Text: both sides changed the same lines of a file, or added it with different ones.
	Text Kind = "text"
	// Binary: both sides changed or added a file that is not text: a version has a NUL byte.
	Binary Kind = "binary"
	// Large: both sides changed or added a file that is larger than merge.MaxBytes, or too large to be read.
	Large Kind = "large"
	// Different: both sides changed or added a text, and comparing the versions would be too much work.
	Different Kind = "different"
	// Generated: both sides changed a file that a program makes, and its texts are in conflict or cannot be compared.
	Generated Kind = "generated"
	// Modes: both sides added a file, of which only one is executable.
	Modes Kind = "modes"
	// Types: a path is a file on one side, and a link or a submodule on the other.
	Types Kind = "types"
	// Submodules: both sides changed or added a submodule.
	Submodules Kind = "submodule"
	// Symlinks: both sides changed or added a symbolic link.
	Symlinks Kind = "symlink"
	// ModifyDelete: one side changed a file, and the other one deleted it.
	ModifyDelete Kind = "modify-delete"
	// RenameDelete: one side renamed a file, and the other one deleted it.
	RenameDelete Kind = "rename-delete"
	// RenameApart: both sides renamed a file, each to a path of its own. Path is that of ours.
	RenameApart Kind = "rename-apart"
	// RenameTogether: one side renamed a file to a path at which the other side, which changed or deleted the file, has
	// another one. Base is the file before, and Ours and Theirs are what is at the path.
	RenameTogether Kind = "rename-together"
	// RenameType: one side renamed a file, and the other one made it a link or a submodule, or the reverse.
	RenameType Kind = "rename-type"
	// RenameUnclear: one side changed or deleted a file of which the other side made several with the same content, or of
	// several with the same content only some, so that it is unclear where it is now. Path is where it was.
	RenameUnclear Kind = "rename-unclear"
	// Directory: a path is a file on one side, and a directory on the other. The files in the directory are merged.
	Directory Kind = "directory"
	// Location: one side added or moved a file into a directory that the other side renamed.
	Location Kind = "location"
)

// OnePath reports whether conflicts of a kind are about one path, so that all of ours, or of theirs, can be taken for
// it.
func (k Kind) OnePath() bool {
	switch k {
	case Text, Binary, Large, Different, Generated, Modes, Types, Submodules, Symlinks, ModifyDelete, RenameDelete:
		return true
	}
	return false
}

// Words are the words for the sides in a sentence.
type Words struct {
	// Ours and Theirs are the names of the branches, as they are to be shown.
	Ours, Theirs string
	// Quote returns a path as it is to be shown.
	Quote func(path string) string
}

// Describe says what each side did, and what to do about it, in two sentences.
func (c Conflict) Describe(w Words) string {
	return c.Did(w) + " " + c.remedy(w)
}

// list names the first of some paths.
func (w Words) list(paths []string) string {
	const most = 3
	var out []string
	for _, p := range paths[:min(len(paths), most)] {
		out = append(out, w.Quote(p))
	}
	if len(paths) > most {
		out = append(out, "another one")
	}
	return strings.Join(out, " or ")
}

// Did says what each side did, in a sentence.
func (c Conflict) Did(w Words) string {
	path := w.Quote(c.Path)
	switch c.Kind {
	case ModifyDelete:
		if c.Ours.exists() {
			return w.Theirs + " deleted " + w.Quote(c.Theirs.Path) + ", which " + w.Ours + " changed."
		}
		return w.Ours + " deleted " + w.Quote(c.Ours.Path) + ", which " + w.Theirs + " changed."
	case RenameDelete:
		if c.Ours.exists() {
			return w.Ours + " renamed " + w.Quote(c.Base.Path) + " to " + path + ", and " + w.Theirs + " deleted it."
		}
		return w.Theirs + " renamed " + w.Quote(c.Base.Path) + " to " + path + ", and " + w.Ours + " deleted it."
	case RenameApart:
		return w.Ours + " renamed " + w.Quote(c.Base.Path) + " to " + w.Quote(c.Ours.Path) + ", and " + w.Theirs +
			" renamed it to " + w.Quote(c.Theirs.Path) + "."
	case RenameTogether:
		return "One side renamed " + w.Quote(c.Base.Path) + " to " + path + ", where the other one has another file."
	case RenameType:
		return "One side renamed " + w.Quote(c.Base.Path) + " to " + path + ", and the other one replaced it by " +
			"something of another type."
	case RenameUnclear:
		return "One side renamed or deleted " + path + ", and the other one changed or deleted it; whether it is now " +
			w.list(c.Candidates) + " is unclear, since several files are similar."
	case Directory:
		if c.Ours.exists() && c.Ours.Path == c.Path {
			return path + " is a file on " + w.Ours + ", and a directory on " + w.Theirs + "."
		}
		return path + " is a file on " + w.Theirs + ", and a directory on " + w.Ours + "."
	case Location:
		return c.located(w)
	case Types:
		return path + " is " + c.Ours.noun() + " on " + w.Ours + ", and " + c.Theirs.noun() + " on " + w.Theirs + "."
	case Modes:
		if c.Ours.Mode == Executable {
			return w.Ours + " and " + w.Theirs + " both added " + path + ", as an executable file only on " + w.Ours + "."
		}
		return w.Ours + " and " + w.Theirs + " both added " + path + ", as an executable file only on " + w.Theirs + "."
	}
	verb := " changed "
	if !c.Base.exists() {
		verb = " added "
	}
	return w.Ours + " and " + w.Theirs + " both" + verb + c.what() + path + c.because() + "."
}

// what is the noun before the path of a file that both sides changed.
func (c Conflict) what() string {
	switch c.Kind {
	case Submodules:
		return "the submodule "
	case Symlinks:
		return "the symbolic link "
	case Generated:
		return "the generated file "
	}
	return ""
}

// because says why the versions of a file were not merged.
func (c Conflict) because() string {
	switch c.Kind {
	case Binary:
		return ", which is not text"
	case Large:
		return ", which is too large to be merged"
	case Different:
		return ", and the versions have too little in common to be merged"
	case Text:
		if c.Base.exists() {
			return " in the same place"
		}
		return " with different content"
	}
	return ""
}

func (c Conflict) located(w Words) string {
	path, who, other := w.Quote(c.Path), w.Theirs, w.Ours
	if c.Ours.exists() {
		who, other = w.Ours, w.Theirs
	}
	if c.Directory == "" {
		return who + " put " + path + " into a directory whose files " + other + " moved to several others."
	}
	return who + " put " + path + " into a directory that " + other + " renamed to " + w.Quote(c.Directory) + "."
}

// noun says what an entry is.
func (e Entry) noun() string {
	switch e.Mode {
	case Symlink:
		return "a symbolic link"
	case Submodule:
		return "a submodule"
	}
	return "a file"
}

// remedy says what settles the conflict.
func (c Conflict) remedy(w Words) string {
	switch c.Kind {
	case Text:
		return "Choose which lines to keep."
	case Generated:
		return "Settle the other conflicts, then run " + w.Quote(c.Command) + " to make it again."
	case Submodules:
		return "Choose one of the two commits, or a newer one that has both."
	case ModifyDelete, RenameDelete:
		return "Keep the file or delete it."
	case RenameApart:
		return "Choose one of the two names."
	case RenameTogether, Directory:
		return "Give one of them another name, or keep only one."
	case Location:
		return "Leave the file where it is, or move it too."
	case Modes:
		return "Choose whether it is executable."
	case RenameUnclear:
		return "Make the change where it belongs."
	case RenameType:
		return "Keep one of them."
	}
	return "Choose one of the two versions."
}
