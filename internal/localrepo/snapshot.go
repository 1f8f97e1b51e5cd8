package localrepo

import (
	"context"
	"crypto/sha1" //nolint:gosec // ids have the form of git's
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/offline"
	"github.com/tenon-bot/tenon/internal/worktree"
)

// maxFile is the size of the largest file that is loaded, in bytes, as for repositories on GitHub.
const maxFile = 16 << 20

// snapshot is a work tree at one time. A file that was loaded keeps the content that it had then. Safe for concurrent
// use, as long as nobody writes to the tree.
type snapshot struct {
	tree      *worktree.Tree
	sha, root string
	names     []string
	files     []worktree.File // in the order of names
	links     []string
	sparse    map[string]bool
	untracked map[string]bool
	recent    map[string]bool // the ids of files that were written recently
	mu        sync.Mutex
	loaded    map[string]content
}

// content is a file as it was loaded; data is nil for one that is too large.
type content struct {
	data []byte
	stat worktree.Stat
}

var (
	_ offline.Source = (*snapshot)(nil)

	errNotLoaded = errors.New("the file was not loaded")
)

// recently is how long a file must not have been written so that its times tell whether it is written again: longer
// than the steps in which file systems count.
const recently = 3 * time.Second

func newSnapshot(tree *worktree.Tree, head string, l worktree.Listing) *snapshot {
	s := &snapshot{tree: tree, files: l.Files, names: make([]string, len(l.Files)), links: l.Links, sparse: l.Sparse,
		untracked: l.Untracked, loaded: map[string]content{}, recent: map[string]bool{}}
	recent := time.Now().Add(-recently).UnixNano()
	all := sha1.New() //nolint:gosec // see above
	for i, f := range l.Files {
		s.names[i] = f.Name
		id := statID(f.Stat)
		if max(f.Stat.Modified, f.Stat.Changed) > recent {
			s.recent[hex.EncodeToString(id[:])] = true
		}
		_, _ = all.Write(id[:])
		_, _ = all.Write(append([]byte(f.Name), 0))
	}
	for _, link := range l.Links {
		_, _ = all.Write(append([]byte(link), 1))
	}
	s.root = hex.EncodeToString(all.Sum(nil))
	_, _ = all.Write([]byte(head))
	s.sha = hex.EncodeToString(all.Sum(nil))
	return s
}

// statID returns an id that stands for the content of a file as long as its Stat is the same.
func statID(s worktree.Stat) [sha1.Size]byte {
	var b []byte
	for _, n := range []int64{s.Size, s.Modified, s.Changed, int64(s.Inode)} {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	return sha1.Sum(b) //nolint:gosec // see above
}

// SHA returns an id that changes with HEAD and with any file.
func (s *snapshot) SHA() string { return s.sha }

// Tree returns an id that changes with any file.
func (s *snapshot) Tree() string { return s.root }

// Kind implements engine.Tree. A file that git ignores, and one that a sparse checkout leaves out, is as little to be
// read or replaced as a link.
func (s *snapshot) Kind(name string) (engine.Kind, error) {
	switch _, isFile := slices.BinarySearch(s.names, name); {
	case isFile:
		return engine.File, nil
	case s.sparse[name]:
		return engine.Ignored, nil
	case s.isFolder(name):
		return engine.Folder, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	kind, err := s.tree.Kind(name)
	if kind == engine.File {
		kind = engine.Ignored
	}
	return kind, err
}

func (s *snapshot) isFolder(name string) bool {
	at, _ := slices.BinarySearch(s.names, name+"/")
	return at < len(s.names) && strings.HasPrefix(s.names[at], name+"/")
}

// Files implements engine.Tree.
func (s *snapshot) Files() ([]string, error) { return s.names, nil }

// ReadFile implements engine.Tree.
func (s *snapshot) ReadFile(name string) ([]byte, error) {
	if _, ok := slices.BinarySearch(s.names, name); !ok {
		return nil, fmt.Errorf("reading %s: %w", name, fs.ErrNotExist)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.loaded[name]
	switch {
	case !ok:
		return nil, fmt.Errorf("reading %s: %w", name, errNotLoaded)
	case c.data == nil:
		return nil, fmt.Errorf("reading %s: %w", name, errors.Join(engine.ErrTooLarge, &port.UserError{
			Text: fmt.Sprintf("The file is larger than %d MiB; tenon does not work on files of that size.", maxFile>>20)}))
	}
	return c.data, nil
}

// Load implements repo.Checkout.
func (s *snapshot) Load(ctx context.Context, names ...string) error { return s.load(ctx, 0, names) }

// LoadSome implements repo.Checkout.
func (s *snapshot) LoadSome(ctx context.Context, bytes int64, names ...string) error {
	if bytes <= 0 {
		return nil
	}
	return s.load(ctx, bytes, names)
}

// load loads files, several at a time; unless most is 0, at most so many bytes of them.
func (s *snapshot) load(ctx context.Context, most int64, names []string) error {
	wanted := s.missing(most, names)
	var group sync.WaitGroup
	parts := min(runtime.GOMAXPROCS(0), len(wanted)/16+1)
	for i := range parts {
		group.Go(func() {
			for _, name := range wanted[len(wanted)*i/parts : len(wanted)*(i+1)/parts] {
				if ctx.Err() != nil {
					return
				}
				s.read(name)
			}
		})
	}
	group.Wait()
	return ctx.Err()
}

// missing returns those of some files that are not loaded, each once.
func (s *snapshot) missing(most int64, names []string) (wanted []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked, size := map[string]bool{}, int64(0)
	for _, name := range names {
		at, ok := slices.BinarySearch(s.names, name)
		if _, known := s.loaded[name]; !ok || known || asked[name] {
			continue
		}
		if most > 0 && size+s.files[at].Stat.Size > most {
			continue
		}
		asked[name] = true
		size += s.files[at].Stat.Size
		wanted = append(wanted, name)
	}
	return wanted
}

// read loads a file. One that is gone or cannot be read meanwhile is left for ReadFile to report.
func (s *snapshot) read(name string) {
	data, stat, err := s.tree.ReadAtMost(name, maxFile)
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.loaded[name]; !known {
		s.loaded[name] = content{data, stat}
	}
}

// Blob implements repo.Checkout. The id is made of what tells, without reading it, that a file has changed.
func (s *snapshot) Blob(name string) (id string, ok bool) {
	stat, ok := s.stat(name)
	if !ok {
		return "", false
	}
	sum := statID(stat)
	return hex.EncodeToString(sum[:]), true
}

// stat returns the Stat of a file: that of its content if that is loaded.
func (s *snapshot) stat(name string) (worktree.Stat, bool) {
	at, ok := slices.BinarySearch(s.names, name)
	if !ok {
		return worktree.Stat{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, ok := s.loaded[name]; ok {
		return c.stat, true
	}
	return s.files[at].Stat, true
}

// Executable implements repo.Staged.
func (s *snapshot) Executable(name string) (bool, error) {
	stat, ok := s.stat(name)
	if !ok {
		return false, fmt.Errorf("looking for %s: %w", name, fs.ErrNotExist)
	}
	return stat.Executable, nil
}

// Links implements repo.Staged.
func (s *snapshot) Links(folder string) ([]string, error) {
	if folder == "" {
		return s.links, nil
	}
	var below []string
	for _, link := range s.links {
		if strings.HasPrefix(link, folder+"/") {
			below = append(below, link)
		}
	}
	return below, nil
}
