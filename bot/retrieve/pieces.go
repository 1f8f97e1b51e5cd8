package retrieve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on what a model is shown.
const (
	maxWholeLines  = 900  // of a file that is shown whole; of others, the pieces that fit best are shown
	maxNamedLines  = 400  // of a file that is shown whole if it is certain, though others wait for room
	maxSpanLines   = 400  // of lines that are meant
	linesAround    = 60   // on either side of those
	maxOutline     = 6000 // bytes of an outline
	outlineDivisor = 4    // of the room for a file, for its outline
	delimiterBytes = 100  // about as many are around a part
)

// Bounds on the pieces of a file, in lines.
const (
	minPiece   = 8  // a shorter definition is one piece with the next
	maxPiece   = 60 // a longer definition is several pieces
	maxHeading = 30 // comments and annotations above a definition that belong to it
	maxGap     = 6  // lines between two shown pieces that are shown too
)

// pieces returns where the pieces of a file begin, counted from 0, and the number of its lines: a piece begins with a
// definition and what is written above it.
func pieces(lines []string, outline []lexical.Definition) []int {
	bounds := []int{0}
	end := func(at int) {
		if last := bounds[len(bounds)-1]; at-last >= minPiece {
			bounds = appendSplit(bounds, lines, at)
		}
	}
	for _, d := range outline {
		end(heading(lines, min(d.Line-1, len(lines))))
	}
	last := bounds[len(bounds)-1]
	if len(lines)-last < minPiece && len(bounds) > 1 {
		bounds = bounds[:len(bounds)-1]
	}
	return appendSplit(bounds, lines, len(lines))
}

// headings are how the lines begin that belong to the definition below them: comments, decorators and attributes.
var headings = []string{"@", "#", "//", "/*", "*", "--", "[", `"""`, ";"}

// heading returns the first of the comments and decorators above a line, which is counted from 0, or the line itself.
// They are indented as the line is, but for the lines within a comment of C.
func heading(lines []string, at int) int {
	line := at
	for at > 0 && line-at < maxHeading {
		text := strings.TrimSpace(lines[at-1])
		if line < len(lines) && indent(lines[at-1]) != indent(lines[line]) && !strings.HasPrefix(text, "*") {
			break
		}
		if !slices.ContainsFunc(headings, func(h string) bool { return strings.HasPrefix(text, h) }) ||
			strings.HasPrefix(text, "#define") || strings.HasPrefix(text, "#include") {
			break
		}
		at--
	}
	return at
}

// tabWidth is how many columns a tab is taken for.
const tabWidth = 4

// indent returns how far a line is indented, in columns.
func indent(line string) (columns int) {
	for _, c := range line {
		switch c {
		case ' ':
			columns++
		case '\t':
			columns += tabWidth
		default:
			return columns
		}
	}
	return columns
}

// appendSplit appends the end of a piece, and before it where the piece is divided if it is too long: at blank lines,
// or else at its maxPiece-th line.
func appendSplit(bounds []int, lines []string, end int) []int {
	for {
		start := bounds[len(bounds)-1]
		if end-start <= maxPiece {
			break
		}
		at := start + maxPiece
		for i := at; i > start+maxPiece/2; i-- {
			if strings.TrimSpace(lines[i-1]) == "" {
				at = i
				break
			}
		}
		bounds = append(bounds, at)
	}
	if end > bounds[len(bounds)-1] {
		bounds = append(bounds, end)
	}
	return bounds
}

// dividedFile is a file of which those pieces are shown that fit a query best.
type dividedFile struct {
	path    string
	lines   []string
	outline []lexical.Definition
	kinds   string // of the secrets that were taken out
	weights lexical.Weights
}

func (f dividedFile) text() string { return strings.Join(f.lines, "") }

// whole returns all of the file.
func (f dividedFile) whole() prompts.File {
	return prompts.File{Path: f.path, Lines: len(f.lines), Redacted: f.kinds,
		Parts: []prompts.Part{{From: 1, To: len(f.lines), Text: f.text()}}}
}

// cost returns how many bytes a range of lines takes in a prompt.
func (f dividedFile) cost(r [2]int) int {
	n := len(f.path) + delimiterBytes
	for _, line := range f.lines[r[0]:r[1]] {
		n += len(line)
	}
	return n
}

// best returns lines of the file, counted from 0 and with the end excluded: all that must be shown, and beside them
// the pieces among some ranges that fit the query best, as far as there is room, in bytes. The ranges are in order and
// apart; they take more than the room only if what must be shown does.
func (f dividedFile) best(must, among markdown.Ranges, room int) markdown.Ranges {
	shown := markdown.MergeRanges(slices.Clone(must))
	left := room - f.costAll(shown)
	bounds := withEdges(pieces(f.lines, f.outline), among)
	scores := f.weights.Scores([]byte(strings.Join(f.lines, "")), bounds)
	order := make([]int, 0, len(scores))
	for i := range scores {
		if contains(among, [2]int{bounds[i], bounds[i+1]}) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
	})
	for _, i := range order {
		r := [2]int{bounds[i], bounds[i+1]}
		if n := f.cost(r) - f.saved(shown, r); n <= left && scores[i] > 0 {
			left -= n
			shown = markdown.MergeRanges(append(shown, r))
		}
	}
	return f.closeGaps(shown, among, left)
}

// saved returns how many bytes a range takes less because it overlaps or continues some others.
func (f dividedFile) saved(others markdown.Ranges, r [2]int) (n int) {
	for _, o := range others {
		if from, to := max(r[0], o[0]), min(r[1], o[1]); from <= to {
			n += f.cost([2]int{from, to})
		}
	}
	return n
}

// first returns the first piece for which there is room.
func (f dividedFile) first(room int) markdown.Ranges {
	bounds := pieces(f.lines, f.outline)
	for i := range len(bounds) - 1 {
		if r := [2]int{bounds[i], bounds[i+1]}; f.cost(r) <= room {
			return markdown.Ranges{r}
		}
	}
	return nil
}

func (f dividedFile) costAll(ranges markdown.Ranges) (n int) {
	for _, r := range ranges {
		n += f.cost(r)
	}
	return n
}

// closeGaps joins ranges with only a few lines between them, all of them among some others, as far as there is room.
func (f dividedFile) closeGaps(ranges, among markdown.Ranges, room int) (out markdown.Ranges) {
	for _, r := range ranges {
		n := len(out)
		if n == 0 || r[0]-out[n-1][1] > maxGap {
			out = append(out, r)
			continue
		}
		gap := [2]int{out[n-1][1], r[0]}
		if more := f.cost(gap) - f.cost([2]int{}); contains(among, gap) && more <= room {
			room -= more
			out[n-1][1] = r[1]
			continue
		}
		out = append(out, r)
	}
	return out
}

// withEdges returns bounds and the ends of ranges, in order and each once.
func withEdges(bounds []int, ranges markdown.Ranges) []int {
	last := bounds[len(bounds)-1]
	for _, r := range ranges {
		for _, edge := range r {
			if edge < last {
				bounds = append(bounds, edge)
			}
		}
	}
	slices.Sort(bounds)
	return slices.Compact(bounds)
}

// contains reports whether one of some ranges contains all of another one.
func contains(ranges markdown.Ranges, r [2]int) bool {
	i, _ := slices.BinarySearchFunc(ranges, r[0], func(o [2]int, at int) int {
		if o[1] <= at {
			return -1
		}
		return 1
	})
	return i < len(ranges) && ranges[i][0] <= r[0] && r[1] <= ranges[i][1]
}

// partsOf returns the lines of ranges as parts of a file.
func partsOf(lines []string, ranges markdown.Ranges) (parts []prompts.Part) {
	for _, r := range ranges {
		parts = append(parts, prompts.Part{From: r[0] + 1, To: r[1], Text: strings.Join(lines[r[0]:r[1]], "")})
	}
	return parts
}

// around returns the lines around spans, counted from 0 and with the end excluded.
func around(spans []Span, lines []string, on int) (ranges markdown.Ranges) {
	for _, s := range spans {
		if s.From <= min(s.To, len(lines)) {
			last := min(s.To, s.From+maxSpanLines)
			ranges = append(ranges, [2]int{max(0, s.From-1-on), min(len(lines), last+on)})
		}
	}
	return markdown.MergeRanges(ranges)
}

func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
