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

// checkName returns an error for a name that is not a clean relative path, and for one in .git, in any spelling that
// some file system takes for .git.
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

// folder opens a folder of the tree, "." for the top. With create, it creates missing folders. The caller closes it.
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

// nextPart returns the end of the path's next part after end.
func nextPart(dir string, end int) int {
	if i := strings.IndexByte(dir[end+1:], '/'); i >= 0 {
		return end + 1 + i
	}
	return len(dir)
}

// enter opens the folder dir, whose base name is in parent. os.Root would follow a link to another folder of the tree;
// here, the opened folder must be the one that Lstat returned.
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

// checkEntered returns an error if a folder is not the one that was seen, or is another repository.
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
