package localrepo

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
)

// Bounds on the documents of a work tree, in bytes.
const (
	documentBytes = 64 << 20 // in memory
	maxShelf      = 48 << 20 // on the disk
)

// shelf keeps documents in a file: a head, the entries sorted by key, and the documents. What it has of another build
// of tenon, or damaged, is as if it were not there.
type shelf struct {
	path string
	data []byte // the file; empty if there is none to use
	// recent are the ids of files that were written just before they were listed: they may be written again with the
	// same times.
	recent map[string]bool
	// used are those of the file that were asked for, added are new.
	used, added map[shelfKey][]byte
}

type shelfKey [16]byte

// The form of the file.
const (
	shelfHead  = 32 + 4 // the sum of the build, the number of entries
	shelfEntry = 16 + 4 + 4 + 4
)

func keyOf(blob, extension string) shelfKey {
	sum := sha256.Sum256([]byte(blob + "\x00" + extension))
	return shelfKey(sum[:16])
}

// build is what distinguishes this program's documents from those of another one.
func build() [sha256.Size]byte {
	text := "documents"
	if info, ok := debug.ReadBuildInfo(); ok {
		text += info.Main.Version + info.GoVersion
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" || s.Key == "vcs.modified" {
				text += s.Value
			}
		}
	}
	return sha256.Sum256(append([]byte(text), lexical.Version))
}

// openShelf reads the file of a folder, if there is one to use.
func openShelf(dir string) *shelf {
	s := &shelf{path: filepath.Join(dir, "index"), used: map[shelfKey][]byte{}, added: map[shelfKey][]byte{}}
	info, err := os.Lstat(s.path)
	if err != nil || !info.Mode().IsRegular() { // opening a pipe would wait
		return s
	}
	f, err := os.Open(s.path)
	if err != nil {
		return s
	}
	defer func() { _ = f.Close() }()
	info, err = f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() < shelfHead || info.Size() > 2*maxShelf {
		return s
	}
	data := make([]byte, info.Size())
	sum := build()
	if _, err := io.ReadFull(f, data); err != nil || string(data[:32]) != string(sum[:]) {
		return s
	}
	if n := int(binary.LittleEndian.Uint32(data[32:])); n <= (len(data)-shelfHead)/shelfEntry {
		s.data = data
	}
	return s
}

func (s *shelf) entries() int {
	if len(s.data) == 0 {
		return 0
	}
	return int(binary.LittleEndian.Uint32(s.data[32:]))
}

// entry returns an entry of the file: its key, and its document if that is not damaged.
func (s *shelf) entry(i int) (key shelfKey, data []byte) {
	e := s.data[shelfHead+i*shelfEntry:]
	start, size := uint64(binary.LittleEndian.Uint32(e[16:])), uint64(binary.LittleEndian.Uint32(e[20:]))
	if start+size > uint64(len(s.data)) {
		return shelfKey(e), nil
	}
	data = s.data[start : start+size]
	if crc32.ChecksumIEEE(data) != binary.LittleEndian.Uint32(e[24:]) {
		data = nil
	}
	return shelfKey(e), data
}

// find returns the document of a key as it is in the file.
func (s *shelf) find(key shelfKey) []byte {
	low, high := 0, s.entries()
	for low < high {
		middle := (low + high) / 2
		e := s.data[shelfHead+middle*shelfEntry:]
		if string(e[:16]) < string(key[:]) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == s.entries() {
		return nil
	}
	found, data := s.entry(low)
	if found != key {
		return nil
	}
	return data
}

// Get implements lexical.Shelf.
func (s *shelf) Get(blob, extension string) *lexical.Document {
	key := keyOf(blob, extension)
	data := s.find(key)
	if data == nil {
		return nil
	}
	d, err := lexical.Decode(data)
	if err != nil {
		return nil
	}
	s.used[key] = data
	return d
}

// Put implements lexical.Shelf. An empty document may mean a file that is not to be shown, which is to be looked at
// again each time.
func (s *shelf) Put(blob, extension string, d *lexical.Document) {
	if !s.recent[blob] && !d.IsEmpty() {
		s.added[keyOf(blob, extension)] = d.Append(nil)
	}
}

// save writes the file again if there is anything new: what was used or is new, and of the rest what fits.
func (s *shelf) save() error {
	if len(s.added) == 0 {
		return nil
	}
	kept, size := map[shelfKey][]byte{}, 0
	keep := func(key shelfKey, data []byte) {
		if _, known := kept[key]; !known && data != nil && size+len(data)+shelfEntry <= maxShelf {
			kept[key] = data
			size += len(data) + shelfEntry
		}
	}
	for key, data := range s.added {
		keep(key, data)
	}
	for key, data := range s.used {
		keep(key, data)
	}
	for i := range s.entries() {
		keep(s.entry(i))
	}
	return s.write(kept, size)
}

func (s *shelf) write(kept map[shelfKey][]byte, size int) error {
	sum := build()
	file := append(make([]byte, 0, shelfHead+size), sum[:]...)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(kept)))
	keys := slices.SortedFunc(maps.Keys(kept), func(a, b shelfKey) int { return slices.Compare(a[:], b[:]) })
	at := shelfHead + len(keys)*shelfEntry
	for _, key := range keys {
		data := kept[key]
		file = append(file, key[:]...)
		file = binary.LittleEndian.AppendUint32(file, uint32(at))
		file = binary.LittleEndian.AppendUint32(file, uint32(len(data)))
		file = binary.LittleEndian.AppendUint32(file, crc32.ChecksumIEEE(data))
		at += len(data)
	}
	for _, key := range keys {
		file = append(file, kept[key]...)
	}
	dir := filepath.Dir(s.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, "index-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = temp.Write(file)
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), s.path)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}
