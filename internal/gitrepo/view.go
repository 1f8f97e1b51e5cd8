package gitrepo

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/tenon-bot/tenon/bot/paths"
)

// view is one commit with all its trees. It does not change, and is shared by the runs that open the commit.
type view struct {
	commit oid
	data   []byte // of the commit
	root   *node
	// listing guards that the list of the files is made once.
	listing sync.Mutex
	list    atomic.Pointer[paths.List]
}

// newView returns the view of a commit. It returns errMissing if a tree is missing.
func newView(commit oid, w *nodes) (*view, error) {
	o, ok := w.find(commit)
	if !ok {
		return nil, fmt.Errorf("commit %s: %w", commit, errMissing)
	}
	root, err := treeOf(o)
	if err != nil {
		return nil, err
	}
	v := &view{commit: commit, data: o.data}
	v.root, err = w.node(root, 0)
	return v, err
}

// paths returns the paths of the regular files. They are made from those of another view by their difference, unless
// that is nil or has none.
func (v *view) paths(like *view) *paths.List {
	v.listing.Lock()
	defer v.listing.Unlock()
	if list := v.list.Load(); list != nil {
		return list
	}
	var list *paths.List
	if like != nil && like.list.Load() != nil {
		var d difference
		d.trees(like.root, v.root, "")
		list = like.list.Load().Change(d.removed, d.added)
	} else {
		list = paths.New(func(yield func(string) bool) { v.root.files("", yield) })
	}
	v.list.Store(list)
	return list
}

// files calls yield with the paths of all regular files, in the order of their bytes, until it returns false.
func (n *node) files(prefix string, yield func(string) bool) bool {
	for w := n.entries(); w.ok; w.next() {
		switch {
		case w.kid != nil:
			if !w.kid.files(prefix+string(w.name)+"/", yield) {
				return false
			}
		case !isLink(w.mode) && !yield(prefix+string(w.name)):
			return false
		}
	}
	return true
}

// difference are the regular files that one tree has and another has not, each in order.
type difference struct{ removed, added []string }

// trees compares two trees at a path. It enters only the folders in which they differ.
func (d *difference) trees(before, now *node, prefix string) {
	old, next := before.entries(), now.entries()
	for old.ok || next.ok {
		var c int
		switch {
		case !old.ok:
			c = 1
		case !next.ok:
			c = -1
		default:
			c = compareEntries(old.treeEntry, next.treeEntry)
		}
		switch {
		case c < 0:
			old.files(prefix, &d.removed)
		case c > 0:
			next.files(prefix, &d.added)
		case old.kid != nil: // and so has the other one
			if old.kid.id != next.kid.id {
				d.trees(old.kid, next.kid, prefix+string(old.name)+"/")
			}
		case isLink(old.mode) && !isLink(next.mode):
			next.files(prefix, &d.added)
		case !isLink(old.mode) && isLink(next.mode):
			old.files(prefix, &d.removed)
		}
		if c <= 0 {
			old.next()
		}
		if c >= 0 {
			next.next()
		}
	}
}

// files appends the regular files of the present entry.
func (w *entries) files(prefix string, to *[]string) {
	switch {
	case w.kid != nil:
		w.kid.files(prefix+string(w.name)+"/", func(path string) bool {
			*to = append(*to, path)
			return true
		})
	case !isLink(w.mode):
		*to = append(*to, prefix+string(w.name))
	}
}

// object returns the commit as git has it.
func (v *view) object() object { return object{plumbing.CommitObject, v.data} }
