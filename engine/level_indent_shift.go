package engine

import (
	"slices"
	"strings"
)

// shift carries the indentation of find's lines to the file's: tabs become blanks or blanks tabs, then a prefix goes, or one
// comes.
type shift struct {
	// tabs is how many blanks stand for a tab: positive where tabs become blanks, negative where blanks become tabs.
	tabs     int
	cut, add string
	// lost says that the first line had lost its indentation, which is first in the file.
	lost  bool
	first string
}

// widths are the widths of a tab that are tried, 0 for none, in order.
var widths = []int{0, 2, 4, 8, 3, -2, -4, -8, -3}

func (s shift) none() bool { return s.tabs == 0 && s.cut == "" && s.add == "" && !s.lost }

// apply shifts one indentation; ok is false when it lacks the prefix to cut.
func (s shift) apply(in string) (out string, ok bool) {
	if s.tabs > 0 {
		in = strings.ReplaceAll(in, "\t", strings.Repeat(" ", s.tabs))
	} else if s.tabs < 0 {
		in = strings.ReplaceAll(in, strings.Repeat(" ", -s.tabs), "\t")
	}
	rest, ok := strings.CutPrefix(in, s.cut)
	return s.add + rest, ok
}

// indents is the indentation of one line in find and in the file.
type indents struct{ find, file string }

// shiftTo returns the simplest shift that carries find's non-blank lines to the lines at of the file.
func (f fit) shiftTo(at []int) (shift, bool) {
	var all []indents
	for i, s := range f.find {
		if !isBlank(s) {
			all = append(all, indents{indentOf(s), indentOf(f.file.lines[at[i]].text)})
		}
	}
	if s, ok := shiftOf(all); ok {
		return s, true
	}
	if len(all) < 2 || len(all[0].find) >= len(all[0].file) {
		return shift{}, false
	}
	s, ok := shiftOf(all[1:])
	s.lost, s.first = true, all[0].file
	return s, ok
}

// shiftOf returns the simplest shift for all of them: a prefix, then another width of tabs, then both.
func shiftOf(all []indents) (shift, bool) {
	var both *shift
	for _, w := range widths {
		s, ok := shiftBy(w, all)
		switch {
		case !ok:
		case w == 0, s.cut == "" && s.add == "":
			return s, true
		case both == nil:
			both = &s
		}
	}
	if both == nil {
		return shift{}, false
	}
	return *both, true
}

// shiftBy finds the prefix that goes or comes once tabs have the width w.
func shiftBy(w int, all []indents) (shift, bool) {
	s := shift{tabs: w}
	from, _ := s.apply(all[0].find)
	to := all[0].file
	switch {
	case strings.HasSuffix(to, from):
		s.add = to[:len(to)-len(from)]
	case strings.HasSuffix(from, to):
		s.cut = from[:len(from)-len(to)]
	default:
		return shift{}, false
	}
	return s, !slices.ContainsFunc(all, func(in indents) bool {
		out, ok := s.apply(in.find)
		return !ok || out != in.file
	})
}
