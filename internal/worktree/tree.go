// Package worktree implements engine.Tree for a local git work tree.
//
// It never reads or writes anything outside of the work tree, behind a link, in a submodule or in .git, also when
// somebody replaces folders by links at the same time: every folder of a path is opened from the one above and compared
// with what Lstat returned.
package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"

	"github.com/tenon-bot/tenon/engine"
)

// ErrNoWorkTree is returned by Open for a folder that is in no git work tree.
var ErrNoWorkTree = errors.New("not in a git work tree")

// Tree is a git work tree. It is not safe for concurrent use.
type Tree struct {
	dir    string
	root   *os.Root
	git    string // the path of git; empty if it is not installed
	dotGit fs.FileInfo

	files      []string
	submodules map[string]bool // those in the index, checked out or not
}

var _ engine.Tree = (*Tree)(nil)

// Open opens the work tree that contains dir: dir, or the nearest folder above it, that has a .git. It returns
// ErrNoWorkTree if there is none. It lists the files, by git if that is installed, so that ignored files are not
// listed.
func Open(ctx context.Context, dir string) (*Tree, error) {
	git, err := exec.LookPath("git")
	if err != nil {
		git = ""
	}
	return open(ctx, dir, git)
}

func open(ctx context.Context, dir, git string) (*Tree, error) {
	t, err := at(dir, git)
	if err != nil {
		return nil, err
	}
	if err := t.list(ctx); err != nil {
		_ = t.Close()
		return nil, fmt.Errorf("listing the files of %s: %w", t.dir, err)
	}
	return t, nil
}

// At is Open without a list of the files: that is left to List, which other methods do not wait for.
func At(dir string) (*Tree, error) {
	git, err := exec.LookPath("git")
	if err != nil {
		git = ""
	}
	return at(dir, git)
}

func at(dir, git string) (*Tree, error) {
	top, dotGit, err := findTop(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, fmt.Errorf("opening the work tree: %w", err)
	}
	return &Tree{dir: top, root: root, git: git, dotGit: dotGit}, nil
}

// findTop returns dir, or the nearest folder above it, that has a .git.
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

// Close closes the work tree's folder.
func (t *Tree) Close() error { return t.root.Close() }

// Dir returns the absolute path of the work tree's top folder.
func (t *Tree) Dir() string { return t.dir }

// Files returns the regular files that git tracks or would add, sorted; if git is not installed, all files outside
// .git.
func (t *Tree) Files() ([]string, error) { return t.files, nil }

// Kind returns the kind of name. A device, a socket and a path in .git is a Link, which cannot be edited.
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

// ReadAtMost returns a regular file's bytes and its Stat. Of a larger file than max bytes it returns the Stat alone.
// Safe for concurrent use with itself.
func (t *Tree) ReadAtMost(name string, max int64) ([]byte, Stat, error) {
	data, stat, err := t.readAtMost(name, max)
	if err != nil {
		return nil, Stat{}, fmt.Errorf("reading %s: %w", name, err)
	}
	return data, stat, nil
}

func (t *Tree) readAtMost(name string, max int64) ([]byte, Stat, error) {
	if err := checkName(name); err != nil {
		return nil, Stat{}, err
	}
	parent, err := t.folder(path.Dir(name), false)
	if err != nil {
		return nil, Stat{}, err
	}
	defer func() { _ = parent.Close() }()
	if _, err := t.regular(parent, path.Base(name)); err != nil {
		return nil, Stat{}, err
	}
	f, err := parent.Open(path.Base(name))
	if err != nil {
		return nil, Stat{}, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, Stat{}, err
	case !info.Mode().IsRegular():
		return nil, Stat{}, errNotFile
	case info.Size() > max:
		return nil, statOf(info), nil
	}
	data := make([]byte, 0, info.Size()+1)
	buffer := bytes.NewBuffer(data)
	if _, err := buffer.ReadFrom(io.LimitReader(f, max+1)); err != nil {
		return nil, Stat{}, err
	}
	if int64(buffer.Len()) > max {
		return nil, statOf(info), nil
	}
	return buffer.Bytes(), statOf(info), nil
}

// regular returns the file info of a regular file in a folder, and an error for anything else and for .git.
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

// addFile adds a new file to the list.
func (t *Tree) addFile(name string) {
	if i, found := slices.BinarySearch(t.files, name); !found {
		t.files = slices.Insert(slices.Clone(t.files), i, name)
	}
}
