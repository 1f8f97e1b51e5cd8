package bottest

import (
	"cmp"
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
	linetext "github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
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
	name   string       // of the ref that was opened
	git    *git.Repository
	commit git.Commit
	before tree
	files  tree
	loaded map[string][]byte // by the ids of blobs
	// written are the ids of the blobs of files that were written.
	written map[string]bool
}

var _ repo.Checkout = (*checkout)(nil)

func newCheckout(g *GitHub, ref port.RepoRef, name string, from *git.Repository, sha string) (*checkout, error) {
	commit, err := from.Commit(sha)
	if err != nil {
		return nil, err
	}
	entries, err := from.TreeRecursive(commit.Tree)
	if err != nil {
		return nil, err
	}
	c := &checkout{github: g, ref: ref, name: name, git: from, commit: commit, before: tree{}, loaded: map[string][]byte{},
		written: map[string]bool{}}
	for _, e := range entries {
		if e.Kind() != git.KindTree {
			c.before[e.Path] = e
		}
	}
	c.files = maps.Clone(c.before)
	return c, nil
}

// SHA returns the commit that was opened.
func (c *checkout) SHA() string { return c.commit.SHA }

// Tree returns the id of the opened commit's tree.
func (c *checkout) Tree() string { return c.commit.Tree }

// Kind returns what is at a path.
func (c *checkout) Kind(name string) (engine.Kind, error) { return c.kind(name), nil }

func (c *checkout) kind(name string) engine.Kind {
	switch e, is := c.files[name]; {
	case is && e.Mode == git.ModeLink:
		return engine.Symlink
	case is && e.Mode == git.ModeSubmodule:
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
		if b.IsFile() {
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
		if !b.IsFile() && (folder == "" || strings.HasPrefix(name, folder+"/")) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// Load brings files here; names that are no files are passed over.
func (c *checkout) Load(ctx context.Context, names ...string) error {
	call := Call{Op: "Load", Text: strings.Join(names, " ")}
	return change(ctx, c.github.faults, call, func() error {
		for _, name := range names {
			if e, is := c.files[name]; is && e.IsFile() && e.Size <= maxBlob {
				if err := c.load(e); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// LoadSome brings files here up to a number of bytes.
func (c *checkout) LoadSome(ctx context.Context, bytes int64, names ...string) error {
	call := Call{Op: "LoadSome", Text: strings.Join(names, " ")}
	return change(ctx, c.github.faults, call, func() error {
		for _, name := range names {
			e, is := c.files[name]
			if !is || !e.IsFile() || e.Size > maxBlob || c.has(e) || e.Size > bytes {
				continue
			}
			bytes -= e.Size
			if err := c.load(e); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *checkout) has(e git.Entry) bool {
	_, has := c.loaded[e.SHA]
	return has
}

func (c *checkout) load(e git.Entry) error {
	if c.has(e) {
		return nil
	}
	data, err := c.git.Blob(e.SHA)
	c.loaded[e.SHA] = append([]byte{}, data...)
	return err
}

// Blob returns the id of a file's blob.
func (c *checkout) Blob(name string) (id string, ok bool) {
	e, err := c.file(name)
	return e.SHA, err == nil
}

// ReadFile returns a file's bytes, as staged.
func (c *checkout) ReadFile(name string) ([]byte, error) {
	e, err := c.file(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", name, err)
	case e.Size > maxBlob:
		text := fmt.Sprintf("`%q` is larger than %d bytes; tenon does not work on files of that size.", name, maxBlob)
		return nil, fmt.Errorf("%w: %w", engine.ErrTooLarge, &port.UserError{Text: text})
	case !c.has(e):
		return nil, fmt.Errorf("reading %s: %w", name, errNotLoaded)
	}
	return c.loaded[e.SHA], nil
}

func (c *checkout) file(name string) (git.Entry, error) {
	if e, is := c.files[name]; is && e.IsFile() {
		return e, nil
	}
	return git.Entry{}, fs.ErrNotExist
}

// WriteFile stages a file.
func (c *checkout) WriteFile(name string, data []byte) error {
	if err := c.place(name); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	mode := git.ModeFile
	switch old, is := c.files[name]; {
	case c.kind(name) == engine.Folder || is && !old.IsFile():
		return fmt.Errorf("writing %s: something else is there", name)
	case is && !c.has(old):
		return fmt.Errorf("writing %s: %w", name, errNotLoaded)
	case is && linetext.IsLFSPointer(c.loaded[old.SHA]):
		return &port.UserError{Text: fmt.Sprintf("`%q` is stored in Git LFS; tenon does not edit such files.", name)}
	case is:
		mode = old.Mode
	}
	id, err := c.git.WriteBlob(data)
	c.files[name] = git.Entry{Path: name, Mode: mode, SHA: id, Size: int64(len(data))}
	c.loaded[id], c.written[id] = append([]byte{}, data...), true
	return err
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
	b.Path = to
	c.files[to] = b
	return nil
}

// Executable reports whether a file has the mode of a program.
func (c *checkout) Executable(name string) (bool, error) {
	b, err := c.file(name)
	return b.Mode == git.ModeExecutable, err
}

// SetExecutable stages the mode of a file.
func (c *checkout) SetExecutable(name string, yes bool) error {
	b, err := c.file(name)
	if err != nil {
		return fmt.Errorf("changing the mode of %s: %w", name, err)
	}
	if b.Mode = git.ModeFile; yes {
		b.Mode = git.ModeExecutable
	}
	c.files[name] = b
	return nil
}

// Committed does nothing: all files are loaded from here.
func (c *checkout) Committed([]port.Change) {}

// Changes lists what differs from the opened commit, sorted by path.
func (c *checkout) Changes() ([]port.Change, error) {
	var changes []port.Change
	for _, name := range changedPaths(c.before, c.files) {
		e, is := c.files[name]
		if !is {
			changes = append(changes, port.Change{Path: name})
			continue
		}
		change := port.Change{Path: name, Mode: e.Mode, Blob: e.SHA, Data: c.loaded[e.SHA]}
		if old, was := c.before[name]; was {
			change.OldMode, change.OldBlob = old.Mode, old.SHA
		}
		changes = append(changes, change)
	}
	return changes, nil
}

// Commit makes a commit of what was staged and pushes it. If the branch is the opened ref, or one of a fork, it must
// still point at the opened commit; any other branch must not exist yet.
func (c *checkout) Commit(ctx context.Context, req repo.CommitRequest) (repo.Commit, error) {
	call := Call{Op: "Commit", Text: req.Branch, Write: true}
	return do(ctx, c.github.faults, call, func() (repo.Commit, error) { return c.push(ctx, req) })
}

func (c *checkout) push(ctx context.Context, req repo.CommitRequest) (repo.Commit, error) {
	push := git.Update{Name: "refs/heads/" + req.Branch}
	changes, _ := c.Changes()
	switch message := strings.TrimRight(req.Message, "\n "); {
	case !git.ValidRef(push.Name) || strings.HasPrefix(req.Branch, "-"):
		return repo.Commit{}, fmt.Errorf("%q is not the name of a branch", req.Branch)
	case len(changes) == 0 && req.Merge == "":
		return repo.Commit{}, errNoChange
	case req.Fork != nil && req.Merge != "" && !c.git.IsAncestor(req.Common, req.Merge):
		return repo.Commit{}, fmt.Errorf("%s is not behind %s", req.Common, req.Merge)
	case message == "" || strings.Contains(message, "\x00"):
		return repo.Commit{}, errors.New("a commit needs a message without NUL bytes")
	case req.Fork != nil && strings.ContainsAny(req.Fork.Owner+req.Fork.Name, "/?#%"):
		return repo.Commit{}, fmt.Errorf("%q is not the name of a repository", *req.Fork)
	}
	to := c.ref
	if req.Fork != nil {
		to = *req.Fork
	}
	if req.Fork != nil || push.Name == c.name {
		push.From = c.commit.SHA
	}
	token, err := c.github.app().Token(ctx, c.ref, true)
	if err != nil {
		return repo.Commit{}, fmt.Errorf("committing to %s: %w", req.Branch, err)
	}
	out := repo.Commit{}
	for _, change := range changes {
		out.Files = append(out.Files, change.Path)
	}
	if push.To, err = c.write(req, out.Files); err != nil {
		return repo.Commit{}, fmt.Errorf("committing to %s: %w", req.Branch, err)
	}
	out.SHA = push.To
	var rejected *simhttp.PushRefusal
	switch err := c.github.server.Receive(to.String(), token, push); {
	case errors.As(err, &rejected):
		return repo.Commit{}, &port.RejectedError{Branch: req.Branch, Text: rejected.Text}
	case errors.Is(err, git.ErrMoved):
		return repo.Commit{}, fmt.Errorf("committing to %s: %w", req.Branch, port.ErrMoved)
	case err != nil:
		return repo.Commit{}, fmt.Errorf("committing to %s: %w", req.Branch, refused(err))
	}
	c.github.pushedTo(to, req.Branch, out.SHA)
	return out, nil
}

// write makes the commit of the staged files, and returns its id.
func (c *checkout) write(req repo.CommitRequest, changed []string) (string, error) {
	var entries []git.Entry
	for _, name := range changed {
		e := c.files[name]
		e.Path = name
		entries = append(entries, e)
	}
	// What is removed goes first: a file may be where a folder was.
	slices.SortStableFunc(entries, func(a, b git.Entry) int { return cmp.Compare(len(a.SHA), len(b.SHA)) })
	tree, err := c.git.WriteTree(c.commit.Tree, entries)
	if err != nil {
		return "", err
	}
	who := func(s repo.Signature) git.Signature { return git.Signature{Name: s.Name, Email: s.Email, When: s.When} }
	parents := []string{c.commit.SHA}
	if req.Merge != "" {
		parents = append(parents, req.Merge)
	}
	return c.git.WriteCommit(git.Commit{Tree: tree, Parents: parents, Author: who(req.Author),
		Committer: who(req.Committer), Message: strings.TrimRight(req.Message, "\n ") + "\n"})
}
