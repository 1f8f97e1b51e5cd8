package port

// Change is a path that was staged.
type Change struct {
	Path string
	// Mode is git's, in octal: "100644" or "100755"; empty for a removed file.
	Mode string
	// Data is the content; nil for a removed file, and for one that was moved without being loaded.
	Data []byte
	// Blob is the name of the git object; empty for a removed file.
	Blob string
	// OldMode and OldBlob are the mode and the git object before; empty for a new file.
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
	// Parent is the parent commit, Tree the tree of that commit.
	Parent, Tree string
	Changes      []Change
	Message      string
}
