package gitrepo

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/tenon-bot/tenon/bot/port"
)

// disk keeps the trees of repositories in a folder, so that the first run after a restart is not the first of all: a
// file for each repository, in a folder of its installation. The file is written anew when an eighth of it has changed.
// Nothing is synced and nothing is trusted: what is damaged is fetched. The contents of files are not kept.
type disk struct {
	dir   string
	limit int64 // in bytes, of all files
	now   func() time.Time
	log   *slog.Logger

	mu      sync.Mutex
	size    int64     // of all files, at most
	trimmed time.Time // when the files were last looked at
	failed  time.Time // when a file could not be written
}

func newDisk(o Options) *disk {
	if o.CacheDir == "" {
		return nil
	}
	d := &disk{dir: o.CacheDir, limit: o.CacheDirBytes, now: o.Now, log: o.Log}
	d.trim(0)
	return d
}

// CheckCacheDir returns why a folder cannot be Options.CacheDir, nil if it can. It makes the folder if there is none.
func CheckCacheDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, unfinished)
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

// DiskTime is how long a repository is kept on the disk that nobody has used.
const DiskTime = 7 * 24 * time.Hour

// The form of a file: the magic; the tips, the latest first, each with the name of its ref and the commit; an empty
// string; the trees. All of these are strings with their length before them.
const (
	diskMagic  = "tenon trees 1\n"
	diskSuffix = ".trees"
	// rewriteShare is which part of a file must have changed before it is written anew.
	rewriteShare = 8
)

func (d *disk) folder(installation int64) string {
	return filepath.Join(d.dir, strconv.FormatInt(installation, 10))
}

func (d *disk) file(installation int64, url string) string {
	sum := sha256.Sum256([]byte(url))
	return filepath.Join(d.folder(installation), hex.EncodeToString(sum[:16])+diskSuffix)
}

// load adds what the disk has of a repository. It waits until there is room in memory for a large one.
func (d *disk) load(ctx context.Context, in *repository, r *remote) {
	if d == nil {
		return
	}
	// Opening a named pipe does not wait for a writer.
	file, err := os.OpenFile(d.file(r.access.Installation, in.url), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	if info.Size() > smallPack && r.admit != nil {
		release, err := r.admit(ctx, min(info.Size(), r.limits.InflatedBytes))
		if err != nil {
			return
		}
		defer release()
	}
	tips, objects := readTrees(file, r.limits)
	for _, t := range slices.Backward(tips) {
		o := object{plumbing.CommitObject, t.commit}
		objects[o.id()] = o
		_, _ = keepView(in, r.limits, t.ref, o.id(), objects) // what is damaged is fetched
	}
	in.mu.Lock()
	in.saved = in.added
	in.mu.Unlock()
}

// savedTip is a tip as it is in a file.
type savedTip struct {
	ref    string
	commit []byte
}

// readTrees reads what write wrote, up to where it is damaged: no more tips and objects than there can be.
func readTrees(file io.Reader, limits Limits) (tips []savedTip, objects map[oid]object) {
	r := &diskReader{in: bufio.NewReaderSize(file, 256<<10), limits: limits}
	objects = map[oid]object{}
	if string(r.next(len(diskMagic))) != diskMagic {
		return nil, objects
	}
	for ref := r.text(); len(ref) > 0 && len(tips) < maxTips; ref = r.text() {
		tips = append(tips, savedTip{string(ref), r.text()})
	}
	for range limits.Objects {
		tree := r.text()
		if tree == nil {
			break
		}
		o := object{plumbing.TreeObject, tree}
		objects[o.id()] = o
	}
	return tips, objects
}

// diskReader reads strings up to the first that is damaged, and Limits.InflatedBytes at most.
type diskReader struct {
	in     *bufio.Reader
	limits Limits
	read   int64
}

func (r *diskReader) next(n int) []byte {
	if r.read += int64(n); r.read > r.limits.InflatedBytes {
		return nil
	}
	data := make([]byte, n)
	if _, err := io.ReadFull(r.in, data); err != nil {
		return nil
	}
	return data
}

// text returns the next string, nil at the end.
func (r *diskReader) text() []byte {
	head := r.next(4)
	if head == nil {
		return nil
	}
	n := int64(binary.BigEndian.Uint32(head))
	if n > r.limits.ObjectBytes {
		return nil
	}
	return r.next(int(n))
}

// use notes that a repository is used, by which the disk is trimmed. It returns fs.ErrNotExist if it has no file.
func (d *disk) use(in *repository, repo port.RepoRef) error {
	if d == nil {
		return nil
	}
	now := d.now()
	return os.Chtimes(d.file(repo.Installation, in.url), now, now)
}

// save writes a repository if it has no file, or if much of it is new. It is called after the server was asked, so that
// nothing is written of a repository that may not be read any more.
func (d *disk) save(in *repository, repo port.RepoRef) {
	if d == nil || !in.saving.TryLock() { // whoever is saving it now knows nearly all of it
		return
	}
	defer in.saving.Unlock()
	gone := errors.Is(d.use(in, repo), fs.ErrNotExist)
	in.mu.Lock()
	added := in.added
	fresh := gone || added-in.saved > in.size/rewriteShare
	if !fresh || in.size > d.limit || !d.mayWrite() {
		in.mu.Unlock()
		return
	}
	tips, nodes := slices.Clone(in.tips), slices.Collect(maps.Values(in.nodes))
	in.mu.Unlock()
	size, err := d.write(tips, nodes, d.file(repo.Installation, in.url))
	if err != nil {
		d.log.Warn("cannot write to the cache of trees; nothing is written to it for an hour", "error", err)
		d.mu.Lock()
		d.failed = d.now()
		d.mu.Unlock()
		return
	}
	in.mu.Lock()
	in.saved = added
	in.mu.Unlock()
	d.trim(size)
}

// failedFor is how long nothing is written after a file could not be written.
const failedFor = time.Hour

func (d *disk) mayWrite() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now().Sub(d.failed) >= failedFor
}

func (d *disk) write(tips []tip, nodes []*node, name string) (size int64, err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return 0, err
	}
	file, err := os.CreateTemp(filepath.Dir(name), unfinished) // mode 0600
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriterSize(file, 256<<10)
	put := func(data []byte) {
		_, _ = w.Write(binary.BigEndian.AppendUint32(w.AvailableBuffer(), uint32(len(data))))
		_, _ = w.Write(data)
		size += 4 + int64(len(data))
	}
	_, _ = w.WriteString(diskMagic)
	size = int64(len(diskMagic))
	for _, t := range tips {
		put([]byte(t.ref))
		put(t.view.data)
	}
	put(nil)
	for _, n := range nodes {
		put(n.data)
	}
	err = errors.Join(w.Flush(), file.Close()) // Flush returns the first error of all writes
	if err == nil {
		now := d.now()
		_ = os.Chtimes(file.Name(), now, now)
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return size, err
}

// unfinished matches the files that are being written.
const unfinished = "new-*" + diskSuffix

// trimEvery is how often the files are looked at, while they are within the limit.
const trimEvery = time.Hour

// trim notes that a file of so many bytes was written. From time to time, it deletes the files that were not used for
// DiskTime, and those that were used least recently, until all are within the limit; if they were not, until an eighth
// of it is free, so that this is not done again for each file.
func (d *disk) trim(written int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.size += written; d.size <= d.limit && d.now().Sub(d.trimmed) < trimEvery {
		return
	}
	limit := d.limit
	if d.size > limit {
		limit -= limit / 8
	}
	type used struct {
		name string
		info fs.FileInfo
	}
	var all []used
	// The folder itself may be a symbolic link: systemd makes one for CacheDirectory= with DynamicUser=.
	_ = fs.WalkDir(os.DirFS(d.dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || filepath.Ext(name) != diskSuffix {
			return nil //nolint:nilerr // what cannot be read is not deleted
		}
		if info, err := e.Info(); err == nil {
			all = append(all, used{filepath.Join(d.dir, name), info})
		}
		return nil
	})
	slices.SortFunc(all, func(a, b used) int { return b.info.ModTime().Compare(a.info.ModTime()) })
	d.size, d.trimmed = 0, d.now()
	for _, f := range all {
		if d.size+f.info.Size() > limit || d.now().Sub(f.info.ModTime()) > DiskTime {
			_ = os.Remove(f.name)
			continue
		}
		d.size += f.info.Size()
	}
}

// keep trims the files from time to time until the context ends.
func (d *disk) keep(ctx context.Context) {
	if d == nil {
		return
	}
	tick := time.NewTicker(trimEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			d.trim(0)
		}
	}
}

// forget deletes what the disk has of the repositories of an installation, and nothing that somebody else put there.
func (d *disk) forget(installation int64) {
	if d == nil {
		return
	}
	folder := d.folder(installation)
	files, err := fs.Glob(os.DirFS(folder), "*"+diskSuffix)
	for _, name := range files {
		err = errors.Join(err, os.Remove(filepath.Join(folder, name)))
	}
	_ = os.Remove(folder) // unless something else is in it
	if err != nil {
		d.log.Warn("cannot delete from the cache of trees", "error", err)
	}
}
