package bottest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
)

// The bounds of a checkout.
const (
	maxBlob      = 16 << 20 // bytes of a file that can be loaded
	maxPath      = 4096     // bytes
	maxTreeDepth = 256      // folders
)

var (
	errNotLoaded = errors.New("the file was not loaded")
	errNoChange  = errors.New("nothing is changed")
)

// checkout is a commit with what was staged on top. It implements repo.Checkout.
type checkout struct {
	github *GitHub
	ref    port.RepoRef // as it was opened
	repo   *repository
	name   string // of the ref that was opened
	commit *commit
	files  tree
	loaded map[string]bool // ids of blobs
}

var _ repo.Checkout = (*checkout)(nil)

func newCheckout(g *GitHub, ref port.RepoRef, r *repository, name string, c *commit) *checkout {
	return &checkout{github: g, ref: ref, repo: r, name: name, commit: c, files: maps.Clone(c.tree),
		loaded: map[string]bool{}}
}

// SHA returns the commit that was opened.
func (c *checkout) SHA() string { return c.commit.id }

// Tree returns the id of the opened commit's tree.
func (c *checkout) Tree() string { return c.commit.tree.id() }

// Kind returns what is at a path.
func (c *checkout) Kind(name string) (engine.Kind, error) { return c.kind(name), nil }

func (c *checkout) kind(name string) engine.Kind {
	switch b, is := c.files[name]; {
	case is && b.mode == modeLink:
		return engine.Symlink
	case is && b.mode == modeSubmodule:
		return engine.Submodule
	case is:
		return engine.File
	}
	for path := range c.files {
		if strings.HasPrefix(path, name+"/") {
			return engine.Folder
		}
	}
	return engine.Absent
}

// Files lists the regular files, sorted.
func (c *checkout) Files() ([]string, error) {
	names := []string{}
	for name, b := range c.files {
		if b.isFile() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// Links lists the links and submodules below a folder, or all for the empty name, sorted.
func (c *checkout) Links(folder string) ([]string, error) {
	var names []string
	for name, b := range c.files {
		if !b.isFile() && (folder == "" || strings.HasPrefix(name, folder+"/")) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// Load brings files here; names that are no files are passed over.
func (c *checkout) Load(ctx context.Context, names ...string) error {
	call := Call{Op: "Load", Text: strings.Join(names, " ")}
	_, err := do(ctx, c.github.faults, call, func() (none struct{}, err error) {
		for _, name := range names {
			if b, is := c.files[name]; is && b.isFile() && len(b.data) <= maxBlob {
				c.loaded[b.id()] = true
			}
		}
		return none, nil
	})
	return err
}

// LoadSome brings files here up to a number of bytes.
func (c *checkout) LoadSome(ctx context.Context, bytes int64, names ...string) error {
	call := Call{Op: "LoadSome", Text: strings.Join(names, " ")}
	_, err := do(ctx, c.github.faults, call, func() (none struct{}, err error) {
		for _, name := range names {
			b, is := c.files[name]
			if !is || !b.isFile() || len(b.data) > maxBlob || c.loaded[b.id()] || int64(len(b.data)) > bytes {
				continue
			}
			bytes -= int64(len(b.data))
			c.loaded[b.id()] = true
		}
		return none, nil
	})
	return err
}

// Blob returns the id of a file's blob.
func (c *checkout) Blob(name string) (id string, ok bool) {
	b, err := c.file(name)
	if err != nil {
		return "", false
	}
	return b.id(), true
}

// ReadFile returns a file's bytes, as staged.
func (c *checkout) ReadFile(name string) ([]byte, error) {
	b, err := c.file(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", name, err)
	case len(b.data) > maxBlob:
		text := fmt.Sprintf("`%q` is larger than %d bytes; tenon does not work on files of that size.", name, maxBlob)
		return nil, fmt.Errorf("%w: %w", engine.ErrTooLarge, &port.UserError{Text: text})
	case !c.loaded[b.id()]:
		return nil, fmt.Errorf("reading %s: %w", name, errNotLoaded)
	}
	return b.data, nil
}

func (c *checkout) file(name string) (blob, error) {
	if b, is := c.files[name]; is && b.isFile() {
		return b, nil
	}
	return blob{}, fs.ErrNotExist
}

// WriteFile stages a file.
func (c *checkout) WriteFile(name string, data []byte) error {
	if err := c.place(name); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	mode := modeFile
	switch old, is := c.files[name]; {
	case c.kind(name) == engine.Folder || is && !old.isFile():
		return fmt.Errorf("writing %s: something else is there", name)
	case is && !c.loaded[old.id()]:
		return fmt.Errorf("writing %s: %w", name, errNotLoaded)
	case is && isPointer(old.data):
		return &port.UserError{Text: fmt.Sprintf("`%q` is stored in Git LFS; tenon does not edit such files.", name)}
	case is:
		mode = old.mode
	}
	b := blob{mode, append([]byte{}, data...)}
	c.files[name], c.loaded[b.id()] = b, true
	return nil
}

// isPointer reports whether a file is a pointer of Git LFS: its specification demands this first line, and less than
// 1,024 bytes.
func isPointer(data []byte) bool {
	return len(data) < 1024 && bytes.HasPrefix(data, []byte("version https://git-lfs.github.com/spec/v1\n"))
}

// place says why no file can be at a path.
func (c *checkout) place(name string) error {
	parts := strings.Split(name, "/")
	switch {
	case len(name) > maxPath:
		return fmt.Errorf("the path is longer than %d bytes", maxPath)
	case len(parts) > maxTreeDepth:
		return fmt.Errorf("the path is more than %d folders deep", maxTreeDepth)
	}
	for i, part := range parts {
		if part == "" || part == "." || part == ".." || strings.Contains(part, "\x00") || isDotGit(part) {
			return fmt.Errorf("git allows no name %q", part)
		}
		above := strings.Join(parts[:i], "/")
		if _, is := c.files[above]; is {
			return fmt.Errorf("%s is no folder", above)
		}
	}
	return nil
}

// isDotGit reports whether a file system may take a name for .git.
func isDotGit(name string) bool {
	plain := strings.Map(func(r rune) rune {
		if r == '\u200c' || r == '\ufeff' {
			return -1
		}
		return r
	}, name)
	stem, _, _ := strings.Cut(plain, ":")
	stem = strings.TrimRight(stem, " .")
	return strings.EqualFold(stem, ".git") || strings.EqualFold(stem, "git~1")
}

// Remove stages the removal of a file.
func (c *checkout) Remove(name string) error {
	if _, err := c.file(name); err != nil {
		return fmt.Errorf("removing %s: %w", name, err)
	}
	delete(c.files, name)
	return nil
}

// Move stages a file under another name.
func (c *checkout) Move(from, to string) error {
	b, err := c.file(from)
	if err == nil && from != to {
		if err = c.place(to); err == nil && c.kind(to) != engine.Absent {
			err = errors.New("something is there")
		}
	}
	if err != nil {
		return fmt.Errorf("moving %s to %s: %w", from, to, err)
	}
	delete(c.files, from)
	c.files[to] = b
	return nil
}

// Executable reports whether a file has the mode of a program.
func (c *checkout) Executable(name string) (bool, error) {
	b, err := c.file(name)
	return b.mode == modeExecutable, err
}

// SetExecutable stages the mode of a file.
func (c *checkout) SetExecutable(name string, yes bool) error {
	b, err := c.file(name)
	if err != nil {
		return fmt.Errorf("changing the mode of %s: %w", name, err)
	}
	if b.mode = modeFile; yes {
		b.mode = modeExecutable
	}
	c.files[name] = b
	return nil
}

// Committed does nothing: all files are loaded from here.
func (c *checkout) Committed([]port.Change) {}

// Changes lists what differs from the opened commit, sorted by path.
func (c *checkout) Changes() ([]port.Change, error) {
	var changes []port.Change
	for _, name := range changedPaths(c.commit.tree, c.files) {
		b, is := c.files[name]
		if !is {
			changes = append(changes, port.Change{Path: name})
			continue
		}
		change := port.Change{Path: name, Mode: b.mode, Blob: b.id()}
		if c.loaded[b.id()] {
			change.Data = b.data
		}
		if old, was := c.commit.tree[name]; was {
			change.OldMode, change.OldBlob = old.mode, old.id()
		}
		changes = append(changes, change)
	}
	return changes, nil
}

// Commit makes a commit of what was staged and pushes it. If the branch is the opened ref, or one of a fork, it must
// still point at the opened commit; any other branch must not exist yet.
func (c *checkout) Commit(ctx context.Context, req repo.CommitRequest) (repo.Commit, error) {
	call := Call{Op: "Commit", Text: req.Branch, Write: true}
	return do(ctx, c.github.faults, call, func() (repo.Commit, error) { return c.push(req) })
}

func (c *checkout) push(req repo.CommitRequest) (repo.Commit, error) {
	g, ref := c.github, "refs/heads/"+req.Branch
	g.mu.Lock()
	defer g.mu.Unlock()
	changes, _ := c.Changes()
	switch message := strings.TrimRight(req.Message, "\n "); {
	case !isRef(ref) || strings.HasPrefix(req.Branch, "-"):
		return repo.Commit{}, fmt.Errorf("%q is not the name of a branch", req.Branch)
	case len(changes) == 0:
		return repo.Commit{}, errNoChange
	case message == "" || strings.Contains(message, "\x00"):
		return repo.Commit{}, errors.New("a commit needs a message without NUL bytes")
	}
	to, old, err := c.destination(req, ref)
	if err != nil {
		return repo.Commit{}, fmt.Errorf("committing to %s: %w", req.Branch, err)
	}
	made := c.repo.git.add(commit{parents: []string{c.commit.id}, tree: maps.Clone(c.files), author: req.Author,
		message: strings.TrimRight(req.Message, "\n ") + "\n"})
	out := repo.Commit{SHA: made.id}
	for _, change := range changes {
		out.Files = append(out.Files, change.Path)
	}
	switch at := to.git.refs[ref]; {
	case at == made.id:
		return out, nil
	case at != old:
		return repo.Commit{}, fmt.Errorf("%s points at %q: %w", req.Branch, at, port.ErrMoved)
	}
	if why := to.refusal(req.Branch, changes, g.installation(c.ref)); why != "" {
		return repo.Commit{}, &port.RejectedError{Branch: req.Branch, Text: why}
	}
	to.git.refs[ref] = made.id
	g.refsMoved(to, g.bot)
	g.pushed(to, req.Branch, made.id)
	return out, nil
}

// destination returns the repository that a commit goes to, and where the branch must point there.
func (c *checkout) destination(req repo.CommitRequest, ref string) (to *repository, old string, err error) {
	g := c.github
	if to, err = g.reach(c.ref, "contents:write"); err != nil {
		return nil, "", err
	}
	if req.Fork == nil {
		if ref == c.name {
			old = c.commit.id
		}
		return to, old, to.writable()
	}
	if strings.ContainsAny(req.Fork.Owner+req.Fork.Name, "/?#%") {
		return nil, "", fmt.Errorf("%q is not the name of a repository", *req.Fork)
	}
	fork := g.find(req.Fork.String())
	switch {
	case fork == nil || !fork.public && g.installationOf(fork) == nil:
		return nil, "", fmt.Errorf("%s: %w", req.Fork, port.ErrNotFound)
	case !g.lends(fork, req.Branch, to):
		return nil, "", fmt.Errorf(
			"Write access to repository not granted: %w",
			port.ErrDenied,
		) //nolint:staticcheck // git's words
	}
	return fork, c.commit.id, fork.writable()
}
