package block

// Severity is how serious a Problem is.
type Severity int

// The severities. An error means that part of what the reply asks for is lost.
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
	ProblemManyBlocks   ProblemKind = "many-blocks"   // the reply has more blocks than are read
	ProblemNoPath       ProblemKind = "no-path"       // a block names no file
	ProblemTwoEnds      ProblemKind = "two-ends"      // a block has a second end marker
	ProblemMismatch     ProblemKind = "mismatch"      // the reply has more head markers than end markers, or fewer
	ProblemCutOff       ProblemKind = "cut-off"       // the reply ends inside a block or a <think> section
	ProblemThinking     ProblemKind = "thinking"      // text before a closing </think> was dropped
	ProblemNoBlock      ProblemKind = "no-block"      // the reply has markers and no complete block
	ProblemNotRead      ProblemKind = "not-read"      // what looks like an edit is in no form that is read
)

// Problem is something wrong with the reply itself, as opposed to a block that does not apply.
type Problem struct {
	// Line is the line in the reply, or 0 if the problem concerns the whole reply.
	Line     int
	Severity Severity
	Kind     ProblemKind
	// Text is a sentence for a person.
	Text string
}

// Suggestion is a shell command that the reply suggests. It is never passed to a shell.
type Suggestion struct {
	Command string
	// Line is the line in the reply.
	Line int
	// Op is set if the command is exactly one safe file operation inside the tree.
	Op *Op
}

// OpKind is the kind of an Op.
type OpKind string

// The file operations that can be done without a shell.
const (
	// OpRemove removes files. OpRemoveAll, which is rm with -r, removes folders too.
	OpRemove    OpKind = "remove"
	OpRemoveAll OpKind = "remove-all"
	OpMove      OpKind = "move"
	OpMkdir     OpKind = "mkdir"
)

// Op is a file operation inside the tree. Paths are clean, relative and slash-separated; they need not exist.
type Op struct {
	Kind OpKind
	// Paths are the paths to remove or make, or the sources of a move.
	Paths []string
	// To is the destination of a move.
	To string
}

// Reply is what Parse found in a model's reply.
type Reply struct {
	Blocks      []Block
	Problems    []Problem
	Suggestions []Suggestion
	// Prose is the reply without its blocks, their purposes, and <think> sections. Said is Prose without the rest of
	// blocks that have no end or are otherwise incomplete: what the model says to people.
	Prose, Said string
}
