package match

import (
	"slices"
	"strings"
)

// shift changes the indentation of lines to find to that of the file: it converts tabs to spaces or spaces to tabs,
// then removes a prefix or adds one.
type shift struct {
	// tabWidth is the width of a tab: positive to convert tabs to spaces, negative to convert spaces to tabs, 0 for
	// neither.
	tabWidth int
	cut, add string
	// firstLost is set if the first line has lost its indentation, which is firstIndent in the file.
	firstLost   bool
	firstIndent string
}

// tabWidths are the values of tabWidth to try, in order.
var tabWidths = []int{0, 2, 4, 8, 3, -2, -4, -8, -3}

func (s shift) isZero() bool { return s.tabWidth == 0 && s.cut == "" && s.add == "" && !s.firstLost }

// apply shifts one indentation; ok is false if it lacks the prefix to remove.
func (s shift) apply(in string) (out string, ok bool) {
	if s.tabWidth > 0 {
		in = strings.ReplaceAll(in, "\t", strings.Repeat(" ", s.tabWidth))
	} else if s.tabWidth < 0 {
		in = strings.ReplaceAll(in, strings.Repeat(" ", -s.tabWidth), "\t")
	}
	rest, ok := strings.CutPrefix(in, s.cut)
	return s.add + rest, ok
}

// indentPair is the indentation of one line in a block and in the file.
type indentPair struct{ block, file string }

// commonShift returns the simplest shift for all pairs: a prefix, else a tab width, else both.
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

// shiftWithTabs finds the prefix to remove or add after converting tabs with the given width.
func shiftWithTabs(w int, all []indentPair) (shift, bool) {
	s := shift{tabWidth: w}
	from, _ := s.apply(all[0].block)
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
		out, ok := s.apply(in.block)
		return !ok || out != in.file
	})
}
