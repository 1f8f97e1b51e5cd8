package engine

// ParseOptions say how to read a reply; the zero value reads every format.
type ParseOptions struct {
	// Fence is a further opening and closing fence, beside runs of three or more backticks or tildes.
	Fence string
}

// Shown says how the file in the tree relates to what the model was shown of it.
type Shown int

// The relations; the zero value is for callers whose tree is what was shown.
const (
	// ShownSame: the very bytes. Every level may match.
	ShownSame Shown = iota
	// ShownChanged: the file changed since. Only levels 1 and 2 may match; a block that needs more is Stale.
	ShownChanged
	// ShownUnknown: nobody knows, as with blocks that a person pasted. Levels 1 to 3 may match.
	ShownUnknown
)

// Options say how to apply blocks; the zero value is right for a tree that the model was shown.
type Options struct {
	// DryRun leaves the tree as it is; results are the same.
	DryRun bool
	// Protected says that policy forbids a path; nil forbids none.
	Protected func(path string) bool
	// Shown says what the model was shown of a path; nil means ShownSame for all.
	Shown func(path string) Shown
	// DisabledLevels are levels that must not match.
	DisabledLevels []Level
	// LineFeeds ends every line of a file that is changed with a line feed alone. Else a file keeps the endings that it has.
	LineFeeds bool
	// Limits bound the work; zero fields mean the defaults.
	Limits Limits
}

// Limits bound what one call of Apply accepts.
type Limits struct {
	// FileBytes is the largest file read or written; 2 MiB when 0.
	FileBytes int
	// Blocks is how many blocks may apply; later ones fail as TooLarge. 200 when 0.
	Blocks int
	// ReplyBytes is the longest Raw of all blocks together; 2 MiB when 0.
	ReplyBytes int
}
