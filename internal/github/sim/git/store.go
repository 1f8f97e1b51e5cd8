package git

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// wholeID matches the full name of an object.
var wholeID = regexp.MustCompile(`^[0-9a-f]{40}$`)

// store stores the objects of a repository and all its forks.
type store struct {
	mu sync.Mutex
	storer.EncodedObjectStorer
	folder string // of the objects; empty in memory
	packs  string // the names of those that are known
	// What was written is in memory, and goes to the folder in packs: a file for each object takes far longer.
	written storer.EncodedObjectStorer // nil if all is in memory
	unsaved []plumbing.Hash
}

// EncodedObject returns an object.
func (s *store) EncodedObject(kind plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
	return find(s, func(in storer.EncodedObjectStorer) (plumbing.EncodedObject, error) {
		return in.EncodedObject(kind, id)
	})
}

// HasEncodedObject returns nil if there is an object.
func (s *store) HasEncodedObject(id plumbing.Hash) error {
	_, err := find(s, func(in storer.EncodedObjectStorer) (none struct{}, err error) {
		return none, in.HasEncodedObject(id)
	})
	return err
}

// EncodedObjectSize returns the size of an object.
func (s *store) EncodedObjectSize(id plumbing.Hash) (int64, error) {
	return find(s, func(in storer.EncodedObjectStorer) (int64, error) { return in.EncodedObjectSize(id) })
}

// find looks for an object, also in packs that git has written meanwhile.
func find[T any](s *store, look func(storer.EncodedObjectStorer) (T, error)) (T, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.written != nil {
		if found, err := look(s.written); !errors.Is(err, plumbing.ErrObjectNotFound) {
			return found, err
		}
	}
	found, err := look(s.EncodedObjectStorer)
	if errors.Is(err, plumbing.ErrObjectNotFound) && s.listPacks() {
		return look(s.EncodedObjectStorer)
	}
	return found, err
}

// SetEncodedObject stores an object, unless it is there.
func (s *store) SetEncodedObject(obj plumbing.EncodedObject) (plumbing.Hash, error) {
	id := obj.Hash()
	if s.HasEncodedObject(id) == nil {
		return id, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.written == nil {
		return s.EncodedObjectStorer.SetEncodedObject(obj)
	}
	s.unsaved = append(s.unsaved, id)
	return s.written.SetEncodedObject(obj)
}

// save writes a pack of what was written since the last one, for git to read.
func (s *store) save() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.unsaved) == 0 {
		return nil
	}
	pack, err := s.EncodedObjectStorer.(storer.PackfileWriter).PackfileWriter()
	if err == nil {
		_, err = packfile.NewEncoder(pack, s.written, false).Encode(s.unsaved, 0)
		err = errors.Join(err, pack.Close())
	}
	if err != nil {
		return fmt.Errorf("writing a pack: %w", err)
	}
	s.unsaved = nil
	return nil
}

// listPacks forgets the packs that are known, and reports whether there are others now.
func (s *store) listPacks() bool {
	if s.folder == "" {
		return false
	}
	entries, err := os.ReadDir(filepath.Join(s.folder, "pack"))
	if err != nil {
		return false
	}
	var names strings.Builder
	for _, e := range entries {
		names.WriteString(e.Name() + "\n")
	}
	if names.String() == s.packs {
		return false
	}
	s.packs = names.String()
	s.EncodedObjectStorer.(interface{ Reindex() }).Reindex()
	return true
}

// withPrefix returns the ids that begin with a prefix of hexadecimal digits.
func (s *store) withPrefix(prefix string) (ids []string, err error) {
	if err := s.save(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listPacks()
	all, err := s.IterEncodedObjects(plumbing.AnyObject)
	if err != nil {
		return nil, err
	}
	err = all.ForEach(func(obj plumbing.EncodedObject) error {
		if id := obj.Hash().String(); strings.HasPrefix(id, prefix) {
			ids = append(ids, id)
		}
		return nil
	})
	return ids, err
}

func (s *store) write(kind plumbing.ObjectType, data []byte) (string, error) {
	obj := &plumbing.MemoryObject{}
	obj.SetType(kind)
	if _, err := obj.Write(data); err != nil {
		return "", err
	}
	id, err := s.SetEncodedObject(obj)
	if err != nil {
		return "", fmt.Errorf("writing a %s: %w", kind, err)
	}
	return id.String(), nil
}

func (s *store) read(kind plumbing.ObjectType, id string) ([]byte, error) {
	obj, err := s.get(kind, id)
	if err != nil {
		return nil, err
	}
	in, err := obj.Reader()
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	return io.ReadAll(in)
}

func (s *store) get(kind plumbing.ObjectType, id string) (plumbing.EncodedObject, error) {
	if !wholeID.MatchString(id) {
		return nil, fmt.Errorf("%s %q: %w", kind, id, ErrNotFound)
	}
	obj, err := s.EncodedObject(kind, plumbing.NewHash(id))
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		err = fmt.Errorf("%s %s: %w", kind, id, ErrNotFound)
	}
	return obj, err
}
