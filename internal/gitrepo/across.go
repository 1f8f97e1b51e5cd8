package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
)

// errOtherRepos is the error of a comparison with a checkout that is not of this package.
var errOtherRepos = errors.New("the checkouts are not of the same repository")

// ChangesSince returns the paths at which the tree, as staged, differs from that of another checkout, as staged,
// sorted. It enters only the folders in which they differ.
func (c *Checkout) ChangesSince(before repo.Checkout) ([]port.Change, error) {
	other, ok := before.(*Checkout)
	if !ok {
		return nil, fmt.Errorf("comparing %s: %w", c.SHA(), errOtherRepos)
	}
	d := changes{of: c}
	d.folders(other.root, c.root, "")
	slices.SortFunc(d.list, func(a, b port.Change) int { return strings.Compare(a.Path, b.Path) })
	return d.list, nil
}

// changes are the changes that lead from one tree to that of a checkout.
type changes struct {
	of   *Checkout
	list []port.Change
}

// folders compares two folders at a path; nil is one without entries.
func (d *changes) folders(before, now *folder, prefix string) {
	if before != nil && now != nil && before.entries == nil && now.entries == nil && before.node.id == now.node.id {
		return
	}
	old := map[string]*entry{}
	if before != nil {
		before.each(func(name string, e *entry) { old[name] = e })
	}
	if now != nil {
		now.each(func(name string, e *entry) {
			d.entries(old[name], e, prefix+name)
			delete(old, name)
		})
	}
	for name, e := range old {
		d.entries(e, nil, prefix+name)
	}
}

// entries compares two entries at a path; nil is none.
func (d *changes) entries(before, now *entry, path string) {
	isFolder := func(e *entry) bool { return e.kind() == engine.Folder }
	if isFolder(before) || isFolder(now) {
		var folders [2]*folder
		for i, e := range []*entry{before, now} {
			if isFolder(e) {
				folders[i] = e.child()
			}
		}
		d.folders(folders[0], folders[1], path+"/")
	}
	before, now = before.leaf(), now.leaf()
	if before == nil && now == nil || before != nil && now != nil && before.id == now.id && before.mode == now.mode {
		return
	}
	change := port.Change{Path: path}
	if before != nil {
		change.OldMode, change.OldBlob = octal(before.mode), before.id.String()
	}
	if now != nil {
		change.Mode, change.Blob = octal(now.mode), now.id.String()
		if d.of.written[now.id] {
			change.Data = d.of.blobs[now.id]
		}
	}
	d.list = append(d.list, change)
}

// leaf returns an entry that is no folder, else nil.
func (e *entry) leaf() *entry {
	if e.kind() == engine.Folder {
		return nil
	}
	return e
}

// Put stages what another commit of the repository has at a path, by its mode and id, without loading it, or, if the
// mode is empty, that there is nothing. It replaces a file, a link or a submodule, but no folder.
func (c *Checkout) Put(name, mode, id string) error {
	if err := c.put(name, mode, id); err != nil {
		return fmt.Errorf("staging %s: %w", name, err)
	}
	return nil
}

func (c *Checkout) put(name, mode, id string) error {
	old, err := c.entryAt(name)
	if err != nil {
		return err
	}
	if old.kind() == engine.Folder {
		return errors.New("there is a folder there")
	}
	if mode == "" {
		if old == nil {
			return fs.ErrNotExist
		}
		c.unset(name)
		return nil
	}
	m, err := filemode.New(mode)
	if err != nil || !slices.Contains(leafModes, m) || !plumbing.IsHash(id) {
		return fmt.Errorf("there is no entry with the mode %q and the id %q", mode, id)
	}
	return c.set(name, &entry{mode: m, id: plumbing.NewHash(id)})
}

// leafModes are the modes of entries that are no folders.
var leafModes = []filemode.FileMode{
	filemode.Regular, filemode.Deprecated, filemode.Executable, filemode.Symlink, filemode.Submodule,
}
