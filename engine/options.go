package engine

import "github.com/tenon-bot/tenon/meter"

// ParseOptions control how a reply is read. The zero value reads every format.
type ParseOptions struct {
	// Fence is an additional line that opens and closes a fence, besides runs of three or more backticks or tildes. It is
	// for models that were told to use another fence, such as "<source>".
	Fence string
}

// Shown says how a file in the tree relates to what the model was shown of it.
type Shown int

// The relations. The zero value is for callers whose tree is what was shown.
const (
	// ShownSame: the model was shown exactly these bytes. All levels may match.
	ShownSame Shown = iota
	// ShownChanged: the file has changed since. Only levels 1 and 2 may match; a block that needs a higher one is
	// Stale.
	ShownChanged
	// ShownUnknown: it is not known, as for blocks that a person pasted. Levels 1 to 3 may match.
	ShownUnknown
)

// Options control how blocks are applied. The zero value is right for a tree that the model was shown.
type Options struct {
	// DryRun leaves the tree unchanged; the results are the same.
	DryRun bool
	// Protected reports whether policy forbids edits of a path; nil forbids none.
	Protected func(path string) bool
	// Shown returns what the model was shown of a path; nil means ShownSame for all.
	Shown func(path string) Shown
	// Verify returns what is wrong with a file after all edits of the call and was not before, at most once for each
	// changed file. before is nil for a new file; neither may be modified. nil verifies nothing.
	Verify func(path string, before, after []byte) []FileProblem
	// AllowProblems reports whether a file is edited although Verify finds problems; nil allows none. The problems are
	// in the results then.
	AllowProblems func(path string) bool
	// Base returns what the model saw of a file, if that is known and may differ from what the tree has; nil is for a
	// tree that the model was shown. Where it differs, blocks are applied to what the model saw, at any level, and their
	// changes merged with those that the file has got since: Shown is asked only about blocks that do not match what the
	// model saw. The bytes are not modified.
	Base func(path string) ([]byte, bool)
	// OnlyAsShown is set if all blocks were written for what Base returns: one that does not match there fails, although
	// the file may have got such lines since.
	OnlyAsShown bool
	// Examine, unless nil, is asked about each edit before it is made, with the index of its block, and may refuse it.
	// It is asked once for an edit that is made, with what it changes in the file as the tree has it.
	Examine func(block int, path string, e *Edit) Verdict
	// DisabledLevels are levels that must not match.
	DisabledLevels []Level
	// LineFeeds ends every line of a changed file with a line feed only. Otherwise a file keeps its line endings.
	LineFeeds bool
	// Limits bound what is accepted; zero fields mean the defaults.
	Limits Limits
	// Work is what the call may cost; meter.Default if nil. When it is used up, the block that used it up and all later
	// ones fail with TooLarge; a third of it is left for Verify, which may spend from it too. When the context of Work
	// ends, so does the call.
	//
	// What a block costs depends on the blocks and files only, so that the outcome is the same on every machine. The
	// exception is LevelTokens, which splits text by the rules of its language: a step that takes long costs its time. It
	// matches nothing in more than 16 KiB at once, or after 128 KiB, 400 pieces or a second in one call; only a text made
	// to be slow, or a very busy machine, reaches the last.
	Work *meter.Work
}

// Verdict is what Options.Examine says of an edit. The zero value lets it be made.
type Verdict struct {
	// Reason and Detail are why the edit is not made; Reason is empty if it is.
	Reason Reason
	Detail string
	// Marks are what people have to be told of an edit that is made, each in a phrase.
	Marks []string
}

// Limits bound what one call of Apply accepts.
type Limits struct {
	// FileBytes is the size of the largest file that is read or written; 2 MiB if 0.
	FileBytes int
	// Blocks is the number of blocks that may apply; later ones fail with TooLarge. 200 if 0.
	Blocks int
	// ReplyBytes is the maximum length of Raw of all blocks together; 2 MiB if 0.
	ReplyBytes int
}
