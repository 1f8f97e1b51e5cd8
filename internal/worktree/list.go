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

// list finds the files and submodules of the tree.
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

// indexed reads git's "mode object stage<TAB>path" lines: the files' names; submodules are noted.
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

// regulars keeps the names at which a regular file stands on the disk, with no link on the way.
func (t *Tree) regulars(names []string) []string {
	folders := map[string]bool{".": true}
	var isFolder func(dir string) bool
	isFolder = func(dir string) bool {
		known, seen := folders[dir]
		if !seen {
			info, err := os.Lstat(t.disk(dir))
			known = isFolder(path.Dir(dir)) && err == nil && info.IsDir() && !t.submodules[dir] && !t.holdsRepository(dir)
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

// walk lists the files without git. It knows nothing of ignored files.
func (t *Tree) walk(ctx context.Context) error {
	err := fs.WalkDir(t.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case name == ".":
			return nil
		case entry.IsDir() && (checkName(name) != nil || t.holdsRepository(name)):
			return fs.SkipDir
		case entry.Type().IsRegular() && checkName(name) == nil:
			t.files = append(t.files, name)
		}
		return nil
	})
	slices.Sort(t.files)
	return err
}

func (t *Tree) holdsRepository(dir string) bool {
	_, err := t.root.Lstat(path.Join(dir, ".git"))
	return err == nil
}

// disk is where a name of the tree stands on the disk; for looking only.
func (t *Tree) disk(name string) string { return filepath.Join(t.dir, filepath.FromSlash(name)) }
