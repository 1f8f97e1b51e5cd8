package bare

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/tenon-bot/tenon/bot/port"
)

// child is a commit, and its time by its committer, in seconds.
type child struct {
	id   plumbing.Hash
	when int64
}

// Descendants yields the full ids of the commits that are made on a commit, and on those, as far as branches and tags
// lead to them: its children first, the oldest of them first. An error wraps port.ErrNotFound if the mirror lacks the
// repository.
func (m *Mirror) Descendants(ref port.RepoRef, commit string) (iter.Seq[string], error) {
	r, err := m.repository(ref)
	if err != nil {
		return nil, err
	}
	if r.children == nil {
		if err := r.readHistory(); err != nil {
			return nil, fmt.Errorf("reading the history of %s: %w", r.folder, err)
		}
	}
	return func(yield func(string) bool) {
		known := map[plumbing.Hash]bool{}
		for level := []plumbing.Hash{plumbing.NewHash(commit)}; len(level) > 0; {
			var next []child
			for _, id := range level {
				for _, c := range r.children[id] {
					if !known[c.id] {
						known[c.id] = true
						next = append(next, c)
					}
				}
			}
			slices.SortFunc(next, func(a, b child) int {
				return cmp.Or(cmp.Compare(a.when, b.when), cmp.Compare(a.id.String(), b.id.String()))
			})
			level = level[:0]
			for _, c := range next {
				if !yield(c.id.String()) {
					return
				}
				level = append(level, c.id)
			}
		}
	}, nil
}

// readHistory notes the children of all commits that references lead to.
func (r *Repository) readHistory() error {
	references, err := r.objects.IterReferences()
	if err != nil {
		return err
	}
	var todo []plumbing.Hash
	err = references.ForEach(func(ref *plumbing.Reference) error {
		if ref.Type() == plumbing.HashReference {
			todo = append(todo, ref.Hash())
		}
		return nil
	})
	if err != nil {
		return err
	}
	children, known := map[plumbing.Hash][]child{}, map[plumbing.Hash]bool{}
	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if known[id] {
			continue
		}
		known[id] = true
		c, err := r.commitAt(id)
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			continue // a tag of a tree, or what a shallow clone left out
		}
		if err != nil {
			return err
		}
		for _, parent := range c.ParentHashes {
			children[parent] = append(children[parent], child{c.Hash, c.Committer.When.Unix()})
			todo = append(todo, parent)
		}
	}
	r.children = children
	return nil
}

// commitAt returns a commit, or the one that a tag is for.
func (r *Repository) commitAt(id plumbing.Hash) (*object.Commit, error) {
	c, err := object.GetCommit(r.objects, id)
	if !errors.Is(err, plumbing.ErrObjectNotFound) {
		return c, err
	}
	tag, err := object.GetTag(r.objects, id)
	if err != nil {
		return nil, err
	}
	return object.GetCommit(r.objects, tag.Target)
}

// FilesAt returns the named files of a commit; nil for one that it does not have, or that is over 16 MiB.
func (m *Mirror) FilesAt(ref port.RepoRef, commit string, names ...string) ([][]byte, error) {
	r, err := m.repository(ref)
	if err != nil {
		return nil, err
	}
	c, err := object.GetCommit(r.objects, plumbing.NewHash(commit))
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return nil, fmt.Errorf("%s has no commit %s: %w", r.folder, commit, port.ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("reading commit %s of %s: %w", commit, r.folder, err)
	}
	root, err := object.GetTree(r.objects, c.TreeHash)
	if err != nil {
		return nil, fmt.Errorf("reading the tree of commit %s of %s: %w", commit, r.folder, err)
	}
	out := make([][]byte, len(names))
	for i, name := range names {
		e, err := root.FindEntry(name)
		if err != nil || !kindIsFile(e) {
			continue
		}
		data, ok, err := r.blob(e.Hash)
		if err != nil {
			return nil, fmt.Errorf("reading %s of commit %s of %s: %w", name, commit, r.folder, err)
		}
		if ok {
			out[i] = data
		}
	}
	return out, nil
}

func kindIsFile(e *object.TreeEntry) bool { return entry{mode: e.Mode}.isFile() }
