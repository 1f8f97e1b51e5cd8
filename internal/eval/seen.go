package eval

import (
	"path"

	"github.com/tenon-bot/tenon/bot/retrieve"
)

// seen is what the model knows of a repository.
type seen struct {
	// parts are the lines of each file that were shown, and paths the names of files, those that were shown among them.
	parts map[string][]retrieve.Span
	lines map[string]int // of a shown file
	paths map[string]bool
}

func seenIn(found retrieve.Found) *seen {
	s := &seen{parts: map[string][]retrieve.Span{}, lines: map[string]int{}, paths: map[string]bool{}}
	for _, f := range found.Files {
		s.paths[f.Path] = true
		s.lines[f.Path] = f.Lines
		for _, p := range f.Parts {
			s.parts[f.Path] = append(s.parts[f.Path], retrieve.Span{From: p.From, To: p.To})
		}
	}
	for _, l := range append(found.Paths, found.Listings...) {
		for _, name := range l.Names {
			s.paths[path.Join(l.Folder, name)] = true
		}
	}
	return s
}

// shows reports whether a line was shown. What is appended to a file is seen with its last line.
func (s *seen) shows(name string, line int) bool {
	if n := s.lines[name]; n > 0 {
		line = min(line, n)
	}
	for _, p := range s.parts[name] {
		if p.From <= line && line <= p.To {
			return true
		}
	}
	return false
}

// compare fills in how much of the fix was seen.
func (r *Result) compare(pair Pair, s *seen) {
	r.None = len(s.parts) == 0
	r.All, r.LinesAll, r.Nameable = true, true, true
	for _, name := range pair.Gold {
		_, shown := s.parts[name]
		r.Any = r.Any || shown
		r.All = r.All && shown
		r.Nameable = r.Nameable && s.paths[name]
		for _, line := range pair.Lines[name] {
			shown := s.shows(name, line)
			r.LinesAny = r.LinesAny || shown
			r.LinesAll = r.LinesAll && shown
		}
	}
}
