package gitrepo

import (
	"fmt"
	"sort"
	"unsafe"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// node is a tree with all trees below it, which are complete and valid. It does not change, and is shared by all
// commits of a repository that have it. A tree that is at several paths is one node.
type node struct {
	id   oid
	data []byte
	kids []*node // of its folders, in their order
	size treeSize
	// marks are where every markEvery-th entry begins; a small tree has none.
	marks []mark
}

// treeSize is the size of a tree with all trees below it: entries, bytes of the longest path, levels of folders, and
// bytes of all paths.
type treeSize struct {
	entries, path, height int
	paths                 int64
}

// mark is where an entry begins, and how many folders are before it.
type mark struct{ at, folders uint32 }

// markEvery is how many entries are read at most to find one, apart from a search among the marks.
const markEvery = 32

// bytes is about how much memory a node takes, with its cell in the map of its repository.
func (n *node) bytes() int64 {
	const cell = 60
	return int64(unsafe.Sizeof(*n)) + int64(cap(n.data)) + 8*int64(cap(n.kids)) + 8*int64(cap(n.marks)) + cell
}

// entries returns a walk through the entries of a tree, in git's order.
func (n *node) entries() *entries {
	w := &entries{kids: n.kids, reader: treeReader{data: n.data}}
	w.next()
	return w
}

// entries is a walk through the entries of a node. Until ok is false, treeEntry is the present one, and kid its node if
// it is a folder.
type entries struct {
	treeEntry
	kid    *node
	ok     bool
	kids   []*node // of the folders from here on
	reader treeReader
}

func (w *entries) next() {
	w.kid = nil
	if w.treeEntry, w.ok = w.reader.read(); w.ok && w.isFolder() {
		w.kid, w.kids = w.kids[0], w.kids[1:]
	}
}

// entry returns the entry of a name, and its node if it is a folder. likely is what it will be, which is looked for
// first: as git sorts them, a folder may be far from where a file of its name would be.
func (n *node) entry(name string, likely filemode.FileMode) (e treeEntry, kid *node, ok bool) {
	other := filemode.Dir
	if likely == filemode.Dir {
		other = filemode.Regular
	}
	if e, kid, ok = n.search(treeEntry{mode: likely, name: []byte(name)}); !ok {
		e, kid, ok = n.search(treeEntry{mode: other, name: []byte(name)})
	}
	return e, kid, ok
}

// search returns the entry that is where git would sort another one.
func (n *node) search(want treeEntry) (e treeEntry, kid *node, ok bool) {
	from := mark{}
	if i := sort.Search(len(n.marks), func(i int) bool {
		r := treeReader{data: n.data[n.marks[i].at:]}
		e, _ := r.read()
		return compareEntries(e, want) > 0
	}); i > 0 {
		from = n.marks[i-1]
	}
	w := entries{kids: n.kids[from.folders:], reader: treeReader{data: n.data[from.at:]}}
	for w.next(); w.ok; w.next() {
		if c := compareEntries(w.treeEntry, want); c >= 0 {
			// A name with a NUL, which git does not allow, is where the name before the NUL is.
			return w.treeEntry, w.kid, c == 0 && len(w.name) == len(want.name)
		}
	}
	return treeEntry{}, nil, false
}

// nodes makes the nodes of a commit's trees, each once, even if it occurs at many paths, so that a few small trees
// cannot make a walk of billions of paths. Their sizes are counted for each path.
type nodes struct {
	limits Limits
	// known returns a node that the repository has, nil if it has none; find returns an object that came with the commit.
	known func(oid) *node
	find  func(oid) (object, bool)
	made  map[oid]*node
}

// node returns the node of a tree at a depth. It returns errMissing if a tree is missing.
func (w *nodes) node(id oid, depth int) (*node, error) {
	n := w.made[id]
	if n == nil {
		n = w.known(id)
	}
	if n != nil {
		return n, nil // add measures it where it is now
	}
	o, ok := w.find(id)
	if !ok && id == emptyTree {
		o, ok = object{kind: plumbing.TreeObject}, true // git servers do not send it
	}
	if !ok || o.kind != plumbing.TreeObject {
		return nil, fmt.Errorf("tree %s: %w", id, errMissing)
	}
	n = &node{id: id, data: o.data}
	if err := w.fill(n, depth); err != nil {
		return nil, err
	}
	w.made[id] = n
	return n, nil
}

// emptyTree is the name of the tree without entries.
var emptyTree = object{kind: plumbing.TreeObject}.id()

func (w *nodes) fill(n *node, depth int) error {
	r := treeReader{data: n.data}
	for count := 0; ; count++ {
		at := len(n.data) - len(r.data)
		e, ok, err := r.next()
		if err != nil {
			return err
		}
		if !ok {
			return nil
		}
		if count%markEvery == 0 && count > 0 {
			n.marks = append(n.marks, mark{uint32(at), uint32(len(n.kids))})
		}
		if err := w.add(n, e, depth); err != nil {
			return err
		}
	}
}

func (w *nodes) add(n *node, e treeEntry, depth int) error {
	below := treeSize{}
	if e.isFolder() {
		if err := w.limits.fits(n.size, depth+1); err != nil {
			return err
		}
		kid, err := w.node(e.id, depth+1)
		if err != nil {
			return err
		}
		n.kids = append(n.kids, kid)
		below = kid.size
		below.height++
		below.path++ // the slash
		below.paths += int64(below.entries) * int64(len(e.name)+1)
	}
	n.size.entries += 1 + below.entries
	n.size.paths += int64(len(e.name)) + below.paths
	n.size.path = max(n.size.path, len(e.name)+below.path)
	n.size.height = max(n.size.height, below.height)
	return w.limits.fits(n.size, depth)
}

// fits returns an error if a tree of this size, at this depth, is over a limit.
func (l Limits) fits(s treeSize, depth int) error {
	switch {
	case s.entries > l.Entries:
		return userError("This repository is too large for tenon: it has more than %d files and folders.", l.Entries)
	case s.paths > l.AllPathsBytes:
		return userError("This repository is too large for tenon: the paths of its files and folders have more than "+
			"%d bytes.", l.AllPathsBytes)
	case s.height+depth > l.TreeDepth:
		return userError("This repository's folders are nested more than %d deep; that is too deep for tenon.", l.TreeDepth)
	case s.path > l.PathBytes:
		return userError("This repository has a path of more than %d bytes; that is too long for tenon.", l.PathBytes)
	}
	return nil
}
