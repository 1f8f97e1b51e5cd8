package git

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// The modes of entries.
const (
	ModeFile       = "100644"
	ModeExecutable = "100755"
	ModeLink       = "120000"
	ModeTree       = "040000"
	ModeSubmodule  = "160000"
)

// Entry is what a tree has at a path.
type Entry struct {
	Path string
	Mode string // as "100644"
	SHA  string
	Size int64 // of a blob in a list
}

// Kind returns the kind of the entry's object.
func (e Entry) Kind() string {
	switch e.Mode {
	case ModeTree:
		return KindTree
	case ModeSubmodule:
		return KindCommit
	}
	return KindBlob
}

// IsFile reports whether the entry is a regular file.
func (e Entry) IsFile() bool { return e.Kind() == KindBlob && e.Mode != ModeLink }

// tree reads the tree with an id, or that of a commit.
func (o *Objects) tree(id string) (*object.Tree, error) {
	if c, err := o.Commit(id); err == nil {
		id = c.Tree
	}
	if id == emptyTree {
		return &object.Tree{}, nil
	}
	obj, err := o.store.get(plumbing.TreeObject, id)
	if err != nil {
		return nil, err
	}
	return object.DecodeTree(o.store, obj)
}

// emptyTree is the tree without entries, which git knows even where it is not stored.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

func entryOf(e object.TreeEntry, folder string) Entry {
	return Entry{Path: folder + e.Name, Mode: fmt.Sprintf("%06o", uint32(e.Mode)), SHA: e.Hash.String()}
}

// Tree returns the entries of a tree, without those of its folders, in git's order.
func (o *Objects) Tree(tree string) ([]Entry, error) { return o.list(tree, "", false) }

// Folder returns the entries of a folder of a tree.
func (o *Objects) Folder(tree, path string) ([]Entry, error) {
	e, err := o.At(tree, path)
	if err != nil {
		return nil, err
	}
	return o.list(e.SHA, path+"/", false)
}

// TreeRecursive returns all entries of a tree: folders, each before its own entries.
func (o *Objects) TreeRecursive(tree string) ([]Entry, error) { return o.list(tree, "", true) }

// list returns the entries of a tree below a folder.
func (o *Objects) list(id, folder string, recursive bool) (list []Entry, err error) {
	t, err := o.tree(id)
	if err != nil {
		return nil, err
	}
	for _, te := range t.Entries {
		e := entryOf(te, folder)
		if e.Kind() == KindBlob {
			if e.Size, err = o.store.EncodedObjectSize(te.Hash); err != nil {
				return nil, fmt.Errorf("the size of %s: %w", e.Path, err)
			}
		}
		list = append(list, e)
		if recursive && e.Kind() == KindTree {
			below, err := o.list(e.SHA, e.Path+"/", true)
			if err != nil {
				return nil, err
			}
			list = append(list, below...)
		}
	}
	return list, nil
}

// At returns the entry at a path of a tree. ErrNotFound: there is none.
func (o *Objects) At(tree, path string) (Entry, error) {
	e := Entry{SHA: tree, Mode: ModeTree}
	for name := range strings.SplitSeq(path, "/") {
		if e.Kind() != KindTree {
			return Entry{}, fmt.Errorf("%s: %w", path, ErrNotFound)
		}
		t, err := o.tree(e.SHA)
		if err != nil {
			return Entry{}, err
		}
		at := slices.IndexFunc(t.Entries, func(te object.TreeEntry) bool { return te.Name == name })
		if at < 0 {
			return Entry{}, fmt.Errorf("%s: %w", path, ErrNotFound)
		}
		e = entryOf(t.Entries[at], "")
	}
	e.Path = path
	return e, nil
}

// idAt returns the mode and id of what is at a path, or "" if there is nothing.
func (o *Objects) idAt(tree, path string) (string, error) {
	e, err := o.At(tree, path)
	if errors.Is(err, ErrNotFound) {
		return "", nil
	}
	return e.Mode + e.SHA, err
}

// File returns the content of a file, or the target of a link, at a path of a tree.
func (o *Objects) File(tree, path string) ([]byte, error) {
	e, err := o.At(tree, path)
	if err != nil {
		return nil, err
	}
	if e.Kind() != KindBlob {
		return nil, fmt.Errorf("%s is a %s: %w", path, e.Kind(), ErrNotFound)
	}
	return o.Blob(e.SHA)
}

// WriteTree stores a tree with the entries of a base, which may be empty, and changes of it, in their order. An entry
// without an id removes what is at its path (ErrNotFound: nothing is); any other one replaces it, and the files that
// are in the way. Folders without entries are left out. It returns the tree's id.
func (o *Objects) WriteTree(base string, changes []Entry) (string, error) {
	root := &folder{objects: o, id: base}
	for _, e := range changes {
		if err := root.change(strings.Split(e.Path, "/"), e); err != nil {
			return "", err
		}
	}
	id, err := root.write()
	if id == "" && err == nil {
		return o.store.write(plumbing.TreeObject, nil)
	}
	return id, err
}

// folder is a folder of a tree that is being made. It is read when it is changed.
type folder struct {
	objects *Objects
	id      string // of the tree before, or ""
	read    bool
	entries map[string]*node
}

// node is an entry of a folder: a folder itself, or an object.
type node struct {
	mode   string
	id     string
	folder *folder
}

func (f *folder) load() error {
	if f.read {
		return nil
	}
	f.read, f.entries = true, map[string]*node{}
	if f.id == "" {
		return nil
	}
	t, err := f.objects.tree(f.id)
	if err != nil {
		return err
	}
	for _, te := range t.Entries {
		e := entryOf(te, "")
		n := &node{mode: e.Mode, id: e.SHA}
		if e.Kind() == KindTree {
			n.folder = &folder{objects: f.objects, id: e.SHA}
		}
		f.entries[e.Path] = n
	}
	return nil
}

func (f *folder) change(path []string, e Entry) error {
	if err := f.load(); err != nil {
		return err
	}
	name, n := path[0], f.entries[path[0]]
	switch {
	case e.SHA == "" && (n == nil || len(path) > 1 && n.folder == nil):
		return fmt.Errorf("removing %s: %w", e.Path, ErrNotFound)
	case len(path) > 1:
		if n == nil || n.folder == nil {
			n = &node{mode: ModeTree, folder: &folder{objects: f.objects}}
			f.entries[name] = n
		}
		return n.folder.change(path[1:], e)
	case e.SHA == "":
		delete(f.entries, name)
	case e.Kind() == KindTree:
		f.entries[name] = &node{mode: ModeTree, folder: &folder{objects: f.objects, id: e.SHA}}
	default:
		f.entries[name] = &node{mode: e.Mode, id: e.SHA}
	}
	return nil
}

// write returns the id of the tree, or "" if it has no entries.
func (f *folder) write() (string, error) {
	if !f.read && f.id != "" && f.objects.Kind(f.id) == KindTree {
		if f.id == emptyTree {
			return "", nil
		}
		return f.id, nil
	}
	if err := f.load(); err != nil {
		return "", err
	}
	var t object.Tree
	for _, name := range slices.Collect(maps.Keys(f.entries)) {
		n := f.entries[name]
		if n.folder != nil {
			var err error
			if n.id, err = n.folder.write(); err != nil {
				return "", err
			}
		}
		if n.id == "" {
			continue
		}
		mode, err := filemode.New(n.mode)
		if err != nil {
			return "", fmt.Errorf("the mode of %s: %w", name, err)
		}
		t.Entries = append(t.Entries, object.TreeEntry{Name: name, Mode: mode, Hash: plumbing.NewHash(n.id)})
	}
	if len(t.Entries) == 0 {
		return "", nil
	}
	slices.SortFunc(t.Entries, inGitsOrder)
	obj := &plumbing.MemoryObject{}
	if err := t.Encode(obj); err != nil {
		return "", fmt.Errorf("writing a tree: %w", err)
	}
	id, err := f.objects.store.SetEncodedObject(obj)
	return id.String(), err
}

// inGitsOrder compares entries as git does: the name of a folder as if it ended in a slash.
func inGitsOrder(a, b object.TreeEntry) int {
	key := func(e object.TreeEntry) string {
		if e.Mode == filemode.Dir {
			return e.Name + "/"
		}
		return e.Name
	}
	return strings.Compare(key(a), key(b))
}

// File is the change of a path in a commit. Mode is git's, empty for a regular file; "120000" is a symbolic link to
// Content, "160000" a submodule at the commit Content.
type File struct {
	Content string
	Mode    string
	Deleted bool
}

// WriteFiles stores a tree with the entries of a base, which may be empty, and changes of files by their paths. The
// deletion of a file that is not there changes nothing.
func (o *Objects) WriteFiles(base string, files map[string]File) (string, error) {
	var removed, written []Entry
	for _, path := range slices.Sorted(maps.Keys(files)) {
		f := files[path]
		e := Entry{Path: path, Mode: f.Mode}
		switch {
		case f.Deleted:
			if base == "" {
				continue
			}
			if _, err := o.At(base, path); err == nil {
				removed = append(removed, e)
			}
			continue
		case f.Mode == ModeSubmodule:
			e.SHA = f.Content
		default:
			if e.Mode == "" {
				e.Mode = ModeFile
			}
			var err error
			if e.SHA, err = o.WriteBlob([]byte(f.Content)); err != nil {
				return "", err
			}
		}
		written = append(written, e)
	}
	return o.WriteTree(base, append(removed, written...))
}
