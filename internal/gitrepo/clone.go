package gitrepo

import (
	"context"
	"errors"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/engine"
)

// cached returns the snapshot of a commit from the cache, if it was opened through this repository before.
func (rs *Repos) cached(url string, id oid) (*snapshot, error) {
	for _, t := range rs.tips.all(url, "") {
		if t.id == id {
			return newSnapshot(id, rs.limits, rs.cache.get)
		}
	}
	return nil, errMissing
}

// cloneAll is clone, and fetches the commits with it that Tips told of at the same time. If that fails, as when one of
// them is gone or too large, it fetches the one alone.
func (rs *Repos) cloneAll(ctx context.Context, r *remote, w fetchRequest, blobs map[oid][]byte, likely []string) (
	*snapshot, error,
) {
	w.also = slices.DeleteFunc(rs.told.with(r.url, w.at), func(p pointer) bool { return rs.tips.has(r.url, p.id) })
	snap, err := rs.clone(ctx, r, w, blobs, likely)
	if wait := (*port.WaitError)(nil); err != nil && len(w.also) > 0 && !errors.As(err, &wait) && ctx.Err() == nil {
		w.also = nil
		snap, err = rs.clone(ctx, r, w, blobs, likely)
	}
	if err != nil {
		return nil, err
	}
	for _, p := range w.also {
		rs.addTip(r.url, tip(p))
	}
	return snap, nil
}

// clone fetches a commit and its trees. It adds the blobs that a server sends with them to blobs.
func (rs *Repos) clone(ctx context.Context, r *remote, w fetchRequest, blobs map[oid][]byte, likely []string) (
	*snapshot, error,
) {
	find := rs.cache.get
	waitForBlobs := func() {}
	if recent := rs.recent(r.url, w.ref); recent != nil {
		w.haves = []oid{recent.commit}
		find = func(id oid) (object, bool) { return recent.find(id, rs.cache) }
		missing := recent.missingBlobs(likely, rs.cache)
		waitForBlobs = rs.prefetch(ctx, r, fetchRequest{ref: w.ref, at: recent.commit, blobs: missing})
	}
	snap, err := rs.cloneWith(ctx, r, w, find, blobs)
	if errors.Is(err, errMissing) && len(w.haves) > 0 {
		w.haves = nil
		snap, err = rs.cloneWith(ctx, r, w, find, blobs)
	}
	waitForBlobs()
	if errors.Is(err, errMissing) {
		err = malformed("%v", err)
	}
	return snap, err
}

// prefetch fetches blobs into the cache in the background, and returns a function that waits for that. Errors are
// ignored: Load fetches what is missing.
func (rs *Repos) prefetch(ctx context.Context, r *remote, w fetchRequest) (wait func()) {
	if c, ok := r.capabilities.get(r.url); len(w.blobs) == 0 || !ok || !c.v2 {
		return func() {}
	}
	fetched := port.Go(ctx, func() {
		if objects, err := r.fetch(ctx, w); err == nil {
			rs.cache.putAll(objects)
		}
	})
	return func() { port.Waiting(ctx, func() { <-fetched }) }
}

func (rs *Repos) cloneWith(ctx context.Context, r *remote, w fetchRequest, find func(oid) (object, bool),
	blobs map[oid][]byte) (*snapshot, error) {
	w.base = find
	objects, err := r.fetch(ctx, w)
	if err != nil {
		return nil, err
	}
	rs.cache.putAll(objects)
	for id, o := range objects {
		if o.kind == plumbing.BlobObject {
			blobs[id] = o.data
		}
	}
	return newSnapshot(w.at, rs.limits, func(id oid) (object, bool) {
		if o, ok := objects[id]; ok {
			return o, true
		}
		return find(id)
	})
}

// recent returns the latest commit of a repository of which the cache has all trees, one of ref if possible, or nil.
func (rs *Repos) recent(url, ref string) *snapshot {
	for _, t := range rs.tips.all(url, ref) {
		if s, err := newSnapshot(t.id, rs.limits, rs.cache.get); err == nil {
			return s
		}
	}
	return nil
}

// maxPrefetch bounds the number of blobs that are prefetched.
const maxPrefetch = 64

// missingBlobs returns the files' blobs that are not in the cache. Most of them will be in the next commit too.
func (s *snapshot) missingBlobs(files []string, c *cache) (ids []oid) {
	root := &folder{id: s.root}
	for _, name := range files[:min(len(files), maxPrefetch)] {
		e, err := root.find(s, name)
		if err != nil || e.kind() != engine.File {
			continue
		}
		if _, ok := c.get(e.id); !ok {
			ids = append(ids, e.id)
		}
	}
	return ids
}

// find returns an object from the snapshot's trees, which the cache may have dropped, or from the cache.
func (s *snapshot) find(id oid, c *cache) (object, bool) {
	if data, ok := s.trees[id]; ok {
		return object{plumbing.TreeObject, data}, true
	}
	return c.get(id)
}
