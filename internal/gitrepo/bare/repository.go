// Package bare reads bare git repositories on the local disk: one commit of one at a time, as the bot reads a clone.
package bare

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"

	"github.com/tenon-bot/tenon/bot/port"
)

// cachedObjects bounds the inflated objects of a repository that are kept for its next checkout.
const cachedObjects = 96 * cache.MiByte

// Repository is a bare repository in a folder. Not safe for concurrent use.
type Repository struct {
	folder   string
	objects  *filesystem.Storage
	children map[plumbing.Hash][]child // nil until the history is read
}

// Open opens the bare repository in a folder. It returns port.ErrNotFound if the folder has none.
func Open(folder string) (*Repository, error) {
	if info, err := os.Stat(filepath.Join(folder, "objects")); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is no bare git repository: it has no folder objects: %w", folder, port.ErrNotFound)
	}
	// Nothing else writes to the folder meanwhile, so its list of packs is read once.
	options := filesystem.Options{ExclusiveAccess: true, KeepDescriptors: true}
	objects := filesystem.NewStorageWithOptions(osfs.New(folder), cache.NewObjectLRU(cachedObjects), options)
	return &Repository{folder: folder, objects: objects}, nil
}

// Close closes the files of the repository. Its checkouts can load nothing after that.
func (r *Repository) Close() error { return r.objects.Close() }

// Checkout reads the tree of a commit, given by its full id in hex. It returns port.ErrNotFound if the repository does
// not have the commit.
func (r *Repository) Checkout(commit string) (*Checkout, error) {
	if !plumbing.IsHash(commit) {
		return nil, fmt.Errorf("%q is not a commit id", commit)
	}
	c, err := object.GetCommit(r.objects, plumbing.NewHash(commit))
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return nil, fmt.Errorf("%s has no commit %s: %w", r.folder, commit, port.ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("reading commit %s of %s: %w", commit, r.folder, err)
	}
	checkout := newCheckout(r, c)
	if err := checkout.readTree(); err != nil {
		return nil, fmt.Errorf("reading the tree of commit %s of %s: %w", commit, r.folder, err)
	}
	return checkout, nil
}

// readTree lists what is in the tree of the commit.
func (c *Checkout) readTree() error {
	root, err := object.GetTree(c.repository.objects, c.tree)
	if err != nil {
		return err
	}
	walker := object.NewTreeWalker(root, true, nil)
	defer walker.Close()
	for {
		name, e, err := walker.Next()
		if errors.Is(err, io.EOF) {
			c.sortNames()
			return nil
		}
		if err != nil {
			return err
		}
		c.entries[name] = entry{e.Mode, e.Hash}
		switch e.Mode {
		case filemode.Regular, filemode.Deprecated, filemode.Executable:
			c.files = append(c.files, name)
		case filemode.Symlink, filemode.Submodule:
			c.links = append(c.links, name)
		}
	}
}

// blob returns the bytes of a blob, and false if it is over maxBlob or not in the repository: a copy of a repository
// may leave out its largest files.
func (r *Repository) blob(id plumbing.Hash) ([]byte, bool, error) {
	o, err := r.objects.EncodedObject(plumbing.BlobObject, id)
	if errors.Is(err, plumbing.ErrObjectNotFound) || err == nil && o.Size() > maxBlob {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	in, err := o.Reader()
	if err != nil {
		return nil, false, err
	}
	data, err := io.ReadAll(in)
	return data, true, errors.Join(err, in.Close())
}
