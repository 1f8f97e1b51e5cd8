package retrieve

import (
	"slices"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// Seen is what a model was shown before it asks.
type Seen struct {
	Selection
	// Asks are those that were answered, as Given has them.
	Asks []string
}

// After returns what the model was shown when a round was answered, too: the selection of the answers, and the
// answers. Neither argument is changed.
func (s Seen) After(shown Selection, answers []Given) Seen {
	s.Selection, s.Asks = s.With(shown), slices.Clone(s.Asks)
	for _, g := range answers {
		if g.Answered() {
			s.Asks = append(s.Asks, g.Ask)
		}
	}
	return s
}

// seenLines are the lines that a model was shown, from 0, by file.
type seenLines struct {
	sums  map[string]string
	lines map[string]markdown.Ranges
}

// seenIn returns what a model was shown before it asks.
func seenIn(s Seen) seenLines {
	out := seenLines{map[string]string{}, map[string]markdown.Ranges{}}
	for _, f := range s.Files {
		out.add(f.Path, s.Shown[f.Path], f)
	}
	return out
}

// add notes that lines of a file were shown. Those of other bytes of the file count no more.
func (s seenLines) add(path, sum string, f ShownFile) {
	if s.sums[path] != sum {
		s.sums[path], s.lines[path] = sum, nil
	}
	ranges := s.lines[path]
	if len(f.Parts) == 0 {
		ranges = append(ranges, [2]int{0, f.Lines})
	}
	for _, p := range f.Parts {
		ranges = append(ranges, [2]int{p.From - 1, p.To})
	}
	s.lines[path] = markdown.MergeRanges(ranges)
}

// unseen returns what of some ranges of lines of a file was not shown.
func (s seenLines) unseen(v *view, ranges markdown.Ranges) (out markdown.Ranges) {
	if s.sums[v.path] != v.sum {
		return ranges
	}
	return without(ranges, s.lines[v.path])
}
