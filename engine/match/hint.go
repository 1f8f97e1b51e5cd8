package match

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/text"
)

// Hint is what a reply says of a place besides its lines. It counts only where these fit at several places, and if it
// is right for exactly one of them.
type Hint struct {
	// Line is the first line of the place, counted from 1, or 0 if it is not known.
	Line int
	// After and Before are lines, counted from 1, between which the place is; 0 if they are not known.
	After, Before int
	// Scope are lines above the place, outermost first, that name what contains it.
	Scope []string
}

// maxEdited is for how many of several matches the edits are worked out, if no hint chooses one of them. Then none of
// them is made: only the places are told.
const maxEdited = 2

// edited returns for how many matches the edits are worked out.
func (h Hint) edited() int {
	if h.Line == 0 && h.After == 0 && h.Before == 0 && len(h.Scope) == 0 {
		return maxEdited
	}
	return text.MaxFound
}

// choose returns the one match that the hint is right for. Where there may be more matches than these, only the line
// tells.
func (h Hint) choose(f File, matches []Match) (Match, bool) {
	if len(matches) >= text.MaxFound {
		h = Hint{Line: h.Line}
	}
	for _, holds := range []func(Match) bool{
		func(m Match) bool { return m.First()+1 == h.Line },
		func() func(Match) bool {
			from, to := h.scope(f)
			return func(m Match) bool { return from > 0 && m.First() >= from && m.Last() < to }
		}(),
		func(m Match) bool { return h.isBetween(m.First(), m.Last()) },
	} {
		if in := slices.DeleteFunc(slices.Clone(matches), func(m Match) bool { return !holds(m) }); len(in) == 1 {
			return in[0], true
		}
	}
	return Match{}, false
}

// isBetween reports whether lines [first,last], counted from 0, are between After and Before, one of which is known.
func (h Hint) isBetween(first, last int) bool {
	return (h.After > 0 || h.Before > 0) && first+1 > h.After && (h.Before == 0 || last+1 < h.Before)
}

// scope returns the lines [from,to) of what the scope names: those below its line that are indented more, and the blank
// ones among them. from is 0 if it names nothing, or several things.
func (h Hint) scope(f File) (from, to int) {
	lines := f.Lines()
	to = len(lines)
	for _, name := range h.Scope {
		at := lineNamed(lines[from:to], name)
		if at < 0 {
			return 0, 0
		}
		from += at + 1
		indent := len(text.IndentOf(lines[from-1]))
		for n := from; n < to; n++ {
			if !text.IsBlank(lines[n]) && len(text.IndentOf(lines[n])) <= indent && !closesBlock(lines[n]) {
				to = n
			}
		}
	}
	return from, to
}

// closesBlock reports whether a line begins with what closes a block, as ") {" after the parameters of a function does.
func closesBlock(line string) bool {
	return strings.IndexByte(")}]{", text.TrimIndent(line)[0]) >= 0
}

// lineNamed returns the one line that is name, or if there is none, the one that begins with it, indentation aside; -1
// if there is none, or more than one.
func lineNamed(lines []string, name string) int {
	name = strings.TrimSpace(name)
	for _, is := range []func(string) bool{
		func(s string) bool { return strings.TrimSpace(s) == name },
		func(s string) bool { return strings.HasPrefix(text.TrimIndent(s), name) },
	} {
		if at := slices.IndexFunc(lines, is); at >= 0 {
			if slices.ContainsFunc(lines[at+1:], is) {
				return -1
			}
			return at
		}
	}
	return -1
}

// IsMadeAt reports whether the replacement of a block is at the place that the hint names, and the lines to find are
// elsewhere: the block was applied there. found has no lines if the lines to find are at several places.
func (h Hint) IsMadeAt(f File, p Pattern, found Match) (line int, ok bool) {
	several := len(found.At) == 0
	if len(p.changes) == 0 || several && !tells(p) {
		return 0, false
	}
	from, to := h.scope(f)
	between, ordered := 0, !several && !h.isBetween(found.First(), found.Last())
	for _, at := range text.Search(f.Work, f.Lines(), p.Replace) {
		end := at + len(p.Replace)
		switch {
		case !several && found.First() < end && found.Last() >= at:
		case at+1 == h.Line, from > 0 && at >= from && end <= to && tells(p):
			return at, true
		case ordered && h.isBetween(at, end-1) && tells(p):
			between++
			line = at
		}
	}
	return line, between == 1
}
