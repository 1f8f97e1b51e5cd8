// Package git is the git of the simulated GitHub: bare repositories in memory, or in folders that git reads and writes
// too. It starts no process.
//
// Objects and commits are named by their full ids, 40 hexadecimal digits; a function that takes a tree takes a commit
// as well.
package git

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/memory"
)

// Repository is a bare repository. It has its own refs, and shares its objects with its forks, as on GitHub. All
// methods are safe for concurrent use, also while git changes a repository in a folder.
type Repository struct {
	*Objects
	refs refStore
	dir  string // empty in memory
}

// New returns an empty repository in memory, whose HEAD is a branch.
func New(branch string) *Repository {
	objects := &Objects{store: &store{EncodedObjectStorer: memory.NewStorage()}}
	return &Repository{Objects: objects, refs: newMemoryRefs(branch)}
}

// Init makes an empty repository in a folder that does not exist yet.
func Init(dir, branch string) (*Repository, error) {
	if err := layOut(dir, branch); err != nil {
		return nil, fmt.Errorf("making a repository: %w", err)
	}
	for _, name := range []string{"pack", "info"} {
		if err := os.MkdirAll(filepath.Join(dir, "objects", name), 0o755); err != nil {
			return nil, fmt.Errorf("making a repository: %w", err)
		}
	}
	return Open(dir)
}

const config = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n"

// layOut makes the files of a bare repository but those of its objects.
func layOut(dir, branch string) error {
	for _, name := range []string{"heads", "tags"} {
		if err := os.MkdirAll(filepath.Join(dir, "refs", name), 0o755); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "HEAD"), []byte(symbolic+headsPrefix+branch+"\n"), 0o644)
}

// Open opens a bare repository in a folder.
func Open(dir string) (*Repository, error) {
	if _, err := os.Stat(filepath.Join(dir, "HEAD")); err != nil {
		return nil, fmt.Errorf("opening a repository: %w", err)
	}
	objects, err := openObjects(dir)
	if err != nil {
		return nil, fmt.Errorf("opening a repository: %w", err)
	}
	return &Repository{Objects: objects, refs: fileRefs{dir}, dir: dir}, nil
}

func openObjects(dir string) (*Objects, error) {
	folder, err := filepath.EvalSymlinks(filepath.Join(dir, "objects")) // that of a fork is its parent's
	if err != nil {
		return nil, err
	}
	storage := filesystem.NewStorage(osfs.New(filepath.Dir(folder)), cache.NewObjectLRUDefault())
	return &Objects{store: &store{EncodedObjectStorer: storage, folder: folder, written: memory.NewStorage()}}, nil
}

// Dir returns the folder, in which git finds all that was written until now, or "" in memory.
func (r *Repository) Dir() (string, error) { return r.dir, r.store.save() }

// Fork returns a repository with the same branches, tags and objects: in memory if the repository is, or else in the
// folder dir, which does not exist yet.
func (r *Repository) Fork(dir string) (*Repository, error) {
	fork := &Repository{Objects: r.Objects, refs: newMemoryRefs(r.Head())}
	if r.dir != "" {
		if err := layOut(dir, r.Head()); err != nil {
			return nil, fmt.Errorf("forking: %w", err)
		}
		if err := os.Symlink(r.store.folder, filepath.Join(dir, "objects")); err != nil {
			return nil, fmt.Errorf("forking: %w", err)
		}
		fork.refs, fork.dir = fileRefs{dir}, dir
	}
	var updates []Update
	for _, prefix := range []string{headsPrefix, "refs/tags/"} {
		list, err := r.Refs(prefix)
		if err != nil {
			return nil, err
		}
		for _, ref := range list {
			updates = append(updates, Update{Name: ref.Name, To: ref.SHA})
		}
	}
	return fork, fork.Update(updates...)
}
