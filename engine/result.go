package engine

// Status is what became of a block.
type Status int

// The statuses of a block; the zero value is none of them.
const (
	_ Status = iota
	Applied
	Failed
	Skipped
)

// String returns "applied", "failed" or "skipped".
func (s Status) String() string {
	switch s {
	case Applied:
		return "applied"
	case Failed:
		return "failed"
	case Skipped:
		return "skipped"
	default:
		return "invalid"
	}
}

// Reason is a stable code that says why a block was not applied; empty when it was.
type Reason string

// The reasons; Result.Detail holds the sentence for each.
const (
	AnchorNotFound   Reason = "anchor-not-found"
	Ambiguous        Reason = "ambiguous"
	OldMismatch      Reason = "old-mismatch"
	TrailingMismatch Reason = "trailing-mismatch"
	NotFound         Reason = "not-found"
	FileNotFound     Reason = "file-not-found"
	FileExists       Reason = "file-exists"
	BinaryFile       Reason = "binary-file"
	UnsafePath       Reason = "unsafe-path"
	ProtectedPath    Reason = "protected-path"
	TooLarge         Reason = "too-large"
	Placeholder      Reason = "placeholder"
	Stale            Reason = "stale"
	EarlierFailed    Reason = "earlier-failed"
	NoChange         Reason = "no-change"
	AlreadyApplied   Reason = "already-applied"
	Malformed        Reason = "malformed"
)

// Level is how much a match forgave; 0 where nothing matched.
type Level int

// The levels, strictest first.
const (
	LevelExact Level = iota + 1
	LevelTrailingSpace
	LevelBlankLines
	LevelIndent
	LevelHomoglyph
	LevelEllipsis
	LevelFuzzyContext
)

// Result is what became of one block.
type Result struct {
	Block  Block
	Status Status
	Reason Reason
	// Detail is one sentence for a person; it may quote file and block, unescaped. Empty for an applied block without remarks.
	Detail string
	// Path is the file's real path in the tree; the block's own where none was found.
	Path string
	// Line is where the edit stands in the file after all edits of the call (the first line put, or the line after a deletion);
	// for a failure, the likeliest place; 0 when there is none.
	Line  int
	Level Level
	// Edit is what an applied block changed; nil for any other.
	Edit *Edit
	// The previews are the first 50 characters of the block's anchor, old and new lines.
	AnchorPreview, OldPreview, NewPreview string
	// MatchLines are the first lines of the places where an ambiguous block matches, at most five.
	MatchLines []int
	// ClosestMatch is, for a failure, the part of the file that is most similar to Find; nil if no part is similar.
	ClosestMatch *Excerpt
	// Difference is the first line in which ClosestMatch differs from Find; nil without ClosestMatch.
	Difference *Difference
}

// Edit is what a block changed in its file, from the first changed line to the last, as the file stood at that moment: after the
// blocks before it, before those that follow. Lines are the file's own, or as they were put there: with its indentation, and
// without line endings.
type Edit struct {
	// Line is the line of Removed[0] in the old file and of Added[0] in the new one; for an empty one, of the line after it.
	Line int
	// Removed are the lines taken out, Added those that replace them. A new file has no Removed, a deletion no Added.
	Removed, Added []string
	// ContextBefore and ContextAfter are the unchanged lines around them, at most three each.
	ContextBefore, ContextAfter []string
}

// Excerpt is a run of a file's lines.
type Excerpt struct {
	// Line is the file's line of Lines[0].
	Line  int
	Lines []string
}

// Difference is a line that is not what a block expected.
type Difference struct {
	// Line is the file's line.
	Line       int
	Want, Have string
}

// Outcome is what Apply did.
type Outcome struct {
	// Results has one entry per block, in their order.
	Results []Result
	// Changed are the paths that were written (or, in a dry run, would be), sorted.
	Changed []string
}
