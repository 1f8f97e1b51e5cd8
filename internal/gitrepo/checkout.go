package gitrepo

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
)

// Checkout is a repository at one commit, in memory, with what was staged on top. It implements repo.Checkout and
// engine.Tree. Not safe for concurrent use.
type Checkout struct {
	repos    *Repos
	remote   *remote
	ref      string
	likely   []string // files that will be loaded
	snapshot *snapshot
	blobs    map[oid][]byte // loaded or staged
	large    map[oid]bool   // blobs over Limits.ObjectBytes
	root     *folder
	touched  map[string]bool // paths that were written, moved or removed
	files    []string        // the result of Files; nil when it has to be computed
}

var _ repo.Checkout = (*Checkout)(nil)

// SHA returns the commit that was opened.
func (c *Checkout) SHA() string { return c.snapshot.commit.String() }

// Tree returns the id of the opened commit's tree.
func (c *Checkout) Tree() string { return c.snapshot.root.String() }

// Size returns how many files and folders the opened commit has.
func (c *Checkout) Size() int { return c.snapshot.entries }

// Kind returns the kind of name. It does not follow links: a path through a link is absent.
func (c *Checkout) Kind(name string) (engine.Kind, error) {
	e, err := c.root.find(c.snapshot, name)
	return e.kind(), err
}

// Files returns the paths of all regular files, as staged, sorted by their bytes. Callers must not change the slice.
func (c *Checkout) Files() ([]string, error) {
	if c.files != nil {
		return c.files, nil
	}
	files := []string{}
	if err := c.root.list(c.snapshot, "", false, &files); err != nil {
		return nil, err
	}
	c.files = files
	return files, nil
}

// Links returns the paths of the links and submodules below a folder, or of all for the empty name, sorted by their
// bytes.
func (c *Checkout) Links(name string) ([]string, error) {
	var links []string
	if name == "" {
		err := c.root.list(c.snapshot, "", true, &links)
		return links, err
	}
	e, err := c.root.find(c.snapshot, name)
	if err != nil || e.kind() != engine.Folder {
		return nil, err
	}
	f, err := e.child(c.snapshot)
	if err != nil {
		return nil, err
	}
	err = f.list(c.snapshot, name+"/", true, &links)
	return links, err
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
	e, err := c.root.find(c.snapshot, name)
	if err != nil {
		return nil, err
	}
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
	missing, used, err := c.missing(names, keep)
	if err != nil || len(missing) == 0 || keep > 0 && used >= keep {
		return nil, err
	}
	if keep > 0 {
		keep -= used
	} else {
		likely := c.likely[:min(len(c.likely), maxPrefetch)]
		if missing, _, err = c.missing(slices.Concat(names, likely), 0); err != nil {
			return nil, err
		}
	}
	objects, err := c.remote.fetch(ctx, fetchRequest{ref: c.ref, at: c.snapshot.commit, blobs: missing, keep: keep})
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
	c.repos.cache.putAll(objects)
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
func (c *Checkout) missing(names []string, keep int64) (ids []oid, used int64, err error) {
	asked := map[oid]bool{}
	for _, name := range names {
		e, err := c.root.find(c.snapshot, name)
		if err != nil {
			return nil, 0, err
		}
		if e.kind() != engine.File || asked[e.id] || c.large[e.id] {
			continue
		}
		asked[e.id] = true
		if _, loaded := c.blobs[e.id]; loaded {
			continue
		}
		o, ok := c.repos.cache.get(e.id)
		switch size := int64(len(o.data)); {
		case !ok || o.kind != plumbing.BlobObject:
			ids = append(ids, e.id)
		case keep == 0 || used+size <= keep:
			c.blobs[e.id] = o.data
			used += size
		}
	}
	return ids, used, nil
}

// has reports whether a blob is loaded, or loads it from the cache.
func (c *Checkout) has(id oid) bool {
	if _, ok := c.blobs[id]; ok {
		return true
	}
	o, ok := c.repos.cache.get(id)
	if !ok || o.kind != plumbing.BlobObject {
		return false
	}
	c.blobs[id] = o.data
	return true
}
