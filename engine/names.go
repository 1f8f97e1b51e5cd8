package engine

import (
	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/reply"
	"github.com/tenon-bot/tenon/engine/tree"
)

// What a reply contains; see [Parse].
type (
	// Reply is what Parse found in a model's reply.
	Reply = block.Reply
	// Block is one edit as the reply states it.
	Block = block.Block
	// Split is one way to split a block in halves.
	Split = block.Split
	// Format is the syntax in which a block is written.
	Format = block.Format
	// Problem is something wrong with the reply itself, as opposed to a block that does not apply.
	Problem = block.Problem
	// ProblemKind is a stable code that says what is wrong with a reply.
	ProblemKind = block.ProblemKind
	// Severity is how serious a Problem is.
	Severity = block.Severity
	// Suggestion is a shell command that the reply suggests.
	Suggestion = block.Suggestion
	// Op is a file operation inside the tree.
	Op = block.Op
	// OpKind is the kind of an Op.
	OpKind = block.OpKind
	// ParseOptions control how a reply is read. The zero value reads every format.
	ParseOptions = reply.Options
	// Scanner reads a reply that arrives in pieces.
	Scanner = reply.Scanner
	// FormatInfo describes a format to programs that ask a model to write it.
	FormatInfo = reply.FormatInfo
	// PathPosition is where a format has its path.
	PathPosition = reply.PathPosition
)

// What becomes of a block; see [Apply].
type (
	// Level is how lenient the comparison was at which a block matched; 0 if it matched nowhere.
	Level = block.Level
	// Reason is a stable code for why a block was not applied; it is empty for an applied block.
	Reason = block.Reason
	// Edit is the change that a block made to its file.
	Edit = block.Edit
	// Excerpt is a range of lines of a file.
	Excerpt = block.Excerpt
	// Difference is a line of a file that differs from what a block expects.
	Difference = block.Difference
	// Fingerprint tells whether two edits are the same to somebody who looks at their diffs.
	Fingerprint = block.Fingerprint
)

// The files that are edited.
type (
	// Tree is a set of files to edit.
	Tree = tree.Tree
	// MemTree is a Tree in memory: file contents by name.
	MemTree = tree.MemTree
	// Kind is the kind of an entry in a tree.
	Kind = tree.Kind
	// Names tells at which paths of a tree a new file may be made.
	Names = tree.Names
)

// ErrTooLarge is wrapped by the error of ReadFile for a file whose content a Tree does not have because of its size.
var ErrTooLarge = tree.ErrTooLarge

// ErrUnprintable is wrapped by the error of Print.
var ErrUnprintable = reply.ErrUnprintable

// Parse reads the edit blocks, the suggested shell commands and the problems from a model's reply. It knows every
// format, also mixed in one reply, takes time linear in the length of text, and cannot fail: what it cannot read is a
// Problem and does not affect other blocks. Of more than 1,000 blocks, it returns the first.
//
// Blocks share memory with text and with each other; they must not be modified.
func Parse(text string, opts ParseOptions) Reply { return reply.Parse(text, opts) }

// NewScanner returns a Scanner for one reply.
func NewScanner(opts ParseOptions) *Scanner { return reply.NewScanner(opts) }

// Print writes blocks as a reply that Parse reads as the same blocks: the same paths and halves, and the same formats
// unless the content of a block has markers of its own format, which is then written as FormatDiff with longer markers.
// The error wraps ErrUnprintable and names the file of a block that no format can express: one with a line feed in a
// line, or with a path that Parse takes for something else.
func Print(blocks []Block) (string, error) { return reply.Print(blocks) }

// Formats returns the formats that Parse understands, in the order in which documentation and help name them.
func Formats() []FormatInfo { return reply.Formats() }

// DetectFormat returns the format of the first complete block in a reply, or "" if there is none.
func DetectFormat(text string) Format { return reply.DetectFormat(text) }

// NewNames returns the Names of a tree.
func NewNames(t Tree) *Names { return tree.NewNames(t) }

// The reasons. Result.Detail has a sentence for each.
const (
	AnchorNotFound   = block.AnchorNotFound
	Ambiguous        = block.Ambiguous
	OldMismatch      = block.OldMismatch
	TrailingMismatch = block.TrailingMismatch
	NotFound         = block.NotFound
	FileNotFound     = block.FileNotFound
	FileExists       = block.FileExists
	BinaryFile       = block.BinaryFile
	UnsafePath       = block.UnsafePath
	ProtectedPath    = block.ProtectedPath
	TooLarge         = block.TooLarge
	Placeholder      = block.Placeholder
	Stale            = block.Stale
	EarlierFailed    = block.EarlierFailed
	Partial          = block.Partial
	NoChange         = block.NoChange
	AlreadyApplied   = block.AlreadyApplied
	Malformed        = block.Malformed
	SyntaxError      = block.SyntaxError
	Unchecked        = block.Unchecked
	Conflict         = block.Conflict
	Unusual          = block.Unusual
	NotAsShown       = block.NotAsShown
)

// The levels, strictest first. Each ignores one more kind of difference between a block and the file.
const (
	LevelExact         = block.LevelExact
	LevelTrailingSpace = block.LevelTrailingSpace
	LevelBlankLines    = block.LevelBlankLines
	LevelIndent        = block.LevelIndent
	LevelHomoglyph     = block.LevelHomoglyph
	LevelEllipsis      = block.LevelEllipsis
	LevelFuzzyContext  = block.LevelFuzzyContext
	LevelTokens        = block.LevelTokens
	LevelStructure     = block.LevelStructure
	LevelMerged        = block.LevelMerged
)

// The formats of a block. In all of them, the path is on a line of its own.
const (
	FormatV3         = block.FormatV3
	FormatAnchored   = block.FormatAnchored
	FormatDiff       = block.FormatDiff
	FormatDiffFenced = block.FormatDiffFenced
	FormatSection    = block.FormatSection
	FormatUnified    = block.FormatUnified
	FormatPatch      = block.FormatPatch
	FormatWhole      = block.FormatWhole
	FormatXML        = block.FormatXML
	FormatJSON       = block.FormatJSON
)

// The severities. An error means that part of what the reply asks for is lost.
const (
	SeverityError   = block.SeverityError
	SeverityWarning = block.SeverityWarning
)

// The kinds of problems.
const (
	ProblemUnclosed     = block.ProblemUnclosed
	ProblemNoDivider    = block.ProblemNoDivider
	ProblemManyDividers = block.ProblemManyDividers
	ProblemManyBlocks   = block.ProblemManyBlocks
	ProblemNoPath       = block.ProblemNoPath
	ProblemTwoEnds      = block.ProblemTwoEnds
	ProblemMismatch     = block.ProblemMismatch
	ProblemCutOff       = block.ProblemCutOff
	ProblemThinking     = block.ProblemThinking
	ProblemNoBlock      = block.ProblemNoBlock
	ProblemNotRead      = block.ProblemNotRead
)

// The file operations that can be done without a shell.
const (
	OpRemove    = block.OpRemove
	OpRemoveAll = block.OpRemoveAll
	OpMove      = block.OpMove
	OpMkdir     = block.OpMkdir
)

// The positions of a path.
const (
	PathBeforeHead  = reply.PathBeforeHead
	PathBeforeFence = reply.PathBeforeFence
	PathInFence     = reply.PathInFence
	PathHeader      = reply.PathHeader
	PathInHeader    = reply.PathInHeader
)

// The kinds of entries.
const (
	Absent    = tree.Absent
	File      = tree.File
	Folder    = tree.Folder
	Symlink   = tree.Symlink
	Submodule = tree.Submodule
	Ignored   = tree.Ignored
)
