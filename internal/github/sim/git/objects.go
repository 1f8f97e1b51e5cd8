package git

import (
	"errors"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// ErrNotFound is the error for an object, or a path of a tree, that is not there.
var ErrNotFound = errors.New("not found in the repository")

// The kinds of objects.
const (
	KindCommit = "commit"
	KindTree   = "tree"
	KindBlob   = "blob"
	KindTag    = "tag"
)

// Objects are the objects of a repository and of all its forks: they never change, and none is removed.
type Objects struct {
	store   *store
	commits sync.Map // id -> Commit, those that were read
}

// Kind returns the kind of an object, or "" if there is none of this id.
func (o *Objects) Kind(id string) string {
	obj, err := o.store.get(plumbing.AnyObject, id)
	if err != nil {
		return ""
	}
	return obj.Type().String()
}

// WriteBlob stores a file's content and returns its id.
func (o *Objects) WriteBlob(data []byte) (string, error) {
	return o.store.write(plumbing.BlobObject, data)
}

// Blob returns a file's content.
func (o *Objects) Blob(id string) ([]byte, error) { return o.store.read(plumbing.BlobObject, id) }
