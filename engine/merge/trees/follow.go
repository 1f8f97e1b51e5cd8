package trees

import "slices"

// follow takes the versions of renamed files to their new paths.
func (m *merger) follow(ours, theirs *detection) {
	toOurs, toTheirs := ours.targets(), theirs.targets()
	m.unclear(ours, theirs)
	for _, path := range m.order {
		n := m.nodes[path]
		if n.conflict != nil {
			continue // it is unclear where it is
		}
		a, b := toOurs[path], toTheirs[path]
		switch {
		case a == nil && b == nil:
		case a == nil:
			m.renamed(n, b, Theirs)
		case b == nil:
			m.renamed(n, a, Ours)
		case a == b:
			a.base = n.base
			n.moved = true
		default:
			n.moved = true
			m.apart(n, a, b)
		}
	}
}

// unclear makes conflicts of files that both sides changed where it is unclear which file they became, unless the same
// is unclear of both sides, which then have the same files.
func (m *merger) unclear(ours, theirs *detection) {
	ofOurs, ofTheirs := ours.doubts(), theirs.doubts()
	for _, path := range m.order {
		a, b := ofOurs[path], ofTheirs[path]
		if len(a)+len(b) == 0 || slices.Equal(a, b) && !slices.ContainsFunc(a, m.different) {
			continue
		}
		c := m.nodes[path].as(RenameUnclear)
		c.Candidates = slices.Concat(a, b)
		slices.Sort(c.Candidates)
		c.Candidates = slices.Compact(c.Candidates)
		m.nodes[path].conflict = &c
	}
}

// different reports whether the sides differ at a path.
func (m *merger) different(path string) bool {
	return m.nodes[path].ours.Entry != m.nodes[path].theirs.Entry
}

// doubts returns where files that the other side changed may be.
func (d *detection) doubts() map[string][]string {
	out := map[string][]string{}
	for _, r := range d.from {
		for _, j := range r.unclear {
			if r.content {
				out[r.path] = append(out[r.path], d.to[j].path)
			}
		}
	}
	return out
}

// apart makes a conflict of a file that ours renamed to a, and theirs to b.
func (m *merger) apart(n, a, b *node) {
	if !a.theirs.exists() && !b.ours.exists() {
		b.moved = true
		a.conflict = &Conflict{Kind: RenameApart, Path: a.path, Base: n.base, Ours: a.ours, Theirs: b.theirs}
		return
	}
	for _, to := range []*node{a, b} {
		if to.ours.exists() && to.theirs.exists() {
			c := to.as(RenameTogether)
			c.Base = n.base
			to.conflict = &c
		}
	}
}

// targets returns where the side renamed files to, by their paths before.
func (d *detection) targets() map[string]*node {
	out := make(map[string]*node)
	for _, r := range d.from {
		if r.pair >= 0 {
			out[r.path] = d.nodes[d.to[r.pair].path]
		}
	}
	return out
}

// renamed takes the version of the other side to where a side renamed a file.
func (m *merger) renamed(n, to *node, s Side) {
	other := n.side(s.other())
	if other.Entry == n.base.Entry {
		return // a removal and an addition
	}
	taken := to.side(s.other()).exists()
	kind := Kind("")
	switch {
	case taken && (!other.exists() || other.file() == to.side(s).file()):
		kind = RenameTogether
	case !other.exists():
		kind = RenameDelete
	case other.file() != to.side(s).file():
		kind = RenameType
	}
	if kind == "" {
		to.base, *to.side(s.other()) = n.base, *other
		n.moved = true
		return
	}
	c := to.as(kind)
	c.Base = n.base
	if kind != RenameTogether {
		*c.side(s.other()) = *other
	}
	to.conflict = &c
	n.moved = kind != RenameType
}

func (c *Conflict) side(s Side) *Version {
	if s == Ours {
		return &c.Ours
	}
	return &c.Theirs
}
