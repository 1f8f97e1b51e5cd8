package retrieve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on the pieces of a file, in lines.
const (
	minPiece   = 8  // a shorter definition is one piece with the next
	maxPiece   = 60 // a longer definition is several pieces
	maxHeading = 10 // comments and annotations above a definition that belong to it
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

// heading returns the first of the lines directly above a definition that belong to it.
func heading(lines []string, at int) int {
	for n := 0; at > 0 && n < maxHeading; n++ {
		above := strings.TrimSpace(lines[at-1])
		if above == "" || !strings.ContainsAny(above[:1], "/*#@[-;%\"'") {
			break
		}
		at--
	}
	return at
}

// appendSplit appends the end of a piece, and before it where the piece is divided if it is too long: at blank lines, or
// else at its maxPiece-th line.
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

// bestPieces returns lines of a file, counted from 0 and with the end excluded: those that must be shown, and beside
// them the pieces that fit the query best, as far as there is room, in bytes. They are in order and apart.
func bestPieces(
	lines []string, outline []lexical.Definition, weights lexical.Weights, must markdown.Ranges, room int,
) markdown.Ranges {
	shown := markdown.MergeRanges(slices.Clone(must))
	cost := func(from, to int) (n int) {
		for i := from; i < to; i++ {
			n += len(lines[i])
		}
		return n + delimiterBytes
	}
	for _, r := range shown {
		room -= cost(r[0], r[1])
	}
	bounds := pieces(lines, outline)
	scores := weights.Scores([]byte(strings.Join(lines, "")), bounds)
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
	})
	for _, i := range order {
		r := [2]int{bounds[i], bounds[i+1]}
		if n := cost(r[0], r[1]); n <= room && (scores[i] > 0 || len(shown) == 0) {
			room -= n
			shown = append(shown, r)
		}
	}
	return closeGaps(markdown.MergeRanges(shown))
}

// closeGaps joins ranges with only a few lines between them.
func closeGaps(ranges markdown.Ranges) (out markdown.Ranges) {
	for _, r := range ranges {
		if n := len(out); n > 0 && r[0]-out[n-1][1] <= maxGap {
			out[n-1][1] = max(out[n-1][1], r[1])
			continue
		}
		out = append(out, r)
	}
	return out
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
		if s.From <= len(lines) {
			last := min(s.To, s.From+maxSpanLines)
			ranges = append(ranges, [2]int{max(0, s.From-1-on), min(len(lines), last+on)})
		}
	}
	return markdown.MergeRanges(ranges)
}

// within returns the parts of ranges that are in one of some others.
func within(ranges, others markdown.Ranges) (out markdown.Ranges) {
	for _, r := range ranges {
		for _, o := range others {
			if from, to := max(r[0], o[0]), min(r[1], o[1]); from < to {
				out = append(out, [2]int{from, to})
			}
		}
	}
	return out
}
