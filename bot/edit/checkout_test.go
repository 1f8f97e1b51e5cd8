package edit

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
)

const headSHA = "0123456789abcdef0123456789abcdef01234567"

// protects returns why the built-in policy protects a path.
var protects = policy.Policy{}.WhyProtected

// memCheckout is a checkout in memory. Files that begin with "#!" are executable.
type memCheckout struct {
	engine.MemTree
	opened     engine.MemTree
	kinds      map[string]engine.Kind
	executable map[string]bool
	loaded     map[string]bool
	most       int
}

func newCheckout(files map[string]string) *memCheckout {
	c := &memCheckout{MemTree: treeOf(files), opened: treeOf(files), kinds: map[string]engine.Kind{},
		executable: map[string]bool{}, loaded: map[string]bool{}}
	for name, text := range files {
		c.executable[name] = strings.HasPrefix(text, "#!")
	}
	return c
}

func (c *memCheckout) SHA() string { return headSHA }

func (c *memCheckout) Tree() string { return "" }

func (c *memCheckout) Committed([]port.Change) {}

func (c *memCheckout) Kind(name string) (engine.Kind, error) {
	for path, kind := range c.kinds {
		if name == path {
			return kind, nil
		}
		if strings.HasPrefix(path, name+"/") {
			return engine.Folder, nil
		}
		if strings.HasPrefix(name, path+"/") {
			return engine.Absent, nil
		}
	}
	return c.MemTree.Kind(name)
}

func (c *memCheckout) Load(_ context.Context, names ...string) error {
	for _, name := range names {
		c.loaded[name] = true
	}
	return nil
}

func (c *memCheckout) LoadSome(ctx context.Context, _ int64, names ...string) error {
	return c.Load(ctx, names...)
}

func (c *memCheckout) Blob(name string) (string, bool) {
	data, err := c.MemTree.ReadFile(name)
	return fmt.Sprintf("%x", sha256.Sum256(data)), err == nil
}

func (c *memCheckout) ReadFile(name string) ([]byte, error) {
	data, err := c.MemTree.ReadFile(name)
	switch {
	case err != nil:
		return nil, err
	case !c.loaded[name]:
		return nil, errors.New("not loaded: " + name)
	case c.most > 0 && len(data) > c.most:
		return nil, fmt.Errorf("%w: %w", engine.ErrTooLarge, &port.UserError{Text: "it is too large"})
	}
	return data, nil
}

func (c *memCheckout) WriteFile(name string, data []byte) error {
	if len(name) > 100 {
		return errors.New("the path is longer than 100 bytes")
	}
	if !inFolders(c, name) {
		return errors.New("something is above it")
	}
	return c.MemTree.WriteFile(name, data)
}

func (c *memCheckout) Remove(name string) error {
	if _, ok := c.MemTree[name]; !ok {
		return fs.ErrNotExist
	}
	delete(c.MemTree, name)
	delete(c.executable, name)
	return nil
}

func (c *memCheckout) Move(from, to string) error {
	data, executable := c.MemTree[from], c.executable[from]
	if kind, _ := c.Kind(to); kind != engine.Absent {
		return fs.ErrExist
	}
	if err := c.WriteFile(to, data); err != nil {
		return err
	}
	c.executable[to] = executable
	return c.Remove(from)
}

func (c *memCheckout) Executable(name string) (bool, error) { return c.executable[name], nil }

func (c *memCheckout) SetExecutable(name string, yes bool) error {
	c.executable[name] = yes
	return nil
}

func (c *memCheckout) Put(string, string, string) error {
	return errors.New("there is one commit alone")
}

func (c *memCheckout) ChangesSince(repo.Checkout) ([]port.Change, error) {
	return nil, errors.New("there is one commit alone")
}

func (c *memCheckout) Links(folder string) (out []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(c.kinds)) {
		if folder == "" || strings.HasPrefix(name, folder+"/") {
			out = append(out, name)
		}
	}
	return out, nil
}

func (c *memCheckout) Changes() (out []port.Change, err error) {
	for _, name := range slices.Sorted(maps.Keys(c.opened)) {
		if _, stands := c.MemTree[name]; !stands {
			out = append(out, port.Change{Path: name})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.MemTree)) {
		if was, stood := c.opened[name]; !stood || string(was) != string(c.MemTree[name]) {
			out = append(out, port.Change{Path: name, Mode: "100644"})
		}
	}
	return out, nil
}

func (c *memCheckout) Commit(context.Context, repo.CommitRequest) (repo.Commit, error) {
	return repo.Commit{}, errors.New("nothing is committed here")
}

func (c *memCheckout) texts() map[string]string {
	out := map[string]string{}
	for name, data := range c.MemTree {
		out[name] = string(data)
	}
	return out
}

func treeOf(files map[string]string) engine.MemTree {
	tree := engine.MemTree{}
	for name, text := range files {
		tree[name] = []byte(text)
	}
	return tree
}

var errBroken = errors.New("the disk is gone")

// brokenCheckout is a checkout one of whose methods fails.
type brokenCheckout struct {
	*memCheckout
	method string
}

func (c brokenCheckout) err(method string) error {
	if c.method == method {
		return errBroken
	}
	return nil
}

func (c brokenCheckout) Kind(name string) (engine.Kind, error) {
	if err := c.err("Kind"); err != nil {
		return 0, err
	}
	return c.memCheckout.Kind(name)
}

func (c brokenCheckout) Load(ctx context.Context, names ...string) error {
	return errors.Join(c.err("Load"), c.memCheckout.Load(ctx, names...))
}

func (c brokenCheckout) ReadFile(name string) ([]byte, error) {
	if err := c.err("ReadFile"); err != nil {
		return nil, err
	}
	return c.memCheckout.ReadFile(name)
}

func (c brokenCheckout) WriteFile(name string, data []byte) error {
	if err := c.err("WriteFile"); err != nil {
		return err
	}
	return c.memCheckout.WriteFile(name, data)
}

func (c brokenCheckout) Remove(name string) error {
	if err := c.err("Remove"); err != nil {
		return err
	}
	return c.memCheckout.Remove(name)
}

func (c brokenCheckout) Executable(name string) (bool, error) {
	program, err := c.memCheckout.Executable(name)
	return program, errors.Join(err, c.err("Executable"))
}

func (c brokenCheckout) Links(folder string) ([]string, error) {
	links, err := c.memCheckout.Links(folder)
	return links, errors.Join(err, c.err("Links"))
}

func (c brokenCheckout) Files() ([]string, error) {
	files, err := c.memCheckout.Files()
	return files, errors.Join(err, c.err("Files"))
}

func (c brokenCheckout) Changes() ([]port.Change, error) {
	changes, err := c.memCheckout.Changes()
	return changes, errors.Join(err, c.err("Changes"))
}
