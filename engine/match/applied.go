package match

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// IsMade reports whether the new lines of a block are in the file already, where it would put them.
func (l Location) IsMade() bool { return isMade(l.file, l.Match) }

func isMade(f File, found Match) bool {
	if len(found.parts) > 0 {
		return !slices.ContainsFunc(found.parts, func(part Match) bool { return len(part.Edits) > 0 && !isMade(f, part) })
	}
	removes := slices.ContainsFunc(found.Edits, func(e text.Edit) bool { return e.To > e.From })
	return !removes && isInserted(f, found) || isCovered(f, found)
}

// isInserted reports whether, next to the place of each insertion, the file has the inserted lines already, and the
// lines to find are others.
func isInserted(f File, found Match) bool {
	has := func(from int, lines []string) bool {
		to := from + len(lines)
		return from >= 0 && to <= len(f.Lines()) &&
			!slices.ContainsFunc(found.At, func(n int) bool { return n >= from && n < to }) &&
			slices.EqualFunc(f.Lines()[from:to], lines, func(a, b string) bool {
				return text.TrimTrailing(a) == text.TrimTrailing(b)
			})
	}
	for _, e := range found.Edits {
		if !has(e.From, e.Lines) && !has(e.From-len(e.Lines), e.Lines) {
			return false
		}
	}
	return len(found.Edits) > 0
}

// isCovered reports whether the file has, around a match, the lines that the edits would make of the match, if these
// are more than its own: then an insertion is made already. Whitespace at the end of lines does not count.
func isCovered(f File, found Match) bool {
	first, last := found.First(), found.Last()
	lines := edited(f, found.Edits, first, last+1)
	if len(lines) <= last+1-first {
		return false
	}
	from, to := max(first-len(lines), 0), min(last+1+len(lines), len(f.Lines()))
	f.Work.Spend(to - from)
	starts := text.Search(f.Work, text.KeysOf(text.TrimRight, f.Lines()[from:to]), text.KeysOf(text.TrimRight, lines))
	return slices.ContainsFunc(starts, func(start int) bool {
		return from+start <= first && from+start+len(lines) > last
	})
}

// IsOnce reports whether the replacement of a block tells that it was made, and reads back from the file as written.
func (l Location) IsOnce() bool {
	p := l.Match.Pattern
	return l.Level == block.LevelExact && !l.Match.isRestyled &&
		tells(p) && !isPart(text.TrimSpace, p) && !mayBeTypos(p) &&
		!strings.HasPrefix(p.Replace[0], text.BOM) &&
		!slices.ContainsFunc(p.Replace, func(s string) bool { return strings.HasSuffix(s, "\r") })
}

// IsGone reports whether the lines to find are, after the edits of an exact match, gone, there more than once, or there
// as a part of the replacement. They can only be where the replacement is.
func (l Location) IsGone() bool {
	find, replace := l.Match.Pattern.Find, l.Match.Pattern.Replace
	first, end := l.Match.First(), l.Match.Last()+1
	from, lines := l.file.Around(first, end, len(find)-1)
	around := slices.Concat(lines[:first-from], replace, lines[end-from:])
	starts := text.Search(l.file.Work, around, find)
	return len(starts) != 1 || starts[0] >= first-from && starts[0]+len(find) <= first-from+len(replace)
}
