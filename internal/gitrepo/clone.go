package gitrepo

import (
	"context"
	"errors"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/engine"
)

// clone returns a commit with its trees: what is known of the repository, or else what the server has of it. It adds
// the blobs that a server sends with them to blobs.
func (rs *Repos) clone(ctx context.Context, r *remote, in *repository, w fetchRequest, blobs map[oid][]byte,
	likely []string) (v *view, err error) {
	_ = rs.disk.use(in, r.access)
	if v := in.view(w.at); v != nil {
		return v, nil
	}
	done, err := in.claim(ctx, w.at, r.access.Installation)
	if err != nil {
		return nil, err
	}
	defer func() { done(err) }()
	if in.recent("") == nil {
		rs.disk.load(ctx, in, r)
	}
	if v := in.view(w.at); v != nil {
		return v, nil
	}
	waitForBlobs := func() {}
	if recent := in.recent(w.ref); recent != nil {
		w.haves = []oid{recent.commit}
		missing := recent.missingBlobs(likely, rs.blobs)
		waitForBlobs = rs.prefetch(ctx, r, fetchRequest{ref: w.ref, at: recent.commit, blobs: missing})
	}
	w.also = slices.DeleteFunc(rs.told.with(r.url, w.at), func(p pointer) bool { return in.view(p.id) != nil })
	v, err = rs.cloneWith(ctx, r, in, w, blobs)
	if err != nil && len(w.also) > 0 && !isUnanswered(err) && ctx.Err() == nil {
		w.also = nil // it may be gone, or too large
		v, err = rs.cloneWith(ctx, r, in, w, blobs)
	}
	if errors.Is(err, errMissing) && len(w.haves) > 0 {
		w.haves = nil
		v, err = rs.cloneWith(ctx, r, in, w, blobs)
	}
	waitForBlobs()
	if errors.Is(err, errMissing) {
		err = malformed("%v", err)
	}
	if err == nil {
		rs.disk.save(in, r.access)
	}
	return v, err
}

// prefetch fetches blobs into the cache in the background, and returns a function that waits for that. Errors are
// ignored: Load fetches what is missing.
func (rs *Repos) prefetch(ctx context.Context, r *remote, w fetchRequest) (wait func()) {
	if c, ok := r.capabilities.get(r.url); len(w.blobs) == 0 || !ok || !c.v2 {
		return func() {}
	}
	fetched := port.Go(ctx, func() {
		if objects, err := r.fetch(ctx, w); err == nil {
			rs.blobs.putAll(objects)
		}
	})
	return func() { port.Waiting(ctx, func() { <-fetched }) }
}

func (rs *Repos) cloneWith(ctx context.Context, r *remote, in *repository, w fetchRequest, blobs map[oid][]byte) (
	*view, error,
) {
	w.base = func(id oid) (object, bool) {
		if o, ok := in.object(id); ok {
			return o, true
		}
		return rs.blobs.get(id)
	}
	objects, err := r.fetch(ctx, w)
	if err != nil {
		return nil, err
	}
	rs.blobs.putAll(objects)
	for id, o := range objects {
		if o.kind == plumbing.BlobObject {
			blobs[id] = o.data
		}
	}
	for _, p := range w.also {
		_, _ = keepView(in, rs.limits, p.ref, p.id, objects) // if it cannot be kept, it is fetched when it is opened
	}
	return keepView(in, rs.limits, w.ref, w.at, objects)
}

// keepView makes the view of a commit of a repository, with objects that are new, and keeps it.
func keepView(in *repository, limits Limits, ref string, commit oid, objects map[oid]object) (*view, error) {
	in.making.Lock()
	defer in.making.Unlock()
	w := &nodes{limits: limits, known: in.node, made: map[oid]*node{}, find: func(id oid) (object, bool) {
		o, ok := objects[id]
		return o, ok
	}}
	v, err := newView(commit, w)
	if err != nil {
		return nil, err
	}
	in.add(ref, v)
	return v, nil
}

// maxPrefetch bounds the number of blobs that are prefetched.
const maxPrefetch = 64

// missingBlobs returns the files' blobs that are not in the cache. Most of them will be in the next commit too.
func (v *view) missingBlobs(files []string, c *blobs) (ids []oid) {
	root := &folder{node: v.root}
	for _, name := range files[:min(len(files), maxPrefetch)] {
		e := root.find(name)
		if e.kind() != engine.File {
			continue
		}
		if _, ok := c.get(e.id); !ok {
			ids = append(ids, e.id)
		}
	}
	return ids
}
