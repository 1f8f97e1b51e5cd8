package worktree

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// Move renames a regular file, with its permissions, to a name that nothing has. It makes the folders above the new
// name, and removes those that are empty without the file.
func (t *Tree) Move(from, to string) error {
	if err := t.move(from, to); err != nil {
		return fmt.Errorf("renaming %s to %s: %w", from, to, err)
	}
	t.dropFile(from)
	t.addFile(to)
	return nil
}

// move copies the file and removes it under its old name, since os.Root.Rename follows links and overwrites files.
func (t *Tree) move(from, to string) error {
	if err := cmp.Or(checkName(from), checkName(to)); err != nil {
		return err
	}
	source, err := t.folder(path.Dir(from), false)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	old, err := t.regular(source, path.Base(from))
	if err != nil {
		return err
	}
	data, err := source.ReadFile(path.Base(from))
	if err != nil {
		return err
	}
	target, err := t.folder(path.Dir(to), true)
	if err != nil {
		return err
	}
	defer func() { _ = target.Close() }()
	err = create(target, path.Base(to), old, data)
	if err == nil {
		err = t.remove(from)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		_ = target.Remove(path.Base(to))
	}
	return err
}
