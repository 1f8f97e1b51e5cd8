package engine

// standsAt reports that a block's new lines are in the file already where it would put them: an insertion around the lines
// that it found, or, at the levels that forgive more than blanks, all of put.
func alreadyAt(p match, level Level) bool {
	adds, removes := false, false
	for _, e := range p.edits {
		adds = adds || !allBlank(e.repl)
		removes = removes || e.to > e.from
	}
	if !adds || removes && level <= LevelTrailingSpace {
		return false
	}
	m := p.matcher
	file := m.file.lineKeys(keyTrimRight)
	from := max(p.firstLine()-len(m.put), 0)
	to := min(p.lastLine()+1+len(m.put), len(file))
	for _, start := range occurrences(file[from:to], keysOf(keyTrimRight, m.put)) {
		if first := from + start; first <= p.firstLine() && first+len(m.put) > p.lastLine() || removes && first <= p.lastLine() && first+len(m.put) > p.firstLine() {
			return true
		}
	}
	return false
}

// putStands reports that the file has put, exactly once, that it is not so little that it could stand there by chance, and that
// find is gone: of the lines that it removes, one is nowhere in the file.
func (m matcher) alreadyReplaced() bool {
	repl := matcher{file: m.file, find: m.put}
	file := m.file.lineKeys(keyTrimRight)
	return repl.substantial() && m.findIsGone(file) && len(occurrences(file, keysOf(keyTrimRight, m.put))) == 1
}

func (m matcher) findIsGone(file []string) bool {
	present := make(map[string]bool, len(file))
	for _, s := range file {
		present[s] = true
	}
	removed := false
	for _, h := range diffLines(m.find, m.put) {
		for _, s := range m.find[h.f0:h.f1] {
			if !isBlank(s) && !present[trimTrailing(s)] {
				return true
			}
			removed = removed || !isBlank(s)
		}
	}
	return !removed
}
