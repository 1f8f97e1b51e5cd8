package gitrepo

import (
	"context"
	"errors"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/tenon-bot/tenon/engine"
)

// known takes a commit from the cache, if it was opened through this repository before.
func (rs *Repos) known(url string, id oid) (*snapshot, error) {
	for _, t := range rs.tips.all(url, "") {
		if t.id == id {
			return takeSnapshot(id, rs.limits, rs.cache.get)
		}
	}
	return nil, errMissing
}

// clone brings a commit and its trees. Blobs that come along go to blobs.
func (rs *Repos) clone(ctx context.Context, r *remote, w wants, blobs map[oid][]byte, likely []string) (*snapshot, error) {
	find := rs.cache.get
	guess := func() {}
	if former := rs.former(r.url, w.ref); former != nil {
		w.haves = []oid{former.commit}
		find = func(id oid) (object, bool) { return former.find(id, rs.cache) }
		guess = rs.guess(ctx, r, wants{ref: w.ref, at: former.commit, blobs: former.blobs(likely, rs.cache)})
	}
	snap, err := rs.cloneWith(ctx, r, w, find, blobs)
	if errors.Is(err, errMissing) && len(w.haves) > 0 {
		w.haves = nil
		snap, err = rs.cloneWith(ctx, r, w, find, blobs)
	}
	guess()
	if errors.Is(err, errMissing) {
		err = garbled("%v", err)
	}
	return snap, err
}

// guess fetches blobs into the cache meanwhile, and returns a function that waits for them. Whether that goes well does not
// matter: Load asks for what is missing.
func (rs *Repos) guess(ctx context.Context, r *remote, w wants) (wait func()) {
	if f, ok := r.facts.find(r.url); len(w.blobs) == 0 || !ok || !f.v2 {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if objects, err := r.fetch(ctx, w); err == nil {
			rs.cache.putAll(objects)
		}
	}()
	return func() { <-done }
}

func (rs *Repos) cloneWith(ctx context.Context, r *remote, w wants, find func(oid) (object, bool), blobs map[oid][]byte) (*snapshot, error) {
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
	return takeSnapshot(w.at, rs.limits, func(id oid) (object, bool) {
		if o, ok := objects[id]; ok {
			return o, true
		}
		return find(id)
	})
}

// former returns the latest commit of a repository that the cache still holds whole, one of ref if it can; nil when there is none.
func (rs *Repos) former(url, ref string) *snapshot {
	for _, t := range rs.tips.all(url, ref) {
		if s, err := takeSnapshot(t.id, rs.limits, rs.cache.get); err == nil {
			return s
		}
	}
	return nil
}

// maxAlong bounds the blobs that are asked for on a guess.
const maxAlong = 64

// blobs returns the names of the files' blobs that the cache does not hold. The next commit has most of them still.
func (s *snapshot) blobs(files []string, c *cache) (ids []oid) {
	root := &folder{id: s.root}
	for _, name := range files[:min(len(files), maxAlong)] {
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

// find looks for an object among the snapshot's trees, which no cache can drop, and then in the cache.
func (s *snapshot) find(id oid, c *cache) (object, bool) {
	if data, ok := s.trees[id]; ok {
		return object{plumbing.TreeObject, data}, true
	}
	return c.get(id)
}
