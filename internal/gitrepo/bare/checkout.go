package bare

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/gitrepo"
)

// maxBlob bounds one file, in bytes: the default of gitrepo.Limits.ObjectBytes, so that the same files are left out.
const maxBlob = 16 << 20

// ErrReadOnly is returned by everything that would change a checkout.
var ErrReadOnly = errors.New("the checkout is read-only")

// Checkout is one commit of a bare repository, which can only be read. It implements repo.Checkout. Not safe for
// concurrent use.
type Checkout struct {
	repository *Repository
	commit     plumbing.Hash
	tree       plumbing.Hash
	entries    map[string]entry // by path, folders among them
	files      []string         // regular files
	links      []string         // symbolic links and submodules
	blobs      map[plumbing.Hash][]byte
	large      map[plumbing.Hash]bool // over maxBlob, or absent
}

type entry struct {
	mode filemode.FileMode
	id   plumbing.Hash
}

func (e entry) isFile() bool { return kindOf(e.mode) == engine.File }

var _ repo.Checkout = (*Checkout)(nil)

func newCheckout(r *Repository, c *object.Commit) *Checkout {
	return &Checkout{
		repository: r, commit: c.Hash, tree: c.TreeHash,
		entries: map[string]entry{}, blobs: map[plumbing.Hash][]byte{}, large: map[plumbing.Hash]bool{},
	}
}

// SHA returns the commit.
func (c *Checkout) SHA() string { return c.commit.String() }

// Tree returns the id of the commit's tree.
func (c *Checkout) Tree() string { return c.tree.String() }

// Kind returns the kind of name. It does not follow links.
func (c *Checkout) Kind(name string) (engine.Kind, error) { return kindOf(c.entries[name].mode), nil }

func kindOf(mode filemode.FileMode) engine.Kind {
	switch mode {
	case filemode.Regular, filemode.Deprecated, filemode.Executable:
		return engine.File
	case filemode.Dir:
		return engine.Folder
	case filemode.Symlink:
		return engine.Symlink
	case filemode.Submodule:
		return engine.Submodule
	default:
		return engine.Absent
	}
}

// Files returns the paths of all regular files, sorted by their bytes. Callers must not change the slice.
func (c *Checkout) Files() ([]string, error) { return c.files, nil }

// Blob returns the id of a regular file's blob in hex, and reports whether there is such a file.
func (c *Checkout) Blob(name string) (id string, ok bool) {
	e := c.entries[name]
	if !e.isFile() {
		return "", false
	}
	return e.id.String(), true
}

// Links returns the paths of the links and submodules below a folder, or of all for the empty name, sorted by their
// bytes.
func (c *Checkout) Links(folder string) ([]string, error) {
	var out []string
	for _, name := range c.links {
		if folder == "" || strings.HasPrefix(name, folder+"/") {
			out = append(out, name)
		}
	}
	return out, nil
}

// Executable reports whether a file has git's executable mode; fs.ErrNotExist if there is no such file.
func (c *Checkout) Executable(name string) (bool, error) {
	e := c.entries[name]
	if !e.isFile() {
		return false, fmt.Errorf("reading the mode of %s: %w", name, fs.ErrNotExist)
	}
	return e.mode == filemode.Executable, nil
}

// Load reads the named files. It skips names that are no regular files, and files that are larger than 16 MiB or that
// the repository lacks.
func (c *Checkout) Load(ctx context.Context, names ...string) error {
	for _, name := range names {
		e := c.entries[name]
		if _, loaded := c.blobs[e.id]; loaded || !e.isFile() || c.large[e.id] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		data, ok, err := c.repository.blob(e.id)
		if err != nil {
			return fmt.Errorf("loading %s of %s: %w", name, c.repository.folder, err)
		}
		if !ok {
			c.large[e.id] = true
			continue
		}
		c.blobs[e.id] = data
	}
	return nil
}

// LoadSome is Load for at most so many bytes of files that were not loaded before. No files are too large together.
func (c *Checkout) LoadSome(ctx context.Context, bytes int64, names ...string) error {
	for _, name := range names {
		e := c.entries[name]
		if _, loaded := c.blobs[e.id]; loaded || !e.isFile() {
			continue
		}
		size, err := c.repository.objects.EncodedObjectSize(e.id)
		if err == nil && size > bytes {
			continue
		}
		if err := c.Load(ctx, name); err != nil {
			return err
		}
		bytes -= int64(len(c.blobs[e.id]))
	}
	return nil
}

// ReadFile returns a file's bytes; callers must not change them. It returns gitrepo.ErrNotLoaded if Load did not read
// the file, fs.ErrNotExist if name is no regular file, and engine.ErrTooLarge with a *port.UserError if Load skipped
// it.
func (c *Checkout) ReadFile(name string) ([]byte, error) {
	e := c.entries[name]
	if !e.isFile() {
		return nil, fmt.Errorf("reading %s: %w", name, fs.ErrNotExist)
	}
	if data, ok := c.blobs[e.id]; ok {
		return data, nil
	}
	if c.large[e.id] {
		return nil, fmt.Errorf("%w: %w", engine.ErrTooLarge,
			&port.UserError{Text: fmt.Sprintf("%q is larger than %d bytes, or absent", name, maxBlob)})
	}
	return nil, fmt.Errorf("reading %s: %w", name, gitrepo.ErrNotLoaded)
}

// Changes returns nothing: nothing is staged.
func (c *Checkout) Changes() ([]port.Change, error) { return nil, nil }

// ChangesSince returns the paths at which the tree differs from that of another checkout of this package, sorted.
func (c *Checkout) ChangesSince(before repo.Checkout) ([]port.Change, error) {
	other, ok := before.(*Checkout)
	if !ok {
		return nil, fmt.Errorf("comparing %s: %s is no bare repository", c.SHA(), before.SHA())
	}
	var list []port.Change
	for name, now := range c.entries {
		old, was := other.entries[name]
		if now.mode == filemode.Dir || was && old == now {
			continue
		}
		change := port.Change{Path: name, Mode: now.octal(), Blob: now.id.String()}
		if was && old.mode != filemode.Dir {
			change.OldMode, change.OldBlob = old.octal(), old.id.String()
		}
		list = append(list, change)
	}
	for name, old := range other.entries {
		now, is := c.entries[name]
		if old.mode != filemode.Dir && (!is || now.mode == filemode.Dir) {
			list = append(list, port.Change{Path: name, OldMode: old.octal(), OldBlob: old.id.String()})
		}
	}
	slices.SortFunc(list, func(a, b port.Change) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// octal returns the mode as git writes it in a listing.
func (e entry) octal() string { return fmt.Sprintf("%o", uint32(e.mode)) }

// Committed does nothing.
func (c *Checkout) Committed([]port.Change) {}

// WriteFile returns ErrReadOnly.
func (c *Checkout) WriteFile(string, []byte) error { return ErrReadOnly }

// Remove returns ErrReadOnly.
func (c *Checkout) Remove(string) error { return ErrReadOnly }

// Move returns ErrReadOnly.
func (c *Checkout) Move(string, string) error { return ErrReadOnly }

// SetExecutable returns ErrReadOnly.
func (c *Checkout) SetExecutable(string, bool) error { return ErrReadOnly }

// Put returns ErrReadOnly.
func (c *Checkout) Put(string, string, string) error { return ErrReadOnly }

// Commit returns ErrReadOnly.
func (c *Checkout) Commit(context.Context, repo.CommitRequest) (repo.Commit, error) {
	return repo.Commit{}, ErrReadOnly
}

// sortNames sorts what a walk of the tree listed: git sorts a folder as if its name ended in a slash.
func (c *Checkout) sortNames() {
	slices.Sort(c.files)
	slices.Sort(c.links)
}
