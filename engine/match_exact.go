package engine

import (
	"bytes"
	"slices"
	"strings"
)

// exactMatch returns the match of a block that matches a file exactly at one place, found by a search for its bytes. It
// is the short way for what most blocks are. ok is false, and nothing is changed, if the block does not match exactly,
// matches at several places, or has anything about it that only the long way decides: that is locate, and the cases of
// modify. A new case there that concerns exact matches is to be a reason for the long way here, as far as bytes show
// it. Blocks have the same outcome on both ways (TestBothWaysAgree, FuzzBothWays). at of the match has only the first
// and the last line.
func (a *applier) exactMatch(t *text, b Block) (found match, ok bool) {
	if len(t.raw) == 0 || len(b.Splits) > 0 || a.longWay || allBlank(b.Find) ||
		slices.Contains(a.opts.DisabledLevels, LevelExact) {
		return match{}, false
	}
	at, ok := t.findOnce(b.Find)
	if !ok {
		return match{}, false
	}
	found.matcher = matcher{file: t, find: b.Find, repl: b.Replace}
	found.at = []int{at.line, at.line + len(b.Find) - 1}
	for _, h := range diffLines(t.work, b.Find, b.Replace) {
		e := edit{at.line + h.f0, at.line + h.f1, []string{}}
		if h.r1 > h.r0 {
			e.repl = b.Replace[h.r0:h.r1:h.r1]
		}
		found.edits = append(found.edits, e)
	}
	if hasPlaceholder(b.Find, b.Replace) || found.needsLongWay(at) || a.mode == applyOnce && !found.isOnce(b) ||
		t.work.isUsedUp() {
		return match{}, false
	}
	return found, true
}

// isOnce reports whether it is certain that an exact match will not match again after its edits.
func (m match) isOnce(b Block) bool {
	return location{match: m, level: LevelExact}.isOnce(b) && (m.isGone() || m.findAfter())
}

// isGone reports whether it is certain that the lines of find are gone after the edits of an exact match, since one of
// those that it removes is neither in the replacement nor in the lines around the match.
func (m match) isGone() bool {
	t, find := m.matcher.file, m.matcher.find
	from := t.mark // the start of the match
	to := t.after(from, len(find))
	above := t.raw[t.before(from, len(find)).offset:from.offset]
	below := t.raw[to.offset:t.after(to, len(find)).offset]
	for _, e := range m.edits {
		for n := e.from; n < e.to; n++ {
			s := find[n-from.line]
			if isBlank(s) || slices.Contains(m.matcher.repl, s) {
				continue
			}
			return !bytes.Contains(above, []byte(s)) && !bytes.Contains(below, []byte(s))
		}
	}
	return false
}

// needsLongWay reports whether only the long way can tell what happens to the edits of an exact match: whether the file
// has the new lines already, whether it is indented as they are, and whether it may have them at all. It may report
// true for edits of which the long way thinks nothing.
func (m match) needsLongWay(at position) bool {
	t, find, repl := m.matcher.file, m.matcher.find, m.matcher.repl
	removes, longest := false, ""
	tabs, spaces := 0, 0
	for _, e := range m.edits {
		removes = removes || e.to > e.from
		for _, s := range e.repl {
			if strings.IndexByte(s, '\r') >= 0 || strings.IndexByte(s, '\n') >= 0 || t.asciiOnly && !isASCII(s) {
				return true
			}
			if s = trimTrailing(s); len(s) > len(longest) {
				longest = s
			}
		}
		t, s := countIndents(e.repl)
		tabs, spaces = tabs+t, spaces+s
	}
	grows := !removes || len(repl) > len(find)
	if grows && (longest == "" || t.hasAround(at, len(find), len(repl), longest)) {
		return true
	}
	if findTabs, findSpaces := countIndents(find); findTabs+findSpaces > 0 {
		return false
	}
	return tabs > 0 && !t.isIndentedWith("\t") || spaces > 0 && !t.isIndentedWith("  ")
}

// hasAround reports whether s is in the n lines at a place, or in the margin of lines on either side.
func (t *text) hasAround(at position, n, margin int, s string) bool {
	from, to := t.before(at, margin), t.after(at, n+margin)
	return bytes.Contains(t.raw[from.offset:to.offset], []byte(s))
}

// isIndentedWith reports whether the first line that begins with indent, after another line, is not blank.
func (t *text) isIndentedWith(indent string) bool {
	i := bytes.Index(t.raw, []byte("\n"+indent))
	if i < 0 {
		return false
	}
	line, _, _ := bytes.Cut(t.raw[i+1:], []byte("\n"))
	return len(bytes.TrimSpace(line)) > 0
}
