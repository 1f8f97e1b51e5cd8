package engine

// standsAt reports that a block's new lines are in the file already where it would put them: an insertion around the lines
// that it found, or, at the levels that forgive more than blanks, all of put.
func standsAt(p place, level Level) bool {
	adds, removes := false, false
	for _, e := range p.edits {
		adds = adds || !allBlank(e.put)
		removes = removes || e.to > e.from
	}
	if !adds || removes && level <= LevelTrailing {
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

// putStands reports that the file has put, exactly once, and that it is not so little that it could stand there by chance.
func (f fit) putStands() bool {
	put := fit{file: f.file, find: f.put}
	return put.substantial() && len(occurrences(f.file.lineKeys(keyTrailing), keysOf(keyTrailing, f.put))) == 1
}
