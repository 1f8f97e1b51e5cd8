package worktree

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
)

var (
	errBadName   = errors.New("not a clean relative path")
	errDotGit    = errors.New("this is git's own")
	errNotFile   = errors.New("not a regular file")
	errNotFolder = errors.New("a part of the path is a link or a file")
	errSubmodule = errors.New("a part of the path is a submodule or another repository")
	errSwapped   = errors.New("a part of the path changed meanwhile")
)

// checkName refuses names that are not clean, and those of git's own files in the spellings that some file system takes for .git.
func checkName(name string) error {
	if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\x00\\") {
		return errBadName
	}
	for part := range strings.SplitSeq(name, "/") {
		part = strings.TrimRight(part, " .")
		if strings.EqualFold(part, ".git") || strings.EqualFold(part, "git~1") {
			return errDotGit
		}
	}
	return nil
}

// folder opens a folder of the tree, "." for the top, and with create makes what is missing of it. The caller closes it.
func (t *Tree) folder(dir string, create bool) (*os.Root, error) {
	at, err := t.root.OpenRoot(".")
	if err != nil || dir == "." {
		return at, err
	}
	for end := 0; end < len(dir); {
		end = nextPart(dir, end)
		next, err := t.enter(at, dir[:end], create)
		_ = at.Close()
		if err != nil {
			return nil, err
		}
		at = next
	}
	return at, nil
}

// nextPart returns where the path's part after end ends.
func nextPart(dir string, end int) int {
	if i := strings.IndexByte(dir[end+1:], '/'); i >= 0 {
		return end + 1 + i
	}
	return len(dir)
}

// enter opens the folder dir, of which parent is the folder above. os.Root itself would follow a link that stays inside the tree;
// here what is opened must be the folder that was seen.
func (t *Tree) enter(parent *os.Root, dir string, create bool) (*os.Root, error) {
	base := path.Base(dir)
	if t.submodules[dir] {
		return nil, errSubmodule
	}
	if create {
		if err := parent.Mkdir(base, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	seen, err := parent.Lstat(base)
	switch {
	case err != nil:
		return nil, err
	case !seen.IsDir():
		return nil, errNotFolder
	case os.SameFile(seen, t.dotGit):
		return nil, errDotGit
	}
	next, err := parent.OpenRoot(base)
	if err != nil {
		return nil, err
	}
	if err := checkEntered(next, seen); err != nil {
		_ = next.Close()
		return nil, err
	}
	return next, nil
}

// checkEntered refuses a folder that is not the one that was seen, or that is a repository of its own.
func checkEntered(folder *os.Root, seen fs.FileInfo) error {
	now, err := folder.Stat(".")
	if err != nil {
		return err
	}
	if !os.SameFile(seen, now) {
		return errSwapped
	}
	if _, err := folder.Lstat(".git"); err == nil {
		return errSubmodule
	}
	return nil
}
