package ci

import (
	"io"
	"unsafe"

	"github.com/tenon-bot/tenon/bot/port"
)

// KeptBytes returns how many bytes are kept of a log.
func KeptBytes(l Log) int { return footprint(l.lines) }

// NewReaderOf returns a Reader of so many bytes of each log, and of all together.
func NewReaderOf(each, all int64) *Reader { return newReader(each, all) }

// MostWhileReading returns how many bytes at most are kept at once while a log is read.
func MostWhileReading(log io.Reader) (most int) {
	c := newCollector(port.Job{})
	s := splitter{line: c.line}
	buf := make([]byte, chunk)
	for {
		n, err := log.Read(buf)
		s.write(buf[:n])
		kept := cap(s.head) + cap(s.tail) + cap(c.elsewhere) + c.keeper.footprint()
		if c.failed != nil {
			kept += c.failed.footprint()
		}
		if most = max(most, kept); err != nil {
			return most
		}
	}
}

func (k *keeper) footprint() int {
	const known = 32 // of a number and its place in a map
	return footprint(k.head) + footprint(k.middle) + footprint(k.tail) + cap(k.lower) + cap(k.tried) + known*len(k.known)
}

func footprint(lines []line) int {
	n := cap(lines) * int(unsafe.Sizeof(line{}))
	for _, l := range lines {
		n += len(l.text)
	}
	return n
}
