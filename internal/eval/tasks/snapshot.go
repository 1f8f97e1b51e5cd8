package tasks

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

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/offline"
)

// Snapshot is the files of a folder in memory. Safe for concurrent use.
type Snapshot struct {
	files      map[string][]byte
	executable map[string]bool
	links      []string // in order
	names      []string // of the files, in order
	blobs      map[string]string
	id         string
}

var _ offline.Source = (*Snapshot)(nil)

// readSnapshot reads a folder. What is a link in it is one in the snapshot, and is not followed.
func readSnapshot(fsys fs.FS, folder string) (*Snapshot, error) {
	s := &Snapshot{files: map[string][]byte{}, executable: map[string]bool{}, blobs: map[string]string{}}
	all := int64(0)
	err := fs.WalkDir(fsys, folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below := strings.TrimPrefix(name, folder+"/")
		switch kindOf(d) {
		case engine.File:
		case engine.Symlink:
			s.links = append(s.links, below)
			return nil
		case engine.Folder:
			if name != folder && d.Name() == ".git" {
				return fs.SkipDir
			}
			return nil
		default:
			return fmt.Errorf("%s is neither a file nor a folder nor a link", name)
		}
		data, err := readFile(fsys, name, maxFile)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if all += int64(len(data)); all > maxAll || len(s.files) == maxFiles {
			return fmt.Errorf("%s has more than %d files or %d MiB", folder, maxFiles, maxAll>>20)
		}
		s.add(below, data, info.Mode()&0o111 != 0)
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.finish()
	return s, nil
}

func (s *Snapshot) add(name string, data []byte, executable bool) {
	s.files[name] = data
	if executable {
		s.executable[name] = true
	}
	s.blobs[name] = objectID(fmt.Sprintf("blob %d\x00%s", len(data), data))
}

// finish puts names in order and makes up the id of a commit with these files.
func (s *Snapshot) finish() {
	s.names = slices.Sorted(maps.Keys(s.files))
	slices.Sort(s.links)
	var b strings.Builder
	for _, name := range s.names {
		fmt.Fprintf(&b, "%q %s %t\n", name, s.blobs[name], s.executable[name])
	}
	s.id = objectID(b.String())
}

func objectID(text string) string {
	sum := sha1.Sum([]byte(text)) //nolint:gosec // as git has it
	return hex.EncodeToString(sum[:])
}

// SHA implements offline.Source.
func (s *Snapshot) SHA() string { return s.id }

// Tree implements offline.Source.
func (s *Snapshot) Tree() string { return s.id }

// Kind implements offline.Source.
func (s *Snapshot) Kind(name string) (engine.Kind, error) {
	if _, ok := s.files[name]; ok {
		return engine.File, nil
	}
	if _, ok := slices.BinarySearch(s.links, name); ok {
		return engine.Symlink, nil
	}
	for _, list := range [][]string{s.names, s.links} {
		if i, _ := slices.BinarySearch(list, name+"/"); i < len(list) && strings.HasPrefix(list[i], name+"/") {
			return engine.Folder, nil
		}
	}
	return engine.Absent, nil
}

// Files implements offline.Source.
func (s *Snapshot) Files() ([]string, error) { return s.names, nil }

// ReadFile implements offline.Source.
func (s *Snapshot) ReadFile(name string) ([]byte, error) {
	data, ok := s.files[name]
	if !ok {
		return nil, fmt.Errorf("reading %s: %w", name, fs.ErrNotExist)
	}
	return data, nil
}

// Load implements offline.Source: everything is loaded.
func (s *Snapshot) Load(ctx context.Context, _ ...string) error { return ctx.Err() }

// LoadSome implements offline.Source.
func (s *Snapshot) LoadSome(ctx context.Context, _ int64, _ ...string) error { return ctx.Err() }

// Blob implements offline.Source.
func (s *Snapshot) Blob(name string) (id string, ok bool) {
	id, ok = s.blobs[name]
	return id, ok
}

// Executable implements offline.Source.
func (s *Snapshot) Executable(name string) (bool, error) {
	if _, ok := s.files[name]; !ok {
		return false, fmt.Errorf("reading the mode of %s: %w", name, fs.ErrNotExist)
	}
	return s.executable[name], nil
}

// Links implements offline.Source.
func (s *Snapshot) Links(folder string) (out []string, err error) {
	for _, name := range s.links {
		if folder == "" || strings.HasPrefix(name, folder+"/") {
			out = append(out, name)
		}
	}
	return out, nil
}

// contentOf returns the content of a file that need not be loaded; ok is false if there is none.
func contentOf(ctx context.Context, source offline.Source, name string) (data []byte, ok bool, err error) {
	if kind, err := source.Kind(name); err != nil || kind != engine.File {
		return nil, false, err
	}
	if err := source.Load(ctx, name); err != nil {
		return nil, false, err
	}
	data, err = source.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return data, err == nil, err
}
