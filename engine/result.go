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

// Result is the outcome of one block.
type Result struct {
	Block  Block
	Status Status
	Reason Reason
	// Detail is a sentence for a person; it may quote file and block, unescaped. For an applied block, it is empty or
	// a note.
	Detail string
	// Path is the path of the file in the tree, or the block's own path if no file was found. Of a file that is renamed,
	// it is the new one, and From the old one; From is empty for other files.
	Path, From string
	// Line is the line of the edit in the file after all edits of the call: the first added line, or the line after a
	// deletion; 0 if the file is removed. For a failure, it is the likeliest place, or 0 if there is none.
	Line  int
	Level Level
	// Edit is what an applied block changed; nil if it was not applied, or only renamed the file. For what Options.Verify
	// or Options.Examine refused, it is what the block would have changed.
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
	// Unchecked is why the file was not checked after all its edits, in the code of Options.Verify; empty if it was, or if
	// the block was not applied and did not fail with SyntaxError or Unchecked.
	Unchecked string
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

// Outcome is the outcome of a call of Apply.
type Outcome struct {
	// Results has one entry per block, in the order of the blocks.
	Results []Result
	// Changed are the paths that were written (or would be, in a dry run), sorted.
	Changed []string
}

// refusal is a reason not to apply a block.
type refusal struct {
	reason Reason
	detail string
}

func (res *Result) fail(r refusal) {
	res.Status, res.Reason, res.Detail = Failed, r.reason, r.detail
}

func (res *Result) skip(reason Reason) {
	res.Status, res.Reason, res.Detail = Skipped, reason, details[reason]
}

// tooMuchWork is the refusal of a block for which nothing is left of the budget.
var tooMuchWork = refusal{TooLarge, "Too much to search for in one reply: there was no time left for this block"}

// details are the sentences for reasons that need no parameters.
var details = map[Reason]string{
	AnchorNotFound:   "Anchor not found in file",
	OldMismatch:      "Old lines don't match content after anchor",
	TrailingMismatch: "Trailing anchor doesn't match content after the old lines",
	NotFound:         "Content sequence not found in file",
	EarlierFailed:    "Previous edit to this file failed",
	NoChange:         "Nothing to do: the lines to find and the new lines are the same",
	AlreadyApplied:   "Already applied: the file has these lines",
	Malformed:        "Cannot tell which line divides the block: its halves can be read in more than one way",
	Stale:            "The file changed since it was shown, and the block no longer matches it exactly",
}

// detailStaleUnknown is the detail of Stale if it is not known what the model was shown.
const detailStaleUnknown = "The block does not match the file exactly, " +
	"and it is not known that it was written for this version"

// detailRepeated is the detail of AlreadyApplied for a block that its reply has twice.
const detailRepeated = "Already applied: the reply has this block twice, and it counts once"
