package gitrepo

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// diskCache keeps objects in a folder, so that they survive a restart. It is a list of append-only files, each created
// by one process; when they are larger than the limit, the oldest is deleted. Nothing is synced and nothing is trusted:
// an incomplete record ends its file, and an object whose hash differs from its name is not returned. Safe for
// concurrent use, also by several processes.
type diskCache struct {
	mu    sync.Mutex
	dir   string
	limit int64
	size  int64
	files []*segment // the oldest first
	index map[oid]location
	own   *segment // the file that this process writes; nil before the first write
}

type segment struct {
	file *os.File
	size int64
}

// location is where an object's bytes are stored.
type location struct {
	in     *segment
	offset int64
	size   uint32
	kind   plumbing.ObjectType
}

// segmentPattern matches the cache's files; others in the folder are ignored.
const segmentPattern = "objects-*.cache"

// openDiskCache reads the files in dir, and calls onTip for the tips that they contain, the oldest first.
func openDiskCache(dir string, limit int64, onTip func(repo string, t tip)) (*diskCache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(dir, segmentPattern))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(names, func(a, b string) int { return modified(a).Compare(modified(b)) })
	d := &diskCache{dir: dir, limit: limit, index: map[oid]location{}}
	for _, name := range names {
		if err := d.read(name, onTip); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("reading the cache: %w", err)
		}
	}
	d.trim()
	return d, nil
}

// get returns an object if it is stored and its hash is its name.
func (d *diskCache) get(id oid) (object, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	at, ok := d.index[id]
	if !ok {
		return object{}, false
	}
	o := object{at.kind, make([]byte, at.size)}
	if _, err := at.in.file.ReadAt(o.data, at.offset); err != nil || o.id() != id {
		delete(d.index, id)
		return object{}, false
	}
	return o, true
}

// put stores the objects that are not stored yet.
func (d *diskCache) put(objects map[oid]object) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var batch []byte
	at := map[oid]int{}
	for id, o := range objects {
		if _, ok := d.index[id]; ok || int64(len(o.data)) > d.limit/8 {
			continue
		}
		batch = appendRecord(batch, o.kind, id, o.data)
		at[id] = len(batch) - len(o.data)
	}
	in, start, err := d.append(batch)
	if err != nil {
		return err
	}
	for id, offset := range at {
		o := objects[id]
		d.index[id] = location{in, start + int64(offset), uint32(len(o.data)), o.kind}
	}
	d.trim()
	return nil
}

// putTip stores that a commit was opened or made.
func (d *diskCache) putTip(repo string, t tip) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, _, err := d.append(appendRecord(nil, tipRecord, t.id, []byte(repo+"\x00"+t.ref)))
	return err
}

// append writes to this process's file, and creates one if there is none or if it is larger than an eighth of the
// limit.
func (d *diskCache) append(data []byte) (in *segment, offset int64, err error) {
	if len(data) == 0 {
		return d.own, 0, nil
	}
	if d.own == nil || d.own.size > d.limit/8 {
		file, err := os.CreateTemp(d.dir, segmentPattern)
		if err != nil {
			return nil, 0, err
		}
		d.own = &segment{file: file}
		d.files = append(d.files, d.own)
	}
	in, offset = d.own, d.own.size
	n, err := in.file.WriteAt(data, offset)
	in.size += int64(n)
	d.size += int64(n)
	if err != nil {
		d.own = nil // a record after an incomplete one could not be read
	}
	return in, offset, err
}

// trim deletes the oldest files until the others are within the limit.
func (d *diskCache) trim() {
	for d.size > d.limit && len(d.files) > 1 {
		old := d.files[0]
		d.files = d.files[1:]
		d.size -= old.size
		for id, at := range d.index {
			if at.in == old {
				delete(d.index, id)
			}
		}
		_ = os.Remove(old.file.Name())
		_ = old.file.Close()
	}
}

// splitTip reads what putTip stored.
func splitTip(id oid, data []byte) (repo string, t tip, ok bool) {
	repo, ref, ok := strings.Cut(string(data), "\x00")
	return repo, tip{ref, id}, ok
}

// A record of the cache's files is the kind (1 byte), the name (20), the length (4, big-endian) and the bytes.
// recordHead is the size of the first three.
const recordHead int64 = 1 + int64(len(oid{})) + 4

// tipRecord is the kind of a record with a tip, which git does not use for objects.
const tipRecord = plumbing.ObjectType(64)

func appendRecord(to []byte, kind plumbing.ObjectType, id oid, data []byte) []byte {
	to = append(append(to, byte(kind)), id[:]...)
	to = binary.BigEndian.AppendUint32(to, uint32(len(data)))
	return append(to, data...)
}

// read indexes a file up to its first incomplete record.
func (d *diskCache) read(name string, onTip func(repo string, t tip)) error {
	file, err := os.Open(name) //nolint:gosec // a file of the cache's own folder
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		_ = file.Close()
		return err
	}
	in := &segment{file: file, size: info.Size()}
	d.files = append(d.files, in)
	d.size += in.size
	r := bufio.NewReaderSize(file, 64<<10)
	var head [recordHead]byte
	for offset := recordHead; ; offset += recordHead {
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return nil //nolint:nilerr // the end, or an incomplete record
		}
		kind, id, size := plumbing.ObjectType(head[0]), oid(head[1:21]), binary.BigEndian.Uint32(head[21:])
		if offset+int64(size) > in.size {
			return nil
		}
		if kind == tipRecord && size < 4<<10 {
			data, _ := r.Peek(int(size))
			if repo, t, ok := splitTip(id, data); ok {
				onTip(repo, t)
			}
		} else {
			d.index[id] = location{in, offset, size, kind}
		}
		if _, err := r.Discard(int(size)); err != nil {
			return nil //nolint:nilerr // as above
		}
		offset += int64(size)
	}
}

// modified returns when a file was last written, or the zero time if it does not exist.
func modified(name string) time.Time {
	info, err := os.Stat(name)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
