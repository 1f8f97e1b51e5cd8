package offline

import (
	"context"
	"crypto/sha1" //nolint:gosec // the ids of git's objects are SHA-1
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
)

// Source is a tree of files that nobody writes to: a repo.Checkout without what is staged. Not safe for concurrent use.
type Source interface {
	SHA() string
	Tree() string
	Kind(name string) (engine.Kind, error)
	Files() ([]string, error)
	ReadFile(name string) ([]byte, error)
	Load(ctx context.Context, names ...string) error
	LoadSome(ctx context.Context, bytes int64, names ...string) error
	Blob(name string) (id string, ok bool)
	Executable(name string) (bool, error)
	Links(folder string) ([]string, error)
}

// The modes of files in git.
const (
	modeFile       = "100644"
	modeExecutable = "100755"
)

// Overlay is a repo.Checkout that keeps what is staged in memory, on top of a source. Not safe for concurrent use.
type Overlay struct {
	Source
	staged map[string]*file // by path; nil for what was removed
}

// file is a staged file; data is nil for one that was moved without being loaded.
type file struct {
	mode, blob string
	data       []byte
}

var _ repo.Checkout = (*Overlay)(nil)

// NewOverlay returns a checkout of a source with nothing staged.
func NewOverlay(s Source) *Overlay { return &Overlay{Source: s, staged: map[string]*file{}} }

var errNotLoaded = errors.New("the file was not loaded")

// Kind implements engine.Tree.
func (o *Overlay) Kind(name string) (engine.Kind, error) {
	if f, ok := o.staged[name]; ok && f != nil {
		return engine.File, nil
	}
	removed := false
	for path, f := range o.staged {
		if f != nil && strings.HasPrefix(path, name+"/") {
			return engine.Folder, nil
		}
		removed = removed || f == nil && (path == name || strings.HasPrefix(path, name+"/"))
	}
	kind, err := o.Source.Kind(name)
	if err != nil || !removed || kind != engine.File && kind != engine.Folder {
		return kind, err
	}
	if kind == engine.File {
		return engine.Absent, nil
	}
	return o.folder(name)
}

// folder returns Folder if there is anything left in a folder of the source, else Absent.
func (o *Overlay) folder(name string) (engine.Kind, error) {
	links, err := o.Links(name)
	if err != nil || len(links) > 0 {
		return engine.Folder, err
	}
	files, err := o.Files()
	if err != nil {
		return engine.Absent, err
	}
	at, _ := slices.BinarySearch(files, name+"/")
	if at < len(files) && strings.HasPrefix(files[at], name+"/") {
		return engine.Folder, nil
	}
	return engine.Absent, nil
}

// Files implements engine.Tree.
func (o *Overlay) Files() ([]string, error) {
	files, err := o.Source.Files()
	if err != nil || len(o.staged) == 0 {
		return files, err
	}
	files = slices.DeleteFunc(slices.Clone(files), func(name string) bool { _, ok := o.staged[name]; return ok })
	for name, f := range o.staged {
		if f != nil {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	return files, nil
}

// ReadFile implements engine.Tree.
func (o *Overlay) ReadFile(name string) ([]byte, error) {
	f, ok := o.staged[name]
	switch {
	case !ok:
		return o.Source.ReadFile(name)
	case f == nil:
		return nil, fmt.Errorf("reading %s: %w", name, fs.ErrNotExist)
	case f.data == nil:
		return nil, fmt.Errorf("reading %s: %w", name, errNotLoaded)
	}
	return f.data, nil
}

// WriteFile implements engine.Tree.
func (o *Overlay) WriteFile(name string, data []byte) error {
	mode := modeFile
	kind, err := o.Kind(name)
	if err == nil && kind == engine.File {
		mode, _, err = o.modeOf(name)
	}
	switch {
	case err != nil:
		return fmt.Errorf("writing %s: %w", name, err)
	case kind != engine.File && kind != engine.Absent:
		return fmt.Errorf("writing %s: something else is there", name)
	}
	data = append([]byte{}, data...)
	o.staged[name] = &file{mode, BlobID(data), data}
	return nil
}

// BlobID returns the id of a git blob.
func BlobID(data []byte) string {
	h := sha1.New() //nolint:gosec // see above
	_, _ = fmt.Fprintf(h, "blob %d\x00", len(data))
	_, _ = h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// modeOf returns git's mode of a file, and its blob.
func (o *Overlay) modeOf(name string) (mode, blob string, err error) {
	if f := o.staged[name]; f != nil {
		return f.mode, f.blob, nil
	}
	if _, gone := o.staged[name]; gone {
		return "", "", fs.ErrNotExist
	}
	executable, err := o.Source.Executable(name)
	if mode = modeFile; executable {
		mode = modeExecutable
	}
	blob, ok := o.Source.Blob(name)
	if err == nil && !ok {
		err = fs.ErrNotExist
	}
	return mode, blob, err
}

// Blob implements repo.Checkout.
func (o *Overlay) Blob(name string) (id string, ok bool) {
	_, id, err := o.modeOf(name)
	return id, err == nil
}

// Remove implements repo.Staged.
func (o *Overlay) Remove(name string) error {
	if _, _, err := o.modeOf(name); err != nil {
		return fmt.Errorf("removing %s: %w", name, err)
	}
	o.staged[name] = nil
	return nil
}

// Move implements repo.Staged.
func (o *Overlay) Move(from, to string) error {
	mode, blob, err := o.modeOf(from)
	if err == nil && from != to {
		var kind engine.Kind
		if kind, err = o.Kind(to); err == nil && kind != engine.Absent {
			err = errors.New("something is there")
		}
	}
	if err != nil {
		return fmt.Errorf("moving %s to %s: %w", from, to, err)
	}
	data, err := o.ReadFile(from)
	if err != nil {
		data = nil
	}
	o.staged[from] = nil
	o.staged[to] = &file{mode, blob, data}
	return nil
}

// Executable implements repo.Staged.
func (o *Overlay) Executable(name string) (bool, error) {
	mode, _, err := o.modeOf(name)
	return mode == modeExecutable, err
}

// SetExecutable implements repo.Staged.
func (o *Overlay) SetExecutable(name string, yes bool) error {
	_, blob, err := o.modeOf(name)
	if err != nil {
		return fmt.Errorf("changing the mode of %s: %w", name, err)
	}
	data, err := o.ReadFile(name)
	if err != nil {
		data = nil
	}
	f := &file{modeFile, blob, data}
	if yes {
		f.mode = modeExecutable
	}
	o.staged[name] = f
	return nil
}

// Changes implements repo.Staged.
func (o *Overlay) Changes() ([]port.Change, error) {
	var changes []port.Change
	for _, name := range slices.Sorted(maps.Keys(o.staged)) {
		f := o.staged[name]
		change := port.Change{Path: name}
		if old, ok := o.Source.Blob(name); ok {
			executable, err := o.Source.Executable(name)
			if err != nil {
				return nil, err
			}
			change.OldBlob, change.OldMode = old, modeFile
			if executable {
				change.OldMode = modeExecutable
			}
		}
		switch {
		case f != nil:
			change.Mode, change.Blob, change.Data = f.mode, f.blob, f.data
		case change.OldBlob == "":
			continue // it was made and removed
		}
		if change.HasEffect() {
			changes = append(changes, change)
		}
	}
	return changes, nil
}

// Put implements repo.Staged. It always fails: there are no other commits.
func (o *Overlay) Put(name, _, _ string) error {
	return fmt.Errorf("staging %s: %w", name, errOneCommit)
}

// ChangesSince implements repo.Staged. It always fails: there are no other commits.
func (o *Overlay) ChangesSince(repo.Checkout) ([]port.Change, error) { return nil, errOneCommit }

var errOneCommit = errors.New("an overlay knows one commit alone")

// Committed implements repo.Staged.
func (o *Overlay) Committed([]port.Change) {}

// Commit implements repo.Checkout. It always fails: commits are made by a World.
func (o *Overlay) Commit(context.Context, repo.CommitRequest) (repo.Commit, error) {
	return repo.Commit{}, errors.New("an overlay cannot be committed")
}
