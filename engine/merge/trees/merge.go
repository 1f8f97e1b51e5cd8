package trees

import (
	"errors"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/meter"
)

// node is a path at which a side differs from the base, or to which a side renamed a file.
type node struct {
	path string
	// base, ours and theirs are the versions to merge here: those of the path, or of a file that was renamed to it.
	base, ours, theirs Version
	// have is what ours has at this path.
	have Entry
	// moved is true for a file that was merged at another path.
	moved bool
	// conflict is what renames made of this path; nil if nothing.
	conflict *Conflict
	// location is where the other side moved the directory of this added file, empty if that is unclear; nil if it did
	// not.
	location *string
}

func (n *node) side(s Side) *Version {
	if s == Ours {
		return &n.ours
	}
	return &n.theirs
}

// merger is the state of one merge.
type merger struct {
	Input
	work  *meter.Work
	left  bounds
	nodes map[string]*node
	// order has the paths of the nodes, sorted.
	order []string
	// stop is why the merge ended; nil if it goes on.
	stop *stop
}

// Merge merges theirs into ours. Exchanged, the sides have conflicts too, or lead to the same tree. An error is one of
// the functions of the input, or that of the context of w, from which the merge takes what comparing files costs. Merge
// keeps nothing, calls the functions one after the other, and is safe for concurrent use if they are and w is another.
func Merge(w *meter.Work, in Input) (Result, error) {
	return within(w, in, bounds{changes: MaxChanges, renameBytes: MaxRenameBytes, textBytes: MaxTextBytes})
}

func within(w *meter.Work, in Input, b bounds) (Result, error) {
	if len(in.Ours) > b.changes || len(in.Theirs) > b.changes {
		return Result{Refusal: TooManyChanges}, nil
	}
	for _, changes := range [][]Change{in.Ours, in.Theirs} {
		if slices.ContainsFunc(changes, func(c Change) bool { return len(c.Path) > MaxPath }) {
			return Result{Refusal: PathTooLong}, nil
		}
	}
	m := merger{Input: in, work: w, left: b}
	m.collect()
	ours, theirs := m.renames(Ours), m.renames(Theirs)
	m.relocate(ours, theirs)
	m.follow(ours, theirs)
	result := m.resolve()
	switch {
	case m.stop == nil:
		return result, nil
	case m.stop.err != nil:
		return Result{}, m.stop.err
	}
	return Result{Refusal: m.stop.refusal}, nil
}

// collect makes the nodes of all changed paths.
func (m *merger) collect() {
	m.nodes = make(map[string]*node, len(m.Ours)+len(m.Theirs))
	all := make([]node, 0, len(m.Ours)+len(m.Theirs))
	at := func(c Change) *node {
		if n, ok := m.nodes[c.Path]; ok {
			return n
		}
		v := Version{c.Path, c.Base.canonical()}
		all = append(all, node{path: c.Path, base: v, ours: v, theirs: v, have: c.Base})
		n := &all[len(all)-1]
		m.nodes[c.Path] = n
		m.order = append(m.order, c.Path)
		return n
	}
	for _, c := range m.Ours {
		n := at(c)
		n.ours.Entry, n.have = c.Side.canonical(), c.Side
	}
	for _, c := range m.Theirs {
		at(c).theirs.Entry = c.Side.canonical()
	}
	slices.Sort(m.order)
}

// refuse ends the merge.
func (m *merger) refuse(r Refusal) {
	if m.stop == nil {
		m.stop = &stop{refusal: r}
	}
}

// spend takes work, and ends the merge if none is left.
func (m *merger) spend(units int) {
	switch m.work.Spend(units); {
	case m.stop != nil || !m.work.UsedUp():
	case m.work.Err() != nil:
		m.stop = &stop{err: m.work.Err()}
	default:
		m.refuse(TooMuchWork)
	}
}

// read returns the content of a file, and counts it; ok is false if it is too large or the merge has ended.
func (m *merger) read(id string, left *int, r Refusal) (data []byte, ok bool) {
	if m.stop != nil {
		return nil, false
	}
	data, err := m.Blob(id)
	switch {
	case errors.Is(err, ErrTooLarge):
		return nil, false
	case err != nil:
		m.stop = &stop{err: err}
		return nil, false
	}
	if *left -= len(data); *left < 0 {
		m.refuse(r)
	}
	return data, m.stop == nil
}

// resolve merges the versions of each path.
func (m *merger) resolve() Result {
	var out Result
	kept := make(map[string]*outcome, len(m.order))
	for _, path := range m.order {
		if m.stop != nil {
			return Result{}
		}
		o := m.outcome(m.nodes[path])
		kept[path] = &o
	}
	m.clashes(kept)
	for _, path := range m.order {
		n, o := m.nodes[path], kept[path]
		switch {
		case o.conflict != nil:
			out.Conflicts = append(out.Conflicts, *o.conflict)
		case o.entry == n.have && o.text == nil:
		case o.entry.canonical() == n.have.canonical() && o.text == nil:
		default:
			out.Merged = append(out.Merged, Merged{path, o.entry, o.text})
		}
	}
	return out
}

// clashes makes conflicts of files whose path is that of a directory in the merge.
func (m *merger) clashes(kept map[string]*outcome) {
	for _, path := range m.order {
		if !kept[path].occupied() {
			continue
		}
		for dir := parent(path); dir != ""; dir = parent(dir) {
			o, ok := kept[dir]
			if !ok || !o.occupied() {
				continue
			}
			c := m.nodes[dir].as(Directory)
			if o.conflict != nil {
				if !o.conflict.Kind.OnePath() {
					continue
				}
				c.Base, c.Ours, c.Theirs = o.conflict.Base, o.conflict.Ours, o.conflict.Theirs
			}
			o.conflict = &c
		}
	}
}

// parent returns the directory of a path; empty at the top.
func parent(path string) string { return path[:max(0, strings.LastIndexByte(path, '/'))] }

// base returns the last element of a path.
func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
