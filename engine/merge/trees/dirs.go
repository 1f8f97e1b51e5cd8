package trees

import "strings"

// need says for what the place is needed to which a side moved a directory.
type need byte

const (
	// forNothing: the other side added no file there.
	forNothing need = iota
	// forAbove: it added one to a directory above.
	forAbove
	// forItself: it added one to this directory.
	forItself
)

// dirs are the directories that a side removed, and where it renamed their files to.
type dirs struct {
	*merger
	side Side
	// added are the directories in which only the other side added files, themselves.
	added map[string]bool
	// has are the directories that the side has because it added files to them, and removed those of the base of which it
	// is known whether the side has them.
	has, removed map[string]bool
	needs        map[string]need
	// counts has how many files of a removed directory were renamed into each other one.
	counts map[string]map[string]int
	// guess is the directory with the most of the files whose content did not change.
	guess map[string]string
}

func (m *merger) dirs(s Side) dirs {
	d := dirs{
		merger: m, side: s, added: map[string]bool{}, has: map[string]bool{}, removed: map[string]bool{},
		needs: map[string]need{}, counts: map[string]map[string]int{}, guess: map[string]string{},
	}
	for _, path := range m.order {
		n := m.nodes[path]
		switch here, there := n.side(s).exists(), n.side(s.other()).exists(); {
		case here:
			for dir := parent(path); dir != "" && !d.has[dir]; dir = parent(dir) {
				d.has[dir] = true
			}
		case there && !n.base.exists():
			d.added[parent(path)] = true
		}
	}
	return d
}

// gone reports whether the side removed a directory of the base.
func (d *dirs) gone(dir string) bool {
	if dir == "" || d.has[dir] || d.stop != nil {
		return false
	}
	gone, known := d.removed[dir]
	if known {
		return gone
	}
	gone = d.gone(parent(dir))
	if !gone {
		has, err := d.HasDir(d.side, dir)
		if err != nil {
			d.stop = &stop{err: err}
		}
		gone = !has
	}
	d.removed[dir] = gone
	return gone
}

// grew reports whether the side removed a directory of the base to which, or to a removed one above it, the other side
// added a file.
func (d *dirs) grew(dir string) bool {
	for ; dir != ""; dir = parent(dir) {
		if d.added[dir] && d.gone(dir) {
			return true
		}
	}
	return false
}

// need returns for what the place of a removed directory is needed.
func (d *dirs) need(dir string) need {
	n, known := d.needs[dir]
	if known {
		return n
	}
	switch {
	case d.added[dir]:
		n = forItself
	case d.grew(parent(dir)):
		n = forAbove
	}
	d.needs[dir] = n
	return n
}

// count counts a renamed file for its directory, and for those above it as far as only they changed their name.
func (d *dirs) count(from, to string) {
	for first := true; ; first = false {
		old, was := parent(from), from
		dir := parent(to)
		if !d.gone(old) || !first && base(was) != base(to) {
			return
		}
		n := d.need(old)
		if n == forItself || first {
			if d.counts[old] == nil {
				d.counts[old] = map[string]int{}
			}
			d.counts[old][dir]++
		}
		if n == forNothing || old == "" || dir == "" {
			return
		}
		from, to = old, dir
	}
}

// best returns the directory with the most files; several reports whether another one has as many.
func best(counts map[string]int) (dir string, several bool) {
	most := 0
	for other, n := range counts {
		switch {
		case n > most:
			dir, most, several = other, n, false
		case n == most:
			several = true
			if other < dir {
				dir = other
			}
		}
	}
	return dir, several
}

// settled reports whether so many files of a directory were found in one other that the rest does not matter.
func settled(counts map[string]int, unknown int) bool {
	first, second := 0, 0
	for _, n := range counts {
		if n >= first {
			first, second = n, first
		} else {
			second = max(second, n)
		}
	}
	return first > second+unknown
}

// wanted reports whether the place of a directory is needed that the side removed.
func (d *dirs) wanted(dir string) bool { return d.gone(dir) && d.need(dir) != forNothing }

// needed returns those of some sources whose destinations matter still.
func (d *dirs) needed(from []renamed, sources []int) []int {
	unknown := map[string]int{}
	for _, i := range sources {
		for dir := parent(from[i].path); d.wanted(dir); dir = parent(dir) {
			unknown[dir]++
		}
	}
	for dir, counts := range d.counts {
		if d.need(dir) == forItself && settled(counts, unknown[dir]) {
			d.needs[dir] = forAbove
		}
	}
	out := sources[:0]
	for _, i := range sources {
		matters := from[i].content
		for dir := parent(from[i].path); !matters && d.wanted(dir); dir = parent(dir) {
			matters = d.need(dir) == forItself
		}
		if matters {
			out = append(out, i)
		}
	}
	return out
}

// guess notes where the files of each directory are that were found so far.
func (d *detection) guess() {
	for dir, counts := range d.dirs.counts {
		d.dirs.guess[dir], _ = best(counts)
	}
}

// moves returns where the directories are that the side renamed, and those whose place is unclear.
func (d *dirs) moves() (to map[string]string, unclear map[string]bool) {
	to, unclear = map[string]string{}, map[string]bool{}
	for old, counts := range d.counts {
		if d.need(old) == forNothing {
			continue
		}
		dir, several := best(counts)
		if several {
			unclear[old] = true
		} else {
			to[old] = dir
		}
	}
	return to, unclear
}

// relocate finds the files that a side added to directories that the other side renamed.
func (m *merger) relocate(ours, theirs *detection) {
	oursTo, oursUnclear := ours.dirs.moves()
	theirsTo, theirsUnclear := theirs.dirs.moves()
	for dir := range oursTo {
		if _, both := theirsTo[dir]; both {
			delete(oursTo, dir)
			delete(theirsTo, dir)
		}
	}
	m.located(Theirs, oursTo, oursUnclear, theirsTo)
	m.located(Ours, theirsTo, theirsUnclear, oursTo)
}

// located finds the files that a side added, by where the other side moved directories, and the side
// itself.
func (m *merger) located(s Side, moved map[string]string, unclear map[string]bool, own map[string]string) {
	if len(moved)+len(unclear) == 0 {
		return
	}
	for _, path := range m.order {
		n := m.nodes[path]
		if n.base.exists() || !n.side(s).exists() || n.side(s.other()).exists() {
			continue
		}
		for dir := parent(path); dir != ""; dir = parent(dir) {
			to, known := moved[dir]
			if _, again := own[to]; known && again {
				break
			}
			if !known && !unclear[dir] && !above(dir, unclear) {
				continue
			}
			n.location = &to
			break
		}
	}
}

// above reports whether a directory is above one of several.
func above(dir string, several map[string]bool) bool {
	for d := range several {
		if strings.HasPrefix(d, dir+"/") {
			return true
		}
	}
	return false
}
