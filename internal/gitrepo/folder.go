package gitrepo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	gitobject "github.com/go-git/go-git/v5/plumbing/object"

	"github.com/tenon-bot/tenon/engine"
)

// folder is a tree that can be changed. Its entries are read when the first of them is changed.
type folder struct {
	node    *node             // in the opened commit; nil for a new folder
	entries map[string]*entry // nil while nothing has changed
}

// entry is an entry of a folder. node is set for a folder of the opened commit, folder for one that has changed.
type entry struct {
	mode   filemode.FileMode
	id     oid
	node   *node
	folder *folder
}

func (e *entry) kind() engine.Kind {
	switch {
	case e == nil:
		return engine.Absent
	case e.mode == filemode.Dir:
		return engine.Folder
	case e.mode == filemode.Symlink:
		return engine.Symlink
	case e.mode == filemode.Submodule:
		return engine.Submodule
	}
	return engine.File
}

// open reads the entries of a folder, so that they can be changed.
func (f *folder) open() {
	if f.entries != nil {
		return
	}
	entries := map[string]*entry{}
	f.each(func(name string, e *entry) { entries[name] = e })
	f.entries = entries
}

// entry returns the entry of a name, nil if there is none. likely is what it will be.
func (f *folder) entry(name string, likely filemode.FileMode) *entry {
	if f.entries != nil {
		return f.entries[name]
	}
	e, kid, ok := f.node.entry(name, likely)
	if !ok {
		return nil
	}
	return &entry{mode: e.mode, id: e.id, node: kid}
}

// each calls f for the entries.
func (f *folder) each(visit func(name string, e *entry)) {
	if f.entries == nil {
		for w := f.node.entries(); w.ok; w.next() {
			visit(string(w.name), &entry{mode: w.mode, id: w.id, node: w.kid})
		}
	}
	for name, e := range f.entries {
		visit(name, e)
	}
}

// child returns the folder of an entry.
func (e *entry) child() *folder {
	if e.folder != nil {
		return e.folder
	}
	return &folder{node: e.node}
}

// find returns the entry at a path, nil if there is none. It does not follow links.
func (f *folder) find(name string) *entry {
	for {
		first, rest, deeper := strings.Cut(name, "/")
		if !deeper {
			return f.entry(first, filemode.Regular)
		}
		e := f.entry(first, filemode.Dir)
		if e == nil {
			return nil
		}
		if e.mode != filemode.Dir {
			return nil
		}
		f, name = e.child(), rest
	}
}

// put sets the entry at a path and creates the folders above it.
func (f *folder) put(name string, e *entry) error {
	f.open()
	first, rest, deeper := strings.Cut(name, "/")
	if !deeper {
		f.entries[first] = e
		return nil
	}
	below := f.entries[first]
	if below == nil {
		below = &entry{mode: filemode.Dir, folder: &folder{entries: map[string]*entry{}}}
		f.entries[first] = below
	}
	if below.mode != filemode.Dir {
		return fmt.Errorf("%s is not a folder", first)
	}
	below.folder = below.child()
	return below.folder.put(rest, e)
}

// remove removes the entry at a path, and the folders above it that become empty.
func (f *folder) remove(name string) {
	f.open()
	first, rest, deeper := strings.Cut(name, "/")
	if !deeper {
		delete(f.entries, first)
		return
	}
	below := f.entries[first]
	below.folder = below.child()
	below.folder.remove(rest)
	if len(below.folder.entries) == 0 {
		delete(f.entries, first)
	}
}

// tree returns the folder as a tree in git's order. The ids of the folders below must be set.
func (f *folder) tree() *gitobject.Tree {
	t := &gitobject.Tree{}
	for name, e := range f.entries {
		t.Entries = append(t.Entries, gitobject.TreeEntry{Name: name, Mode: e.mode, Hash: e.id})
	}
	slices.SortFunc(t.Entries, func(a, b gitobject.TreeEntry) int {
		return compareEntries(treeEntry{mode: a.Mode, name: []byte(a.Name)},
			treeEntry{mode: b.Mode, name: []byte(b.Name)})
	})
	return t
}

// write encodes the changed folders, the deepest first, passes each to add, and returns the id of f's tree.
func (f *folder) write(add func(*plumbing.MemoryObject) error) (oid, error) {
	if f.entries == nil {
		return f.node.id, nil
	}
	for _, e := range f.entries {
		if e.folder == nil {
			continue
		}
		id, err := e.folder.write(add)
		if err != nil {
			return oid{}, err
		}
		e.id = id
	}
	o := &plumbing.MemoryObject{}
	if err := f.tree().Encode(o); err != nil {
		return oid{}, fmt.Errorf("encoding a tree: %w", err)
	}
	return o.Hash(), add(o)
}

// links appends the paths of all links and submodules below f, in git's order.
func (f *folder) links(prefix string, names *[]string) {
	if f.entries == nil {
		f.node.links(prefix, names)
		return
	}
	for _, entry := range f.tree().Entries {
		switch e := f.entries[entry.Name]; {
		case e.mode == filemode.Dir:
			e.child().links(prefix+entry.Name+"/", names)
		case isLink(e.mode):
			*names = append(*names, prefix+entry.Name)
		}
	}
}

func (n *node) links(prefix string, names *[]string) {
	for w := n.entries(); w.ok; w.next() {
		switch {
		case w.kid != nil:
			w.kid.links(prefix+string(w.name)+"/", names)
		case isLink(w.mode):
			*names = append(*names, prefix+string(w.name))
		}
	}
}

func isLink(mode filemode.FileMode) bool {
	return mode == filemode.Symlink || mode == filemode.Submodule
}
