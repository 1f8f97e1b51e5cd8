package worktree

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// list sets the files and submodules of the tree.
func (t *Tree) list(ctx context.Context) error {
	t.submodules = map[string]bool{}
	if t.git == "" {
		return t.walk(ctx)
	}
	index, err := t.run(ctx, "ls-files", "-z", "--stage")
	if err != nil {
		return err
	}
	others, err := t.run(ctx, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return err
	}
	names := t.indexed(index)
	for name := range entries(others) {
		names = append(names, name)
	}
	slices.Sort(names)
	t.files = t.regulars(slices.Compact(names))
	return nil
}

// indexed returns the files in git's "mode object stage<TAB>path" lines, and adds the submodules to t.
func (t *Tree) indexed(out string) []string {
	var names []string
	for line := range entries(out) {
		info, name, ok := strings.Cut(line, "\t")
		switch {
		case !ok:
		case strings.HasPrefix(info, "160000 "):
			t.submodules[name] = true
		case strings.HasPrefix(info, "100"):
			names = append(names, name)
		}
	}
	return names
}

// regulars returns the names of regular files on the disk, without those behind links.
func (t *Tree) regulars(names []string) []string {
	folders := map[string]bool{".": true}
	var isFolder func(dir string) bool
	isFolder = func(dir string) bool {
		known, seen := folders[dir]
		if !seen {
			info, err := os.Lstat(t.disk(dir))
			known = isFolder(path.Dir(dir)) && err == nil && info.IsDir() && !t.submodules[dir] && !t.isRepository(dir)
			folders[dir] = known
		}
		return known
	}
	return slices.DeleteFunc(names, func(name string) bool {
		if checkName(name) != nil || !isFolder(path.Dir(name)) {
			return true
		}
		info, err := os.Lstat(t.disk(name))
		return err != nil || !info.Mode().IsRegular()
	})
}

// walk lists the files without git, ignored files included.
func (t *Tree) walk(ctx context.Context) error {
	err := fs.WalkDir(t.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case name == ".":
			return nil
		case entry.IsDir() && (checkName(name) != nil || t.isRepository(name)):
			return fs.SkipDir
		case entry.Type().IsRegular() && checkName(name) == nil:
			t.files = append(t.files, name)
		}
		return nil
	})
	slices.Sort(t.files)
	return err
}

// isRepository reports whether a folder has a .git of its own.
func (t *Tree) isRepository(dir string) bool {
	_, err := t.root.Lstat(path.Join(dir, ".git"))
	return err == nil
}

// disk returns the path of a name on the disk. It must not be used to open a file.
func (t *Tree) disk(name string) string { return filepath.Join(t.dir, filepath.FromSlash(name)) }
