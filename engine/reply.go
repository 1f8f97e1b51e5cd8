// Package engine turns the text of a model's reply into edits on a tree of files.
//
// Parse reads a reply into Blocks and cannot fail; Apply fits each block into the file it names, exactly or not at all, and
// says what became of it. The package is pure: it knows no disk, no network, no clock, and writes no log. Lines are counted
// from 1 everywhere.
package engine

// Format names the shape in which a block was written.
type Format string

// The formats of a block. The editor formats are written like FormatDiff and FormatDiffFenced and parse as those.
const (
	FormatV3         Format = "v3"
	FormatAnchored   Format = "anchored"
	FormatDiff       Format = "diff"
	FormatDiffFenced Format = "diff-fenced"
	FormatSection    Format = "section"
)

// Block is one edit as the reply states it: in the file named by Path, the lines Find become the lines Replace.
//
// Lines carry no line ending. A Block is a value: neither Parse nor Apply keeps or changes one after handing it out.
type Block struct {
	// Path is the likeliest path, stripped of decoration, as the reply wrote it. Never empty in a Reply. It is the one to take
	// when the tree has no file of any candidate's name.
	Path string
	// Candidates are all readings of the path, Path among them, in the order in which to look for them in the tree: the first
	// that exists is meant. Some count only if they exist, such as a bare word that may be prose.
	Candidates []string
	Format     Format
	// Find and Replace are the two halves by the likeliest divider.
	Find, Replace []string
	// Anchor is the common prefix of Find and Replace, Old and New are what remains (less Tail).
	// Tail is the trailing anchor of an anchored block; nil in other formats. Old and Find hold no part of Tail twice:
	// Find = Anchor + Old + Tail and Replace = Anchor + New + Tail.
	Anchor, Old, New, Tail []string
	// Splits are all the halves that the block can be read as, when more than one line could be its divider; else nil.
	// Find and Replace equal one of them, and Apply decides for the one that the file bears out.
	Splits []Split
	// Create says that the block makes a new file: Find is empty or blank, or the block is a NEW_FILE.
	Create bool
	// Raw is the block's own text, from head marker to end marker, as in the reply.
	Raw string
	// Line and EndLine are the reply's lines of the head and the end marker.
	Line, EndLine int
}

// Split is one reading of a block's two halves.
type Split struct{ Find, Replace []string }

// Severity grades a Problem.
type Severity int

// A problem that is an error means that something the reply wanted is lost.
const (
	SeverityError Severity = iota + 1
	SeverityWarning
)

// ProblemKind is a stable code that says what is wrong with a reply.
type ProblemKind string

// The kinds of problems.
const (
	ProblemUnclosed     ProblemKind = "unclosed"      // a block has no end marker
	ProblemNoDivider    ProblemKind = "no-divider"    // a block has no line that divides its halves
	ProblemManyDividers ProblemKind = "many-dividers" // too many lines could divide a block's halves
	ProblemNoPath       ProblemKind = "no-path"       // a block names no file
	ProblemTwoEnds      ProblemKind = "two-ends"      // a block has a second end marker
	ProblemMismatch     ProblemKind = "mismatch"      // the reply has more head markers than end markers, or fewer
	ProblemCutOff       ProblemKind = "cut-off"       // the reply ends inside a block or a <think> section
	ProblemThinking     ProblemKind = "thinking"      // text before a closing </think> was dropped
	ProblemNoBlock      ProblemKind = "no-block"      // the reply has markers and no complete block
)

// Problem is something wrong with the reply itself, as opposed to a block that does not apply.
type Problem struct {
	// Line is the reply's line, 0 when the problem is the whole reply's.
	Line     int
	Severity Severity
	Kind     ProblemKind
	// Text is one sentence for a person.
	Text string
}

// Suggestion is a shell command that the reply suggests. It is never given to a shell.
type Suggestion struct {
	Command string
	// Line is the reply's line.
	Line int
	// Op is set when the command is exactly one safe file operation inside the tree.
	Op *Op
}

// OpKind is what an Op does.
type OpKind string

// The file operations that can be carried out without a shell.
const (
	OpRemove OpKind = "remove"
	OpMove   OpKind = "move"
	OpMkdir  OpKind = "mkdir"
)

// Op is a file operation on paths inside the tree. Paths are clean, relative and slash-separated; they need not exist.
type Op struct {
	Kind OpKind
	// Paths are what is removed or made; for a move, the sources.
	Paths []string
	// To is the destination of a move, else empty.
	To string
}

// Reply is what Parse found in a model's reply.
type Reply struct {
	Blocks      []Block
	Problems    []Problem
	Suggestions []Suggestion
	// Prose is the reply without its blocks and <think> sections.
	Prose string
}
