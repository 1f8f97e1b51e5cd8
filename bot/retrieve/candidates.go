package retrieve

import (
	"cmp"
	"maps"
	"slices"
)

// reason is how a candidate was found.
type reason int

const (
	byReview reason = iota + 1
	byOption
	byTask
	byLink
	byCode
	byCompiler
	byFrame
	byName
	bySymbol
	byPattern
	byFolder
	byChange
	byRank
	bySibling
	byRequest
)

// reasons are worth as much as people mean them. Answers name them by their words.
var reasons = map[reason]struct {
	score int
	words string
}{
	byReview:   {120, "the comment is on it"},
	byOption:   {110, "named by --files"},
	byTask:     {105, "what the task is about"},
	byLink:     {95, "linked"},
	byCode:     {85, "named"},
	byCompiler: {80, "in an error message"},
	byFrame:    {80, "in a stack trace"},
	byName:     {75, "named"},
	byRequest:  {75, "asked for by the model"},
	bySymbol:   {55, "defines a name in the comment"},
	byPattern:  {50, "matches a pattern"},
	byFolder:   {45, "in a named folder"},
	byChange:   {40, "changed here"},
	byRank:     {39, "has the words of the task"},
	bySibling:  {5, "tests of a shown file"},
}

// explicit reports whether somebody named the very file: generated and vendored files are shown then, too.
func (r reason) explicit() bool { return r <= byName }

// meant reports whether somebody meant the file, at least in part, and learns why if it is not shown.
func (r reason) meant() bool { return r < byRank || r == byRequest }

// How a score changes with what is known of a reference.
const (
	lineBonus        = 20 // a line is named with a path
	framePenalty     = 4  // for each frame further from the innermost one
	maxFramePenalty  = 10 // frames
	basePenalty      = 10 // only the base name is right
	ambiguityPenalty = 30 // several files have the name
)

// candidate is a file that may be shown.
type candidate struct {
	path string
	// reason and score are the best of those for which it was added.
	reason reason
	score  int
	// order is how many candidates were added before it.
	order int
	// lines are those that it was named with.
	lines []Span
	// certain reports whether somebody said that this is the place, rather than mentioned the file.
	certain bool
	// rank is its place in the ranking by words, from 1; 0 if it is not in it.
	rank int
}

// maxSpans is how many ranges of lines of one file are kept.
const maxSpans = 12

// candidates are by path.
type candidates map[string]*candidate

// add adds a file, or a better reason for one, and lines of it, unless they are zero.
func (c candidates) add(path string, why reason, score int, lines Span) {
	f := c[path]
	if f == nil {
		f = &candidate{path: path, order: len(c)}
		c[path] = f
	}
	if f.reason == 0 || score > f.score {
		f.reason, f.score = why, score
	}
	if lines.From > 0 && len(f.lines) < maxSpans && !slices.Contains(f.lines, lines) {
		f.lines = append(f.lines, lines)
	}
}

// addLines adds lines of a file if it is a candidate, which is certain then.
func (c candidates) addLines(path string, lines Span) {
	if f := c[path]; f != nil {
		c.add(path, f.reason, f.score, lines)
		f.certain = true
	}
}

// ranked returns the candidates, the likeliest first.
func (c candidates) ranked() []*candidate {
	return slices.SortedFunc(maps.Values(c), func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.order, b.order))
	})
}
