package match

import (
	"slices"

	"github.com/tenon-bot/tenon/engine/text"
)

// indent ignores indentation, if one shift changes that of each line to find to that of the file. The first line may
// have lost its indentation, as happens often in replies.
func indent(f File, p Pattern) []Match { return shifted(f, p, text.TrimSpace, text.TrimRight) }

// shifted returns the places where the lines have the same keys of kind trimmed, and one shift of indentation. Keys of
// kind indented also compare the indentation.
func shifted(f File, p Pattern, trimmed, indented text.KeyKind) []Match {
	if !hasLetters(p.Find) {
		return nil
	}
	var matches []Match
	for at := range alignNonBlank(f, p.Find, trimmed) {
		s, ok := shiftFor(f, p, at)
		switch {
		case !ok, !sameBlankGaps(p.Find, at), trimmed != text.TrimSpace && hasOtherName(f, p.Find, at):
		case len(matches) >= f.Hint.edited():
			matches = append(matches, p.onlyAt(at))
		default:
			matches = append(matches, shiftedMatch(f, p, at, s, trimmed, indented))
		}
	}
	return matches
}

// sameBlankGaps reports whether the lines to find and the file have blank lines, in any number, between the same lines.
// A block that differs in both indentation and blank lines is too different.
func sameBlankGaps(find []string, at []int) bool {
	prev := -1
	for i, s := range find {
		if text.IsBlank(s) {
			continue
		}
		if prev >= 0 && (i-prev > 1) != (at[i]-at[prev] > 1) {
			return false
		}
		prev = i
	}
	return true
}

// shiftFor returns the simplest shift from the lines to find that are not blank to the given lines of the file.
func shiftFor(f File, p Pattern, at []int) (shift, bool) {
	var all []indentPair
	for i, s := range p.Find {
		if !text.IsBlank(s) {
			all = append(all, indentPair{text.IndentOf(s), text.IndentOf(f.Lines()[at[i]])})
		}
	}
	if s, ok := commonShift(all); ok {
		return s, true
	}
	if len(all) < 2 || len(all[0].block) >= len(all[0].file) {
		return shift{}, false
	}
	s, ok := commonShift(all[1:])
	s.firstLost, s.firstIndent = true, all[0].file
	return s, ok
}

// shiftedMatch returns the match at a place where s changes the indentation of the lines to find to that of the file,
// with the replacement indented accordingly.
func shiftedMatch(f File, p Pattern, at []int, s shift, trimmed, indented text.KeyKind) Match {
	switch replaceIndent(f, p, at, s, trimmed) {
	case indentedAsFind:
		if isDoubtful(f, p, at) {
			return Match{Pattern: p, At: at,
				Ambiguity: "one line to find does not tell how the other lines are indented"}
		}
		return matchAt(f, p, at, indented, reindentBy(p, s))
	case indentedAsFile:
		find := slices.Clone(p.Find)
		for i, n := range at {
			if n >= 0 {
				find[i] = f.Lines()[n]
			}
		}
		return matchAt(f, NewPattern(f.Work, find, p.Replace), at, indented, asWritten)
	default:
		return Match{Pattern: p, At: at,
			Ambiguity: "the new lines are indented neither as the lines to find nor as the file"}
	}
}
