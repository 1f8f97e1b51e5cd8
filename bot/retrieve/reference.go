package retrieve

import "strconv"

// reference is a place in the repository that a text names. Whether there is such a file is not known yet.
type reference struct {
	reason reason
	// names are readings of the name, the likeliest first.
	names []string
	// lines are those named with it, zero if none are.
	lines Span
	// symbol is what the name means if no file has it, empty if it cannot be a name in code.
	symbol string
	// link is set for a link to a file.
	link *fileLink
	// trace numbers the stack trace that a frame is in, from 1. innerLast says that the innermost frame is its last.
	trace     int
	innerLast bool
	// quoted reports whether it is in a quote: somebody else's words.
	quoted bool
	// printed says that a tool printed it: nobody meant a folder by it, or is told of files of that name.
	printed bool
}

// Bounds on references.
const (
	maxReferences = 200       // in one text
	maxRefLine    = 2000      // bytes of one line in which error messages and stack frames are looked for
	maxNameBytes  = 4096      // of a name; git's tools take no longer path
	maxLineNumber = 9_999_999 // named with a path
	maxTraceGap   = 4         // lines from a frame to the next: each has its function, and Python its source, between
)

// score returns what a reference is worth; frame is how many frames of its trace above it are in the repository.
func (r reference) score(frame int) int {
	score := reasons[r.reason].score
	if r.lines != (Span{}) && (r.reason == byCode || r.reason == byName) {
		score += lineBonus
	}
	if r.reason == byFrame {
		score -= framePenalty * min(frame, maxFramePenalty)
	}
	if r.quoted {
		score /= 2
	}
	return score
}

// certain reports whether a reference says where the place is, rather than mentions a file: whoever gave the command
// named the file, or it has lines, or a tool printed it. The lines of a link count when they are found. asked is set
// for what is in the command.
func (r reference) certain(asked bool) bool {
	switch r.reason {
	case byReview, byOption, byTask, byFrame, byCompiler:
		return true
	}
	return !r.quoted && (asked || r.lines.From > 0 && r.reason != byLink)
}

// fileLink is a link to a file at a commit, a branch or a tag.
type fileLink struct {
	// host and repo ("owner/name") are where the file is.
	host, repo string
	// rest is the ref and the path: where one ends and the other begins, only the repository knows, unless the ref is
	// the id of a commit.
	rest string
}

func spanOf(from, to string) Span {
	a, err := strconv.Atoi(from)
	if err != nil || a < 1 || a > maxLineNumber {
		return Span{}
	}
	b, err := strconv.Atoi(to)
	if err != nil || b < a || b > maxLineNumber {
		b = a
	}
	return Span{a, b}
}
