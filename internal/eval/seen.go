package eval

import (
	"iter"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/retrieve"
)

// seen is what the model was shown of a repository.
type seen struct {
	files map[string]view
	paths map[string]bool // that are listed
	text  strings.Builder // all that it could read
}

// view is what is shown of a file, which has count lines.
type view struct {
	path  string
	count int
	parts []retrieve.Span
}

// newSeen returns what is known of what was selected for an issue.
func newSeen(issue string, found retrieve.Found) *seen {
	s := &seen{files: map[string]view{}, paths: map[string]bool{}}
	s.read(issue)
	for _, f := range found.Files {
		v := view{path: f.Path, count: f.Lines}
		for _, p := range f.Parts {
			v.parts = append(v.parts, retrieve.Span{From: p.From, To: p.To})
			s.read(p.Text)
		}
		s.read(f.Outline)
		s.see(v)
	}
	for folder, names := range lists(found) {
		for _, name := range names {
			s.list(folder, name)
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

// see adds what is shown of a file.
func (s *seen) see(v view) {
	v.parts = append(slices.Clone(s.files[v.path].parts), v.parts...)
	s.files[v.path] = v
}

// read adds a text.
func (s *seen) read(text string) {
	s.text.WriteString(text)
	s.text.WriteByte('\n')
}

// list adds a path, given as a folder and the name in it.
func (s *seen) list(folder, name string) {
	if folder != "" && folder != "." {
		name = strings.TrimSuffix(folder, "/") + "/" + name
	}
	s.paths[name] = true
}

// shows reports whether a line was shown. What is inserted before the first or after the last line of a file is seen
// with that line.
func (s *seen) shows(name string, line int) bool {
	v, ok := s.files[name]
	if ok && v.count == 0 {
		return true
	}
	line = max(1, min(line, v.count))
	return slices.ContainsFunc(v.parts, func(p retrieve.Span) bool { return p.From <= line && line <= p.To })
}

// listed reports whether a path is that of a shown file or is listed.
func (s *seen) listed(name string) bool {
	_, shown := s.files[name]
	return shown || s.paths[name]
}

// names reports whether a path could be read, as a whole.
func (s *seen) names(name string) bool {
	if s.listed(name) {
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
