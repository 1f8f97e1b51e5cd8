package gitrepo

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/tenon-bot/tenon/bot/paths"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
)

// Checkout is a repository at one commit, in memory, with what was staged on top. It implements repo.Checkout and
// engine.Tree. Not safe for concurrent use.
type Checkout struct {
	repos   *Repos
	remote  *remote
	ref     string
	likely  []string // files that will be loaded
	in      *repository
	view    *view
	blobs   map[oid][]byte // loaded or staged
	large   map[oid]bool   // blobs over Limits.ObjectBytes
	written map[oid]bool   // blobs of files that were written
	root    *folder
	touched map[string]bool // paths that were written, moved or removed
	list    *paths.List     // the result of Paths; nil when it has to be computed
}

var _ repo.Checkout = (*Checkout)(nil)

// SHA returns the commit that was opened.
func (c *Checkout) SHA() string { return c.view.commit.String() }

// Tree returns the id of the opened commit's tree.
func (c *Checkout) Tree() string { return c.view.root.id.String() }

// Size returns how many files and folders the opened commit has.
func (c *Checkout) Size() int { return c.view.root.size.entries }

// Kind returns the kind of name. It does not follow links: a path through a link is absent.
func (c *Checkout) Kind(name string) (engine.Kind, error) { return c.root.find(name).kind(), nil }

// Files returns the paths of all regular files, as staged, sorted by their bytes.
func (c *Checkout) Files() ([]string, error) {
	list, err := c.Paths()
	if err != nil {
		return nil, err
	}
	return slices.AppendSeq(make([]string, 0, list.Len()), list.All()), nil
}

// Paths returns what Files returns as a list, most of which it shares with other checkouts of the repository.
func (c *Checkout) Paths() (*paths.List, error) {
	if c.list != nil {
		return c.list, nil
	}
	list := c.in.paths(c.view)
	var removed, added []string
	for _, name := range slices.Sorted(maps.Keys(c.touched)) {
		switch is := c.root.find(name).kind() == engine.File; {
		case is && !list.Has(name):
			added = append(added, name)
		case !is && list.Has(name):
			removed = append(removed, name)
		}
	}
	c.list = list.Change(removed, added)
	return c.list, nil
}

// Named returns the regular files of a base name, as staged, sorted.
func (c *Checkout) Named(base string) ([]string, error) {
	list, err := c.Paths()
	if err != nil {
		return nil, err
	}
	return list.Named(base), nil
}

// Entries calls visit for what is in a folder, as staged, in any order; for the root, the folder is empty. There may be
// no such folder.
func (c *Checkout) Entries(folder string, visit func(name string, kind engine.Kind)) error {
	f := c.root
	if folder != "" {
		e := c.root.find(folder)
		if e.kind() != engine.Folder {
			return nil
		}
		f = e.child()
	}
	f.each(func(name string, e *entry) { visit(name, e.kind()) })
	return nil
}

// Links returns the paths of the links and submodules below a folder, or of all for the empty name, sorted by their
// bytes.
func (c *Checkout) Links(name string) ([]string, error) {
	var links []string
	if name == "" {
		c.root.links("", &links)
		return links, nil
	}
	if e := c.root.find(name); e.kind() == engine.Folder {
		e.child().links(name+"/", &links)
	}
	return links, nil
}

// ReadFile returns a file's bytes, as staged; callers must not change them. It returns ErrNotLoaded if Load did not
// fetch the file, fs.ErrNotExist if name is no regular file, and engine.ErrTooLarge with a *port.UserError if the file
// is larger than Limits.ObjectBytes.
func (c *Checkout) ReadFile(name string) ([]byte, error) {
	e, err := c.file(name)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if data, ok := c.blobs[e.id]; ok {
		return data, nil
	}
	if c.large[e.id] {
		return nil, fmt.Errorf("%w: %w", engine.ErrTooLarge,
			userError("%s is larger than %d bytes; tenon does not work on files of that size.",
				quoted(name), c.remote.limits.ObjectBytes))
	}
	return nil, fmt.Errorf("reading %s: %w", name, ErrNotLoaded)
}

// file returns the regular file at name.
func (c *Checkout) file(name string) (*entry, error) {
	e := c.root.find(name)
	if e.kind() != engine.File {
		return nil, fs.ErrNotExist
	}
	return e, nil
}

// Load gets the named files: from the cache, and the others in one request. It skips names that are no regular files,
// and files larger than Limits.ObjectBytes, for which ReadFile returns an error.
func (c *Checkout) Load(ctx context.Context, names ...string) error {
	left, err := c.load(ctx, names, 0)
	for _, id := range left {
		c.setLarge(id)
	}
	return err
}

// LoadSome is Load for at most so many bytes of files that were not loaded before: first of those in the cache, then
// of the others, in the order in which the server sends them. It returns a *port.UserError if they exceed
// Limits.PackBytes.
func (c *Checkout) LoadSome(ctx context.Context, bytes int64, names ...string) error {
	if bytes <= 0 {
		return nil
	}
	_, err := c.load(ctx, names, bytes)
	return err
}

// load gets the named files, at most keep bytes of them, unless that is 0, and returns those that the server did not
// send.
func (c *Checkout) load(ctx context.Context, names []string, keep int64) (left []oid, err error) {
	missing, used := c.missing(names, keep)
	if len(missing) == 0 || keep > 0 && used >= keep {
		return nil, nil
	}
	if keep > 0 {
		keep -= used
	} else {
		missing, _ = c.missing(slices.Concat(names, c.likely[:min(len(c.likely), maxPrefetch)]), 0)
	}
	objects, err := c.remote.fetch(ctx, fetchRequest{ref: c.ref, at: c.view.commit, blobs: missing, keep: keep})
	if err != nil {
		return nil, fmt.Errorf("loading %d files of %s: %w", len(missing), c.remote.repo, err)
	}
	for _, id := range missing {
		if o, ok := objects[id]; ok && o.kind == plumbing.BlobObject {
			c.blobs[id] = o.data
		} else {
			left = append(left, id)
		}
	}
	c.repos.blobs.putAll(objects)
	return left, nil
}

// Blob returns the id of a regular file's blob, as staged.
func (c *Checkout) Blob(name string) (id string, ok bool) {
	e, err := c.file(name)
	if err != nil {
		return "", false
	}
	return e.id.String(), true
}

func (c *Checkout) setLarge(id oid) {
	if c.large == nil {
		c.large = map[oid]bool{}
	}
	c.large[id] = true
}

// missing returns the blobs of the named files that are neither loaded nor in the cache, each once. Those in the cache
// it loads, at most keep bytes of them, unless that is 0; used is how many these are.
func (c *Checkout) missing(names []string, keep int64) (ids []oid, used int64) {
	asked := map[oid]bool{}
	for _, name := range names {
		e := c.root.find(name)
		if e.kind() != engine.File || asked[e.id] || c.large[e.id] {
			continue
		}
		asked[e.id] = true
		if _, loaded := c.blobs[e.id]; loaded {
			continue
		}
		o, ok := c.repos.blobs.get(e.id)
		switch size := int64(len(o.data)); {
		case !ok:
			ids = append(ids, e.id)
		case keep == 0 || used+size <= keep:
			c.blobs[e.id] = o.data
			used += size
		}
	}
	return ids, used
}

// has reports whether a blob is loaded, or loads it from the cache.
func (c *Checkout) has(id oid) bool {
	if _, ok := c.blobs[id]; ok {
		return true
	}
	o, ok := c.repos.blobs.get(id)
	if !ok {
		return false
	}
	c.blobs[id] = o.data
	return true
}
