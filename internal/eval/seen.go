package eval

import (
	"iter"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/retrieve"
)

// Seen is what a model was shown of a repository. Not safe for concurrent use.
type Seen struct {
	files map[string]View // by path
	paths map[string]bool // that are listed
	text  strings.Builder // all that it could read
}

// View is what is shown of a file, which has Count lines.
type View struct {
	Path  string
	Count int
	Parts []retrieve.Span
}

// NewSeen returns what a model has seen that was shown nothing.
func NewSeen() *Seen { return &Seen{files: map[string]View{}, paths: map[string]bool{}} }

// newSeen returns what is known of what was selected for an issue.
func newSeen(issue string, found retrieve.Found) *Seen {
	s := NewSeen()
	s.Read(issue)
	for _, f := range found.Files {
		v := View{Path: f.Path, Count: f.Lines}
		for _, p := range f.Parts {
			v.Parts = append(v.Parts, retrieve.Span{From: p.From, To: p.To})
			s.Read(p.Text)
		}
		s.Read(f.Outline)
		s.See(v)
	}
	for folder, names := range lists(found) {
		for _, name := range names {
			s.List(folder, name)
		}
	}
	return s
}

// lists yields the lists of paths in a prompt: folders, and the names in each.
func lists(found retrieve.Found) iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		for _, l := range slices.Concat(found.Paths, found.Listings) {
			if !yield(l.Folder, l.Names) {
				return
			}
		}
	}
}

// See adds what is shown of a file.
func (s *Seen) See(v View) {
	v.Parts = append(slices.Clone(s.files[v.Path].Parts), v.Parts...)
	s.files[v.Path] = v
}

// Read adds a text.
func (s *Seen) Read(text string) {
	s.text.WriteString(text)
	s.text.WriteByte('\n')
}

// List adds a path, given as a folder and the name in it.
func (s *Seen) List(folder, name string) {
	if folder != "" && folder != "." {
		name = strings.TrimSuffix(folder, "/") + "/" + name
	}
	s.paths[name] = true
}

// Shows reports whether a line was shown. What is inserted before the first or after the last line of a file is seen
// with that line.
func (s *Seen) Shows(name string, line int) bool {
	v, ok := s.files[name]
	if ok && v.Count == 0 {
		return true
	}
	line = max(1, min(line, v.Count))
	return slices.ContainsFunc(v.Parts, func(p retrieve.Span) bool { return p.From <= line && line <= p.To })
}

// Listed reports whether a path is that of a shown file or is listed.
func (s *Seen) Listed(name string) bool {
	_, shown := s.files[name]
	return shown || s.paths[name]
}

// Names reports whether a path could be read, as a whole.
func (s *Seen) Names(name string) bool {
	if s.Listed(name) {
		return true
	}
	for text := s.text.String(); ; {
		before, after, ok := strings.Cut(text, name)
		if !ok {
			return false
		}
		if !strings.ContainsAny(last(before), pathBytes) && !strings.ContainsAny(first(after), pathBytes) {
			return true
		}
		text = after
	}
}

// pathBytes are what a longer path would go on with.
const pathBytes = "/-_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

func first(text string) string { return text[:min(1, len(text))] }

func last(text string) string { return text[max(0, len(text)-1):] }
