package engine

import "github.com/tenon-bot/tenon/engine/merge"

// Status says whether a block was applied.
type Status int

// The statuses of a block. The zero value is not a status.
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

// Level is how lenient the comparison was at which a block matched; 0 if it matched nowhere.
type Level int

// The levels, strictest first. Each ignores one more kind of difference between a block and the file.
const (
	LevelExact         Level = iota + 1 // line endings and a byte order mark
	LevelTrailingSpace                  // whitespace at the end of lines
	LevelBlankLines                     // the number of blank lines
	LevelIndent                         // one change of indentation for all lines
	LevelHomoglyph                      // characters that look alike, and line numbers
	LevelEllipsis                       // lines left out for "..."
	LevelFuzzyContext                   // some of the context lines
	LevelTokens                         // where lines are broken, trailing commas and the kind of quotes
	LevelStructure                      // most of the context, in the definition that it names
	LevelMerged                         // changes that the file has got since the model saw it
)

// Result is the outcome of one block.
type Result struct {
	Block  Block
	Status Status
	Reason Reason
	// Detail is a sentence for a person; it may quote file and block, unescaped. For an applied block, it is empty or
	// a note.
	Detail string
	// Path is the path of the file in the tree, or the block's own path if no file was found.
	Path string
	// Line is the line of the edit in the file after all edits of the call: the first added line, or the line after a
	// deletion. For a failure, it is the likeliest place, or 0 if there is none.
	Line  int
	Level Level
	// Edit is what an applied block changed; nil if it was not applied. For a SyntaxError, and for what Options.Examine
	// refused, it is what the block would have changed.
	Edit *Edit
	// Quoted is Edit as it may be shown to people and models, for callers that keep secrets from them; nil if that is
	// Edit. The engine leaves it nil.
	Quoted *Edit
	// Marks are those of Options.Examine for an applied block.
	Marks []string
	// Problems are what is wrong with the file after all its edits, at most 20; they are the same for all blocks of a
	// file that were applied, or that failed with SyntaxError. Around are the lines of the edited file around the first,
	// or nil if it is at no line.
	Problems []FileProblem
	Around   *Excerpt
	// The previews are the first 50 characters of Anchor, Old and New of the block.
	AnchorPreview, OldPreview, NewPreview string
	// MatchLines are the first lines of the places where an ambiguous block matches, in order, at most 20. MoreMatches
	// is the number of further places; no more than 100 places are looked for.
	MatchLines  []int
	MoreMatches int
	// ClosestMatch is, for a failure, the part of the file that is most similar to Find, or the place where a block
	// matches that is refused for another reason; nil if no part is similar, or if the block matches at several places.
	ClosestMatch *Excerpt
	// Difference is the first line in which ClosestMatch differs from Find; nil without ClosestMatch, for a Conflict,
	// and if at most blank lines around Find differ.
	Difference *Difference
	// Conflict is, for a Conflict, what the model saw, what the block wants, and what the file has: base, ours and
	// theirs, each cut after 40 lines. It is nil if the versions could not be compared. ClosestMatch is what the file
	// has, with some lines around.
	Conflict *merge.Conflict
}

// Edit is the change that a block made to its file, from the first changed line to the last, relative to the file as
// it was then: after the edits of earlier blocks and before those of later ones. Lines have the indentation of the
// file and no line ending.
type Edit struct {
	// Line is the line of Removed[0] in the old file and of Added[0] in the new one; for an empty one, the line after
	// it.
	Line int
	// Removed are the lines taken out, Added those that replace them. Removed is empty for a new file, Added for a
	// deletion.
	Removed, Added []string
	// ContextBefore and ContextAfter are the unchanged lines around the change, at most three each.
	ContextBefore, ContextAfter []string
}

// Excerpt is a range of lines of a file.
type Excerpt struct {
	// Line is the line of Lines[0] in the file.
	Line  int
	Lines []string
}

// Difference is a line of a file that differs from what a block expects.
type Difference struct {
	// Line is the line in the file.
	Line       int
	Want, Have string
}

// Outcome is the outcome of a call of Apply.
type Outcome struct {
	// Results has one entry per block, in the order of the blocks.
	Results []Result
	// Changed are the paths that were written (or would be, in a dry run), sorted.
	Changed []string
}
