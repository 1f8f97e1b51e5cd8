package engine

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Reason is a stable code for why a block was not applied; it is empty for an applied block.
type Reason string

// The reasons. Result.Detail has a sentence for each.
const (
	AnchorNotFound   Reason = "anchor-not-found"  // the lines before the change are not in the file
	Ambiguous        Reason = "ambiguous"         // the lines to find are there more than once; see Result.MatchLines
	OldMismatch      Reason = "old-mismatch"      // the lines before the change are there, and other lines follow
	TrailingMismatch Reason = "trailing-mismatch" // only the lines after the change are others than expected
	NotFound         Reason = "not-found"         // the lines to find are not in the file
	FileNotFound     Reason = "file-not-found"    // there is no such file, and the block has lines to find
	FileExists       Reason = "file-exists"       // the block creates a file that is there, or is below a file or a folder
	BinaryFile       Reason = "binary-file"       // the file is not text in UTF-8
	UnsafePath       Reason = "unsafe-path"       // the path leads out of the tree, or means another one on some systems
	ProtectedPath    Reason = "protected-path"    // Options.Protected says so
	TooLarge         Reason = "too-large"         // Limits or Options.Work are exceeded
	Placeholder      Reason = "placeholder"       // the lines to put have one like "... rest of the code ..."
	Stale            Reason = "stale"             // Options.Shown says that the file changed, and the block fits roughly
	EarlierFailed    Reason = "earlier-failed"    // an earlier block of the file failed; the block is skipped
	NoChange         Reason = "no-change"         // the lines to put are those to find; the block is skipped
	AlreadyApplied   Reason = "already-applied"   // the file has the lines to put already; the block is skipped
	Malformed        Reason = "malformed"         // the block can be read in more than one way that fits
	SyntaxError      Reason = "syntax-error"      // Options.Verify finds problems that were not there before the edits
	Conflict         Reason = "conflict"          // the file has got other changes there since Options.Base
	Unusual          Reason = "unusual"           // for Options.Examine: the edit adds what a reader does not see
	NotAsShown       Reason = "not-as-shown"      // for Options.Examine: the edit is another one than people were shown
)

// Bounds on the matches of an ambiguous block: those that its detail names, and those that its result lists.
const (
	maxNamedMatches  = 5
	maxListedMatches = 20
)

// previewRunes is the length of the previews in a Result.
const previewRunes = 50

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

// ambiguous returns the detail for several matches, given as lines counted from 1.
func ambiguous(lines []int) string {
	named := lines[:min(len(lines), maxNamedMatches)]
	words := make([]string, len(named))
	for i, n := range named {
		words[i] = fmt.Sprint(n)
	}
	list := strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
	if len(lines) > len(named) {
		more := fmt.Sprint(len(lines) - len(named))
		if len(lines) >= maxMatches {
			more = "at least " + more
		}
		list = strings.Join(words, ", ") + " and " + more + " more"
	}
	return fmt.Sprintf("Edit location is ambiguous (matches at lines %s)", list)
}

// preview returns the first characters of lines.
func preview(lines []string) string {
	var buf [previewRunes * utf8.UTFMax]byte
	out, n := buf[:0], 0
	for i, s := range lines {
		if i > 0 {
			if n++; n > previewRunes {
				break
			}
			out = append(out, '\n')
		}
		for _, r := range s {
			if n++; n > previewRunes {
				return string(out)
			}
			out = utf8.AppendRune(out, r)
		}
	}
	return string(out)
}

// explain sets why the block has no single match in file.
func (res *Result) explain(file *text, loc location) {
	switch loc.reason {
	case Ambiguous:
		for _, n := range loc.starts {
			res.MatchLines = append(res.MatchLines, n+1)
		}
		res.fail(refusal{Ambiguous, ambiguous(res.MatchLines)})
		listed := min(len(res.MatchLines), maxListedMatches)
		res.MatchLines, res.MoreMatches = res.MatchLines[:listed], len(res.MatchLines)-listed
		res.Line = res.MatchLines[0]
	case NotFound:
		res.explainMissing(file)
	default:
		res.fail(refusal{loc.reason, details[loc.reason]})
		res.ClosestMatch, res.Difference = closestMatch(file, res.Block.Find)
	}
}

// explainMissing sets which part of the block is not in file: its anchor, the old lines after it, or the trailing
// anchor.
func (res *Result) explainMissing(file *text) {
	reason, b := NotFound, res.Block
	keys := file.lineKeys(keyTrimRight)
	has := func(parts ...[]string) bool {
		var lines []string
		for _, p := range parts {
			lines = append(lines, p...)
		}
		return len(lines) > 0 && len(file.occurrences(keys, keysOf(keyTrimRight, lines))) > 0
	}
	switch {
	case allBlank(b.Anchor) && len(b.Tail) == 0:
	case len(b.Tail) > 0 && has(b.Anchor, b.Old):
		reason = TrailingMismatch
	case !allBlank(b.Anchor) && !has(b.Anchor):
		reason = AnchorNotFound
	case !allBlank(b.Anchor):
		reason = OldMismatch
	}
	res.fail(refusal{reason, details[reason]})
	res.ClosestMatch, res.Difference = closestMatch(file, b.Find)
	if file.work.isUsedUp() {
		res.ClosestMatch, res.Difference = nil, nil
		res.fail(tooMuchWork)
	}
	if res.Difference != nil {
		res.Line = res.Difference.Line
		if reason == OldMismatch {
			res.Detail += fmt.Sprintf(" (first difference at line %d)", res.Line)
		}
	}
}

// showPlace shows the place where a block matches that is refused anyway.
func (res *Result) showPlace(file *text, loc location) {
	find := loc.matcher.find
	from := 0
	for from < len(find) && isBlank(find[from]) {
		from++
	}
	to := from
	for to < len(loc.match.at) && loc.match.at[to] < 0 {
		to++
	}
	res.ClosestMatch, res.Difference = excerpt(file, trimBlankLines(find), loc.match.firstLine()-(to-from))
	if res.Line == 0 {
		res.Line = loc.match.firstLine() + 1
	}
}
