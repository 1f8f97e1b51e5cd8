package gitrepo

import (
	"context"
	"slices"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/tenon-bot/tenon/bot/paths"
	"github.com/tenon-bot/tenon/bot/port"
)

// repository is what is known of one: the commits that were opened or made recently, with their trees. A fetch says
// that it has them. And only a commit that was opened through a repository may be opened without asking the server: an
// id of another repository may not. Safe for concurrent use.
type repository struct {
	url   string
	views *views
	// making is locked while the nodes of a commit are made and added, so that each tree has one node.
	making sync.Mutex
	saving sync.Mutex // is locked while it is written to the disk

	mu    sync.Mutex
	tips  []tip // the latest first
	nodes map[oid]*node
	size  int64 // of the nodes, in bytes
	swept int64 // what it was when the nodes without a commit were last dropped
	// added is the size of all nodes that were ever added, and saved what it was when they were last written to the disk
	// or read from it.
	added, saved int64
	// fetching has an entry for each commit that is being fetched.
	fetching map[oid]*fetching
}

// fetching is a fetch for which others wait. err says, once it has ended, that the server did not answer.
type fetching struct {
	ended chan struct{}
	as    int64 // the installation with whose token
	err   error
}

// tip is a commit that a ref pointed to.
type tip struct {
	ref  string
	view *view
}

// maxTips is how many commits of a repository are kept.
const maxTips = 8

// bytes returns about how much memory the repository takes.
func (r *repository) bytes() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	size := r.size + repositoryBytes
	counted := map[*paths.Block]bool{} // lists share blocks
	for _, t := range r.tips {
		size += int64(len(t.ref) + len(t.view.data))
		list := t.view.list.Load()
		if list == nil {
			continue
		}
		for _, b := range list.Blocks() {
			size += 16 // in the list
			if !counted[b] {
				counted[b] = true
				size += b.Bytes()
			}
		}
	}
	return size
}

// view returns a commit if it was opened or made recently, else nil.
func (r *repository) view(id oid) *view {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.IndexFunc(r.tips, func(t tip) bool { return t.view.commit == id }); i >= 0 {
		return r.tips[i].view
	}
	return nil
}

// recent returns the latest commit, one of ref if there is any; nil if there is none.
func (r *repository) recent(ref string) *view {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.tips) == 0 {
		return nil
	}
	return r.tips[max(0, slices.IndexFunc(r.tips, func(t tip) bool { return t.ref == ref }))].view
}

// node returns the node of a tree, nil if there is none.
func (r *repository) node(id oid) *node {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.nodes[id]
}

// object returns a tree or a commit, for the deltas that refer to it.
func (r *repository) object(id oid) (object, bool) {
	if n := r.node(id); n != nil {
		return object{plumbing.TreeObject, n.data}, true
	}
	if v := r.view(id); v != nil {
		return v.object(), true
	}
	return object{}, false
}

// add keeps a commit that a ref points to as the latest one, with its nodes.
func (r *repository) add(ref string, v *view) {
	r.mu.Lock()
	before := r.size
	r.have(v.root) // also what was dropped since the commit was made of it
	r.added += r.size - before
	old := slices.DeleteFunc(slices.Clone(r.tips), func(t tip) bool {
		return t.ref == ref && t.view.commit == v.commit
	})
	r.tips = slices.Insert(old[:min(len(old), maxTips-1)], 0, tip{ref, v})
	if r.size > r.swept+r.swept/4+leastBytes {
		r.sweep()
	}
	r.mu.Unlock()
	r.keep()
}

// keep keeps the repository, without its oldest commits if it is larger with them than all repositories may be.
func (r *repository) keep() {
	size := r.bytes()
	for size > r.views.limit && r.dropOldest() {
		size = r.bytes()
	}
	r.views.keep(r, size)
}

// dropOldest drops the oldest commit, unless there is no other. It reports whether it did.
func (r *repository) dropOldest() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.tips) < 2 {
		return false
	}
	r.tips = slices.Clone(r.tips[:len(r.tips)-1])
	r.sweep()
	return true
}

// sweep drops the nodes that no commit has any more. It is called when the nodes have grown by a quarter, so it
// costs little for each that is added, and when a commit is dropped because there is no room.
func (r *repository) sweep() {
	r.nodes, r.size = make(map[oid]*node, len(r.nodes)), 0
	for _, t := range r.tips {
		r.have(t.view.root)
	}
	r.swept = r.size
}

// have adds those nodes of a tree that the repository does not have. Of a node that it has, it has all below, too.
func (r *repository) have(n *node) {
	if r.nodes[n.id] != nil {
		return
	}
	r.nodes[n.id] = n
	r.size += n.bytes()
	for _, kid := range n.kids {
		r.have(kid)
	}
}

// paths returns the paths of the files of a commit, by the difference to those of the commit that was opened last, if
// they are known.
func (r *repository) paths(v *view) *paths.List {
	if list := v.list.Load(); list != nil {
		return list
	}
	r.mu.Lock()
	var like *view
	for _, t := range r.tips {
		if t.view.list.Load() != nil {
			like = t.view
			break
		}
	}
	r.mu.Unlock()
	list := v.paths(like)
	r.keep()
	return list
}

// claim waits until nobody else fetches a commit, or the first commit of a repository: what others fetched need not be
// fetched again, and if the server did not answer them, it is not asked again. done must be called at the end.
func (r *repository) claim(ctx context.Context, id oid, as int64) (done func(error), err error) {
	for {
		r.mu.Lock()
		key := id
		if len(r.tips) == 0 {
			key = oid{}
		}
		other := r.fetching[key]
		if other == nil {
			mine := &fetching{ended: make(chan struct{}), as: as}
			r.fetching[key] = mine
			r.mu.Unlock()
			return func(err error) {
				if isUnanswered(err) && ctx.Err() == nil {
					mine.err = err
				}
				r.mu.Lock()
				delete(r.fetching, key)
				r.mu.Unlock()
				close(mine.ended)
			}, nil
		}
		r.mu.Unlock()
		port.Waiting(ctx, func() {
			select {
			case <-other.ended:
			case <-ctx.Done():
			}
		})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if other.err != nil && other.as == as { // a limit or a token of another installation's is none of this one
			return nil, other.err
		}
	}
}
