package bottest

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// ChangesSince lists the paths at which the tree differs from that of another checkout, as both are staged.
func (c *checkout) ChangesSince(before repo.Checkout) ([]port.Change, error) {
	other, ok := before.(*checkout)
	if !ok {
		return nil, errors.New("the checkouts are not of the same repository")
	}
	var changes []port.Change
	for _, name := range changedPaths(other.files, c.files) {
		old, now := other.files[name], c.files[name]
		change := port.Change{Path: name, Mode: now.Mode, Blob: now.SHA, OldMode: old.Mode, OldBlob: old.SHA}
		if c.written[now.SHA] {
			change.Data = c.loaded[now.SHA]
		}
		changes = append(changes, change)
	}
	return changes, nil
}

// Put stages what another commit has at a path.
func (c *checkout) Put(name, mode, blob string) error {
	_, is := c.files[name]
	switch err := c.place(name); {
	case err != nil:
		return fmt.Errorf("staging %s: %w", name, err)
	case c.kind(name) == engine.Folder:
		return fmt.Errorf("staging %s: there is a folder", name)
	case mode == "" && !is:
		return fmt.Errorf("staging %s: %w", name, fs.ErrNotExist)
	case mode == "":
		delete(c.files, name)
		return nil
	case !slices.Contains([]string{git.ModeFile, git.ModeExecutable, git.ModeLink, git.ModeSubmodule}, mode),
		len(blob) != 40:
		return fmt.Errorf("staging %s: there is no entry with the mode %q and the id %q", name, mode, blob)
	}
	e := git.Entry{Path: name, Mode: mode, SHA: blob}
	if e.Kind() == git.KindBlob {
		data, err := c.git.Blob(blob)
		if err != nil {
			return fmt.Errorf("staging %s: %w", name, err)
		}
		e.Size = int64(len(data))
	}
	c.files[name] = e
	return nil
}
