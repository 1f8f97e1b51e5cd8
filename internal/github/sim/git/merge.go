package git

import (
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/engine/merge"
)

// ConflictError is the error of a merge of commits that changed a path in different ways.
type ConflictError struct{ Path string }

func (e *ConflictError) Error() string { return fmt.Sprintf("merge conflict in %s", e.Path) }

// ErrUnrelated is the error of a merge of commits without a common history.
var ErrUnrelated = errors.New("the commits have no history in common")

// Merge stores the tree of a commit with what another one changed since their common ancestor, and returns its id.
// A *ConflictError names the first path that cannot be merged. Renamed files are not followed.
func (o *Objects) Merge(ours, theirs string) (string, error) {
	base, err := o.MergeBase(ours, theirs)
	switch {
	case err != nil:
		return "", err
	case base == "":
		return "", ErrUnrelated
	}
	return o.MergeFrom(base, ours, theirs)
}

// MergeFrom stores the tree of a commit with what another one changed since a base, as Merge does.
func (o *Objects) MergeFrom(base, ours, theirs string) (string, error) {
	changes, err := o.changes(base, theirs, false)
	if err != nil {
		return "", err
	}
	// Files are removed first, since others may take their places.
	m := merging{o, ours}
	if m.tree, err = m.merge(changes, func(c change) bool { return c.after.Path == "" }); err != nil {
		return "", err
	}
	return m.merge(changes, func(c change) bool { return c.after.Path != "" })
}

// merging is a tree that changes of another one are merged into.
type merging struct {
	*Objects
	tree string
}

// merge stores a tree with the selected changes.
func (m merging) merge(changes []change, selected func(change) bool) (string, error) {
	var entries []Entry
	for _, c := range changes {
		if !selected(c) {
			continue
		}
		mine, err := m.At(m.tree, c.path())
		if err != nil && !errors.Is(err, ErrNotFound) {
			return "", err
		}
		if mine == c.after {
			continue
		}
		e, err := m.entry(mine, c)
		if err != nil {
			return "", err
		}
		entries = append(entries, e)
	}
	return m.WriteTree(m.tree, entries)
}

// entry returns what becomes of an entry of the tree by a change.
func (m merging) entry(mine Entry, c change) (Entry, error) {
	switch {
	case mine != c.before:
		return m.file(mine, c)
	case c.after.Path == "":
		return Entry{Path: c.path()}, nil
	}
	return c.after, m.checkRoom(c.path())
}

// checkRoom returns an error if a file is where a folder of a path has to be.
func (m merging) checkRoom(path string) error {
	for i, b := range path {
		if b != '/' {
			continue
		}
		e, err := m.At(m.tree, path[:i])
		if err == nil && e.Kind() != KindTree {
			return &ConflictError{path}
		}
	}
	return nil
}

// file merges the contents of a file that both changed.
func (m merging) file(mine Entry, c change) (Entry, error) {
	conflict := &ConflictError{c.path()}
	out := mine
	switch {
	case !mine.IsFile() || !c.before.IsFile() || !c.after.IsFile(),
		mine.Path == "" || c.before.Path == "" || c.after.Path == "":
		return Entry{}, conflict
	case mine.Mode == c.before.Mode:
		out.Mode = c.after.Mode
	case c.after.Mode != c.before.Mode && c.after.Mode != mine.Mode:
		return Entry{}, conflict
	}
	var texts [][]byte
	for _, id := range []string{c.before.SHA, mine.SHA, c.after.SHA} {
		data, err := m.Blob(id)
		if err != nil {
			return Entry{}, err
		}
		texts = append(texts, data)
	}
	merged := merge.Merge(texts[0], texts[1], texts[2])
	if !merged.Clean() {
		return Entry{}, conflict
	}
	var err error
	out.SHA, err = m.WriteBlob(merged.Text)
	return out, err
}

// MergeCommit stores a commit that merges a commit into another one, whose tree is that of Merge.
func (o *Objects) MergeCommit(ours, theirs string, c Commit) (string, error) {
	tree, err := o.Merge(ours, theirs)
	if err != nil {
		return "", err
	}
	c.Tree, c.Parents = tree, []string{ours, theirs}
	return o.WriteCommit(c)
}
