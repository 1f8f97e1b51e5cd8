package text

// Compact moves each group of marked elements as far down as it goes, or up, and joins groups that meet. A group can
// move by an element if the one that it leaves equals the one that it reaches. Where it passes marked elements of the
// other sequence, whose marks are other, it ends beside the last of these.
func Compact[T comparable](sequence []T, marks, other []bool, up bool) {
	beside := markedAfter(other)
	kept := 0
	for at := 0; at < len(sequence); at++ {
		if !marks[at] {
			kept++
			continue
		}
		g := group[T]{in: sequence, marks: marks, beside: beside, from: at, to: endOf(marks, at), kept: kept}
		g.settle(up)
		at, kept = g.to-1, g.kept
	}
}

// markedAfter returns for each number of unmarked elements whether marked ones follow.
func markedAfter(marks []bool) []bool {
	out := make([]bool, 1, len(marks)+1)
	for _, marked := range marks {
		if marked {
			out[len(out)-1] = true
		} else {
			out = append(out, false)
		}
	}
	return out
}

// group is the marked elements [from,to) of a sequence.
type group[T comparable] struct {
	in    []T
	marks []bool
	// beside is markedAfter of the other sequence; kept is the number of unmarked elements above the group.
	beside         []bool
	from, to, kept int
}

// settle moves a group to its place.
func (g *group[T]) settle(up bool) {
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

// up moves the group by an element, and joins it with a group that it meets; false if it cannot move.
func (g *group[T]) up() bool {
	if g.from == 0 || g.in[g.from-1] != g.in[g.to-1] {
		return false
	}
	g.from, g.to, g.kept = g.from-1, g.to-1, g.kept-1
	g.marks[g.from], g.marks[g.to] = true, false
	for g.from > 0 && g.marks[g.from-1] {
		g.from--
	}
	return true
}

// down moves the group by an element, and joins it with a group that it meets; false if it cannot move.
func (g *group[T]) down() bool {
	if g.to == len(g.in) || g.in[g.from] != g.in[g.to] {
		return false
	}
	g.marks[g.from], g.marks[g.to] = false, true
	g.from, g.kept = g.from+1, g.kept+1
	g.to = endOf(g.marks, g.to)
	return true
}
