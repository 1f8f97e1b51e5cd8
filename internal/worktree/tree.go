// Package worktree makes a local git work tree an engine.Tree.
//
// Nothing outside the work tree, behind a link, in a submodule or in .git is ever read or written, also when somebody
// swaps folders for links meanwhile: every step of a path is opened from the folder above it and compared with what was seen.
package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"

	"github.com/tenon-bot/tenon/engine"
)

// ErrNoWorkTree says that a folder is in no git work tree.
var ErrNoWorkTree = errors.New("not in a git work tree")

// Tree is a git work tree. It is not safe for concurrent use.
type Tree struct {
	dir    string
	root   *os.Root
	git    string // the system's git; empty when there is none
	dotGit fs.FileInfo

	files      []string
	submodules map[string]bool // those the index knows, checked out or not
}

var _ engine.Tree = (*Tree)(nil)

// Open opens the work tree that holds dir: the nearest folder upwards that has a .git; ErrNoWorkTree when there is none.
// Files are listed now, by the system's git when it is there, so that ignored files stay out of sight.
func Open(ctx context.Context, dir string) (*Tree, error) {
	git, err := exec.LookPath("git")
	if err != nil {
		git = ""
	}
	return open(ctx, dir, git)
}

func open(ctx context.Context, dir, git string) (*Tree, error) {
	top, dotGit, err := findTop(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, fmt.Errorf("opening the work tree: %w", err)
	}
	t := &Tree{dir: top, root: root, git: git, dotGit: dotGit}
	if err := t.list(ctx); err != nil {
		_ = root.Close()
		return nil, fmt.Errorf("listing the files of %s: %w", top, err)
	}
	return t, nil
}

// findTop looks for the nearest folder, dir or above it, that has a .git.
func findTop(dir string) (string, fs.FileInfo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", nil, err
	}
	for at := dir; ; at = filepath.Dir(at) {
		info, err := os.Lstat(filepath.Join(at, ".git"))
		if err == nil {
			return at, info, nil
		}
		if at == filepath.Dir(at) {
			return "", nil, fmt.Errorf("%s is %w", dir, ErrNoWorkTree)
		}
	}
}

// Close gives the folder's handle back.
func (t *Tree) Close() error { return t.root.Close() }

// Dir is the top folder of the work tree, absolute.
func (t *Tree) Dir() string { return t.dir }

// Files lists the regular files that git tracks or would add, sorted; without the system's git, all outside .git.
func (t *Tree) Files() ([]string, error) { return t.files, nil }

// Kind says what stands at name. What is neither file nor folder (a device, a socket), and what is git's own, is a Link: nothing
// to edit.
func (t *Tree) Kind(name string) (engine.Kind, error) {
	if err := checkName(name); errors.Is(err, errDotGit) {
		return engine.Symlink, nil
	} else if err != nil {
		return engine.Absent, fmt.Errorf("looking for %q: %w", name, err)
	}
	parent, err := t.folder(path.Dir(name), false)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errNotFolder), errors.Is(err, errSubmodule):
		return engine.Absent, nil
	case err != nil:
		return engine.Absent, fmt.Errorf("looking for %s: %w", name, err)
	}
	defer func() { _ = parent.Close() }()
	return t.kindIn(parent, name)
}

func (t *Tree) kindIn(parent *os.Root, name string) (engine.Kind, error) {
	info, err := parent.Lstat(path.Base(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return engine.Absent, nil
	case err != nil:
		return engine.Absent, fmt.Errorf("looking for %s: %w", name, err)
	case info.Mode().IsRegular():
		return engine.File, nil
	case !info.IsDir():
		return engine.Symlink, nil
	}
	if at, err := t.enter(parent, name, false); errors.Is(err, errSubmodule) {
		return engine.Submodule, nil
	} else if err == nil {
		_ = at.Close()
	}
	return engine.Folder, nil
}

// ReadFile returns a regular file's bytes.
func (t *Tree) ReadFile(name string) ([]byte, error) {
	data, err := t.readFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return data, nil
}

func (t *Tree) readFile(name string) ([]byte, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	parent, err := t.folder(path.Dir(name), false)
	if err != nil {
		return nil, err
	}
	defer func() { _ = parent.Close() }()
	if _, err := t.regular(parent, path.Base(name)); err != nil {
		return nil, err
	}
	return parent.ReadFile(path.Base(name))
}

// regular looks at a file in a folder and refuses what is no regular file, or git's own.
func (t *Tree) regular(parent *os.Root, base string) (fs.FileInfo, error) {
	info, err := parent.Lstat(base)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errNotFile
	case os.SameFile(info, t.dotGit):
		return nil, errDotGit
	}
	return info, nil
}

// remember puts a file that was made on the list.
func (t *Tree) remember(name string) {
	if i, found := slices.BinarySearch(t.files, name); !found {
		t.files = slices.Insert(slices.Clone(t.files), i, name)
	}
}
