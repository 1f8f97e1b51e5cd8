package localrepo

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/worktree"
)

// Bounds on the undo store.
const (
	maxRuns     = 20       // that are kept
	maxRunBytes = 32 << 20 // of the files of one run, before and after
	maxStored   = 64 << 20 // of the records on the disk; the newest is kept even if it is larger
	maxRecord   = maxRunBytes*4/3 + 1<<20
)

const recordVersion = 1

// undoRecord is what is needed to revert a run.
type undoRecord struct {
	Version int
	When    time.Time
	Task    string
	Message string
	// SHA is the git commit of the run; empty if it made none.
	SHA   string
	Files []undoFile
}

// undoFile is a file of a run. IndexBefore and IndexAfter are its entries in git's index.
type undoFile struct {
	Path                      string
	Before, After             []byte // null where there is no file
	WasExecutable, Executable bool
	IndexBefore, IndexAfter   worktree.IndexEntry
}

// undoStore keeps the last runs of a work tree, each in a file of its own that only this user can read.
type undoStore struct{ dir string }

func (s undoStore) path(name string) string { return filepath.Join(s.dir, name) }

// save writes a record; name is that of an earlier form of it, empty for a new one.
func (s undoStore) save(name string, record undoRecord) (string, error) {
	size := 0
	for _, f := range record.Files {
		size += len(f.Before) + len(f.After)
	}
	if size > maxRunBytes {
		return "", fmt.Errorf("its files are larger than %d MiB together", maxRunBytes>>20)
	}
	data, err := json.Marshal(record)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return "", err
	}
	if name == "" {
		name = fmt.Sprintf("%020d.json", max(record.When.UnixNano(), 0))
	}
	temp, err := os.CreateTemp(s.dir, "new-*") // mode 0600
	if err != nil {
		return "", err
	}
	_, err = temp.Write(data)
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), s.path(name))
	}
	if err != nil {
		_ = os.Remove(temp.Name())
		return "", err
	}
	return name, s.prune()
}

// names returns the names of the records, the newest first.
func (s undoStore) names() ([]string, error) {
	found, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range found {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".json") {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	slices.Reverse(names)
	return names, err
}

// prune removes the oldest records where there are too many.
func (s undoStore) prune() error {
	names, err := s.names()
	if err != nil {
		return err
	}
	size := int64(0)
	for i, name := range names {
		info, err := os.Lstat(s.path(name))
		if err != nil {
			continue
		}
		if size += info.Size(); i > 0 && (i >= maxRuns || size > maxStored) {
			err = errors.Join(err, s.remove(name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s undoStore) remove(name string) error { return os.Remove(s.path(name)) }

// newest returns the newest record and its name; the name is empty if there is none. A record that cannot be read is an
// error: the runs before it are not the last ones.
func (s undoStore) newest() (string, undoRecord, error) {
	names, err := s.names()
	if err != nil || len(names) == 0 {
		return "", undoRecord{}, err
	}
	record, err := s.read(names[0])
	if err != nil {
		return "", undoRecord{}, fmt.Errorf("reading %s: %w", s.path(names[0]), err)
	}
	return names[0], record, nil
}

func (s undoStore) read(name string) (undoRecord, error) {
	f, err := os.Open(s.path(name))
	if err != nil {
		return undoRecord{}, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxRecord+1))
	if err != nil {
		return undoRecord{}, err
	}
	var record undoRecord
	err = json.Unmarshal(data, &record)
	switch {
	case len(data) > maxRecord:
		return undoRecord{}, errors.New("it is too large")
	case err != nil:
		return undoRecord{}, errors.New("it is damaged")
	case record.Version != recordVersion:
		return undoRecord{}, fmt.Errorf("another version of tenon wrote it (form %d, not %d)", record.Version, recordVersion)
	}
	return record, nil
}
