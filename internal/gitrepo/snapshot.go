package gitrepo

import (
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
)

// snapshot is one commit with all its trees, which are complete and valid.
type snapshot struct {
	commit, root oid
	trees        map[oid][]byte
	entries      int // files and folders, counted by path
}

// newSnapshot collects the trees of a commit, which find returns. It returns errMissing if one is missing.
func newSnapshot(commit oid, limits Limits, find func(oid) (object, bool)) (*snapshot, error) {
	o, ok := find(commit)
	if !ok {
		return nil, fmt.Errorf("commit %s: %w", commit, errMissing)
	}
	root, err := treeOf(o)
	if err != nil {
		return nil, err
	}
	w := &treeWalk{limits: limits, find: find, trees: map[oid][]byte{}, sizes: map[oid]treeSize{}}
	size, err := w.visit(root, 0)
	if err != nil {
		return nil, err
	}
	return &snapshot{commit: commit, root: root, trees: w.trees, entries: size.entries}, nil
}

// treeSize is the size of a tree with all trees below it: entries, bytes of the longest path, levels of folders.
type treeSize struct{ entries, path, height int }

// treeWalk visits each tree once, even if it occurs at many paths, so that a few small trees cannot make a walk of
// billions of paths. Their sizes are counted for each path.
type treeWalk struct {
	limits Limits
	find   func(oid) (object, bool)
	trees  map[oid][]byte
	sizes  map[oid]treeSize
}

func (w *treeWalk) visit(id oid, depth int) (size treeSize, err error) {
	if size, ok := w.sizes[id]; ok {
		return size, w.fits(size, depth)
	}
	o, ok := w.find(id)
	if !ok && id == emptyTree {
		o, ok = object{kind: plumbing.TreeObject}, true // git servers do not send it
	}
	if !ok || o.kind != plumbing.TreeObject {
		return size, fmt.Errorf("tree %s: %w", id, errMissing)
	}
	t := treeReader{data: o.data}
	for {
		e, ok, err := t.next()
		if err != nil {
			return size, err
		}
		if !ok {
			break
		}
		if err := w.add(&size, e, depth); err != nil {
			return size, err
		}
	}
	w.trees[id], w.sizes[id] = o.data, size
	return size, nil
}

// emptyTree is the name of the tree without entries.
var emptyTree = object{kind: plumbing.TreeObject}.id()

func (w *treeWalk) add(size *treeSize, e treeEntry, depth int) error {
	below := treeSize{}
	if e.isFolder() {
		if err := w.fits(*size, depth+1); err != nil {
			return err
		}
		var err error
		if below, err = w.visit(e.id, depth+1); err != nil {
			return err
		}
		below.height++
		below.path++ // the slash
	}
	size.entries += 1 + below.entries
	size.path = max(size.path, len(e.name)+below.path)
	size.height = max(size.height, below.height)
	return w.fits(*size, depth)
}

// fits returns an error if a tree of this size, at this depth, is over a limit.
func (w *treeWalk) fits(s treeSize, depth int) error {
	switch {
	case s.entries > w.limits.Entries:
		return userError("This repository is too large for tenon: it has more than %d files and folders.",
			w.limits.Entries)
	case s.height+depth > w.limits.TreeDepth:
		return userError("This repository's folders are nested more than %d deep; that is too deep for tenon.",
			w.limits.TreeDepth)
	case s.path > w.limits.PathBytes:
		return userError("This repository has a path of more than %d bytes; that is too long for tenon.", w.limits.PathBytes)
	}
	return nil
}
