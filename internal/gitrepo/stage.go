package gitrepo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/engine/text"
)

// WriteFile stages a file, with the folders above it. An existing file keeps its mode, and must have been loaded.
// WriteFile returns an error for a file that is a pointer of Git LFS, for links, submodules and folders, and for names
// that are not valid in git or on a file system.
func (c *Checkout) WriteFile(name string, data []byte) error {
	mode, err := c.writable(name)
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	data = append([]byte{}, data...) // never nil, also for an empty file
	o := object{plumbing.BlobObject, data}
	id := o.id()
	c.blobs[id] = data
	if c.written == nil {
		c.written = map[oid]bool{}
	}
	c.written[id] = true
	return c.set(name, &entry{mode: mode, id: id})
}

// writable returns the mode of a file to be written at name, or why it cannot be written.
func (c *Checkout) writable(name string) (filemode.FileMode, error) {
	old, err := c.entryAt(name)
	if err != nil {
		return 0, err
	}
	if old == nil {
		return filemode.Regular, nil
	}
	switch {
	case old.kind() != engine.File:
		return 0, fmt.Errorf("there is a %s there", kindName(old.kind()))
	case !c.has(old.id):
		return 0, ErrNotLoaded
	case text.IsLFSPointer(c.blobs[old.id]):
		return 0, userError("%s is stored in Git LFS; tenon does not edit such files.", quoted(name))
	}
	return old.mode, nil
}

// entryAt returns the entry at name, nil if there is none, or why there can be no file at name.
func (c *Checkout) entryAt(name string) (*entry, error) {
	if len(name) > c.remote.limits.PathBytes {
		return nil, fmt.Errorf("the path is longer than %d bytes", c.remote.limits.PathBytes)
	}
	parts := strings.Split(name, "/")
	if len(parts) > c.remote.limits.TreeDepth {
		return nil, fmt.Errorf("the path is more than %d folders deep", c.remote.limits.TreeDepth)
	}
	for _, part := range parts {
		if why := badName(part); why != "" {
			return nil, fmt.Errorf("%q %s", part, why)
		}
	}
	for i := range parts {
		above := strings.Join(parts[:i+1], "/")
		e := c.root.find(above)
		if e == nil || i == len(parts)-1 {
			return e, nil
		}
		if e.kind() != engine.Folder {
			return nil, fmt.Errorf("%s is a %s", above, kindName(e.kind()))
		}
	}
	return nil, nil
}

// Remove stages the removal of a file, and of the folders that become empty: git has no empty folders.
func (c *Checkout) Remove(name string) error {
	if _, err := c.file(name); err != nil {
		return fmt.Errorf("removing %s: %w", name, err)
	}
	c.unset(name)
	return nil
}

// Move stages a file under another name, with its mode and bytes. There must be no file or folder of that name. The
// file need not be loaded.
func (c *Checkout) Move(from, to string) error {
	e, err := c.file(from)
	if err != nil {
		return fmt.Errorf("moving %s: %w", from, err)
	}
	if from == to {
		return nil
	}
	at, err := c.entryAt(to)
	if err != nil {
		return fmt.Errorf("moving %s to %s: %w", from, to, err)
	}
	if at != nil {
		return fmt.Errorf("moving %s to %s: there is a %s there", from, to, kindName(at.kind()))
	}
	c.unset(from)
	return c.set(to, e)
}

// Executable reports whether a file has the mode of an executable.
func (c *Checkout) Executable(name string) (bool, error) {
	e, err := c.file(name)
	if err != nil {
		return false, fmt.Errorf("looking at %s: %w", name, err)
	}
	return e.mode == filemode.Executable, nil
}

// SetExecutable stages the mode of a file, which need not be loaded.
func (c *Checkout) SetExecutable(name string, yes bool) error {
	e, err := c.file(name)
	if err != nil {
		return fmt.Errorf("changing the mode of %s: %w", name, err)
	}
	mode := filemode.Regular
	if yes {
		mode = filemode.Executable
	}
	return c.set(name, &entry{mode: mode, id: e.id})
}

func (c *Checkout) set(name string, e *entry) error {
	c.touch(name)
	return c.root.put(name, e)
}

func (c *Checkout) unset(name string) {
	c.touch(name)
	c.root.remove(name)
}

func (c *Checkout) touch(name string) {
	if c.touched == nil {
		c.touched = map[string]bool{}
	}
	c.touched[name] = true
	c.list = nil
}

// Changes returns the paths that differ from the opened commit, sorted.
func (c *Checkout) Changes() ([]port.Change, error) {
	base := &folder{node: c.view.root}
	var changes []port.Change
	for name := range c.touched {
		before, now := base.find(name).leaf(), c.root.find(name).leaf()
		switch {
		case now == nil && before != nil:
			changes = append(changes, port.Change{Path: name})
		case now != nil && (before == nil || before.id != now.id || before.mode != now.mode):
			change := port.Change{Path: name, Mode: octal(now.mode), Data: c.blobs[now.id], Blob: now.id.String()}
			if before != nil {
				change.OldMode, change.OldBlob = octal(before.mode), before.id.String()
			}
			changes = append(changes, change)
		}
	}
	slices.SortFunc(changes, func(a, b port.Change) int { return strings.Compare(a.Path, b.Path) })
	return changes, nil
}

// octal returns a mode as git writes it in a listing.
func octal(mode filemode.FileMode) string { return fmt.Sprintf("%o", uint32(mode)) }

func kindName(k engine.Kind) string {
	switch k {
	case engine.File:
		return "file"
	case engine.Folder:
		return "folder"
	case engine.Symlink:
		return "link"
	case engine.Submodule:
		return "submodule"
	}
	return "nothing"
}
