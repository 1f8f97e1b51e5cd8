package localrepo

// File is a file that was written or removed.
type File struct {
	Path string
	// Before and After are its contents; nil where there was or is no file.
	Before, After []byte
	// WasExecutable and Executable are its modes.
	WasExecutable, Executable bool
	// Dirty means that it had changes, or was new, that were in no commit before.
	Dirty bool
}

// Made is what a command wrote.
type Made struct {
	// Files are sorted by path.
	Files []File
	// Unstaged is why files were written and not staged, or not all; nil if all were.
	Unstaged error
	// SHA is the git commit; empty if none was made. Uncommitted is why, if one was to be made.
	SHA         string
	Uncommitted error
	// Message is that of the commit that was made or would have been.
	Message string
	// Hooks are those that git would have run for a commit of the person, and were not run.
	Hooks []string
	// NoUndo is why it cannot be undone; nil if it can.
	NoUndo error
}
