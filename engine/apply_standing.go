package engine

// standsAt reports that a block's new lines are in the file already where it would put them: an insertion around the lines
// that it found, or, at the levels that forgive more than blanks, all of put.
func standsAt(p place, level Level) bool {
	adds, removes := false, false
	for _, e := range p.edits {
		adds = adds || !allBlank(e.put)
		removes = removes || e.to > e.from
	}
	if !adds || removes && level <= LevelTrailingSpace {
		return false
	}
	f := p.fit
	file := f.file.lineKeys(keyTrailing)
	from := max(p.first()-len(f.put), 0)
	to := min(p.last()+1+len(f.put), len(file))
	for _, start := range occurrences(file[from:to], keysOf(keyTrailing, f.put)) {
		if first := from + start; first <= p.first() && first+len(f.put) > p.last() || removes && first <= p.last() && first+len(f.put) > p.first() {
			return true
		}
	}
	return false
}

// putStands reports that the file has put, exactly once, that it is not so little that it could stand there by chance, and that
// find is gone: of the lines that it removes, one is nowhere in the file.
func (f fit) putStands() bool {
	put := fit{file: f.file, find: f.put}
	file := f.file.lineKeys(keyTrailing)
	return put.substantial() && f.isGone(file) && len(occurrences(file, keysOf(keyTrailing, f.put))) == 1
}

func (f fit) isGone(file []string) bool {
	stands := make(map[string]bool, len(file))
	for _, s := range file {
		stands[s] = true
	}
	removed := false
	for _, h := range diffLines(f.find, f.put) {
		for _, s := range f.find[h.f0:h.f1] {
			if !isBlank(s) && !stands[trimTrailing(s)] {
				return true
			}
			removed = removed || !isBlank(s)
		}
	}
	return !removed
}
