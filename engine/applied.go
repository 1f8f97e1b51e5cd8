package engine

import "slices"

// alreadyAt reports whether the new lines of a block are in the file already where it would put them: an insertion
// next to the lines that it found or, at the levels that ignore more than trailing whitespace, the whole replacement.
func alreadyAt(found match, level Level) bool {
	if len(found.parts) > 0 {
		return !slices.ContainsFunc(found.parts, func(part match) bool {
			return len(part.edits) > 0 && !alreadyAt(part, LevelExact)
		})
	}
	m, adds, removes := found.matcher, false, false
	for _, e := range found.edits {
		adds = adds || !allBlank(e.repl)
		removes = removes || e.to > e.from
	}
	if !removes && found.isInserted() || m.covers(found, m.edited(found.edits, found.firstLine(), found.lastLine()+1)) {
		return true
	}
	if !adds || removes && level <= LevelTrailingSpace {
		return false
	}
	for _, start := range m.near(found, m.repl) {
		end := start + len(m.repl)
		covers := start <= found.firstLine() && end > found.lastLine()
		overlaps := start <= found.lastLine() && end > found.firstLine()
		if level >= LevelTokens && found.keepsRemoved(func(n int) bool { return n >= start && n < end }) {
			continue
		}
		if covers || removes && overlaps {
			return true
		}
	}
	return false
}

// keepsRemoved reports whether a line that the edits of a match remove is none of the new ones. Then they are not made
// yet, whatever else the file has.
func (m match) keepsRemoved(isNew func(line int) bool) bool {
	file := m.matcher.file.lines
	for _, e := range m.edits {
		for n := e.from; n < e.to; n++ {
			if !isBlank(file[n].text) && !isNew(n) {
				return true
			}
		}
	}
	return false
}

// overlaps reports whether two matches have lines of the file in common, or lie within each other.
func (m match) overlaps(other match) bool {
	return m.firstLine() <= other.lastLine() && other.firstLine() <= m.lastLine()
}

// isInserted reports whether, next to the place of each insertion, the file has the inserted lines already, and find
// has not.
func (m match) isInserted() bool {
	file := m.matcher.file.lines
	has := func(from int, repl []string) bool {
		to := from + len(repl)
		return from >= 0 && to <= len(file) &&
			!slices.ContainsFunc(m.at, func(n int) bool { return n >= from && n < to }) &&
			slices.EqualFunc(file[from:to], repl, func(l line, s string) bool {
				return trimTrailing(l.text) == trimTrailing(s)
			})
	}
	for _, e := range m.edits {
		if !has(e.from, e.repl) && !has(e.from-len(e.repl), e.repl) {
			return false
		}
	}
	return len(m.edits) > 0
}

// covers reports whether the file has lines, which are more than those of a match, around the match. They are what an
// insertion makes of the match, so that it is made already.
func (m matcher) covers(found match, lines []string) bool {
	first, last := found.firstLine(), found.lastLine()
	if len(lines) <= last+1-first {
		return false
	}
	return slices.ContainsFunc(m.near(found, lines), func(start int) bool {
		return start <= first && start+len(lines) > last
	})
}

// near returns where the file has lines so close to a match that they overlap it or are next to it, ignoring trailing
// whitespace.
func (m matcher) near(found match, lines []string) []int {
	from := max(found.firstLine()-len(lines), 0)
	to := min(found.lastLine()+1+len(lines), len(m.file.lines))
	m.file.work.spend(to - from)
	keys := make([]string, to-from)
	for i := range keys {
		keys[i] = trimTrailing(m.file.lines[from+i].text)
	}
	starts := m.file.occurrences(keys, keysOf(keyTrimRight, lines))
	for i := range starts {
		starts[i] += from
	}
	return starts
}

// replTells reports whether the replacement, if a file has it, tells that the block was applied: it is more than
// punctuation and, if it is a part of find, which the file may have without it, more than one short line.
func (m matcher) replTells() bool {
	if !hasLetters(m.repl) {
		return false
	}
	return len(trimBlankLines(m.repl)) > 1 || substantial(m.repl) || !m.replInFind()
}

// replInFind reports whether the replacement is a part of find, blank lines aside, so that the block only removes lines
// at an edge.
func (m matcher) replInFind() bool {
	if n := commonPrefix(m.find, m.repl); n < len(m.repl) && !isBlank(m.repl[n]) && !hasLine(m.find, m.repl[n]) {
		return false
	}
	find, repl := nonBlankLines(keysOf(keyTrimRight, m.find)).keys, nonBlankLines(keysOf(keyTrimRight, m.repl)).keys
	return len(repl) <= len(find) && len(m.file.occurrences(find, repl)) > 0
}

// hasLine reports whether lines have a line, but for trailing whitespace.
func hasLine(lines []string, s string) bool {
	s = trimTrailing(s)
	return slices.ContainsFunc(lines, func(l string) bool { return trimTrailing(l) == s })
}

// replaced returns the line of the replacement if the file has it instead of the lines to find.
func (loc location) replaced(disabled []Level) (line int, ok bool) {
	switch loc.reason {
	case NotFound:
		return loc.matcher.alreadyReplaced(disabled)
	case Ambiguous, "":
		if line, ok := loc.replacedInContext(); ok {
			return line, true
		}
		return loc.replacedAtStricter(disabled)
	}
	return 0, false
}

// replacedAtStricter returns the line of the replacement if a level stricter than that of the location finds it. Then
// the place at which find matches is another one, to which only a second application of the block would get. A
// replacement that is a part of find tells nothing at the place of find itself.
func (loc location) replacedAtStricter(disabled []Level) (line int, ok bool) {
	if loc.reason == "" {
		line, ok = loc.match.matcher.replacedBelow(loc, disabled)
	}
	if !ok && (loc.reason != "" || loc.level >= LevelTokens) { // the lines of the match may be those of the file
		line, ok = loc.matcher.replacedBelow(loc, disabled)
	}
	return line, ok
}

// replacedBelow returns the line at which a level stricter than that of a location finds the replacement of m.
func (m matcher) replacedBelow(loc location, disabled []Level) (line int, ok bool) {
	if loc.strictness() <= LevelExact || !m.replTells() {
		return 0, false
	}
	partial := m.replInFind()
	inverse := matcher{file: m.file, find: m.repl, repl: m.find}
	for _, l := range levels {
		if l.level >= loc.strictness() {
			break
		}
		if slices.Contains(disabled, l.level) {
			continue
		}
		for _, found := range l.matches(inverse) {
			if (!partial || !found.within(loc.match)) && !loc.isUnmade(found) {
				return found.firstLine(), true
			}
		}
	}
	return 0, false
}

// isUnmade reports whether a match of the replacement is that of find itself, whose lines to remove are there still.
// A match with fuzzy context does not tell: it may have those of another place between its own lines.
func (loc location) isUnmade(found match) bool {
	return loc.reason == "" && loc.strictness() >= LevelTokens && loc.match.overlaps(found) &&
		loc.match.keepsRemoved(func(n int) bool { return slices.Contains(found.at, n) })
}

// replacedInContext returns the line of a change of a block with fuzzy context if it is made already: a line of the
// context that the file has once has there, right next to it, the new lines. What the block matches is another place
// with the old ones.
func (loc location) replacedInContext() (line int, ok bool) {
	if loc.reason != "" || loc.strictness() < LevelFuzzyContext {
		return 0, false
	}
	m := loc.match.matcher
	file, find, repl := m.file.lineKeys(keyTrimRight), keysOf(keyTrimRight, m.find), keysOf(keyTrimRight, m.repl)
	where := m.file.indexLines(keyTrimRight, find, 1)
	isAnchor := func(s string) bool { return hasWord(s) && len(where[s]) == 1 }
	for _, h := range diffLines(m.file.work, find, repl) {
		put := repl[h.r0:h.r1]
		if h.f0 == h.f1 || allBlank(put) {
			continue
		}
		if h.f0 > 0 && isAnchor(find[h.f0-1]) {
			from := where[find[h.f0-1]][0] + 1
			if hasAt(file, from, put) {
				return from, true
			}
		}
		if h.f1 < len(find) && isAnchor(find[h.f1]) {
			from := where[find[h.f1]][0] - len(put)
			if hasAt(file, from, put) {
				return from, true
			}
		}
	}
	return 0, false
}

// hasAt reports whether lines are those of a file from line n on.
func hasAt(file []string, n int, lines []string) bool {
	return n >= 0 && n+len(lines) <= len(file) && slices.Equal(file[n:n+len(lines)], lines)
}

// within reports whether all lines of a match are among those of another, which has lines.
func (m match) within(other match) bool {
	return len(other.at) > 0 && m.firstLine() >= other.firstLine() && m.lastLine() <= other.lastLine()
}

// alreadyReplaced returns the line of the replacement if the file has it at one of the levels up to look-alikes, it is
// long enough not to be there by coincidence, and the file lacks one of the lines that the block removes, if it removes
// any.
func (m matcher) alreadyReplaced(disabled []Level) (line int, ok bool) {
	if !substantial(m.repl) {
		return 0, false
	}
	inverse := matcher{file: m.file, find: m.repl, repl: m.find}
	for _, l := range levels {
		if l.level > LevelHomoglyph {
			break
		}
		if slices.Contains(disabled, l.level) {
			continue
		}
		if found := l.matches(inverse); len(found) > 0 {
			return found[0].firstLine(), m.lacksRemoved(l.level)
		}
	}
	return 0, false
}

// lacksRemoved reports whether the file lacks one of the lines that the block removes, compared as at a level, or the
// block removes none.
func (m matcher) lacksRemoved(level Level) bool {
	kind := keyTrimRight
	if level > LevelBlankLines {
		kind = keyFoldTrimSpace
	}
	present := m.file.present(kind, m.find)
	removes := false
	for _, h := range m.changes() {
		for _, s := range m.find[h.f0:h.f1] {
			if !isBlank(s) && !present[keyOf(kind, s)] {
				return true
			}
			removes = removes || !isBlank(s)
		}
	}
	return !removes
}
