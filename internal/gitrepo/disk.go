package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// disk keeps objects in a folder, so that a restart begins warm. It is a row of files that only grow, each begun by one
// process; when they hold too much, the oldest goes. Nothing is synced and nothing is trusted: a record that ends early ends
// its file, and an object whose bytes do not have its name is not there. Safe for concurrent use, and for several processes.
type disk struct {
	mu    sync.Mutex
	dir   string
	limit int64
	size  int64
	files []*segment // the oldest first
	index map[oid]place
	own   *segment // being written; nil before the first write
}

type segment struct {
	file *os.File
	size int64
}

// place is where an object's bytes stand.
type place struct {
	in     *segment
	offset int64
	size   uint32
	kind   plumbing.ObjectType
}

// segmentPattern names the files; others in the folder are left alone.
const segmentPattern = "objects-*.cache"

// openDisk reads what former processes left in dir, and hands the tips that they noted to onTip, the oldest first.
func openDisk(dir string, limit int64, onTip func(repo string, t tip)) (*disk, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(dir, segmentPattern))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(names, func(a, b string) int { return modified(a).Compare(modified(b)) })
	d := &disk{dir: dir, limit: limit, index: map[oid]place{}}
	for _, name := range names {
		if err := d.read(name, onTip); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("reading the cache: %w", err)
		}
	}
	d.trim()
	return d, nil
}

// get returns an object if it stands in the folder, whole and with the right name.
func (d *disk) get(id oid) (object, bool) {
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

// put adds the objects that are not there yet.
func (d *disk) put(objects map[oid]object) error {
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
		d.index[id] = place{in, start + int64(offset), uint32(len(o.data)), o.kind}
	}
	d.trim()
	return nil
}

// putTip notes that a commit was opened or made.
func (d *disk) putTip(repo string, t tip) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, _, err := d.append(appendRecord(nil, tipRecord, t.id, []byte(repo+"\x00"+t.ref)))
	return err
}

// append writes to this process's own file, and begins one when there is none or it is an eighth of the limit long.
func (d *disk) append(data []byte) (in *segment, offset int64, err error) {
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
		d.own = nil // what follows half a record could not be read again
	}
	return in, offset, err
}

// trim drops the oldest files until the rest fits.
func (d *disk) trim() {
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

// splitTip reads what putTip wrote.
func splitTip(id oid, data []byte) (repo string, t tip, ok bool) {
	repo, ref, ok := strings.Cut(string(data), "\x00")
	return repo, tip{ref, id}, ok
}
