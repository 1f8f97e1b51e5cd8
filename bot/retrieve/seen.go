package retrieve

import (
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/bot/markdown"
)

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

// With returns a selection with what was shown later. Neither of the two is changed.
func (s Selection) With(more Selection) Selection {
	out := Selection{
		Shown: merged(s.Shown, more.Shown), ReadOnly: merged(s.ReadOnly, more.ReadOnly),
		Files: slices.Clone(s.Files), LeftOut: slices.Clone(s.LeftOut),
	}
	for _, f := range more.Files {
		i := slices.IndexFunc(out.Files, func(o ShownFile) bool { return o.Path == f.Path })
		switch {
		case i < 0:
			out.Files = append(out.Files, f)
		case s.Shown[f.Path] != "" && s.Shown[f.Path] != more.Shown[f.Path]: // the file has changed
			out.Files[i] = f
		default:
			out.Files[i].Parts = joined(out.Files[i], f)
		}
		out.LeftOut = slices.DeleteFunc(out.LeftOut, func(l LeftOut) bool { return l.Path == f.Path })
	}
	for _, l := range more.LeftOut {
		if !slices.Contains(out.LeftOut, l) {
			out.LeftOut = append(out.LeftOut, l)
		}
	}
	return out
}

// joined returns the parts of a file that were shown at two times, nil if they are all of it.
func joined(a, b ShownFile) []Span {
	if len(a.Parts) == 0 || len(b.Parts) == 0 {
		return nil
	}
	seen := seenIn(Seen{Selection: Selection{Files: []ShownFile{a, b}}})
	var parts []Span
	for _, r := range seen.lines[a.Path] {
		parts = append(parts, Span{r[0] + 1, r[1]})
	}
	if len(parts) == 1 && parts[0].From == 1 && parts[0].To >= a.Lines {
		return nil
	}
	return parts
}

// merged adds the entries of another map to a copy of a map, which may be nil: a recorded prompt has no empty maps.
func merged(m, more map[string]string) map[string]string {
	m = maps.Clone(m)
	if m == nil && len(more) > 0 {
		m = map[string]string{}
	}
	maps.Copy(m, more)
	return m
}
