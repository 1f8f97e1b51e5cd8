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

// folder is a tree that can be changed. Its entries are read when they are first needed.
type folder struct {
	id      oid // of the tree in the opened commit; zero for a new folder
	entries map[string]*entry
	changed bool
}

// entry is an entry of a folder. folder is set for a folder that was opened.
type entry struct {
	mode   filemode.FileMode
	id     oid
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

// open reads the entries of a folder. Its tree is valid, as newSnapshot checked it.
func (f *folder) open(s *snapshot) error {
	if f.entries != nil {
		return nil
	}
	f.entries = map[string]*entry{}
	return s.each(f.id, func(e treeEntry) error {
		f.entries[string(e.name)] = &entry{mode: e.mode, id: e.id}
		return nil
	})
}

// each calls f for the entries of a tree, in git's order.
func (s *snapshot) each(id oid, f func(treeEntry) error) error {
	t := treeReader{data: s.trees[id]}
	for {
		e, ok, err := t.next()
		if err != nil || !ok {
			return err
		}
		if err := f(e); err != nil {
			return err
		}
	}
}

// child returns the folder of an entry, opened.
func (e *entry) child(s *snapshot) (*folder, error) {
	if e.folder == nil {
		e.folder = &folder{id: e.id}
	}
	return e.folder, e.folder.open(s)
}

// find returns the entry at a path, nil if there is none. It does not follow links.
func (f *folder) find(s *snapshot, name string) (*entry, error) {
	for {
		if err := f.open(s); err != nil {
			return nil, err
		}
		first, rest, deeper := strings.Cut(name, "/")
		e := f.entries[first]
		if !deeper || e == nil {
			return e, nil
		}
		if e.mode != filemode.Dir {
			return nil, nil
		}
		var err error
		if f, err = e.child(s); err != nil {
			return nil, err
		}
		name = rest
	}
}

// put sets the entry at a path and creates the folders above it.
func (f *folder) put(s *snapshot, name string, e *entry) error {
	if err := f.open(s); err != nil {
		return err
	}
	f.changed = true
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
	child, err := below.child(s)
	if err != nil {
		return err
	}
	return child.put(s, rest, e)
}

// remove removes the entry at a path, and the folders above it that become empty.
func (f *folder) remove(s *snapshot, name string) error {
	if err := f.open(s); err != nil {
		return err
	}
	f.changed = true
	first, rest, deeper := strings.Cut(name, "/")
	if !deeper {
		delete(f.entries, first)
		return nil
	}
	child, err := f.entries[first].child(s)
	if err != nil {
		return err
	}
	if err := child.remove(s, rest); err != nil {
		return err
	}
	if len(child.entries) == 0 {
		delete(f.entries, first)
	}
	return nil
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
	if !f.changed {
		return f.id, nil
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

// list appends the paths of all regular files below f, or of all links and submodules, in git's order, which is the
// order of their bytes.
func (f *folder) list(s *snapshot, prefix string, links bool, names *[]string) error {
	if f.entries == nil {
		return s.list(f.id, prefix, links, names)
	}
	for _, entry := range f.tree().Entries {
		e := f.entries[entry.Name]
		if e.kind() != engine.Folder {
			if isLink(e.mode) == links {
				*names = append(*names, prefix+entry.Name)
			}
			continue
		}
		below := e.folder
		if below == nil {
			below = &folder{id: e.id}
		}
		if err := below.list(s, prefix+entry.Name+"/", links, names); err != nil {
			return err
		}
	}
	return nil
}

func (s *snapshot) list(id oid, prefix string, links bool, names *[]string) error {
	return s.each(id, func(e treeEntry) error {
		if e.mode == filemode.Dir {
			return s.list(e.id, prefix+string(e.name)+"/", links, names)
		}
		if isLink(e.mode) == links {
			*names = append(*names, prefix+string(e.name))
		}
		return nil
	})
}

func isLink(mode filemode.FileMode) bool {
	return mode == filemode.Symlink || mode == filemode.Submodule
}
