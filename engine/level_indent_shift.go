package engine

import (
	"slices"
	"strings"
)

// shift carries the indentation of find's lines to the file's: tabs become blanks or blanks tabs, then a prefix goes, or one
// comes.
type shift struct {
	// tabs is how many blanks stand for a tab: positive where tabs become blanks, negative where blanks become tabs.
	tabWidth     int
	cut, add string
	// lost says that the first line had lost its indentation, which is first in the file.
	firstLost  bool
	firstIndent string
}

// widths are the widths of a tab that are tried, 0 for none, in order.
var tabWidths = []int{0, 2, 4, 8, 3, -2, -4, -8, -3}

func (s shift) isZero() bool { return s.tabWidth == 0 && s.cut == "" && s.add == "" && !s.firstLost }

// apply shifts one indentation; ok is false when it lacks the prefix to cut.
func (s shift) apply(in string) (out string, ok bool) {
	if s.tabWidth > 0 {
		in = strings.ReplaceAll(in, "\t", strings.Repeat(" ", s.tabWidth))
	} else if s.tabWidth < 0 {
		in = strings.ReplaceAll(in, strings.Repeat(" ", -s.tabWidth), "\t")
	}
	rest, ok := strings.CutPrefix(in, s.cut)
	return s.add + rest, ok
}

// indents is the indentation of one line in find and in the file.
type indentPair struct{ find, file string }

// shiftTo returns the simplest shift that carries find's non-blank lines to the lines at of the file.
func (m matcher) shiftFor(at []int) (shift, bool) {
	var all []indentPair
	for i, s := range m.find {
		if !isBlank(s) {
			all = append(all, indentPair{indentOf(s), indentOf(m.file.lines[at[i]].text)})
		}
	}
	if s, ok := commonShift(all); ok {
		return s, true
	}
	if len(all) < 2 || len(all[0].find) >= len(all[0].file) {
		return shift{}, false
	}
	s, ok := commonShift(all[1:])
	s.firstLost, s.firstIndent = true, all[0].file
	return s, ok
}

// shiftOf returns the simplest shift for all of them: a prefix, then another width of tabs, then both.
func commonShift(all []indentPair) (shift, bool) {
	var both *shift
	for _, w := range tabWidths {
		s, ok := shiftWithTabs(w, all)
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
func shiftWithTabs(w int, all []indentPair) (shift, bool) {
	s := shift{tabWidth: w}
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
	return s, !slices.ContainsFunc(all, func(in indentPair) bool {
		out, ok := s.apply(in.find)
		return !ok || out != in.file
	})
}
