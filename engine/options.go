package engine

import (
	"cmp"
	"fmt"

	"github.com/tenon-bot/tenon/engine/match"
	"github.com/tenon-bot/tenon/meter"
)

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
	Verify func(path string, before, after []byte) Verification
	// AllowProblems reports whether a file is edited although Verify finds problems; nil allows none. The problems are
	// in the results then. It is not asked about a file that Verify refuses.
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
	// It is asked once for an edit that is made, with what it changes in the file as the tree has it. About a file that is
	// renamed, it is asked with the new name, and an Edit without lines.
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
	// What a block costs depends on the blocks and files only, so that the outcome is the same on every machine.
	Work *meter.Work
	// without are rules of matching that are turned off, to measure what they win.
	without match.Rules
}

// Verification is what Options.Verify says of a file. The zero value lets it be written.
type Verification struct {
	Problems []FileProblem
	// Unchecked is a code for why the file was not checked, of the caller's choice; empty if it was.
	Unchecked string
	// Refused is why the file must not be written although no problem was found, in a sentence: its blocks fail with
	// Unchecked. Empty if it may be written.
	Refused string
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

// The default limits, as the definition of the format states them.
const (
	defaultFileBytes  = 2 << 20
	defaultBlocks     = 200
	defaultReplyBytes = 2 << 20
)

func (l Limits) withDefaults() Limits {
	return Limits{
		FileBytes:  cmp.Or(l.FileBytes, defaultFileBytes),
		Blocks:     cmp.Or(l.Blocks, defaultBlocks),
		ReplyBytes: cmp.Or(l.ReplyBytes, defaultReplyBytes),
	}
}

// FileProblem is something wrong with a file after its edits.
type FileProblem struct {
	// Line is the line of the file after the edits, or 0 if the problem concerns the whole file.
	Line int
	// Message says what is wrong, in a phrase on one line, of at most 300 bytes. It may quote the file, unescaped.
	Message string
	// Syntax reports that the file does not parse. Other problems are such as a conflict marker.
	Syntax bool
}

// String returns the message, behind the line if there is one.
func (p FileProblem) String() string {
	if p.Line == 0 {
		return p.Message
	}
	return fmt.Sprintf("line %d: %s", p.Line, p.Message)
}
