package worktree

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
)

// Remove removes a regular file, and the folders that are empty without it, as git does.
func (t *Tree) Remove(name string) error {
	if err := t.remove(name); err != nil {
		return fmt.Errorf("removing %s: %w", name, err)
	}
	t.dropFile(name)
	return nil
}

// dropFile removes a file from the list.
func (t *Tree) dropFile(name string) {
	if i, found := slices.BinarySearch(t.files, name); found {
		t.files = slices.Delete(slices.Clone(t.files), i, i+1)
	}
}

func (t *Tree) remove(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	parent, err := t.folder(path.Dir(name), false)
	if err != nil {
		return err
	}
	_, err = t.regular(parent, path.Base(name))
	if err == nil {
		err = parent.Remove(path.Base(name))
	}
	_ = parent.Close()
	if err == nil {
		t.removeEmpty(path.Dir(name))
	}
	return err
}

// removeEmpty removes a folder, and those above it, as long as they are empty.
func (t *Tree) removeEmpty(dir string) {
	for ; dir != "."; dir = path.Dir(dir) {
		above, err := t.folder(path.Dir(dir), false)
		if err != nil {
			return
		}
		err = above.Remove(path.Base(dir)) // fails for a folder that is not empty
		_ = above.Close()
		if err != nil {
			return
		}
	}
}

// Executable reports whether a regular file has the mode of an executable one.
func (t *Tree) Executable(name string) (bool, error) {
	stat, err := t.Stat(name)
	return stat.Executable, err
}

// SetExecutable gives a regular file the mode of an executable one for all who may read it, or removes it for all.
func (t *Tree) SetExecutable(name string, yes bool) error {
	if err := t.setExecutable(name, yes); err != nil {
		return fmt.Errorf("changing the mode of %s: %w", name, err)
	}
	return nil
}

func (t *Tree) setExecutable(name string, yes bool) error {
	if err := checkName(name); err != nil {
		return err
	}
	parent, err := t.folder(path.Dir(name), false)
	if err != nil {
		return err
	}
	defer func() { _ = parent.Close() }()
	info, err := t.regular(parent, path.Base(name))
	if err != nil {
		return err
	}
	mode := info.Mode().Perm() &^ 0o111
	if yes {
		mode |= mode & 0o444 >> 2
	}
	f, err := parent.Open(path.Base(name)) // Root.Chmod would follow a link
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if now, err := f.Stat(); err != nil || !now.Mode().IsRegular() || mode == now.Mode().Perm() {
		return err
	}
	return f.Chmod(mode)
}

// Stat returns the Stat of a regular file; fs.ErrNotExist if there is none.
func (t *Tree) Stat(name string) (Stat, error) {
	if err := checkName(name); err != nil {
		return Stat{}, fmt.Errorf("looking for %q: %w", name, err)
	}
	parent, err := t.folder(path.Dir(name), false)
	var info fs.FileInfo
	if err == nil {
		defer func() { _ = parent.Close() }()
		info, err = t.regular(parent, path.Base(name))
	}
	if err != nil {
		return Stat{}, fmt.Errorf("looking for %s: %w", name, err)
	}
	return statOf(info), nil
}
