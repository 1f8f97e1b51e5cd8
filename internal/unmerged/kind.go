package unmerged

import (
	"strings"

	"github.com/tenon-bot/tenon/engine/choice"
	"github.com/tenon-bot/tenon/engine/generated"
	"github.com/tenon-bot/tenon/engine/merge"
	"github.com/tenon-bot/tenon/internal/worktree"
)

// Kind says what a conflict is that is not one of lines.
type Kind string

// The kinds. A path of no kind is a text that both sides have.
const (
	Text Kind = ""
	// Link: a side has a symbolic link, or did before.
	Link Kind = "a symbolic link"
	// Submodule: a side has a submodule, or did before.
	Submodule Kind = "a submodule"
	// DeletedByOurs and DeletedByTheirs: the other side changed what one deleted.
	DeletedByOurs   Kind = "deleted in ours"
	DeletedByTheirs Kind = "deleted in theirs"
	// Moved: git made the path for a file that a side renamed or added.
	Moved Kind = "renamed or added"
	// Generated: a tool writes the file from others.
	Generated Kind = "generated"
	// Nested: git made a version from others, and that has conflicts of its own.
	Nested Kind = "nested"
	// Name: the name of the file is not one that tenon works with.
	Name Kind = "name"
	// Unreadable: the path is not a file, or is behind a link.
	Unreadable Kind = "unreadable"
	// Binary, TooLarge and TooDifferent: the versions have no lines that could be compared.
	Binary       Kind = "binary"
	TooLarge     Kind = "too large"
	TooDifferent Kind = "too different"
)

const (
	linkMode      = "120000"
	submoduleMode = "160000"
)

// KindOf returns what a conflict is by the versions that git has of it.
func KindOf(u worktree.Unmerged) Kind {
	var none worktree.Stage
	if u.BadName {
		return Name
	}
	for _, s := range []worktree.Stage{u.Base, u.Ours, u.Theirs} {
		switch s.Mode {
		case linkMode:
			return Link
		case submoduleMode:
			return Submodule
		}
	}
	switch {
	case u.Ours != none && u.Theirs != none:
		if _, ok := generated.Command(u.Path); ok {
			return Generated
		}
		return Text
	case u.Base == none, u.Ours == none && u.Theirs == none:
		return Moved
	case u.Ours == none:
		return DeletedByOurs
	}
	return DeletedByTheirs
}

// IsNested reports whether a version has conflicts of its own, whose markers git makes longer.
func IsNested(version []byte) bool {
	for line := range strings.Lines(string(version)) {
		if n := choice.MarkerLength(line); n > 7 && line[0] == '<' && strings.HasPrefix(line[n:], " ") {
			return true
		}
	}
	return false
}

// KindOfRefusal returns what a conflict of texts is that cannot be merged.
func KindOfRefusal(r merge.Refusal) Kind {
	switch r {
	case merge.NotText:
		return Binary
	case merge.TooLarge:
		return TooLarge
	}
	return TooDifferent
}

// Advice says what a person can do about a conflict of a kind at a path. It is empty for a text.
func (k Kind) Advice(path string) string {
	switch k {
	case Text:
		return ""
	case DeletedByOurs:
		return "ours deletes the file and theirs changes it: keep it with git add, or delete it with git rm"
	case DeletedByTheirs:
		return "theirs deletes the file and ours changes it: keep it with git add, or delete it with git rm"
	case Generated:
		command, _ := generated.Command(path)
		return "it is generated: take a side with git checkout --ours or --theirs, then write it again, for example by " +
			command + ", and git add it"
	case Nested:
		return "a version of it has conflicts of its own: settle it in an editor, then git add"
	case Name:
		return "tenon does not work with such names: settle it with git"
	case Unreadable:
		return "it is not a file in the work tree that tenon may read: settle it with git"
	case Moved:
		return "a side renames or adds the file, and the other one does something else: see git status; " +
			"then git add or git rm"
	}
	return "it is " + string(k) + ", so there are no lines to choose: " +
		"take a side with git checkout --ours or --theirs, then git add"
}
