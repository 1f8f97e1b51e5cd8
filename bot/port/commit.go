package port

import (
	"strings"
	"time"
)

// The modes of what a tree has at a path, as git writes them.
const (
	ModeFile       = "100644"
	ModeExecutable = "100755"
	ModeLink       = "120000"
	ModeSubmodule  = "160000"
)

// Change is a path at which two trees differ, such as one that was staged.
type Change struct {
	Path string
	// Mode is one of those above; empty for a path that is removed.
	Mode string
	// Data is the content; nil for a path that is removed, for a link or submodule, and for a file that was staged without
	// being loaded.
	Data []byte
	// Blob is the name of the git object, of a submodule its commit; empty for a path that is removed.
	Blob string
	// OldMode and OldBlob are the mode and the git object before; empty for a new path, and for one that is removed by
	// Staged.Changes.
	OldMode, OldBlob string
}

// HasEffect reports whether the file is another than before, as far as is known.
func (c Change) HasEffect() bool {
	return c.Removed() || c.OldBlob == "" || c.Mode != c.OldMode || c.Blob != c.OldBlob
}

// Removed reports whether the file is removed.
func (c Change) Removed() bool { return c.Mode == "" }

// Upload is a commit to make by the API.
type Upload struct {
	// Branch is a short name. New means that it must not exist yet.
	Branch string
	New    bool
	// Parent is the parent commit. Merge is the second parent, of a commit that merges it into the branch; else empty.
	Parent, Merge string
	// Tree is the tree that Changes are made to: that of the parent or of Merge. With Merge, there may be none.
	Tree    string
	Changes []Change
	Message string
}

// LoggedCommit is a commit as GitHub lists it.
type LoggedCommit struct {
	SHA     string
	Parents []string
	Message string
	Author  Author
	// Committed is the time of the committer, to the second: for what GitHub merged, squashed or rebased, that of the
	// merge.
	Committed time.Time
}

// Subject returns the first line of the message.
func (c LoggedCommit) Subject() string {
	subject, _, _ := strings.Cut(c.Message, "\n")
	return subject
}

// Author is who wrote a commit. What the commit says of it proves nothing.
type Author struct {
	Name  string `json:"name"`
	Email string `json:"email"`
	// When is to the second.
	When time.Time `json:"when,omitzero"`
	// User is the account with the address; zero if there is none.
	User User `json:"user,omitzero"`
}
