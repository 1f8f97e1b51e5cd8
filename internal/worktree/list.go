package worktree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// File is a regular file as it was found on the disk.
type File struct {
	Name string
	Stat Stat
}

// Listing is what was in a work tree at one time.
type Listing struct {
	// Files are the regular files that git tracks or would add, sorted by name; if git is not installed, all files
	// outside .git.
	Files []File
	// Links are the symbolic links, the submodules and the other repositories, sorted. Without git there are none.
	Links []string
	// Untracked has those files that git would add.
	Untracked map[string]bool
	// Sparse has the tracked files that a sparse checkout leaves out.
	Sparse map[string]bool
}

// List lists the work tree as it is now.
func (t *Tree) List(ctx context.Context) (Listing, error) {
	t.submodules = map[string]bool{}
	if t.git == "" {
		return t.walk(ctx)
	}
	// The tracked files are looked up while git reads the folders.
	var group sync.WaitGroup
	var others string
	var othersErr error
	group.Go(func() { others, othersErr = t.run(ctx, "ls-files", "-z", "-t", "--others", "--exclude-standard") })
	tracked, err := t.run(ctx, "ls-files", "-z", "-t", "--stage")
	l := Listing{Sparse: map[string]bool{}, Untracked: map[string]bool{}}
	t.add(&l, tracked)
	group.Wait()
	if err := errors.Join(err, othersErr); err != nil {
		return Listing{}, err
	}
	if t.add(&l, others) {
		slices.SortFunc(l.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
		l.Files = slices.CompactFunc(l.Files, func(a, b File) bool { return a.Name == b.Name })
	}
	slices.Sort(l.Links)
	l.Links = slices.Compact(l.Links)
	return l, nil
}

// add adds to the listing what git listed, and reports whether there is any of it.
func (t *Tree) add(l *Listing, out string) bool {
	names := make([]string, 0, strings.Count(out, "\x00"))
	for line := range entries(out) {
		if name, ok := t.listed(l, line); ok && checkName(name) == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	l.Files = append(l.Files, t.regulars(slices.Compact(names), &l.Links)...)
	return len(names) > 0
}

// listed returns the name in a line of git, "H mode object stage<TAB>name" or "? name", if it may be one of a file. It
// adds submodules, other repositories and what a sparse checkout leaves out to the listing.
func (t *Tree) listed(l *Listing, line string) (name string, ok bool) {
	tag, rest, _ := strings.Cut(line, " ")
	if tag == "?" {
		name, isFolder := strings.CutSuffix(rest, "/")
		if isFolder { // another repository
			l.Links = append(l.Links, name)
		} else {
			l.Untracked[name] = true
		}
		return name, !isFolder
	}
	info, name, ok := strings.Cut(rest, "\t")
	switch {
	case !ok:
	case strings.HasPrefix(info, "160000 "):
		t.submodules[name] = true
		l.Links = append(l.Links, name)
		return "", false
	case tag == "S":
		l.Sparse[name] = true
	}
	return name, ok
}

// list sets the files and submodules of the tree.
func (t *Tree) list(ctx context.Context) error {
	l, err := t.List(ctx)
	if err != nil {
		return err
	}
	t.files = make([]string, len(l.Files))
	for i, f := range l.Files {
		t.files[i] = f.Name
	}
	return nil
}

// regulars returns the regular files on the disk, without those behind links, and adds the links to links. Most of the
// time is the system's, so that parts of the names are looked up at the same time.
func (t *Tree) regulars(names []string, links *[]string) []File {
	const least = 256 // names for which another goroutine is worth it
	parts := min(runtime.GOMAXPROCS(0), len(names)/least+1)
	found, linked := make([][]File, parts), make([][]string, parts)
	var group sync.WaitGroup
	for i := range parts {
		group.Go(func() {
			part := names[len(names)*i/parts : len(names)*(i+1)/parts]
			found[i], linked[i] = t.regularsOf(part)
		})
	}
	group.Wait()
	*links = slices.Concat(*links, slices.Concat(linked...))
	return slices.Concat(found...)
}

func (t *Tree) regularsOf(names []string) (files []File, links []string) {
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
	files = make([]File, 0, len(names))
	last, lastIs := ".", true // sorted names often share their folder
	for _, name := range names {
		dir := "."
		if slash := strings.LastIndexByte(name, '/'); slash >= 0 {
			dir = name[:slash]
		}
		if dir != last {
			last, lastIs = dir, isFolder(dir)
		}
		if !lastIs {
			continue
		}
		info, err := os.Lstat(t.disk(name))
		switch {
		case err != nil:
		case info.Mode().IsRegular():
			files = append(files, File{name, statOf(info)})
		case info.Mode()&fs.ModeSymlink != 0:
			links = append(links, name)
		}
	}
	return files, links
}

// walk lists the files without git, ignored files included.
func (t *Tree) walk(ctx context.Context) (l Listing, err error) {
	err = fs.WalkDir(t.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
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
			l.Files = append(l.Files, File{Name: name})
		}
		return nil
	})
	slices.SortFunc(l.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return l, err
}

// isRepository reports whether a folder has a .git of its own.
func (t *Tree) isRepository(dir string) bool {
	_, err := os.Lstat(filepath.Join(t.disk(dir), ".git"))
	return err == nil
}

// disk returns the path of a name on the disk. It must not be used to open a file.
func (t *Tree) disk(name string) string {
	return t.dir + string(filepath.Separator) + filepath.FromSlash(name)
}
