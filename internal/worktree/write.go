package worktree

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// WriteFile creates or replaces a regular file. It writes a temporary file in the same folder and renames it, so that a
// reader gets the old or the new bytes. An existing file keeps its permissions.
func (t *Tree) WriteFile(name string, data []byte) error {
	if err := t.writeFile(name, data); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	t.addFile(name)
	return nil
}

func (t *Tree) writeFile(name string, data []byte) error {
	if err := checkName(name); err != nil {
		return err
	}
	parent, err := t.folder(path.Dir(name), true)
	if err != nil {
		return err
	}
	defer func() { _ = parent.Close() }()
	base := path.Base(name)
	old, err := t.regular(parent, base)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if old != nil {
		if err := checkWritable(parent, base); err != nil {
			return err
		}
	}
	return replace(parent, base, old, data)
}

// checkWritable returns an error for a read-only file, which a rename would replace.
func checkWritable(parent *os.Root, base string) error {
	f, err := parent.OpenFile(base, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// replace writes a temporary file and renames it to base. old is the existing file, nil if there is none.
func replace(parent *os.Root, base string, old fs.FileInfo, data []byte) error {
	temp := ".tenon-" + rand.Text()
	if err := create(parent, temp, old, data); err != nil {
		_ = parent.Remove(temp)
		return err
	}
	if err := parent.Rename(temp, base); err != nil {
		_ = parent.Remove(temp)
		return err
	}
	return nil
}

// create writes a new file with the permissions of old, and syncs it.
func create(parent *os.Root, name string, old fs.FileInfo, data []byte) error {
	f, err := parent.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if old != nil {
		err = f.Chmod(old.Mode().Perm())
	}
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
