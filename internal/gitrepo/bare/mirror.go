package bare

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/tenon-bot/tenon/bot/port"
)

// Mirror is a folder of bare repositories, each in OWNER+NAME/repo. It keeps the one that was last asked for open. Not
// safe for concurrent use.
type Mirror struct {
	folder string
	last   port.RepoRef
	open   *Repository // last; nil before the first one
}

// NewMirror returns the mirror in a folder.
func NewMirror(folder string) *Mirror { return &Mirror{folder: folder} }

// Checkout reads a commit, given by its full id in hex. An error wraps port.ErrNotFound if the mirror lacks the
// repository or the repository lacks the commit, and says which.
func (m *Mirror) Checkout(ref port.RepoRef, commit string) (*Checkout, error) {
	r, err := m.repository(ref)
	if err != nil {
		return nil, err
	}
	return r.Checkout(commit)
}

// repository opens a repository, unless it is the one that is open.
func (m *Mirror) repository(ref port.RepoRef) (*Repository, error) {
	if m.open == nil || m.last != ref {
		if err := m.Close(); err != nil {
			return nil, err
		}
		folder := filepath.Join(m.folder, ref.Owner+"+"+ref.Name, "repo")
		repository, err := Open(folder)
		if errors.Is(err, port.ErrNotFound) {
			return nil, fmt.Errorf("the mirror lacks %s: %w", ref, err)
		}
		if err != nil {
			return nil, err
		}
		m.open, m.last = repository, ref
	}
	return m.open, nil
}

// Close closes the repository that is open.
func (m *Mirror) Close() error {
	if m.open == nil {
		return nil
	}
	err := m.open.Close()
	m.open = nil
	return err
}
