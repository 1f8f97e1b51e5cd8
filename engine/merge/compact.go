package merge

// compact moves each group of changed lines as far down as it goes, or up, and joins groups that meet. A group can move
// by a line if the line that it leaves equals the one that it reaches. Where it passes changed lines of the other
// sequence, it ends beside the last of these.
func (s sequence) compact(other sequence, up bool) {
	beside := other.changedAfter()
	kept := 0
	for at := 0; at < len(s.id); at++ {
		if !s.changed[at] {
			kept++
			continue
		}
		g := group{s: s, beside: beside, from: at, to: s.endOf(at), kept: kept}
		g.settle(up)
		at, kept = g.to-1, g.kept
	}
}

// changedAfter returns for each number of unchanged lines whether changed ones follow.
func (s sequence) changedAfter() []bool {
	out := make([]bool, 1, len(s.id)+1)
	for _, changed := range s.changed {
		if changed {
			out[len(out)-1] = true
		} else {
			out = append(out, false)
		}
	}
	return out
}

// group is the changed lines [from,to) of a sequence.
type group struct {
	s sequence
	// beside is changedAfter of the other sequence; kept is the number of unchanged lines above the group.
	beside         []bool
	from, to, kept int
}

// settle moves a group to its place.
func (g *group) settle(up bool) {
	var highest, last int
	for size := 0; size != g.to-g.from; {
		size = g.to - g.from
		for g.up() {
		}
		highest, last = g.to, -1
		for more := true; more; more = g.down() {
			if g.beside[g.kept] {
				last = g.to
			}
		}
	}
	place := g.to
	if last >= 0 {
		place = last
	} else if up {
		place = highest
	}
	for g.to > place {
		g.up()
	}
}

// up moves the group by a line, and joins it with a group that it meets; false if it cannot move.
func (g *group) up() bool {
	s := g.s
	if g.from == 0 || s.id[g.from-1] != s.id[g.to-1] {
		return false
	}
	g.from, g.to, g.kept = g.from-1, g.to-1, g.kept-1
	s.changed[g.from], s.changed[g.to] = true, false
	for g.from > 0 && s.changed[g.from-1] {
		g.from--
	}
	return true
}

// down moves the group by a line, and joins it with a group that it meets; false if it cannot move.
func (g *group) down() bool {
	s := g.s
	if g.to == len(s.id) || s.id[g.from] != s.id[g.to] {
		return false
	}
	s.changed[g.from], s.changed[g.to] = false, true
	g.from, g.kept = g.from+1, g.kept+1
	g.to = s.endOf(g.to)
	return true
}
