package gitrepo

import (
	"github.com/go-git/go-git/v5/plumbing"

	"github.com/tenon-bot/tenon/bot/lru"
)

// blobs keeps the contents of files by their names. Any may be missing; only speed depends on it. Safe for concurrent
// use.
type blobs struct {
	limit int64
	kept  *lru.Cache[oid, object]
}

func newBlobs(limit int64) *blobs { return &blobs{limit, lru.New[oid, object](limit)} }

func (b *blobs) get(id oid) (object, bool) { return b.kept.Get(id) }

// putAll keeps the blobs among objects whose hashes are their names, but for those that are larger than an eighth of
// the limit.
func (b *blobs) putAll(objects map[oid]object) {
	for id, o := range objects {
		if size := int64(cap(o.data)); o.kind == plumbing.BlobObject && size <= b.limit/8 {
			b.kept.Put(id, o, size)
		}
	}
}
