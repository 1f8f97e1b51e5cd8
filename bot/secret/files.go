package secret

import (
	"crypto/sha256"
	"sync"
)

// MaxWork bounds the work of masking the files of one run, in bytes as Masked counts them. The last file may exceed it,
// by what the work for one file can be.
const MaxWork = 24 << 20

// Files masks the files of a run: each version of a file once, and no more of them than MaxWork allows. What is not
// masked must not be shown. Files is safe for concurrent use.
type Files struct {
	mu    sync.Mutex
	known map[[sha256.Size]byte]Masked
	room  int
}

// NewFiles returns Files that have masked nothing yet.
func NewFiles() *Files { return &Files{known: map[[sha256.Size]byte]Masked{}, room: MaxWork} }

// Mask returns a file without its secrets, and how much work that is, also if this version of it was masked before. It
// reports false if there is no room for the work.
func (f *Files) Mask(data []byte) (m Masked, work int, ok bool) {
	sum := sha256.Sum256(data)
	f.mu.Lock()
	known, ok := f.known[sum]
	room := f.room
	f.mu.Unlock()
	switch {
	case ok && known.Hides():
		return known, known.work, true
	case ok:
		return Masked{text: string(data), work: known.work}, known.work, true
	case len(data) > room:
		return Masked{}, 0, false
	}
	m = Mask(string(data))
	f.mu.Lock()
	defer f.mu.Unlock()
	f.room -= m.work
	if m.Hides() {
		f.known[sum] = m
	} else {
		f.known[sum] = Masked{work: m.work} // whoever asks has the text
	}
	return m, m.work, true
}
