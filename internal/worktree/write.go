package worktree

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// WriteFile makes or replaces a regular file. The bytes go to a new file beside it, which then takes its place: whoever looks
// sees the old or the new bytes, never a part. An existing file keeps its permissions.
func (t *Tree) WriteFile(name string, data []byte) error {
	if err := t.writeFile(name, data); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	t.remember(name)
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

// checkWritable refuses a file that its owner made read-only: a rename would not ask.
func checkWritable(parent *os.Root, base string) error {
	f, err := parent.OpenFile(base, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// replace writes a file beside base and moves it there; old is the file in its place, nil when there is none.
func replace(parent *os.Root, base string, old fs.FileInfo, data []byte) error {
	beside := ".tenon-" + rand.Text()
	if err := create(parent, beside, old, data); err != nil {
		_ = parent.Remove(beside)
		return err
	}
	if err := parent.Rename(beside, base); err != nil {
		_ = parent.Remove(beside)
		return err
	}
	return nil
}

// create makes a new file, with the permissions of old, and brings it to the disk.
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
